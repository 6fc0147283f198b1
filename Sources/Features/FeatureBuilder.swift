import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// Builds a `FeatureSet` from coordinates in degrees.
struct FeatureBuilder {
  typealias Place = (lon: Double, lat: Double)

  /// Why a geometry is refused.
  struct Problem: Error { var reason: String }

  private(set) var built: FeatureSet
  let file: String
  /// The index of the current feature's first part.
  private var firstPart = 0
  private var firstPoint = 0
  /// Measures the lines of the current feature.
  private var meter = TrailMeter()
  private var styles = FeatureStyleTable()
  /// The number of parts added to the current feature.
  var partCount: Int { built.parts.count - firstPart }

  init(kind: FeatureSet.Kind, file: String) {
    built = FeatureSet(kind: kind)
    self.file = file
  }

  /// Takes the name that the file gives itself; of several the first counts.
  mutating func setTitle(_ text: String) {
    let title = String(decoding: FeatureText.cut(text), as: UTF8.self)
    if built.title == nil, !title.isEmpty { built.title = title }
  }

  mutating func warn(line: Int, _ reason: String) {
    built.warningCount += 1
    if built.warnings.count < FeatureSet.maxWarnings {
      built.warnings.append(FeatureError(file: file, line: line, reason: reason))
    }
  }

  /// Sets what the colours of the tracks stand for.
  mutating func setRamp(_ ramp: FeatureRamp) { built.ramp = ramp }

  // MARK: geometry

  /// Whether coordinates are valid: finite, with a latitude of −90° to 90° and a longitude of at
  /// most a million degrees.
  static func isPlace(_ place: Place) -> Bool {
    place.lon.isFinite && place.lat.isFinite && abs(place.lat) <= 90.000_001
      && abs(place.lon) <= 1e6
  }

  mutating func addPoint(_ place: Place) {
    built.points.append(project((RingUnwrapping.wrapped(place.lon), place.lat)))
    endPart(.point)
  }

  /// - Parameters:
  ///   - places: The line's places.
  ///   - elevations: One for each place in metres, NaN where it is unknown; empty: there are none.
  /// - Throws: `Problem` if it goes around the world, or across the antimeridian, too often.
  mutating func addLine(
    _ places: ArraySlice<Place>, elevations: ArraySlice<Float> = []
  ) throws(Problem) {
    if RingUnwrapping.isPlain(places), !places.isEmpty {
      addPiece(places)
    } else {
      try checkCrossing(places)
      guard let pieces = RingUnwrapping.pieces(line: Array(places)) else {
        throw Problem(reason: "a line goes round the world or across the antimeridian too often")
      }
      for piece in pieces { addPiece(piece[...]) }
    }
    meter.add(places, elevations)
  }

  private mutating func addPiece(_ piece: ArraySlice<Place>) {
    let start = built.points.count
    for place in piece { append(project(place), from: start) }
    endPart(.line)
  }

  private func checkCrossing(_ places: ArraySlice<Place>) throws(Problem) {
    if places.count > FeatureLimits.crossing {
      throw Problem(
        reason: "a line or a ring across the antimeridian has more than "
          + "\(FeatureLimits.crossing) points; cut it there, as RFC 7946 recommends")
    }
  }

  /// - Parameters:
  ///   - rings: The outer ring first.
  ///   - pole: Which pole a ring around the world encloses; nil: decided from the rings.
  /// - Throws: `Problem` if a ring goes around the world too often.
  mutating func addPolygon(
    _ rings: [ArraySlice<Place>], pole: RingUnwrapping.PoleRule? = nil
  ) throws(Problem) {
    var polar = 0
    for ring in rings where !RingUnwrapping.isPlain(ring: ring) {
      try checkCrossing(ring)
      if rings.count > 1, RingUnwrapping.closed(Array(ring))?.turn ?? 0 != 0 { polar += 1 }
    }
    for (index, ring) in rings.enumerated() {
      if RingUnwrapping.isPlain(ring: ring) {
        let open = RingUnwrapping.open(ring)
        if open.count >= 3 { addRing(open) }
        continue
      }
      guard
        let pieces = RingUnwrapping.pieces(
          ring: Array(ring), isHole: index > 0, pole: pole ?? (polar > 1 ? .left : .smaller))
      else {
        throw Problem(reason: "a ring goes round the world too often")
      }
      for piece in pieces { addRing(piece[...]) }
    }
  }

