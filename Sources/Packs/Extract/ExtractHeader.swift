import MapGeometry
import TileSources

/// What an extract says of itself: what its archive said, with its own bounds and levels.
enum ExtractHeader {
  /// The header without its sections.
  static func fields(
    _ header: PMTilesHeader, _ plan: ExtractPlan, _ selection: ExtractSelection
  ) -> PMTilesHeaderFields {
    var fields = PMTilesHeaderFields()
    fields.addressedTiles = plan.tiles
    fields.tileEntries = UInt64(plan.entryCount)
    fields.tileContents = UInt64(plan.contents.count)
    fields.tileCompression = header.tileCompression
    fields.tileType = header.tileType
    let zooms = plan.zooms ?? 0...0
    (fields.minZoom, fields.maxZoom) = (zooms.lowerBound, zooms.upperBound)
    let bounds = selection.bounds(within: header.bounds)
    fields.bounds = bounds
    if bounds.west > bounds.east {
      // The format's boxes do not cross the dateline.
      (fields.bounds.west, fields.bounds.east) = (-180, 180)
    }
    fields.center = bounds.center
    if let center = header.center, bounds.contains(center) { fields.center = center }
    fields.centerZoom = min(max(header.centerZoom, zooms.lowerBound), zooms.upperBound)
    return fields
  }

  /// The archive's metadata, with bounds and levels replaced where it states any.
  ///
  /// - Parameters:
  ///   - json: an object, UTF-8; anything else is replaced by an empty one.
  ///   - fields: the extract's header.
  /// - Returns: an object, UTF-8.
  static func metadata(_ json: [UInt8], _ fields: PMTilesHeaderFields) -> [UInt8] {
    var description = PackDescription()
    try? description.addMembers(ofJSON: json)
    let center = [fields.center.lon, fields.center.lat, Double(fields.centerZoom)]
    let stated: [(name: String, numbers: [Double])] = [
      ("bounds", fields.bounds.array), ("center", center),
      ("minzoom", [Double(fields.minZoom)]), ("maxzoom", [Double(fields.maxZoom)]),
    ]
    for (name, numbers) in stated {
      let list = numbers.map(number).joined(separator: ",")
      switch description[name] {
      case nil: break
      // As MBTiles writes it, which many archives were made from.
      case .text: description[name] = .text(list)
      case .json: description[name] = .json(numbers.count > 1 ? "[\(list)]" : list)
      }
    }
    return Array(description.pmtilesJSON.utf8)
  }

  /// A number with at most seven decimals.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 1e7).rounded() / 1e7
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
