import Drawing

#if canImport(Glibc)
  import Glibc
#endif

/// Draws an icon into its rectangle: scaled, stretched, turned, coloured.
struct IconDrawing {
  private let icon: LabelIcon
  private let place: LabelShape.Icon
  private let settings: LabelSettings
  /// The icon's pixel of each part of the rectangle.
  private let across: IconAxis
  private let down: IconAxis
  /// Pixels of the screen per pixel of the sheet, of parts that are not stretched.
  private let perPixel: Float
  private let opacity: Float
  private let scale: Float

  /// - Parameters:
  ///   - place: The icon and its rectangle.
  ///   - settings: The label's settings, in the colours to draw.
  ///   - scale: Pixels per point.
  init(_ place: LabelShape.Icon, _ settings: LabelSettings, scale: Float) {
    icon = place.icon
    self.place = place
    self.settings = settings
    self.scale = scale
    perPixel = scale / place.icon.pixelRatio
    opacity = LabelType.limited(settings.iconOpacity, 0...1)
    across = IconAxis(
      size: Float(icon.width), drawn: place.width, stretches: icon.stretchX, perPixel: perPixel,
      isFitted: place.isFitted)
    down = IconAxis(
      size: Float(icon.height), drawn: place.height, stretches: icon.stretchY, perPixel: perPixel,
      isFitted: place.isFitted)
  }

  func draw(on canvas: PixelCanvas, originX: Int, originY: Int) {
    guard place.width > 0, place.height > 0, opacity > 0 else { return }
    let (c, s) = LabelLayout.turn(place.angle)
    // Upright icons keep their pixels: they begin at a whole one.
    let isUpright = c == 1 && s == 0
    let left = isUpright ? place.x.rounded() : place.x
    let top = isUpright ? place.y.rounded() : place.y
    let halo =
      icon.isDistanceField ? LabelType.limited(settings.iconHaloWidth, 0...16) * scale : 0
    let edge = halo + 1
    for row in 0..<canvas.height {
      let pixels = canvas.pixels + row * canvas.stride
      let y = Float(row - originY) + 0.5
      for column in 0..<canvas.width {
        let x = Float(column - originX) + 0.5
        let (px, py) = (x * c + y * s - left, y * c - x * s - top)
        guard px > -edge, py > -edge, px < place.width + edge, py < place.height + edge else {
          continue
        }
        if icon.isDistanceField {
          drawField(px, py, halo, &pixels[column])
        } else {
          let pixel = sample(across.source(px) - 0.5, down.source(py) - 0.5)
          if pixel != 0 {
            pixels[column] = PixelMath.over(
              pixel, UInt32((opacity * 255).rounded()), pixels[column])
          }
        }
      }
    }
  }

  /// A distance field: 191 is the outline, and 8 pixels of the sheet take 255.
  private func drawField(_ px: Float, _ py: Float, _ halo: Float, _ pixel: inout UInt32) {
    let value = Float(sample(across.source(px) - 0.5, down.source(py) - 0.5) >> 24) / 255
    let zoom = min(place.width / Float(icon.width), place.height / Float(icon.height))
    let distance = (value - 0.75) * 8 * zoom
    let soft = 1 + LabelType.limited(settings.iconHaloBlur, 0...8) * scale
    func put(_ color: UInt32, _ coverage: Float) {
      let cover = UInt32(min(max(coverage, 0), 1) * opacity * 255 + 0.5)
      if cover > 0 {
        pixel = PixelMath.over(PixelMath.premultiplied(color, cover), 255, pixel)
      }
    }
    if halo > 0 { put(settings.iconHaloColor, (distance + halo) / soft + 0.5) }
    put(settings.iconColor, distance + 0.5)
  }

  /// The icon between its pixels; transparent outside.
  private func sample(_ x: Float, _ y: Float) -> UInt32 {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    guard left >= -1, top >= -1, left < Float(icon.width), top < Float(icon.height) else {
      return 0
    }
    let (column, row) = (Int(left), Int(top))
    let fx = UInt32((x - left) * 256)
    let fy = UInt32((y - top) * 256)
    func at(_ x: Int, _ y: Int) -> UInt32 {
      x >= 0 && y >= 0 && x < icon.width && y < icon.height ? icon.pixels[y * icon.width + x] : 0
    }
    if fx == 0, fy == 0 { return at(column, row) }
    return PixelMath.mix(
      PixelMath.mix(at(column, row), at(column + 1, row), fx),
      PixelMath.mix(at(column, row + 1), at(column + 1, row + 1), fx), fy)
  }
}

/// Which pixel of an icon is drawn where, on one axis.
struct IconAxis {
  /// The pieces in turn: where they begin on the screen and in the icon.
  private var screen: [Float] = [0]
  private var sheet: [Float] = [0]

  /// - Parameters:
  ///   - size: The icon's size in pixels of the sheet.
  ///   - drawn: Its size on the screen.
  ///   - stretches: The parts that take what is left over.
  ///   - perPixel: Pixels of the screen per pixel of the sheet of the other parts.
  ///   - isFitted: Whether there is anything to stretch.
  init(
    size: Float, drawn: Float, stretches: [LabelIcon.Stretch], perPixel: Float, isFitted: Bool
  ) {
    let flexible = stretches.reduce(Float(0)) { $0 + $1.to - $1.from }
    let fixed = (size - flexible) * perPixel
    if isFitted, flexible > 0, drawn > fixed {
      let factor = (drawn - fixed) / flexible
      for stretch in stretches {
        add(stretch.from, perPixel)
        add(stretch.to, factor)
      }
      add(size, perPixel)
    } else {
      add(size, drawn / size)
    }
  }

  private mutating func add(_ end: Float, _ factor: Float) {
    let from = sheet[sheet.count - 1]
    screen.append(screen[screen.count - 1] + (end - from) * factor)
    sheet.append(end)
  }

  /// The place in the icon of a place on the screen, both from the rectangle's start.
  func source(_ x: Float) -> Float {
    for index in 1..<screen.count where x < screen[index] || index == screen.count - 1 {
      let length = screen[index] - screen[index - 1]
      guard length > 0 else { continue }
      return sheet[index - 1]
        + (x - screen[index - 1]) * (sheet[index] - sheet[index - 1]) / length
    }
    return -2
  }
}
