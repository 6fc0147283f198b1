/// The "coordinates" of a GeoJSON geometry as they were read, before the geometry's type is known.
struct Coordinates {
  typealias Place = FeatureBuilder.Place

  /// How deeply the positions of each type are nested in arrays, including a position's own array.
  static let depths: [String: Int] = [
    "Point": 1, "MultiPoint": 2, "LineString": 2, "MultiLineString": 3, "Polygon": 3,
    "MultiPolygon": 4,
  ]

  static func isGeometry(_ type: String?) -> Bool {
    type.map { depths[$0] != nil || $0 == "GeometryCollection" } ?? false
  }

  private(set) var places: [Place] = []
  /// The first problem found; nil: none.
  var problem: String?
  private var leastDepth = Int.max
  private var mostDepth = 0
  /// The number of positions read when each array of depth 2 ended: a line, a Polygon's ring, or a
  /// polygon of a MultiPolygon.
  private var outerEnds: [Int32] = []
  /// The same for depth 3: a ring of a MultiPolygon.
  private var innerEnds: [Int32] = []

  /// The elevation of each place in metres, NaN where it is unknown; empty as long as none is
  /// known.
  private(set) var elevations: [Float] = []

  mutating func add(_ place: Place, elevation: Float = .nan, depth: Int) {
    if elevations.isEmpty, !elevation.isNaN {
      elevations = [Float](repeating: .nan, count: places.count)
    }
    if !elevations.isEmpty || !elevation.isNaN { elevations.append(elevation) }
    if !FeatureBuilder.isPlace(place), problem == nil {
      problem =
        place.lat.isFinite && abs(place.lat) > 90
        ? "a latitude of \(place.lat) is beyond ±90 (the longitude comes first)"
        : "a position is not on Earth"
    }
    places.append(place)
    leastDepth = min(leastDepth, depth)
    mostDepth = max(mostDepth, depth)
  }

  /// Records the end of an array of positions. An empty one is ignored and takes no memory.
  mutating func close(_ depth: Int) {
    let count = Int32(truncatingIfNeeded: places.count)
    switch depth {
    case 2 where count > outerEnds.last ?? 0: outerEnds.append(count)
    case 3 where count > innerEnds.last ?? 0: innerEnds.append(count)
    default: break
    }
  }

  /// The memory it takes until it is added, in points; arrays count as well.
  var cost: Int { places.count + innerEnds.count + outerEnds.count + 8 }

  /// Why these are not coordinates of a geometry of this type; nil if they are.
  func problem(as type: String) -> String? {
    if let problem { return "a \(type): \(problem)" }
    guard let depth = Coordinates.depths[type] else { return nil }
    // An empty geometry without any position is allowed (RFC 7946, section 3.1).
    if places.isEmpty { return nil }
    guard leastDepth == depth, mostDepth == depth else {
      return "the coordinates of a \(type) are positions in \(depth - 1) arrays; "
        + "these are in \(leastDepth == depth ? mostDepth - 1 : leastDepth - 1)"
    }
    switch type {
    case "LineString" where places.count < 2: return "a LineString needs two positions"
    case "MultiLineString" where lines(outerEnds).contains { $0.count == 1 }:
      return "a line of a MultiLineString needs two positions"
    case "Polygon", "MultiPolygon":
      let rings = lines(depth == 3 ? outerEnds : innerEnds)
      if rings.contains(where: { !$0.isEmpty && RingUnwrapping.open($0).count < 3 }) {
        return "a ring of a \(type) needs four positions, the last one like the first"
      }
      return nil
    default: return nil
    }
  }

  /// The parts of the list that end at `ends`, each made when it is asked for.
  private func lines(_ ends: [Int32]) -> some Sequence<ArraySlice<Place>> {
    ends.indices.lazy.map { index in
      places[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }
  }

  /// Adds the geometry to the feature.
  ///
  /// - Parameters:
  ///   - type: GeoJSON's type of the geometry.
  ///   - radius: The radius in metres of circles around points; nil leaves them points.
  ///   - builder: The builder that the geometry is added to.
  /// - Throws: `FeatureBuilder.Problem` if it goes around the world too often, or if there is no
  ///   room.
  func add(
    as type: String, radius: Double?, to builder: inout FeatureBuilder
  ) throws(FeatureBuilder.Problem) {
    switch type {
    case "Point", "MultiPoint":
      for place in places {
        if let radius {
          try builder.addCircle(place, radius: radius)
        } else {
          builder.addPoint(place)
        }
      }
    case "LineString":
      if !places.isEmpty { try builder.addLine(places[...], elevations: elevations[...]) }
    case "MultiLineString":
      for line in lines(outerEnds) {
        try builder.addLine(
          line, elevations: elevations.isEmpty ? [] : elevations[line.startIndex..<line.endIndex])
      }
    case "Polygon": try builder.addPolygon(Array(lines(outerEnds)))
    case "MultiPolygon":
      var polygon: [ArraySlice<Place>] = []
      var polygons = outerEnds[...]
      for ring in lines(innerEnds) {
        polygon.append(ring)
        if let end = polygons.first, ring.endIndex >= Int(end) {
          try builder.addPolygon(polygon)
          polygon.removeAll(keepingCapacity: true)
          polygons = polygons.dropFirst()
        }
      }
    default: break
    }
  }
}
