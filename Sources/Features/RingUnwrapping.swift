/// Makes outlines in degrees continuous across the antimeridian, and cuts them there.
///
/// GeoJSON's lines are straight in longitude and latitude (RFC 7946, section 3.1.1) and should be
/// cut at the antimeridian (3.1.9), which many files do not do. So an edge of more than 180° of
/// longitude is taken to go the other, shorter way around.
enum RingUnwrapping {
  typealias Place = (lon: Double, lat: Double)

  /// The positions with longitudes that continue beyond ±180 instead of jumping.
  ///
  /// An edge from ±180 to ∓180 either lies on the antimeridian or goes once around the world along
  /// a parallel, as in an Antarctica that is already cut. `alongEdge` tells which.
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

  /// Wraps a longitude to −180 ≤ lon ≤ 180. Both ends stay as they are.
  static func wrapped(_ lon: Double) -> Double {
    abs(lon) <= 180 ? lon : lon - (lon / 360).rounded() * 360
  }

  static func isOnAntimeridian(_ places: [Place]) -> Bool {
    places.allSatisfy { abs($0.lon) == 180 }
  }

  /// Whether all positions are within ±180 without a jump. Nearly all are, and need no work.
  static func isPlain(_ places: ArraySlice<Place>) -> Bool {
    var last: Double?
    for place in places {
      guard abs(place.lon) <= 180, abs(place.lon - (last ?? place.lon)) <= 180 else { return false }
      last = place.lon
    }
    return true
  }

  /// Whether the same holds for a ring and its closing edge.
  static func isPlain(ring: ArraySlice<Place>) -> Bool {
    guard let first = ring.first, let last = ring.last else { return true }
    return isPlain(ring) && abs(first.lon - last.lon) <= 180
  }

  /// A ring without the repetition of its first position.
  static func open(_ ring: ArraySlice<Place>) -> ArraySlice<Place> {
    guard let first = ring.first, let last = ring.last, ring.count > 1,
      first.lon == last.lon, first.lat == last.lat
    else { return ring }
    return ring.dropLast()
  }

  /// The pieces of a line, each within −180...180; nil if it goes around the world, or across the
  /// antimeridian, too often.
  static func pieces(line places: [Place]) -> [[Place]]? {
    if isPlain(places[...]), !places.isEmpty { return [places] }
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
      // Cut at each edge of the world that it crosses.
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

  /// Which pole is enclosed by a ring that goes around one.
  enum PoleRule {
    /// The pole on the smaller side, because the directions in files cannot be trusted.
    case smaller
    /// The pole to its left (RFC 7946, section 3.1.6): several rings around a pole mean the band
    /// between them.
    case left
  }

  /// A ring made continuous, with its first position repeated at the end, and how far it goes
  /// around the world: 0 or ±360 degrees; nil if it is not a ring.
  static func closed(_ places: [Place]) -> (line: [Place], turn: Double)? {
    let ring = Array(open(places[...]))
    guard ring.count >= 3 else { return nil }
    let closed = ring + [ring[0]]
    let line = unwrapped(closed, alongEdge: isOnAntimeridian(ring))
    let turn = line[line.count - 1].lon - line[0].lon
    if abs(turn) > 180 {
      // Perhaps it is cut already, along the antimeridian and an edge around the pole.
      let other = unwrapped(closed, alongEdge: true)
      let otherTurn = other[other.count - 1].lon - other[0].lon
      if abs(otherTurn) <= 180 { return (other, 0) }
    }
    return (line, abs(turn) > 180 ? turn : 0)
  }

  /// The pieces of a ring, each within −180...180. Together, by the even-odd rule, they are the
  /// enclosed area.
  ///
  /// - Parameters:
  ///   - places: The ring, with or without its first position repeated at the end.
  ///   - isHole: Whether it is an inner ring, which runs in the other direction.
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
      // A clockwise ring across the antimeridian that seems to enclose most of the world encloses
      // the rest: what is on its left.
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

  /// A ring around a pole, begun where it crosses the antimeridian. The edges that close it over
  /// the pole are then there, and are not part of the outline.
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

  /// The area in square degrees; positive if the ring runs counterclockwise.
  private static func signedArea(_ ring: [Place]) -> Double {
    guard var last = ring.last else { return 0 }
    var sum = 0.0
    for place in ring {
      sum += last.lon * place.lat - place.lon * last.lat
      last = place
    }
    return sum / 2
  }

  /// The ring's area as a part of all longitudes and latitudes, 0 to 1.
  private static func share(_ ring: [Place]) -> Double { abs(signedArea(ring)) / (360 * 180) }
}
