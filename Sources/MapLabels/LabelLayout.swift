import Drawing

#if canImport(Glibc)
  import Glibc
#endif

extension LabelSettings {
  /// How many times larger the text is at the next whole zoom, for which room is kept.
  var roomGrowth: Float { textSize > 0 ? min(max(textRoomSize / textSize, 1), 2) : 1 }
}

/// Where the text and the icon of a label stand relative to its anchor, in pixels.
struct LabelLayout {
  let settings: LabelSettings
  /// Pixels per point.
  let scale: Float
  /// The em in pixels.
  let em: Float
  /// How far what turns with the map is turned on the screen, clockwise in radians.
  let mapAngle: Float

  init(_ settings: LabelSettings, scale: Float, mapAngle: Float) {
    self.settings = settings
    self.scale = scale
    self.mapAngle = mapAngle
    em = LabelType.limited(settings.textSize, 0...256) * scale
  }

  /// The most that an offset moves, in points or ems.
  private static let farthest: ClosedRange<Float> = -512...512

  // MARK: Text

  /// What a variable anchor adds to the ems between capitals and the line's edges, as in MapLibre.
  private static let baselineOffset: Float = 7 / 24

  /// The text's offset for an anchor, in ems.
  func textOffset(_ anchor: LabelAnchor, choice: Int?) -> LabelOffset {
    let s = settings
    if let choice, choice < s.textVariableOffsets.count {
      // To the right and down, whichever side it is on.
      var offset = s.textVariableOffsets[choice]
      if anchor.vertical == 0 { offset.y -= Self.baselineOffset }
      if anchor.vertical == 1 { offset.y += Self.baselineOffset }
      return Self.limited(offset)
    }
    if let radius = s.textRadialOffset {
      let r = max(0, LabelType.limited(radius, 0...512))
      let corner = r / Float(2).squareRoot()
      switch anchor {
      case .top: return LabelOffset(0, r - Self.baselineOffset)
      case .bottom: return LabelOffset(0, Self.baselineOffset - r)
      case .left: return LabelOffset(r, 0)
      case .right: return LabelOffset(-r, 0)
      case .topLeft: return LabelOffset(corner, corner - Self.baselineOffset)
      case .topRight: return LabelOffset(-corner, corner - Self.baselineOffset)
      case .bottomLeft: return LabelOffset(corner, Self.baselineOffset - corner)
      case .bottomRight: return LabelOffset(-corner, Self.baselineOffset - corner)
      case .center: return .zero
      }
    }
    if choice != nil {
      return Self.limited(Self.beside(anchor, x: abs(s.textOffset.x), y: abs(s.textOffset.y)))
    }
    return Self.limited(s.textOffset)
  }

  /// An offset away from the anchor's side.
  private static func beside(_ anchor: LabelAnchor, x: Float, y: Float) -> LabelOffset {
    var offset = LabelOffset.zero
    switch anchor.vertical {
    case 0: offset.y = y - baselineOffset
    case 1: offset.y = baselineOffset - y
    default: break
    }
    switch anchor.horizontal {
    case 0: offset.x = x
    case 1: offset.x = -x
    default: break
    }
    return offset
  }

  private static func limited(_ offset: LabelOffset) -> LabelOffset {
    LabelOffset(
      LabelType.limited(offset.x, farthest), LabelType.limited(offset.y, farthest))
  }

  /// The text's box before it is turned; or, with `isRoom`, the box for which room is kept.
  func textBox(
    _ block: TextBlock, _ anchor: LabelAnchor, choice: Int?, isRoom: Bool = false
  ) -> LabelBox {
    textBox(block.extent, anchor, choice: choice, isRoom: isRoom)
  }

  /// The same for a text of which only the extent is known.
  func textBox(
    _ extent: TextBlock.Extent, _ anchor: LabelAnchor, choice: Int?, isRoom: Bool = false
  ) -> LabelBox {
    let offset = textOffset(anchor, choice: choice)
    let width = isRoom ? extent.roomWidth : extent.width
    let left = offset.x * em - anchor.horizontal * width * em
    let top = offset.y * em - anchor.vertical * extent.height * em
    return LabelBox(
      left: left, top: top, right: left + width * em, bottom: top + extent.height * em)
  }

  /// How far a point label's text is turned.
  var textAngle: Float {
    Self.radians(settings.textRotate) + (settings.textAlignment == .map ? mapAngle : 0)
  }

  /// The text's translation on the screen.
  var textTranslation: LabelOffset {
    translation(settings.textTranslate, onScreen: settings.textTranslatesOnScreen)
  }

  /// The glyphs of a point label. `box` is from `textBox`.
  func glyphs(_ block: TextBlock, in box: LabelBox, _ anchor: LabelAnchor, text: [UInt32])
    -> [LabelShape.Glyph]
  {
    let justify: Float
    switch settings.textJustify {
    case .auto: justify = anchor.horizontal
    case .left: justify = 0
    case .center: justify = 0.5
    case .right: justify = 1
    }
    let (c, s) = Self.turn(textAngle)
    let move = textTranslation
    var glyphs: [LabelShape.Glyph] = []
    glyphs.reserveCapacity(block.glyphs.count)
    for line in block.lines {
      let left = box.left + (block.width - line.width) * justify * em
      // Upright text stands on whole rows.
      let base = box.top + line.baseline * em
      let baseline = s == 0 && c == 1 ? base.rounded() : base
      for number in line.glyphs {
        let glyph = block.glyphs[number]
        let (x, y) = (left + glyph.x * em, baseline - glyph.y * em)
        glyphs.append(
          LabelShape.Glyph(
            index: glyph.index, font: glyph.font, size: em * glyph.scale,
            x: x * c - y * s + move.x, y: x * s + y * c + move.y, cosine: c, sine: s,
            color: Self.color(block, number, text)))
      }
    }
    return glyphs
  }

