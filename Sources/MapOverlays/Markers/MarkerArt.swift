import Drawing
import Glibc
import MapGeometry
import Pixels

/// What a picture of a marker is made from.
enum MarkerPictureKey: Hashable {
  case icon(MarkerIcon, UInt32, isHere: Bool)
  case cluster(String)
  case label(String, UInt32, MarkerArt.Style, LabelAlignment)
}

/// Draws markers: pins whose tip is the position, badges with a pictogram, discs with a number.
struct MarkerArt {
  let painter: SpritePainter
  /// Pixels per point.
  let scale: Int

  private static let white: UInt32 = 0xFFFF_FFFF
  private static let shadow: UInt32 = 0x4800_0000

  func icon(_ icon: MarkerIcon, color: UInt32, isHere: Bool) -> MarkerPicture {
    if isHere { return here(icon, color) }
    switch icon {
    case .pin, .here: return pin(icon, color, radius: 11.5, isHere: false)
    case .dot: return dot(color)
    default: return badge(icon, color)
    }
  }

  /// Adds a drop that stands on its tip. The tip is in the lowest row, in the middle column.
  private func addDrop(
    _ path: inout Path, _ x: Double, _ y: Double, _ radius: Double, tip: Double
  ) {
    // From the tip along a tangent to the circle, around it and back.
    let distance = tip - y
    let angle = asin(min(1, radius / distance))
    path.addArc(x, y, radius, from: .pi - angle, to: 2 * .pi + angle)
    path.line(to: Path.Point(Float(x), Float(tip)))
    path.finish()
  }

  private func pin(
    _ icon: MarkerIcon, _ color: UInt32, radius: Double, isHere: Bool
  ) -> MarkerPicture {
    let s = Double(scale)
    let ring = isHere ? 19.0 : 0
    let reach = max(radius + 2.5, ring + 1.5)
    // An odd number of points, so that the middle is the middle of a column of points.
    let width = Int(reach.rounded(.up)) * 2 + 1
    let headY = radius + 2.5
    let tip = (headY + radius * 2.05).rounded()
    let height = Int(tip) + Int(ring > 0 ? ring + 2 : 0)
    let x = Double(width) / 2 * s
    let image = painter.image(width: width * scale, height: height * scale) { canvas in
      if ring > 0 {
        // The ring at the pin's foot, and the area it encloses.
        var disc = Path()
        disc.addCircle(x, tip * s, ring * s)
        painter.fill(disc, color & 0x00FF_FFFF | 0x3800_0000, on: canvas)
        painter.stroke(disc, width: 5 * s, 0xE0FF_FFFF, on: canvas)
        painter.stroke(disc, width: 2.5 * s, color, on: canvas)
      }
      var outer = Path()
      addDrop(&outer, x, headY * s, (radius + 1.5) * s, tip: tip * s)
      painter.stroke(outer, width: 2 * s, MarkerArt.shadow, on: canvas)
      painter.fill(outer, MarkerArt.white, on: canvas)
      var inner = Path()
      addDrop(&inner, x, headY * s, radius * s, tip: (tip - 2) * s)
      painter.fill(inner, color, on: canvas)
      if let pictogram = icon.pictogram {
        let size = radius * 1.35
        let path = pictogram.path(
          x: x - size / 2 * s, y: (headY - size / 2) * s, size: size * s)
        painter.fill(path, MarkerArt.white, rule: .evenOdd, on: canvas)
      } else {
        var eye = Path()
        eye.addCircle(x, headY * s, radius * 0.4 * s)
        painter.fill(eye, MarkerArt.white, on: canvas)
      }
    }
    let half = Int((radius + 2) * s)
    return MarkerPicture(
      image: image, anchorX: width * scale / 2, anchorY: Int(tip) * scale - 1,
      left: width * scale / 2 - half, right: width * scale / 2 + half, middle: Int(headY * s))
  }

  private func here(_ icon: MarkerIcon, _ color: UInt32) -> MarkerPicture {
    pin(icon, color, radius: 21, isHere: true)
  }

  private func dot(_ color: UInt32) -> MarkerPicture {
    disc(color, edge: 17, ring: 2.5) { _, _ in }
  }

  /// A disc with a white rim, centred on the position.
  private func disc(
    _ color: UInt32, edge: Int, ring: Double, draw: (PixelCanvas, Double) -> Void
  ) -> MarkerPicture {
    let s = Double(scale)
    let c = Double(edge) / 2 * s
    let image = painter.image(width: edge * scale, height: edge * scale) { canvas in
      var path = Path()
      path.addCircle(c, c, c - 0.25 * s)
      painter.fill(path, MarkerArt.shadow, on: canvas)
      path.removeAll()
      path.addCircle(c, c, c - s)
      painter.fill(path, MarkerArt.white, on: canvas)
      path.removeAll()
      path.addCircle(c, c, c - (1 + ring) * s)
      painter.fill(path, color, on: canvas)
      draw(canvas, c)
    }
    let middle = edge * scale / 2
    return MarkerPicture(
      image: image, anchorX: middle, anchorY: middle, left: 0, right: edge * scale, middle: middle)
  }

  /// A square with round corners and a pictogram, centred on the position.
  private func badge(_ icon: MarkerIcon, _ color: UInt32) -> MarkerPicture {
    let s = Double(scale)
    let edge = 29
    let e = Double(edge) * s
    let image = painter.image(width: edge * scale, height: edge * scale) { canvas in
      var path = Path()
      path.addRoundedRect(0, 0, e, e, radius: 7 * s)
      painter.fill(path, MarkerArt.shadow, on: canvas)
      path.removeAll()
      path.addRoundedRect(s * 0.75, s * 0.75, e - 1.5 * s, e - 1.5 * s, radius: 6.25 * s)
      painter.fill(path, MarkerArt.white, on: canvas)
      path.removeAll()
      path.addRoundedRect(2.5 * s, 2.5 * s, e - 5 * s, e - 5 * s, radius: 4.5 * s)
      painter.fill(path, color, on: canvas)
      if let pictogram = icon.pictogram {
        let path = pictogram.path(x: 5 * s, y: 5 * s, size: e - 10 * s)
        painter.fill(path, MarkerArt.white, rule: .evenOdd, on: canvas)
      }
    }
    let middle = edge * scale / 2
    return MarkerPicture(
      image: image, anchorX: middle, anchorY: middle, left: 0, right: edge * scale, middle: middle)
  }

  /// The text of a cluster: "2" to "999", "1.2k", "20k".
  static func countText(_ count: Int) -> String {
    if count < 1000 { return String(count) }
    if count < 10_000 { return "\(count / 1000).\(count / 100 % 10)k" }
    return "\(count / 1000)k"
  }

  /// A disc with a number.
  func cluster(_ text: String) -> MarkerPicture {
    let size = 15 * scale
    let width = painter.width(text, size: size, weight: .bold)
    let points = (width + scale - 1) / scale
    // Odd, so that the middle is the centre of a pixel.
    let edge = max(31, points + 15) | 1
    return disc(0xFF37_474F, edge: edge, ring: 2) { canvas, c in
      painter.drawText(
        text, size: size, weight: .bold, color: MarkerArt.white, x: Int(c) - width / 2,
        baseline: Int(c) + Int((Double(size) * 0.365).rounded()), on: canvas)
    }
  }
}
