import Drawing
import Glibc
import MapGeometry
import Pixels

/// What a picture of a marker is made from.
enum MarkerPictureKey: Hashable {
  case icon(MarkerIcon, UInt32, isHere: Bool)
  case cluster(String)
  case label(String, UInt32, MarkerArt.Style)
}

/// Draws markers: pins whose tip is the position, badges with a pictogram, discs with a number.
struct MarkerArt {
  let painter: SpritePainter

  /// The sizes of labels, in points.
  static let labelSize = 15.0
  static let hereLabelSize = 26.0
  /// The widest labels in points; longer ones end in an ellipsis.
  static let labelWidth = 200.0
  static let hereLabelWidth = 360.0

  /// Pixels per point.
  private var s: Double { painter.unit }
  private var white: UInt32 { painter.theme.shown(0xFFFF_FFFF) }
  private static let shadow: UInt32 = 0x4800_0000

  /// The nearest odd number of pixels, so that the middle is the centre of a pixel.
  private func oddPixels(_ points: Double) -> Int { Int((points * s / 2).rounded(.down)) * 2 + 1 }

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
    let color = painter.theme.shown(color)
    let ring = isHere ? 19.0 : 0
    let reach = max(radius + 2.5, ring + 1.5)
    let width = oddPixels(reach.rounded(.up) * 2 + 1)
    let headY = radius + 2.5
    let tipRow = painter.px((headY + radius * 2.05).rounded())
    let tip = Double(tipRow) / s
    let height = tipRow + painter.px(ring > 0 ? ring + 2 : 0)
    let x = Double(width) / 2
    let image = painter.image(width: width, height: height) { canvas in
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
      painter.fill(outer, white, on: canvas)
      var inner = Path()
      addDrop(&inner, x, headY * s, radius * s, tip: (tip - 2) * s)
      painter.fill(inner, color, on: canvas)
      if let pictogram = icon.pictogram {
        let size = radius * 1.35
        let path = pictogram.path(
          x: x - size / 2 * s, y: (headY - size / 2) * s, size: size * s)
        painter.fill(path, white, rule: .evenOdd, on: canvas)
      } else {
        var eye = Path()
        eye.addCircle(x, headY * s, radius * 0.4 * s)
        painter.fill(eye, white, on: canvas)
      }
    }
    let half = Int((radius + 2) * s)
    return MarkerPicture(
      image: image, anchorX: width / 2, anchorY: tipRow - 1,
      left: width / 2 - half, right: width / 2 + half, middle: Int(headY * s))
  }

  private func here(_ icon: MarkerIcon, _ color: UInt32) -> MarkerPicture {
    pin(icon, color, radius: 21, isHere: true)
  }

  private func dot(_ color: UInt32) -> MarkerPicture {
    disc(painter.theme.shown(color), edge: oddPixels(17), ring: 2.5) { _, _ in }
  }

  /// A disc with a white rim, centred on the position. `edge` is its width in pixels.
  private func disc(
    _ color: UInt32, edge: Int, ring: Double, draw: (PixelCanvas, Double) -> Void
  ) -> MarkerPicture {
    let c = Double(edge) / 2
    let image = painter.image(width: edge, height: edge) { canvas in
      var path = Path()
      path.addCircle(c, c, c - 0.25 * s)
      painter.fill(path, MarkerArt.shadow, on: canvas)
      path.removeAll()
      path.addCircle(c, c, c - s)
      painter.fill(path, white, on: canvas)
      path.removeAll()
      path.addCircle(c, c, c - (1 + ring) * s)
      painter.fill(path, color, on: canvas)
      draw(canvas, c)
    }
    let middle = edge / 2
    return MarkerPicture(
      image: image, anchorX: middle, anchorY: middle, left: 0, right: edge, middle: middle)
  }

  /// A square with round corners and a pictogram, centred on the position.
  private func badge(_ icon: MarkerIcon, _ color: UInt32) -> MarkerPicture {
    let color = painter.theme.shown(color)
    let edge = oddPixels(29)
    let e = Double(edge)
    let image = painter.image(width: edge, height: edge) { canvas in
      var path = Path()
      path.addRoundedRect(0, 0, e, e, radius: 7 * s)
      painter.fill(path, MarkerArt.shadow, on: canvas)
      path.removeAll()
      path.addRoundedRect(s * 0.75, s * 0.75, e - 1.5 * s, e - 1.5 * s, radius: 6.25 * s)
      painter.fill(path, white, on: canvas)
      path.removeAll()
      path.addRoundedRect(2.5 * s, 2.5 * s, e - 5 * s, e - 5 * s, radius: 4.5 * s)
      painter.fill(path, color, on: canvas)
      if let pictogram = icon.pictogram {
        let path = pictogram.path(x: 5 * s, y: 5 * s, size: e - 10 * s)
        painter.fill(path, white, rule: .evenOdd, on: canvas)
      }
    }
    let middle = edge / 2
    return MarkerPicture(
      image: image, anchorX: middle, anchorY: middle, left: 0, right: edge, middle: middle)
  }

  /// The text of a cluster: "2" to "999", "1.2k", "20k".
  static func countText(_ count: Int) -> String {
    if count < 1000 { return String(count) }
    if count < 10_000 { return "\(count / 1000).\(count / 100 % 10)k" }
    return "\(count / 1000)k"
  }

  /// A disc with a number.
  func cluster(_ text: String) -> MarkerPicture {
    let size = painter.px(15)
    let width = painter.width(text, size: size, weight: .bold)
    let edge = oddPixels(max(31, Double(width) / s + 15))
    return disc(painter.theme.shown(0xFF37_474F), edge: edge, ring: 2) { canvas, c in
      painter.drawText(
        text, size: size, weight: .bold, color: white, x: Int(c) - width / 2,
        baseline: Int(c) + Int((Double(size) * 0.365).rounded()), on: canvas)
    }
  }

  /// The kinds of labels. Labels of markers are bolder than those of the map and of overlays.
  enum Style: Hashable { case overlay, marker, here }

  private func labelSize(_ style: Style) -> Int {
    painter.px(style == .here ? MarkerArt.hereLabelSize : MarkerArt.labelSize)
  }

  /// The size of a label in pixels, including its halo.
  func labelExtent(_ label: String, _ style: Style) -> (width: Int, height: Int) {
    let size = labelSize(style)
    let weight: TextRenderer.Weight = style == .overlay ? .regular : .bold
    let most = painter.px(style == .here ? MarkerArt.hereLabelWidth : MarkerArt.labelWidth)
    let halo = TextRenderer.haloRadius(size: size)
    let width = min(painter.width(label, size: size, weight: weight), most)
    return (width + 2 * halo, painter.lineHeight(size, weight: weight).height + 2 * halo)
  }

  /// A label, anchored at the middle of its left edge.
  func label(_ label: String, color: UInt32, _ style: Style) -> MarkerPicture? {
    guard let text = painter.text else { return nil }
    let size = labelSize(style)
    let weight: TextRenderer.Weight = style == .overlay ? .regular : .bold
    let most = painter.px(style == .here ? MarkerArt.hereLabelWidth : MarkerArt.labelWidth)
    let short = text.ellipsized(label, size: size, weight: weight, width: most)
    let extent = labelExtent(label, style)
    let halo = TextRenderer.haloRadius(size: size)
    let ascent = painter.lineHeight(size, weight: weight).ascent
    let image = painter.image(width: extent.width, height: extent.height) { canvas in
      painter.drawText(
        short, size: size, weight: weight, color: color, halo: painter.theme.halo, x: halo,
        baseline: halo + ascent, on: canvas)
    }
    return MarkerPicture(
      image: image, anchorX: 0, anchorY: extent.height / 2, left: 0, right: extent.width,
      middle: extent.height / 2)
  }
}
