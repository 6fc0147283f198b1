import Features
import MapGeometry

/// What an overlay adds to the map key.
extension FeatureDrawing {
  /// The colours of tracks that are coloured by a value, from the least to the most, 0xAARRGGBB.
  public static var rampColors: [UInt32] { TrackRamp.colors.map { $0 | 0xFF00_0000 } }

  /// The colour of a line, 0xAARRGGBB.
  public func color(of line: Range<Int>) -> UInt32 {
    guard let first = line.first, features.features.indices.contains(first) else {
      return OverlayStyle.defaultStroke
    }
    return style(of: first).stroke
  }

  /// The colour of a feature's name: that of a line in one colour; nil for everything else.
  func nameColor(of feature: Int) -> UInt32? {
    let style = style(of: feature)
    let parts = features.features[feature].partRange
    guard style.lines == .all, style.stroke >> 24 >= 0x80, style.strokeWidth > 0,
      !parts.isEmpty, features.parts[parts.lowerBound].kind == .line
    else { return nil }
    return style.stroke | 0xFF00_0000
  }

  /// The lines whose boxes reach into a circle, each by its first feature.
  ///
  /// - Parameters:
  ///   - place: The circle's centre on the unit square.
  ///   - radius: Its radius on the unit square.
  ///   - most: How many features are looked at.
  /// - Returns: The numbers of the features.
  public func lines(around place: WorldPoint, radius: Double, most: Int) -> [Int] {
    let a = FeaturePoint(unitX: place.x - radius, unitY: place.y - radius)
    let b = FeaturePoint(unitX: place.x + radius, unitY: place.y + radius)
    let box = FeatureBox(minX: a.x, minY: a.y, maxX: b.x, maxY: b.y)
    var (seen, firsts) = (0, Set<Int>())
    index.visit(box, features.features) { number in
      seen += 1
      let feature = features.features[Int(number)]
      if features.parts[Int(feature.firstPart)].kind == .line {
        firsts.insert(line(of: Int(number)).lowerBound)
      }
      return seen < most
    }
    return firsts.sorted()
  }

  /// A sign of features, with what they are.
  public struct FoundSign: Equatable, Sendable {
    /// The sign.
    public var sign: MapKey.Sign
    /// The name that all features of the sign in view have; nil: they have several or none, or all
    /// features of the file look alike.
    public var name: String?
    /// Whether it says that people may not go there now.
    public var isClosed = false
    /// The end of a coloured track that it marks; nil: none.
    public var trackEnd: FeatureStyle.TrackEnd?
  }

  /// The most signs that an overlay has of lines, of areas and of points. One more shows a closed
  /// feature, because people must see what its look means.
  private static let mostSigns = 6
  /// How many pieces of lines are looked at for the signs. Beyond that, boxes decide.
  private static let mostKeyPieces = 262_144

  /// The signs of the features in a part of the map: the different looks of lines, then those of
  /// areas and of points, each in the file's order.
  ///
  /// - Parameters:
  ///   - bounds: The part of the map in degrees.
  ///   - seen: The parts of it that people see; nil: all of it. A line of which only the box
  ///     reaches into them has no sign.
  ///   - most: How many features are looked at.
  /// - Returns: The signs.
  package func signs(in bounds: GeoBounds, seen: [MapPatch]? = nil, most: Int) -> [FoundSign] {
    func point(_ lat: Double, _ lon: Double) -> FeaturePoint {
      let world = WebMercator.project(GeoPoint(lat: lat, lon: lon))
      return FeaturePoint(unitX: world.x, unitY: world.y)
    }
    let (a, b) = (point(bounds.north, bounds.west), point(bounds.south, bounds.east))
    // A view across the antimeridian has two parts.
    var boxes = [FeatureBox(minX: a.x, minY: a.y, maxX: b.x, maxY: b.y)]
    if a.x > b.x {
      boxes = [
        FeatureBox(minX: a.x, minY: a.y, maxX: .max, maxY: b.y),
        FeatureBox(minX: 0, minY: a.y, maxX: b.x, maxY: b.y),
      ]
    }
    var looks: [KeyLook: KeyGroup] = [:]
    let hasNames = features.styles.count > 1
    var (count, budget) = (0, FeatureDrawing.mostKeyPieces)
    for box in boxes {
      index.visit(box, features.features) { number in
        count += 1
        if let seen, !seen.contains(where: { isSeen(Int(number), in: $0, budget: &budget) }) {
          return count < most
        }
        let feature = features.features[Int(number)]
        let look = KeyLook(features.parts[Int(feature.firstPart)].kind, style: Int(feature.style))
        looks[look, default: KeyGroup(first: Int(number))].add(
          Int(number), hasNames ? features.label(of: feature) : nil)
        return count < most
      }
    }
    var signs: [FoundSign] = []
    for kind in KeyLook.Kind.allCases {
      var found: [FoundSign] = []
      let ordered = looks.filter { $0.key.kind == kind }.sorted { $0.value.first < $1.value.first }
      for (look, group) in ordered {
        let sign = sign(look)
        let isClosed = kind != .dot && styles[look.style].isClosed
        let end = kind == .dot ? features.styles[look.style].trackEnd : nil
        if let same = found.firstIndex(where: { $0.sign == sign && $0.trackEnd == end }) {
          // Styles may differ in what the key does not show.
          if found[same].name != group.name { found[same].name = nil }
        } else if isClosed
          ? !found.contains(where: \.isClosed)
          : found.count(where: { !$0.isClosed }) < FeatureDrawing.mostSigns
        {
          found.append(
            FoundSign(sign: sign, name: group.name, isClosed: isClosed, trackEnd: end))
        }
      }
      signs += found
    }
    return signs
  }

  /// What tells a sign from others.
  struct KeyLook: Hashable {
    enum Kind: CaseIterable { case line, area, dot }
    var kind: Kind
    var style: Int

    init(_ part: FeaturePart.Kind, style: Int) {
      self.style = style
      switch part {
      case .line: kind = .line
      case .ring, .circle: kind = .area
      case .point: kind = .dot
      }
    }
  }

  /// The features of a look.
  struct KeyGroup {
    var first: Int
    var name: String?
    private var count = 0

    init(first: Int) { self.first = first }

    mutating func add(_ number: Int, _ label: String?) {
      first = min(first, number)
      if count == 0 { name = label } else if name != nil, name != label { name = nil }
      count += 1
    }
  }

  private func sign(_ look: KeyLook) -> MapKey.Sign {
    let style = styles[look.style]
    switch look.kind {
    case .line: return lineSign(style)
    case .area: return .area(fill: style.fill, stroke: style.strokeWidth > 0 ? style.stroke : 0)
    case .dot: return .dot(style.marker)
    }
  }

  private func lineSign(_ style: DrawnStyle) -> MapKey.Sign {
    // The theme's casing is the colour of the panel.
    var casing: UInt32 = 0
    if case .color(let color) = style.casing { casing = color }
    return .line(
      color: style.stroke, width: style.strokeWidth, casing: casing, dash: style.dash)
  }
}