  private mutating func addRing(_ piece: ArraySlice<Place>) {
    let start = built.points.count
    var box = FeatureBox.empty
    for place in piece {
      let point = project(place)
      append(point, from: start)
      box.include(point)
    }
    if built.points.count - start > 1, built.points[start] == built.points[built.points.count - 1] {
      built.points.removeLast()
    }
    // A ring without area at the finest step is dropped.
    if built.points.count - start < 3 || box.minX == box.maxX || box.minY == box.maxY {
      built.points.removeLast(built.points.count - start)
      return
    }
    endPart(.ring)
  }

  /// Adds a circle on the ground.
  ///
  /// - Parameters:
  ///   - center: The centre in degrees.
  ///   - radius: The radius in metres, more than 0.
  /// - Throws: `Problem` if there is no room for it.
  mutating func addCircle(_ center: Place, radius: Double) throws(Problem) {
    // A circle may take many more points than the one in the file.
    if isFull { throw Problem(reason: FeatureBuilder.fullReason) }
    let radius = min(radius, 20_000_000)
    let scale = cos(center.lat * .pi / 180)
    // Web Mercator is conformal, so a small circle stays a circle.
    let unit = radius / (2 * .pi * 6_378_137 * max(scale, 1e-6))
    let point = project((RingUnwrapping.wrapped(center.lon), center.lat))
    // A circle that is visible at both edges of the world is cut like any area.
    if unit < 0.002, abs(center.lat) < 84, point.unitX > unit, point.unitX < 1 - unit {
      built.points.append(point)
      let steps = UInt32(max(1, (unit * FeaturePoint.steps).rounded()))
      built.points.append(FeaturePoint(x: point.x &+ steps, y: point.y))
      endPart(.circle)
      return
    }
    let angle = radius / 6_378_137
    let lat = center.lat * .pi / 180
    // Counterclockwise, so that a pole inside is recognised as inside.
    let ring = (0..<360).map { step -> Place in
      let bearing = -Double(step) * .pi / 180
      let sine = sin(lat) * cos(angle) + cos(lat) * sin(angle) * cos(bearing)
      let lat2 = asin(min(max(sine, -1), 1))
      let lon2 = atan2(
        sin(bearing) * sin(angle) * cos(lat), cos(angle) - sin(lat) * sin(lat2))
      return (center.lon + lon2 * 180 / .pi, lat2 * 180 / .pi)
    }
    // With both poles inside, the outline goes round what is outside: a hole in the world.
    if angle > .pi / 2 + abs(lat) { addWorld() }
    try addPolygon([ring[...]], pole: .left)
  }

  /// Adds the whole map as a ring.
  private mutating func addWorld() {
    let most = UInt32.max
    for (x, y) in [(0, 0), (most, 0), (most, most), (0, most)] {
      built.points.append(FeaturePoint(x: x, y: y))
    }
    endPart(.ring)
  }

  private func project(_ place: Place) -> FeaturePoint {
    let world = WebMercator.project(GeoPoint(lat: place.lat, lon: place.lon))
    return FeaturePoint(unitX: world.x, unitY: world.y)
  }

  /// Appends a point unless it repeats the part's last one.
  private mutating func append(_ point: FeaturePoint, from start: Int) {
    if built.points.count > start, built.points[built.points.count - 1] == point { return }
    built.points.append(point)
  }

  private mutating func endPart(_ kind: FeaturePart.Kind) {
    built.parts.append(FeaturePart(end: Int32(truncatingIfNeeded: built.points.count), kind: kind))
  }

  /// Whether the limit of points or features is reached.
  var isFull: Bool {
    built.points.count > FeatureLimits.points || built.features.count >= FeatureLimits.features
  }

  static var fullReason: String {
    "there are more than \(FeatureLimits.points) points or \(FeatureLimits.features) features; "
      + "leave some out, or make its lines simpler"
  }

  // MARK: features

  /// Discards the geometry added since the last feature.
  mutating func dropFeature() {
    meter = TrailMeter()
    built.parts.removeLast(built.parts.count - firstPart)
    built.points.removeLast(built.points.count - firstPoint)
  }

