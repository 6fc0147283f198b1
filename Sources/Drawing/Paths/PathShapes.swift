#if canImport(Glibc)
  import Glibc
#endif

/// Shapes as sub-paths.
extension Path {
  /// Adds a circle around (x, y).
  public mutating func addCircle(_ x: Double, _ y: Double, _ radius: Double) {
    addArc(x, y, radius, from: 0, to: 2 * .pi)
    finish()
  }

  /// Adds an arc around (x, y), from one angle to another in radians, clockwise from the right.
  public mutating func addArc(
    _ x: Double, _ y: Double, _ radius: Double, from: Double, to: Double, begins: Bool = true
  ) {
    // Chords stay within 1/16 pixel of the arc.
    let chords = (abs(to - from) * (radius * 2 + 4).squareRoot()).rounded(.up)
    let steps = chords < 65_536 ? max(8, Int(chords)) : 65_536
    for i in 0...steps {
      let angle = from + (to - from) * Double(i) / Double(steps)
      let point = Point(Float(x + radius * cos(angle)), Float(y + radius * sin(angle)))
      if i == 0, begins { move(to: point) } else { line(to: point) }
    }
  }

  /// Adds a rectangle by its upper left corner and its size.
  public mutating func addRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    move(to: Point(Float(x), Float(y)))
    line(to: Point(Float(x + width), Float(y)))
    line(to: Point(Float(x + width), Float(y + height)))
    line(to: Point(Float(x), Float(y + height)))
    line(to: Point(Float(x), Float(y)))
    finish()
  }

  /// Adds a rectangle with rounded corners, by its upper left corner, its size and the corners'
  /// radius.
  public mutating func addRoundedRect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double
  ) {
    let r = min(radius, width / 2, height / 2)
    if r <= 0 { return addRect(x, y, width, height) }
    addArc(x + width - r, y + r, r, from: -.pi / 2, to: 0)
    addArc(x + width - r, y + height - r, r, from: 0, to: .pi / 2, begins: false)
    addArc(x + r, y + height - r, r, from: .pi / 2, to: .pi, begins: false)
    addArc(x + r, y + r, r, from: .pi, to: 1.5 * .pi, begins: false)
    line(to: Point(Float(x + width - r), Float(y)))
    finish()
  }

  /// Adds a polygon by its corners: x, y, x, y, …
  public mutating func addPolygon(_ points: [Double]) {
    for i in stride(from: 0, to: points.count - 1, by: 2) {
      let point = Point(Float(points[i]), Float(points[i + 1]))
      if i == 0 { move(to: point) } else { line(to: point) }
    }
    finish()
  }

  /// Adds a drawing in a subset of SVG's path data (SVG 1.1, section 8.3): `M x y` begins a
  /// sub-path, `L x y` continues it, `C x y x y x y` adds a cubic curve, `Z` closes it, all with
  /// absolute coordinates; `O x y r` adds a circle. Anything else ends the drawing.
  public mutating func add(
    _ drawing: String, x dx: Double, y dy: Double, scale: Double
  ) {
    var words = drawing.split(separator: " ")[...]
    var (here, begun) = ((x: 0.0, y: 0.0), (x: 0.0, y: 0.0))
    func number() -> Double? { words.popFirst().flatMap { Double($0) } }
    func point() -> (x: Double, y: Double)? {
      guard let x = number(), let y = number() else { return nil }
      return (dx + x * scale, dy + y * scale)
    }
    while let word = words.popFirst() {
      switch word {
      case "M", "L":
        guard let to = point() else { return finish() }
        let place = Point(Float(to.x), Float(to.y))
        if word == "M" { move(to: place) } else { line(to: place) }
        if word == "M" { begun = to }
        here = to
      case "C":
        guard let a = point(), let b = point(), let to = point() else { return finish() }
        let steps = max(6, Int((scale * 4).rounded()))
        for i in 1...steps {
          let t = Double(i) / Double(steps)
          let u = 1 - t
          let (k0, k1, k2, k3) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
          line(
            to: Point(
              Float(k0 * here.x + k1 * a.x + k2 * b.x + k3 * to.x),
              Float(k0 * here.y + k1 * a.y + k2 * b.y + k3 * to.y)))
        }
        here = to
      case "O":
        guard let center = point(), let radius = number() else { return finish() }
        addCircle(center.x, center.y, radius * scale)
      case "Z":
        line(to: Point(Float(begun.x), Float(begun.y)))
        finish()
        here = begun
      default: return finish()
      }
    }
    finish()
  }
}
