import Drawing
import Pixels

/// Cuts lines and areas that reach far beyond a tile, where a Float cannot tell pixels apart.
///
/// The cuts themselves lie too far outside the tile to be visible.
struct FeatureCut {
  typealias Place = (x: Double, y: Double)

  /// Coordinates between −limit and +limit are kept, in pixels.
  let limit: Double

  func isNear(_ place: Place) -> Bool { abs(place.x) <= limit && abs(place.y) <= limit }

  func point(_ place: Place) -> Path.Point { Path.Point(Float(place.x), Float(place.y)) }

  /// Calls `put` with the points of a ring, cut at the limit; true marks the first point.
  func area(_ ring: [Place], _ put: (Path.Point, Bool) -> Void) {
    var ring = ring
    if !ring.allSatisfy(isNear) {
      ring = side(ring, \.x, -1)
      ring = side(ring, \.x, 1)
      ring = side(ring, \.y, -1)
      ring = side(ring, \.y, 1)
    }
    for (index, place) in ring.enumerated() { put(point(place), index == 0) }
  }

  /// The part of a ring where `axis` · `sign` ≤ limit (Sutherland and Hodgman, 1974).
  private func side(_ ring: [Place], _ axis: WritableKeyPath<Place, Double>, _ sign: Double)
    -> [Place]
  {
    guard var last = ring.last else { return [] }
    var result: [Place] = []
    for place in ring {
      let isInside = place[keyPath: axis] * sign <= limit
      if isInside != (last[keyPath: axis] * sign <= limit) {
        let part =
          (limit * sign - last[keyPath: axis]) / (place[keyPath: axis] - last[keyPath: axis])
        var edge: Place = (
          last.x + (place.x - last.x) * part, last.y + (place.y - last.y) * part
        )
        edge[keyPath: axis] = limit * sign
        result.append(edge)
      }
      if isInside { result.append(place) }
      last = place
    }
    return result
  }

  /// Calls `put` with the points of a line, cut at the limit; true marks the first point of each
  /// piece.
  func line(_ line: [Place], _ put: (Path.Point, Bool) -> Void) {
    guard var last = line.first else { return }
    if line.count == 1 {
      if isNear(last) { put(point(last), true) }
      return
    }
    var isOpen = false
    for place in line.dropFirst() {
      if isNear(last), isNear(place) {
        if !isOpen { put(point(last), true) }
        put(point(place), false)
        isOpen = true
      } else if let (a, b) = inside(last, place) {
        if !isOpen { put(point(a), true) }
        put(point(b), false)
        isOpen = isNear(place)
      } else {
        isOpen = false
      }
      last = place
    }
  }

  /// The part of a segment within the limit (Liang and Barsky, 1984); nil: there is none.
  func inside(_ a: Place, _ b: Place) -> (Place, Place)? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    var (from, to) = (0.0, 1.0)
    for (step, room) in [
      (-dx, a.x + limit), (dx, limit - a.x), (-dy, a.y + limit), (dy, limit - a.y),
    ] {
      if step == 0 {
        if room < 0 { return nil }
      } else if step < 0 {
        from = max(from, room / step)
      } else {
        to = min(to, room / step)
      }
    }
    guard from < to else { return nil }
    return (
      from == 0 ? a : (a.x + dx * from, a.y + dy * from),
      to == 1 ? b : (a.x + dx * to, a.y + dy * to)
    )
  }
}