  /// Makes a feature of what was added since the last one; does nothing if that is nothing.
  ///
  /// `card`: the texts of its card, if it has lines, each with the index of its key.
  mutating func endFeature(
    style: FeatureStyle, label: String?, card: [(key: Int, text: String)] = []
  ) {
    guard partCount > 0 else { return dropFeature() }
    let index = built.features.count
    defer {
      if meter.hasElevations { addTrail(meter, from: index) }
      meter = TrailMeter()
    }
    if !card.isEmpty, built.parts[firstPart...].contains(where: { $0.kind == .line }) {
      addCard(card, of: index)
    }
    var box = FeatureBox.empty
    for part in firstPart..<built.parts.count {
      if built.parts[part].kind == .circle {
        box.include(built.circleBox(part))
      } else {
        for point in built.points[built.pointRange(part)] { box.include(point) }
      }
    }
    let text = label.map { FeatureText.cut($0) } ?? []
    built.features.append(
      Feature(
        box: box, firstPart: Int32(truncatingIfNeeded: firstPart),
        partCount: Int32(truncatingIfNeeded: partCount), style: number(of: style),
        labelStart: UInt32(truncatingIfNeeded: built.labelText.count),
        labelLength: UInt16(truncatingIfNeeded: text.count)))
    built.labelText += text
    firstPart = built.parts.count
    firstPoint = built.points.count
  }

  /// Records what was measured of the features from the index `first` on.
  mutating func addTrail(_ meter: TrailMeter, from first: Int) {
    guard built.trails.count < FeatureLimits.trails, built.features.count > first else { return }
    let all = meter.knots
    let knots = built.knots.count + all.count <= FeatureLimits.knots ? all : []
    let isClimb = meter.hasElevations
    built.trails.append(
      Trail(
        firstFeature: Int32(truncatingIfNeeded: first),
        featureCount: Int32(truncatingIfNeeded: built.features.count - first),
        length: Float(meter.length), ascent: isClimb ? Float(meter.ascent) : .nan,
        descent: isClimb ? Float(meter.descent) : .nan,
        lowest: isClimb ? Float(meter.lowest) : .nan,
        highest: isClimb ? Float(meter.highest) : .nan,
        firstKnot: UInt32(truncatingIfNeeded: built.knots.count),
        knotCount: UInt16(truncatingIfNeeded: knots.count)))
    built.knots += knots
  }

  private mutating func addCard(_ card: [(key: Int, text: String)], of feature: Int) {
    for item in card {
      let text = FeatureText.cut(item.text)
      let taken =
        built.cardText.count + (built.cardItems.count + 1) * MemoryLayout<CardItem>.stride
      guard !text.isEmpty, taken + text.count <= FeatureLimits.cards else { continue }
      built.cardItems.append(
        CardItem(
          feature: Int32(truncatingIfNeeded: feature),
          start: UInt32(truncatingIfNeeded: built.cardText.count),
          length: UInt16(truncatingIfNeeded: text.count), key: UInt8(truncatingIfNeeded: item.key)))
      built.cardText += text
    }
  }

  mutating func setStyle(_ style: FeatureStyle, of feature: Int) {
    built.features[feature].style = number(of: style)
  }

  private mutating func number(of style: FeatureStyle) -> Int32 {
    styles.number(of: style, in: &built.styles)
  }

  /// The finished set, which takes no more memory than it needs. The builder is empty afterwards.
  mutating func finished() -> FeatureSet {
    var result = built
    // While a list is copied, nothing else holds the old one.
    built = FeatureSet(kind: result.kind)
    styles = FeatureStyleTable()
    (firstPart, firstPoint) = (0, 0)
    FeatureBuilder.trim(&result.features)
    FeatureBuilder.trim(&result.parts)
    FeatureBuilder.trim(&result.points)
    FeatureBuilder.trim(&result.styles)
    FeatureBuilder.trim(&result.labelText)
    FeatureBuilder.trim(&result.trails)
    FeatureBuilder.trim(&result.knots)
    FeatureBuilder.trim(&result.cardItems)
    FeatureBuilder.trim(&result.cardText)
    return result
  }

  /// Copies a list that has room for many more elements.
  private static func trim<Element>(_ list: inout [Element]) {
    guard list.capacity > list.count + list.count / 8 else { return }
    list = list.withUnsafeBufferPointer { Array($0) }
  }
}

/// Text from files.
enum FeatureText {
  /// Text from a file in quotation marks, shortened for a message.
  static func quoted(_ text: String) -> String {
    String(decoding: cut(String(text.prefix(40))), as: UTF8.self)
  }

  /// Text as one line, cut between characters so that it takes at most `FeatureLimits.text` bytes.
  static func cut(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      let next = character.isNewline || character == "\t" ? [32] : Array(character.utf8)
      if bytes.count + next.count > FeatureLimits.text { break }
      if next == [32], bytes.isEmpty || bytes.last == 32 { continue }
      bytes += next
    }
    while bytes.last == 32 { bytes.removeLast() }
    return bytes
  }
}
