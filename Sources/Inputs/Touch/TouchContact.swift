/// A finger on the screen.
struct TouchContact: Equatable {
  /// The same from touch to release, and different for the next touch.
  var id: Int32
  /// The position in points of the view.
  var x: Double
  var y: Double

  func distance(to other: TouchContact) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

/// The common movement of the fingers that are in both of two reports.
struct TouchMovement {
  /// The least distance in points that fingers count as apart, so that a pinch that begins with
  /// fingertips touching does not throw the map far away.
  static let leastSpread = 16.0

  /// The point between the fingers in the first report, and its movement, in points.
  var x = 0.0
  var y = 0.0
  var dx = 0.0
  var dy = 0.0
  /// The ratio of the fingers' distances, after to before.
  var factor = 1.0
  /// How many fingers are in both reports.
  var fingers = 0

  /// Ignores fingers that came or left, so that neither makes the map jump.
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
    // Two fingers are each half their distance from the middle.
    let least = TouchMovement.leastSpread / 2
    factor = max(spread1 / count, least) / max(spread0 / count, least)
  }
}
