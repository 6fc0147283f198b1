/// A finger on the screen.
struct TouchContact: Equatable {
  /// The same from when it comes down until it leaves, and another one's afterwards.
  var id: Int32
  /// Points of the view.
  var x: Double
  var y: Double

  func distance(to other: TouchContact) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

/// What the fingers that were there before and after did together.
struct TouchMovement {
  /// Fingers nearer to each other than this, in points, count as so far apart: a pinch that begins
  /// with touching fingertips does not throw the map to its other end.
  static let leastSpread = 16.0

  /// Where the point between the fingers was, and how far it went.
  var x = 0.0
  var y = 0.0
  var dx = 0.0
  var dy = 0.0
  /// How much farther apart they are.
  var factor = 1.0
  /// How many fingers took part.
  var fingers = 0

  /// A finger that came or left takes no part, so that neither makes the map jump.
  init(from before: [TouchContact], to after: [TouchContact]) {
    var (x1, y1) = (0.0, 0.0)
    for old in before {
      guard let new = after.first(where: { $0.id == old.id }) else { continue }
      (x, y, x1, y1) = (x + old.x, y + old.y, x1 + new.x, y1 + new.y)
      fingers += 1
    }
    guard fingers > 0 else { return }
    let count = Double(fingers)
    (x, y, x1, y1) = (x / count, y / count, x1 / count, y1 / count)
    (dx, dy) = (x1 - x, y1 - y)
    guard fingers > 1 else { return }
    let (middle0, middle1) = (TouchContact(id: 0, x: x, y: y), TouchContact(id: 0, x: x1, y: y1))
    var (spread0, spread1) = (0.0, 0.0)
    for old in before {
      guard let new = after.first(where: { $0.id == old.id }) else { continue }
      spread0 += old.distance(to: middle0)
      spread1 += new.distance(to: middle1)
    }
    // The mean distance from the middle is half of two fingers' distance.
    let least = TouchMovement.leastSpread / 2
    factor = max(spread1 / count, least) / max(spread0 / count, least)
  }
}
