import MapGeometry

/// The features of a file, compact, immutable and ready to be drawn.
public struct FeatureSet: Sendable {
  /// The formats of files.
  public enum Kind: String, Sendable { case geojson, gpx, kml }

  /// The format that the features were read from.
  public internal(set) var kind: Kind
  /// The features in the file's order, which is the order of drawing.
  public internal(set) var features: [Feature] = []
  /// The parts of all features; those of one feature are consecutive.
  public internal(set) var parts: [FeaturePart] = []
  /// The points of all parts; those of one part are consecutive.
  public internal(set) var points: [FeaturePoint] = []
  /// The different styles of the features, each once.
  public internal(set) var styles: [FeatureStyle] = []
  /// What the colours along tracks stand for; nil: no track is coloured.
  public internal(set) var ramp: FeatureRamp?
  /// The name that the file gives itself, one line of at most `FeatureLimits.text` bytes: GPX's
  /// `metadata`, KML's `Document`, a `name` beside the features of GeoJSON. Nil: it has none.
  public internal(set) var title: String?
  var labelText: [UInt8] = []
  /// What was measured of lines with elevations and of coloured tracks, in the order of features.
  public internal(set) var trails: [Trail] = []
  var knots: [TrailKnot] = []
  /// The texts for cards, in the order of features.
  var cardItems: [CardItem] = []
  var cardText: [UInt8] = []

  /// The first warnings about what was left out, at most `maxWarnings`.
  public internal(set) var warnings: [FeatureError] = []
  /// The number of warnings, including those that were not kept.
  public internal(set) var warningCount = 0
  /// The most warnings that are kept.
  public static let maxWarnings = 20

  init(kind: Kind) { self.kind = kind }

  /// The memory of the set in bytes.
  public var bytes: Int {
    let lists =
      features.capacity * MemoryLayout<Feature>.stride
      + parts.capacity * MemoryLayout<FeaturePart>.stride
    let rest =
      points.capacity * MemoryLayout<FeaturePoint>.stride
      + styles.capacity * MemoryLayout<FeatureStyle>.stride
    let cards =
      trails.capacity * MemoryLayout<Trail>.stride + knots.capacity * MemoryLayout<TrailKnot>.stride
      + cardItems.capacity * MemoryLayout<CardItem>.stride + cardText.capacity
    return lists + rest + labelText.capacity + cards
  }

  /// The text of a feature's label; nil if it has none. `feature` must be of this set.
  public func label(of feature: Feature) -> String? {
    guard feature.labelLength > 0 else { return nil }
    let start = Int(feature.labelStart)
    return String(decoding: labelText[start..<start + Int(feature.labelLength)], as: UTF8.self)
  }

  /// The range in `points` of the points of part `part`, an index in `parts`.
  @inlinable
  public func pointRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : Int(parts[part - 1].end))..<Int(parts[part].end)
  }

  /// The smallest box around all features, in degrees, across the dateline if that is smaller; nil
  /// if there are no features.
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
    // The box leaves out the widest gap between parts.
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
    // What begins at longitude 180 begins at -180.
    if west == .max { (west, east) = (0, east == .max ? 0 : east) }
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

  /// The radius of a circle in steps of `FeaturePoint`; 0 if the part has not two points.
  @inlinable
  public func circleRadius(_ part: Int) -> UInt32 {
    let range = pointRange(part)
    guard range.count == 2 else { return 0 }
    return points[range.lowerBound + 1].x &- points[range.lowerBound].x
  }

  /// The bounding box of a circle.
  func circleBox(_ part: Int) -> FeatureBox {
    let center = points[pointRange(part).lowerBound]
    let radius = circleRadius(part)
    func less(_ value: UInt32) -> UInt32 { value > radius ? value - radius : 0 }
    func more(_ value: UInt32) -> UInt32 { value < .max - radius ? value + radius : .max }
    return FeatureBox(
      minX: less(center.x), minY: less(center.y), maxX: more(center.x), maxY: more(center.y))
  }
}
