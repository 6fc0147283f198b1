import Drawing
import Glibc
import MapGeometry
import Pixels

/// What a picture of a marker is made from.
enum MarkerPictureKey: Hashable {
  case icon(MarkerIcon, UInt32, isHere: Bool)
  /// The parts of "here": the ring at its foot, and the pin.
  case hereRing(UInt32)
  case herePin(MarkerIcon, UInt32)
  case cluster(Int)
  case selected(MarkerIcon, UInt32, isHere: Bool)
  case label(String, LabelInk, MarkerArt.Style, TextAlignment)
}

/// Draws markers: pins whose tip is the position, badges with a pictogram, discs with a number.
struct MarkerArt {
  let painter: SpritePainter

  /// Pixels per point.
  private var s: Double { painter.unit }
  /// The colour of rims and pictograms. By night it is no brighter than words.
  private var white: UInt32 {
    painter.theme.kind == .night ? painter.theme.label : painter.theme.shown(0xFFFF_FFFF)
  }
  private static let shadow: UInt32 = 0x4800_0000

  /// The colour of a pictogram on a colour that may be any.
  private func sign(on color: UInt32) -> UInt32 {
    InkContrast.sign(on: color, white, else: PictureTheme.day.ink)
  }

  /// The nearest odd number of pixels, so that the middle is the centre of a pixel.
  private func oddPixels(_ points: Double) -> Int { Int((points * s / 2).rounded(.down)) * 2 + 1 }

  func icon(_ icon: MarkerIcon, color: UInt32, isHere: Bool) -> MarkerPicture {
    if isHere { return here(icon, color, .both) }
    switch icon {
    case .pin, .here: return pin(icon, color, radius: 11.5, here: nil)
    case .dot: return dot(color)
    default: return badge(icon, color)
    }
  }

  /// The icon in the map key: the pin of "here" is no larger than others there, and has no ring.
  func sign(_ icon: MarkerIcon, color: UInt32, isHere: Bool) -> MarkerPicture {
    isHere
      ? pin(icon, color, radius: 11.5, here: nil) : self.icon(icon, color: color, isHere: false)
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
    _ icon: MarkerIcon, _ color: UInt32, radius: Double, here: HerePart?
  ) -> MarkerPicture {
    // In red nights the pin of "here" is the brightest of all, with a dark rim.
    let isBright = here != nil && painter.theme.kind == .red
    let color = isBright ? painter.theme.label : InkContrast.ground(color, painter.theme)
    let rim = isBright ? painter.theme.halo : white
    let sign = isBright ? painter.theme.halo : sign(on: color)
    let ring = here == nil ? 0 : 19.0
    // With its rim.
    let ringReach = here == nil ? 0 : ring + 2.5
    let reach = max(radius + 2.5, ringReach)
    let width = oddPixels(reach.rounded(.up) * 2 + 1)
    let headY = radius + 2.5
    let tipRow = painter.px((headY + radius * 2.05).rounded())
    let tip = Double(tipRow) / s
    let height = tipRow + Int((ringReach * s).rounded(.up))
    let x = Double(width) / 2
    let image = painter.image(width: width, height: height) { canvas in
      if ring > 0, here != .pin {
        // The ring at the pin's foot, and the area it encloses.
        var disc = Path()
        disc.addCircle(x, tip * s, ring * s)
        painter.fill(disc, color & 0x00FF_FFFF | 0x3800_0000, on: canvas)
        painter.stroke(disc, width: 5 * s, rim & 0xFF_FFFF | 0xE000_0000, on: canvas)
        painter.stroke(disc, width: 2.5 * s, color, on: canvas)
      }
      if here == .ring { return }
      var outer = Path()
      addDrop(&outer, x, headY * s, (radius + 1.5) * s, tip: tip * s)
      painter.stroke(outer, width: 2 * s, MarkerArt.shadow, on: canvas)
      painter.fill(outer, rim, on: canvas)
      var inner = Path()
      addDrop(&inner, x, headY * s, radius * s, tip: (tip - 2) * s)
      painter.fill(inner, color, on: canvas)
      if let pictogram = icon.pictogram {
        let size = radius * 1.35
        let path = pictogram.path(
          x: x - size / 2 * s, y: (headY - size / 2) * s, size: size * s)
        painter.fill(path, sign, rule: .evenOdd, on: canvas)
      } else {
        var eye = Path()
        eye.addCircle(x, headY * s, radius * 0.4 * s)
        painter.fill(eye, sign, on: canvas)
      }
    }
    let half = Int((radius + 2) * s)
    return MarkerPicture(
      image: image, anchorX: width / 2, anchorY: tipRow - 1,
      left: width / 2 - half, right: width / 2 + half, middle: Int(headY * s))
  }

