/// Outlines in degrees, made continuous across the antimeridian and cut there.
///
/// GeoJSON has lines that are straight in longitude and latitude (RFC 7946, section 3.1.1) and asks
/// that they be cut at the antimeridian (3.1.9), which many files are not: an edge over more than
/// 180° of longitude is taken to go the other, shorter way round.
enum RingUnwrapping {
  typealias Place = (lon: Double, lat: Double)

  /// `places` with longitudes that go on beyond ±180 instead of jumping.
  ///
  /// An edge from ±180 to ∓180 lies on the antimeridian or goes once round the world along it, as
  /// the edges of an Antarctica that is already cut do: `alongEdge` tells which.
  static func unwrapped(_ places: [Place], alongEdge: Bool) -> [Place] {
    var result: [Place] = []
    result.reserveCapacity(places.count)
    var last: Place?
    for place in places {
      if let last, let placed = result.last {
        var step = place.lon - last.lon
        if abs(step) == 360, abs(place.lon) == 180 {
          if !alongEdge { step = 0 }
        } else if abs(step) > 180 {
          step -= (step / 360).rounded() * 360
        }
        result.append((placed.lon + step, place.lat))
      } else {
        result.append((wrapped(place.lon), place.lat))
      }
      last = place
    }
    return result
  }

  /// Wraps a longitude to −180 ≤ lon ≤ 180; both ends stay as they are.
  static func wrapped(_ lon: Double) -> Double {
    abs(lon) <= 180 ? lon : lon - (lon / 360).rounded() * 360
  }

  static func isOnAntimeridian(_ places: [Place]) -> Bool {
    places.allSatisfy { abs($0.lon) == 180 }
  }

  /// Whether places lie within ±180 without a jump, as nearly all do: they need no work.
  private static func isPlain(_ places: [Place]) -> Bool {
    var last: Double?
    for place in places {
      guard abs(place.lon) <= 180, abs(place.lon - (last ?? place.lon)) <= 180 else { return false }
      last = place.lon
    }
    return true
  }

  /// A line's pieces, each within −180...180; nil where it goes round the world, or across the
  /// antimeridian, too often.
  static func pieces(line places: [Place]) -> [[Place]]? {
    if isPlain(places), !places.isEmpty { return [places] }
    let line = unwrapped(places, alongEdge: isOnAntimeridian(places))
    guard let (low, high) = range(line), high - low <= Double(FeatureLimits.turns) * 360 else {
      return nil
    }
    if low >= -180, high <= 180 { return [line] }
    var pieces: [[Place]] = []
    var piece: [Place] = []
    var world = 0.0
    for (index, place) in line.enumerated() {
      guard index > 0 else {
        world = worldOf(place.lon)
        piece = [(place.lon - world, place.lat)]
        continue
      }
      let last = line[index - 1]
      // Cut at each edge of a world on the way.
      while place.lon < world - 180 || place.lon > world + 180 {
        let isEast = place.lon > world + 180
        let edge = world + (isEast ? 180 : -180)
        let part = (edge - last.lon) / (place.lon - last.lon)
        let lat = last.lat + (place.lat - last.lat) * part
        piece.append((isEast ? 180 : -180, lat))
        pieces.append(piece)
        if pieces.count >= FeatureLimits.pieces { return nil }
        world += isEast ? 360 : -360
        piece = [(isEast ? -180 : 180, lat)]
      }
      piece.append((place.lon - world, place.lat))
    }
    pieces.append(piece)
    return pieces
  }

  private static func worldOf(_ lon: Double) -> Double { ((lon + 180) / 360).rounded(.down) * 360 }

  static func range(_ places: [Place]) -> (Double, Double)? {
    guard let first = places.first else { return nil }
    var (low, high) = (first.lon, first.lon)
    for place in places {
      low = min(low, place.lon)
      high = max(high, place.lon)
    }
    return (low, high)
  }

  /// Which pole a ring that goes round one encloses.
  enum PoleRule {
    /// That on the smaller side: files' directions are not to be trusted.
    case smaller
    /// That to its left (RFC 7946, section 3.1.6): where there are several rings round a pole, the
    /// band between them is meant.
    case left
  }

