import MapGeometry
import TileFormats
import TileSources

extension PackDescription {
  /// Names that MBTiles keeps in rows of their own and other containers elsewhere.
  static let placed: Set<String> = ["format", "bounds", "center", "minzoom", "maxzoom"]

  /// The rows of MBTiles' `metadata` (MBTiles 1.3), for tiles that were written. Values that are no
  /// text are members of the row `json`.
  package func mbtilesRows(
    defaultName: String, format: TileFormat?, tally: TileTally
  ) -> [(String, String)] {
    let name = text("name")
    var rows = [("name", name.isEmpty ? defaultName : name)]
    rows.append(("format", format?.mbtilesName ?? self.format ?? "png"))
    if let zooms = tally.zooms {
      let box = tally.bounds(stated: bounds)
      rows.append(("bounds", box.array.map(PackDescription.number).joined(separator: ",")))
      let middle = center ?? box.center
      let zoom = min(max(centerZoom ?? zooms.lowerBound, zooms.lowerBound), zooms.upperBound)
      rows.append(
        (
          "center",
          "\(PackDescription.number(middle.lon)),\(PackDescription.number(middle.lat)),\(zoom)"
        ))
      rows.append(("minzoom", "\(zooms.lowerBound)"))
      rows.append(("maxzoom", "\(zooms.upperBound)"))
    }
    var members: [(name: String, json: String)] = []
    for (key, value) in values where key != "name" && !PackDescription.placed.contains(key) {
      switch value {
      case .text(let text): rows.append((key, text))
      case .json(let json): members.append((key, json))
      }
    }
    if !members.isEmpty { rows.append(("json", JSONText.object(members))) }
    return rows
  }

  /// Takes rows of MBTiles' `metadata` over. The first of several of a name counts.
  ///
  /// - Returns: what is wrong with them.
  package mutating func add(rows: [(String, String)]) -> [String] {
    var problems: [String] = []
    var seen: Set<String> = []
    for (name, text) in rows where seen.insert(name).inserted {
      func numbers() -> [Double]? { LenientPlace.numbers(text) }
      func level() -> Int? {
        guard let numbers = numbers(), numbers.count == 1 else { return nil }
        return Int(exactly: numbers[0])
      }
      switch name {
      case "format": format = text
      case "bounds":
        bounds = numbers().flatMap(LenientPlace.bounds)
        if bounds == nil { problems.append("the metadata's bounds name no area: \"\(text)\"") }
      case "center":
        guard let numbers = numbers(), numbers.count >= 2 else { break }
        center = LenientPlace.center(lon: numbers[0], lat: numbers[1], within: nil)
        if numbers.count >= 3 { centerZoom = Int(exactly: numbers[2].rounded()) }
      case "minzoom": minZoom = level()
      case "maxzoom": maxZoom = level()
      case "json":
        do {
          try addMembers(ofJSON: Array(text.utf8))
        } catch {
          problems.append("the metadata's row json \(error.reason)")
          if error != PackDescription.tooMany, self[name] == nil { self[name] = .text(text) }
        }
      default:
        guard hasRoom else {
          problems.append("the metadata \(PackDescription.tooMany.reason)")
          return problems
        }
        if self[name] == nil { self[name] = .text(text) }
      }
    }
    return problems
  }

  /// A number without a needless ".0".
  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