  /// How far the pin of "here" reaches from its place to the sides, up and down, in points.
  static let hereReach = (side: 24.0, up: 67.0, down: 22.0)

  /// The parts of "here" that a picture shows; all such pictures have the same size. Between other
  /// markers, the ring lies below them and the pin above them.
  enum HerePart { case ring, pin, both }

  func here(_ icon: MarkerIcon, _ color: UInt32, _ part: HerePart) -> MarkerPicture {
    pin(icon, color, radius: 21, here: part)
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
    let color = InkContrast.ground(color, painter.theme)
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
        painter.fill(path, sign(on: color), rule: .evenOdd, on: canvas)
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

  /// The width of a cluster of so many markers, in points.
  static func clusterWidth(_ count: Int) -> Double { count < 10 ? 34 : count < 100 ? 42 : 50 }

  /// A disc with a number.
  func cluster(_ count: Int) -> MarkerPicture {
    let text = MarkerArt.countText(count)
    let size = painter.px(15)
    let width = painter.width(text, size: size, weight: .bold)
    let edge = oddPixels(MarkerArt.clusterWidth(count))
    // A number is small, so that it needs a darker ground than a sign.
    let color: UInt32 = painter.theme.kind == .red ? 0xFF0A_0000 : 0xFF37_474F
    return disc(color, edge: edge, ring: 2.5) { canvas, c in
      painter.drawText(
        text, size: size, weight: .bold, color: white, x: Int(c) - width / 2,
        baseline: Int(c) + Int((Double(size) * 0.365).rounded()), on: canvas)
    }
  }

  /// The icon of a selected marker: larger, with a ring in the accent colour.
  func selected(_ icon: MarkerIcon, color: UInt32, isHere: Bool) -> MarkerPicture {
    let unit = painter.unit
    painter.unit = unit * MarkerArt.selectedSize
    let inner = self.icon(icon, color: color, isHere: isHere)
    painter.unit = unit
    let ring = max(1, painter.px(MarkerArt.selectedRing))
    let (w, h) = (inner.image.width, inner.image.height)
    let accent = painter.theme.accent
    // The accent's opacity at each distance from the icon, with a soft edge.
    var offsets: [(x: Int, y: Int, alpha: UInt32)] = []
    for y in -ring...ring {
      for x in -ring...ring {
        let rest = Double(ring) + 0.5 - Double(x * x + y * y).squareRoot()
        if rest > 0 { offsets.append((x, y, UInt32(min(1, rest) * 255))) }
      }
    }
    let image = painter.image(width: w + 2 * ring, height: h + 2 * ring) { canvas in
      for y in 0..<canvas.height {
        for x in 0..<canvas.width {
          var most: UInt32 = 0
          for offset in offsets where offset.alpha > most {
            let (column, row) = (x - ring + offset.x, y - ring + offset.y)
            guard column >= 0, row >= 0, column < w, row < h else { continue }
            // Shadows have no ring.
            if inner.image.pixels[row * w + column] >> 24 >= 160 { most = offset.alpha }
          }
          func part(_ shift: UInt32) -> UInt32 { ((accent >> shift & 255) * most / 255) << shift }
          let under = most << 24 | part(16) | part(8) | part(0)
          let (column, row) = (x - ring, y - ring)
          let isIcon = column >= 0 && row >= 0 && column < w && row < h
          let over = isIcon ? inner.image.pixels[row * w + column] : 0
          let rest = 255 - over >> 24
          func mixed(_ shift: UInt32) -> UInt32 {
            min(255, (over >> shift & 255) + (under >> shift & 255) * rest / 255) << shift
          }
          canvas.pixels[y * canvas.stride + x] = mixed(24) | mixed(16) | mixed(8) | mixed(0)
        }
      }
    }
    return MarkerPicture(
      image: image, anchorX: inner.anchorX + ring, anchorY: inner.anchorY + ring,
      left: inner.left, right: inner.right + 2 * ring, middle: inner.middle + ring)
  }

  /// How much larger the icon of a selected marker is, and the width of its ring in points.
  static let selectedSize = 1.25
  static let selectedRing = 3.0
}
