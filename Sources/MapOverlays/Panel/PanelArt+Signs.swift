import Drawing
import MapScene
import Pixels

/// The signs of the map key, as they look on the map.
extension PanelArt {
  /// The height of a sign, of a pin, and of each of several signs of an item, in points.
  private static let signHeight = (alone: 22.0, pin: 28.0, shared: 12.0)
  /// From the middle of the first of several icons to that of the last one, in points.
  private static let iconSpread = 14.0
  /// The size of markers and of the position, as a share of theirs on the map.
  private static let reduced = 0.7
  /// The height of a line's ground, alone and below others, in points.
  private static let groundHeight = (alone: 18.0, shared: 10.0)
  /// The least contrast to the panel of lines and points, and of areas, without an edge.
  private static let leastContrast = (lines: 1.6, areas: 1.3)

  /// The height in pixels that the signs of an item need.
  func height(of item: MapKey.Item) -> Int {
    let signs = item.signs
    if signs.count > 1, item.sign.canShare { return signs.count * px(PanelArt.signHeight.shared) }
    return signs.reduce(0) { max($0, px(PanelArt.height(of: $1))) }
  }

  /// The height of a sign that is alone or beside others, in points.
  private static func height(of sign: MapKey.Sign) -> Double {
    switch sign {
    case .icon(let icon, _, let isHere) where isHere || icon == .pin || icon == .here:
      signHeight.pin
    case .cluster(let count): max(signHeight.alone, MarkerArt.clusterWidth(count) * reduced + 2)
    default: signHeight.alone
    }
  }

  /// Draws an item's signs `edge` pixels wide from the column `x` on: icons side by side, the first
  /// in front and whole; others below each other.
  func draw(_ item: MapKey.Item, x: Int, middle: Int, edge: Int, _ canvas: PixelCanvas) {
    let signs = item.signs
    if signs.count == 1 || !item.sign.canShare {
      let spread = signs.count > 1 ? px(PanelArt.iconSpread) : 0
      for (n, sign) in signs.enumerated().reversed() {
        let shift = spread * n / max(signs.count - 1, 1) - spread / 2
        draw(
          sign, on: item.ground, x: x + shift, middle: middle, edge: edge, isAlone: true, canvas)
      }
      return
    }
    let step = px(PanelArt.signHeight.shared)
    var row = middle - step * signs.count / 2 + step / 2
    for sign in signs {
      draw(sign, on: item.ground, x: x, middle: row, edge: edge, isAlone: false, canvas)
      row += step
    }
  }

  private func draw(
    _ sign: MapKey.Sign, on ground: UInt32?, x: Int, middle: Int, edge: Int, isAlone: Bool,
    _ canvas: PixelCanvas
  ) {
    switch sign {
    case .line(let color, let width, let casing, let dash):
      let place = (x: Double(x), y: Double(middle), length: Double(edge))
      if let ground {
        let heights = PanelArt.groundHeight
        let height = (isAlone ? heights.alone : heights.shared) * painter.unit
        var path = Path()
        path.addRect(place.x, place.y - height / 2, place.length, height)
        painter.fill(path, theme.shown(ground), on: canvas)
      }
      drawLine(color, width, casing, dash, on: ground, at: place, most: isAlone ? 10 : 4, canvas)
    case .area(let fill, let stroke):
      let height = (isAlone ? 20 : 10) * painter.unit
      let top = Double(middle) - height / 2
      drawArea(fill, stroke, (x: Double(x), y: top, width: Double(edge), height: height), canvas)
    case .dot(let color):
      drawDot(color, x: Double(x) + Double(edge) / 2, y: Double(middle), canvas)
    case .icon(let icon, let color, let isHere):
      let picture = painter.with(unit: painter.unit * PanelArt.reduced) {
        MarkerArt(painter: painter).sign(icon, color: color, isHere: isHere).image
      }
      put(picture, x: x + edge / 2, y: middle, canvas)
    case .cluster(let count):
      let picture = painter.with(unit: painter.unit * PanelArt.reduced) {
        MarkerArt(painter: painter).cluster(count).image
      }
      put(picture, x: x + edge / 2, y: middle, canvas)
    case .position(let isLost):
      let art = PositionArt()
      art.theme = theme
      let look = PositionArt.Look(isLost: isLost, unit: painter.unit * PanelArt.reduced)
      put(art.dot(look, angle: nil), x: x + edge / 2, y: middle, canvas)
    case .ramp: break
    }
  }

