/// Joins several reports of one wake-up into one movement, for which the map is drawn once.
extension [TouchEvent] {
  /// Adds a movement, joined with the last event if that is movement of the same kind.
  mutating func add(_ m: TouchMovement) {
    switch m.fingers {
    case 0: break
    case 1:
      if m.dx == 0, m.dy == 0 { return }
      if case .moved(let dx, let dy) = last {
        self[count - 1] = .moved(dx: dx + m.dx, dy: dy + m.dy)
      } else {
        append(.moved(dx: m.dx, dy: m.dy))
      }
    default:
      if m.dx == 0, m.dy == 0, m.factor == 1 { return }
      guard case .pinched(let factor, let x, let y, let dx, let dy) = last else {
        append(.pinched(factor: m.factor, x: m.x, y: m.y, dx: m.dx, dy: m.dy))
        return
      }
      // A point p goes to (p - x) factor + x + d, and then likewise about the middle of `m`. Seen
      // from the first middle, the factors multiply and the rest is movement.
      self[count - 1] = .pinched(
        factor: factor * m.factor, x: x, y: y,
        dx: (x + dx - m.x) * m.factor + m.x + m.dx - x,
        dy: (y + dy - m.y) * m.factor + m.y + m.dy - y)
    }
  }
}