  /// The colour of a glyph's section; 0: the text's.
  static func color(_ block: TextBlock, _ glyph: Int, _ colors: [UInt32]) -> UInt32 {
    guard glyph < block.sections.count else { return 0 }
    let section = Int(block.sections[glyph])
    return section < colors.count ? colors[section] : 0
  }

  // MARK: Icon

  /// The icon's box before it is turned. `text` is the box of the text that it is fitted to.
  func iconBox(_ icon: LabelIcon, text: LabelBox?) -> LabelBox {
    let s = settings
    let size = LabelType.limited(s.iconSize, 0...16)
    let perPixel = scale / icon.pixelRatio
    let width = min(Float(icon.width) * perPixel * size, 1024)
    let height = min(Float(icon.height) * perPixel * size, 1024)
    let dx = LabelType.limited(s.iconOffset.x, Self.farthest) * scale * size
    let dy = LabelType.limited(s.iconOffset.y, Self.farthest) * scale * size
    guard let text, s.iconTextFit != .none else {
      let left = dx - s.iconAnchor.horizontal * width
      let top = dy - s.iconAnchor.vertical * height
      return LabelBox(left: left, top: top, right: left + width, bottom: top + height)
    }
    let pad = s.iconTextFitPadding
    func padding(_ value: Float) -> Float { LabelType.limited(value, -128...128) * scale }
    // The edges around the part that holds the text.
    let content =
      icon.content
      ?? LabelInsets(top: 0, right: Float(icon.width), bottom: Float(icon.height), left: 0)
    var box = LabelBox(left: 0, top: 0, right: 0, bottom: 0)
    if s.iconTextFit == .height {
      box.left = (text.left + text.right - width) / 2
      box.right = box.left + width
    } else {
      box.left = text.left - padding(pad.left) - content.left * perPixel
      box.right = text.right + padding(pad.right) + (Float(icon.width) - content.right) * perPixel
    }
    if s.iconTextFit == .width {
      box.top = (text.top + text.bottom - height) / 2
      box.bottom = box.top + height
    } else {
      box.top = text.top - padding(pad.top) - content.top * perPixel
      box.bottom =
        text.bottom + padding(pad.bottom) + (Float(icon.height) - content.bottom) * perPixel
    }
    box.right = min(max(box.right, box.left), box.left + 1024)
    box.bottom = min(max(box.bottom, box.top), box.top + 1024)
    return box.moved(dx, dy)
  }

  /// How far a point label's icon is turned.
  var iconAngle: Float {
    Self.radians(settings.iconRotate) + (settings.iconAlignment == .map ? mapAngle : 0)
  }

  /// The icon as it is drawn.
  func icon(_ icon: LabelIcon, in box: LabelBox, angle: Float) -> LabelShape.Icon {
    let move = translation(settings.iconTranslate, onScreen: settings.iconTranslatesOnScreen)
    // The translation is one of the screen, the box is turned about the anchor.
    let (c, s) = Self.turn(-angle)
    var box = box
    if angle == 0 {
      // Upright icons fill whole pixels.
      box = LabelBox(
        left: box.left.rounded(), top: box.top.rounded(), right: box.right.rounded(),
        bottom: box.bottom.rounded())
    }
    return LabelShape.Icon(
      icon: icon, x: box.left + move.x * c - move.y * s, y: box.top + move.x * s + move.y * c,
      width: box.right - box.left, height: box.bottom - box.top, angle: angle,
      isFitted: settings.iconTextFit != .none)
  }

  /// What the icon keeps free: its box, turned, and its padding.
  func iconArea(_ box: LabelBox, angle: Float) -> LabelBox {
    var area = Self.turned(box, angle)
    let pad = settings.iconPadding
    area.left -= LabelType.limited(pad.left, -64...512) * scale
    area.right += LabelType.limited(pad.right, -64...512) * scale
    area.top -= LabelType.limited(pad.top, -64...512) * scale
    area.bottom += LabelType.limited(pad.bottom, -64...512) * scale
    return area
  }

  // MARK: Both

  private func translation(_ offset: LabelOffset, onScreen: Bool) -> LabelOffset {
    let x = LabelType.limited(offset.x, Self.farthest) * scale
    let y = LabelType.limited(offset.y, Self.farthest) * scale
    if onScreen || mapAngle == 0 { return LabelOffset(x, y) }
    let (c, s) = Self.turn(mapAngle)
    return LabelOffset(x * c - y * s, x * s + y * c)
  }

  static func radians(_ degrees: Float) -> Float {
    degrees.isFinite ? degrees.truncatingRemainder(dividingBy: 360) * .pi / 180 : 0
  }

  /// Cosine and sine, exact for no turn.
  static func turn(_ angle: Float) -> (Float, Float) {
    angle == 0 ? (1, 0) : (cosf(angle), sinf(angle))
  }

  /// The upright box around a box turned about the anchor.
  static func turned(_ box: LabelBox, _ angle: Float) -> LabelBox {
    if angle == 0 { return box }
    let (c, s) = turn(angle)
    let (x, y) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    let (w, h) = ((box.right - box.left) / 2, (box.bottom - box.top) / 2)
    let (mx, my) = (x * c - y * s, x * s + y * c)
    let (rx, ry) = (abs(w * c) + abs(h * s), abs(w * s) + abs(h * c))
    return LabelBox(left: mx - rx, top: my - ry, right: mx + rx, bottom: my + ry)
  }
}