  /// A ring's places made continuous, the first one repeated at the end, and how far it goes round
  /// the world: 0 or ±360; nil where it is no ring.
  static func closed(_ places: [Place]) -> (line: [Place], turn: Double)? {
    var ring = places
    if let first = ring.first, let last = ring.last, ring.count > 1,
      first.lat == last.lat, first.lon == last.lon
    {
      ring.removeLast()
    }
    guard ring.count >= 3 else { return nil }
    let closed = ring + [ring[0]]
    let line = unwrapped(closed, alongEdge: isOnAntimeridian(ring))
    let turn = line[line.count - 1].lon - line[0].lon
    if abs(turn) > 180 {
      // Cut already, along the antimeridian and an edge round the pole?
      let other = unwrapped(closed, alongEdge: true)
      let otherTurn = other[other.count - 1].lon - other[0].lon
      if abs(otherTurn) <= 180 { return (other, 0) }
    }
    return (line, abs(turn) > 180 ? turn : 0)
  }

  /// A ring's pieces, each within −180...180; together, even-odd, they are what it encloses.
  ///
  /// - Parameters:
  ///   - places: The ring, its first place repeated at the end or not.
  ///   - isHole: An inner ring, which runs the other way round.
  ///   - rule: Which pole a ring around the world encloses.
  /// - Returns: nil if it goes around the world too often.
  static func pieces(ring places: [Place], isHole: Bool, pole rule: PoleRule) -> [[Place]]? {
    guard let (ring, turn) = closed(places) else { return [] }
    var line = ring
    guard let (low, high) = range(line), high - low <= Double(FeatureLimits.turns) * 360 else {
      return nil
    }
    if turn == 0, low >= -180, high <= 180 { return [Array(line.dropLast())] }
    var pieces: [[Place]] = []
    if turn != 0 {
      line = fromAntimeridian(line, turn: turn)
      let first = line[0]
      let last = line[line.count - 1]
      var pole = (turn > 0) != isHole ? 90.0 : -90.0
      if rule == .smaller, share(line + [(last.lon, pole), (first.lon, pole)]) > 0.5 {
        pole = -pole
      }
      line += [(last.lon, pole), (first.lon, pole)]
    } else {
      line.removeLast()
      // A clockwise ring across the antimeridian around most of the world means the rest: what lies
      // to its left.
      if !isHole, signedArea(line) < 0, share(line) > 0.5 {
        pieces = [[(-180, -90), (180, -90), (180, 90), (-180, 90)]]
      }
    }
    guard let (west, east) = range(line) else { return [] }
    var world = worldOf(west)
    while world - 180 < east {
      let east = cut(line, at: world - 180, keepsEast: true)
      let piece = cut(east, at: world + 180, keepsEast: false)
      if piece.count >= 3 { pieces.append(piece.map { ($0.lon - world, $0.lat) }) }
      world += 360
    }
    return pieces
  }

  /// The way round a pole, begun where it crosses the antimeridian: the edges that close it over
  /// the pole lie there then, and are no outline.
  private static func fromAntimeridian(_ line: [Place], turn: Double) -> [Place] {
    for index in 1..<line.count {
      let (a, b) = (line[index - 1], line[index])
      let edge = worldOf(max(a.lon, b.lon)) - 180
      guard min(a.lon, b.lon) <= edge, a.lon != b.lon else { continue }
      let cross = (edge, a.lat + (b.lat - a.lat) * (edge - a.lon) / (b.lon - a.lon))
      let rest = line[..<index].dropFirst().map { ($0.lon + turn, $0.lat) }
      return [cross] + line[index...] + rest + [(edge + turn, cross.1)]
    }
    return line
  }

  /// The part of a ring on one side of a meridian (Sutherland and Hodgman, 1974).
  private static func cut(_ ring: [Place], at edge: Double, keepsEast: Bool) -> [Place] {
    guard var last = ring.last else { return [] }
    var result: [Place] = []
    func isInside(_ place: Place) -> Bool { keepsEast ? place.lon >= edge : place.lon <= edge }
    for place in ring {
      if isInside(place) != isInside(last) {
        let part = (edge - last.lon) / (place.lon - last.lon)
        result.append((edge, last.lat + (place.lat - last.lat) * part))
      }
      if isInside(place) { result.append(place) }
      last = place
    }
    return result
  }

  /// In square degrees; positive where it runs counterclockwise.
  private static func signedArea(_ ring: [Place]) -> Double {
    guard var last = ring.last else { return 0 }
    var sum = 0.0
    for place in ring {
      sum += last.lon * place.lat - place.lon * last.lat
      last = place
    }
    return sum / 2
  }

  /// Its area's part of all longitudes and latitudes.
  private static func share(_ ring: [Place]) -> Double { abs(signedArea(ring)) / (360 * 180) }
}
