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

  /// The signs of the features in a part of the map: at most one line, one area and one point, each
  /// as the first feature in the file has it.
  ///
  /// - Parameters:
  ///   - bounds: The part of the map in degrees.
  ///   - most: How many features are looked at.
  /// - Returns: The signs.
  public func signs(in bounds: GeoBounds, most: Int) -> [MapKey.Sign] {
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
    var (line, area, dot) = (Int.max, Int.max, Int.max)
    var seen = 0
    for box in boxes {
      index.visit(box, features.features) { number in
        seen += 1
        let feature = features.features[Int(number)]
        switch features.parts[Int(feature.firstPart)].kind {
        case .line: line = min(line, Int(number))
        case .ring, .circle: area = min(area, Int(number))
        case .point: dot = min(dot, Int(number))
        }
        return seen < most
      }
    }
    var signs: [MapKey.Sign] = []
    if line < .max { signs.append(lineSign(style(of: line))) }
    if area < .max {
      let style = style(of: area)
      signs.append(.area(fill: style.fill, stroke: style.strokeWidth > 0 ? style.stroke : 0))
    }
    if dot < .max { signs.append(.dot(style(of: dot).marker)) }
    return signs
  }

  private func lineSign(_ style: DrawnStyle) -> MapKey.Sign {
    // The theme's casing is the colour of the panel.
    var casing: UInt32 = 0
    if case .color(let color) = style.casing { casing = color }
    return .line(
      color: style.stroke, width: style.strokeWidth, casing: casing, dash: style.dash)
  }
}