  /// A line in its own width, but never one that hides it or fills the row. A line in the panel's
  /// own colour, as white is by day and black by night, is wide enough to be seen and has an edge.
  /// On the map's ground it has none: it is as faint as on the map, and an edge would make another
  /// sign of it.
  private func drawLine(
    _ color: UInt32, _ width: Double, _ casing: UInt32, _ dash: [Double], on ground: UInt32?,
    at place: (x: Double, y: Double, length: Double), most: Double, _ canvas: PixelCanvas
  ) {
    let s = painter.unit
    let hasCasing = casing >> 24 != 0
    let least = PanelArt.leastContrast.lines
    let isFaint =
      isFaint(color, least, on: ground) && (!hasCasing || self.isFaint(casing, least, on: ground))
    let hasEdge = isFaint && ground == nil
    let line = min(max(width, isFaint ? 3 : 1.5), most) * s
    func draw(_ from: Double, _ length: Double, _ height: Double, _ color: UInt32, _ edge: Bool) {
      var path = Path()
      path.addRect(place.x + from, place.y - height / 2, length, height)
      if edge { painter.stroke(path, width: 2 * s, theme.secondInk, on: canvas) }
      painter.fill(path, theme.shown(color), on: canvas)
    }
    if hasCasing { draw(0, place.length, line + 3 * s, casing, hasEdge) }
    for (from, to) in PanelArt.strokes(dash, length: place.length / s) {
      draw(from * s, (to - from) * s, line, color, hasEdge && !hasCasing)
    }
  }

  /// An area with its outline. One without an outline, or with one that can hardly be told from the
  /// panel, has the same soft edge as others: a stronger one would look selected.
  private func drawArea(
    _ fill: UInt32, _ stroke: UInt32,
    _ place: (x: Double, y: Double, width: Double, height: Double), _ canvas: PixelCanvas
  ) {
    let s = painter.unit
    func add(_ path: inout Path, _ inset: Double) {
      let i = inset * s
      path.addRect(place.x + i, place.y + i, place.width - 2 * i, place.height - 2 * i)
    }
    func frame(_ from: Double, _ to: Double, _ color: UInt32) {
      var path = Path()
      add(&path, from)
      add(&path, to)
      painter.fill(path, color, rule: .evenOdd, on: canvas)
    }
    let hasOutline = stroke >> 24 != 0
    let isFaint =
      isFaint(fill, PanelArt.leastContrast.areas)
      && isFaint(stroke, PanelArt.leastContrast.lines)
    var inner = Path()
    add(&inner, 1)
    painter.fill(inner, theme.shown(fill), on: canvas)
    if hasOutline { frame(1, 3, theme.shown(stroke)) }
    if isFaint || !hasOutline { frame(0, 1, theme.secondInk & 0xFF_FFFF | 0x8000_0000) }
  }

  private func drawDot(_ color: UInt32, x: Double, y: Double, _ canvas: PixelCanvas) {
    let s = painter.unit
    var path = Path()
    path.addCircle(x, y, 6 * s)
    if isFaint(color, PanelArt.leastContrast.lines) {
      painter.stroke(path, width: s, theme.secondInk, on: canvas)
    }
    painter.fill(path, theme.rim(0xFFFF_FFFF), on: canvas)
    path.removeAll()
    path.addCircle(x, y, 4.5 * s)
    painter.fill(path, theme.shown(color), on: canvas)
  }

  /// Draws a picture around the pixel (x, y).
  private func put(_ image: SpriteImage, x: Int, y: Int, _ canvas: PixelCanvas) {
    let (left, top) = (x - image.width / 2, y - image.height / 2)
    for row in 0..<image.height where top + row >= 0 && top + row < canvas.height {
      for column in 0..<image.width where left + column >= 0 && left + column < canvas.width {
        let over = image.pixels[row * image.width + column]
        let place = (top + row) * canvas.stride + left + column
        let (under, rest) = (canvas.pixels[place], 255 - over >> 24)
        func mixed(_ shift: UInt32) -> UInt32 {
          min(255, (over >> shift & 255) + ((under >> shift & 255) * rest + 127) / 255) << shift
        }
        canvas.pixels[place] = mixed(24) | mixed(16) | mixed(8) | mixed(0)
      }
    }
  }

  /// Whether the contrast of a colour to the panel, or to the map's ground in it, is below `least`.
  private func isFaint(_ color: UInt32, _ least: Double, on ground: UInt32? = nil) -> Bool {
    let (shown, plate) = (theme.shown(color), ground.map { theme.shown($0) } ?? theme.plate)
    let alpha = shown >> 24
    func mixed(_ shift: UInt32) -> UInt32 {
      (((shown >> shift & 255) * alpha + (plate >> shift & 255) * (255 - alpha)) / 255) << shift
    }
    let seen = mixed(16) | mixed(8) | mixed(0)
    return InkContrast.between(seen, plate) < least
  }

  /// The drawn parts of a dashed line.
  static func strokes(_ dash: [Double], length: Double) -> [(Double, Double)] {
    guard dash.count >= 2, dash.allSatisfy({ $0.isFinite && $0 >= 0.5 }) else {
      return [(0, length)]
    }
    var all: [(Double, Double)] = []
    var (at, n) = (0.0, 0)
    while at < length {
      let end = min(at + dash[n % dash.count], length)
      if n % 2 == 0 { all.append((at, end)) }
      (at, n) = (end, n + 1)
    }
    return all
  }
}
