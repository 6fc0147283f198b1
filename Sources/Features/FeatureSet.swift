import MapGeometry

/// The features of a file, compact, immutable and ready to be drawn.
public struct FeatureSet: Sendable {
  /// The format of the file.
  public enum Kind: String, Sendable { case geojson, gpx, kml }

  /// The format it was read from.
  public internal(set) var kind: Kind
  /// In the file's order, which is the order they are painted in.
  public internal(set) var features: [Feature] = []
  /// The parts of all features; those of a feature follow each other.
  public internal(set) var parts: [FeaturePart] = []
  /// The points of all parts; those of a part follow each other.
  public internal(set) var points: [FeaturePoint] = []
  /// Every style that a feature has, once.
  public internal(set) var styles: [FeatureStyle] = []
  var labelText: [UInt8] = []

  /// The first warnings about what was left out.
  public internal(set) var warnings: [FeatureError] = []
  /// The number of warnings, including those not kept.
  public internal(set) var warningCount = 0
  /// The number of warnings kept.
  public static let maxWarnings = 20

  init(kind: Kind) { self.kind = kind }

  /// Bytes of memory it takes.
  public var bytes: Int {
    let lists =
      features.capacity * MemoryLayout<Feature>.stride
      + parts.capacity * MemoryLayout<FeaturePart>.stride
    let rest =
      points.capacity * MemoryLayout<FeaturePoint>.stride
      + styles.capacity * MemoryLayout<FeatureStyle>.stride
    return lists + rest + labelText.capacity
  }

  /// The text of the feature's label; nil if it has none.
  public func label(of feature: Feature) -> String? {
    guard feature.labelLength > 0 else { return nil }
    let start = Int(feature.labelStart)
    return String(decoding: labelText[start..<start + Int(feature.labelLength)], as: UTF8.self)
  }

  /// The indices in `points` of the points of a part.
  @inlinable
  public func pointRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : Int(parts[part - 1].end))..<Int(parts[part].end)
  }

  /// The smallest box around all features, across the dateline where that is smaller; nil if there
  /// are none.
  public var bounds: GeoBounds? {
    guard !features.isEmpty else { return nil }
    var all = FeatureBox.empty
    var spans: [(from: UInt32, to: UInt32)] = []
    for index in parts.indices {
      var box = FeatureBox.empty
      for point in points[pointRange(index)] { box.include(point) }
      if box.isEmpty { continue }
      if parts[index].kind == .circle { box = circleBox(index) }
      all.include(box)
      spans.append((box.minX, box.maxX))
    }
    guard !all.isEmpty else { return nil }
    spans.sort { $0.from < $1.from }
    // The widest gap between parts is what the box leaves out.
    var (west, east) = (all.minX, all.maxX)
    var gap = UInt64(UInt32.max - all.maxX) + UInt64(all.minX)
    var reached = all.minX
    for span in spans {
      if span.from > reached, UInt64(span.from - reached) > gap {
        gap = UInt64(span.from - reached)
        (west, east) = (span.from, reached)
      }
      reached = max(reached, span.to)
    }
    let north = WebMercator.unproject(
      WorldPoint(x: 0, y: FeaturePoint(x: 0, y: all.minY).unitY)
    ).lat
    let south = WebMercator.unproject(
      WorldPoint(x: 0, y: FeaturePoint(x: 0, y: all.maxY).unitY)
    ).lat
    return GeoBounds(
      west: FeaturePoint(x: west, y: 0).unitX * 360 - 180, south: south,
      east: FeaturePoint(x: east, y: 0).unitX * 360 - 180, north: north)
  }

  /// A circle's radius in steps.
  @inlinable
  public func circleRadius(_ part: Int) -> UInt32 {
    let range = pointRange(part)
    guard range.count == 2 else { return 0 }
    return points[range.lowerBound + 1].x &- points[range.lowerBound].x
  }

  /// The box of a circle.
  func circleBox(_ part: Int) -> FeatureBox {
    let center = points[pointRange(part).lowerBound]
    let radius = circleRadius(part)
    func less(_ value: UInt32) -> UInt32 { value > radius ? value - radius : 0 }
    func more(_ value: UInt32) -> UInt32 { value < .max - radius ? value + radius : .max }
    return FeatureBox(
      minX: less(center.x), minY: less(center.y), maxX: more(center.x), maxY: more(center.y))
  }
}
