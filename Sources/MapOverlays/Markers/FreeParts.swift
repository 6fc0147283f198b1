import MapGeometry

/// The parts of the screen that no plate covers.
enum FreeParts {
  /// All rectangles in `room` that meet none of `plates` and cannot grow on any side.
  static func of(_ room: PixelRect, clearOf plates: [PixelRect]) -> [PixelRect] {
    var parts = room.isEmpty ? [] : [room]
    for plate in plates where !plate.isEmpty {
      var pieces: [PixelRect] = []
      for part in parts where part.intersects(plate) { pieces += around(plate, in: part) }
      parts.removeAll { $0.intersects(plate) }
      for (n, piece) in pieces.enumerated() {
        let isInAnother =
          parts.contains { piece.isWithin($0) }
          || pieces.enumerated().contains { m, other in
            m != n && piece.isWithin(other) && (piece != other || m < n)
          }
        if !isInAnother { parts.append(piece) }
      }
    }
    return parts
  }

  /// The parts of `part` left and right of `plate`, above and below it.
  private static func around(_ plate: PixelRect, in part: PixelRect) -> [PixelRect] {
    var (left, right, top, bottom) = (part, part, part, part)
    left.width = plate.x - part.x
    (right.x, right.width) = (plate.maxX, part.maxX - plate.maxX)
    top.height = plate.y - part.y
    (bottom.y, bottom.height) = (plate.maxY, part.maxY - plate.maxY)
    return [left, right, top, bottom].filter { !$0.isEmpty }
  }
}

extension PixelRect {
  /// Whether all of it is in another one.
  func isWithin(_ other: PixelRect) -> Bool {
    x >= other.x && y >= other.y && maxX <= other.maxX && maxY <= other.maxY
  }

  /// The rectangle that is larger by `edge` on every side, or smaller if that is below 0.
  func widened(by edge: Int) -> PixelRect {
    PixelRect(x: x - edge, y: y - edge, width: width + 2 * edge, height: height + 2 * edge)
  }
}
