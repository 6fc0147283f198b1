import Drawing
import MapGeometry
import MapScene
import Platform

/// Draws labels and keeps their pictures, limited in bytes.
///
/// The pictures of this placement and of the previous one stay; pictures for which there is no room
/// beside them are not kept. Evicting the oldest ones instead would not work: placements need their
/// pictures in about the same order, so a view slightly over the limit would draw all of them each
/// time.
///
/// An instance belongs to one thread at a time.
public final class LabelArtist {
  private struct Entry {
    let shape: LabelShape
    let picture: LabelPicture
    /// The placement that used it last.
    var used: UInt64
  }

  let type: LabelType
  private let tint: LabelTint?
  /// The most bytes of pictures that are kept.
  public let limit: Int
  private var pictures: [ObjectIdentifier: Entry] = [:]
  private var pictureBytes = 0
  private var placements: UInt64 = 1
  /// Whether the system had no memory for a picture of this placement.
  public private(set) var lacksMemory = false
  /// Whether nothing more can be dropped for this placement.
  private var isFull = false

  /// Creates an artist.
  ///
  /// - Parameters:
  ///   - type: The fonts that the placer uses.
  ///   - tint: The change of the map's colours; nil: those of the style.
  ///   - limit: The most bytes of pictures that are kept.
  public init(type: LabelType, tint: LabelTint? = nil, limit: Int = 4 << 20) {
    self.type = type
    self.tint = tint
    self.limit = max(0, limit)
  }

  /// Bytes of the pictures.
  public var bytes: Int { pictureBytes }

  /// Begins with the pictures of another placement.
  public func beginPlacement() {
    placements &+= 1
    (isFull, lacksMemory) = (false, false)
  }

  /// The picture of a label, drawn unless it is kept.
  public func picture(of shape: LabelShape) -> LabelPicture {
    let id = ObjectIdentifier(shape)
    if let entry = pictures[id] {
      if entry.used != placements { pictures[id]?.used = placements }
      return entry.picture
    }
    // For the canvas, and the masks of letters and halo. Without it the label is seen later.
    guard SpareMemory.has(shape.bounds.width * shape.bounds.height, of: 8) else {
      lacksMemory = true
      return LabelPicture(
        image: SpriteImage(width: 0, height: 0) { _, _ in }, originX: 0, originY: 0)
    }
    let picture = draw(shape)
    guard picture.bytes <= limit / 4, pictures.hasMemory(), makeRoom(picture.bytes) else {
      return picture
    }
    pictures[id] = Entry(shape: shape, picture: picture, used: placements)
    pictureBytes += picture.bytes
    return picture
  }

  /// Forgets the pictures of all shapes but these, which must be alive.
  package func keep(_ shapes: Set<ObjectIdentifier>) {
    pictures = pictures.filter { shapes.contains($0.key) }
    pictureBytes = pictures.values.reduce(0) { $0 + $1.picture.bytes }
  }

  /// The picture as a sprite at the label's place, faded and turned as the label is.
  public func sprite(_ label: PlacedLabel) -> Sprite {
    picture(of: label.shape).sprite(
      x: label.x, y: label.y, angle: label.angle, opacity: label.opacity)
  }

  /// Draws all labels of a placement over a canvas.
  ///
  /// - Parameters:
  ///   - placement: The labels.
  ///   - canvas: The view's pixels.
  ///   - clip: The pixels that may change; nil: all.
  public func draw(
    _ placement: LabelPlacement, on canvas: PixelCanvas, clip: PixelRect? = nil
  ) {
    beginPlacement()
    for label in placement.labels {
      picture(of: label.shape).blend(
        on: canvas, clip: clip, x: label.x, y: label.y, angle: label.angle,
        opacity: label.opacity)
    }
  }

  /// Drops pictures that neither this placement nor the one before used, until `room` bytes are
  /// free, and a quarter of the limit with them. Returns whether so many are free.
  private func makeRoom(_ room: Int) -> Bool {
    if pictureBytes + room <= limit { return true }
    if isFull { return false }
    let goal = max(0, limit - room - limit / 4)
    let old = pictures.filter { $0.value.used &+ 1 < placements }
    for (id, entry) in old.sorted(by: { $0.value.used < $1.value.used }) where pictureBytes > goal {
      pictures[id] = nil
      pictureBytes -= entry.picture.bytes
    }
    isFull = pictureBytes + room > limit
    return !isFull
  }

  // MARK: Drawing

  private func draw(_ shape: LabelShape) -> LabelPicture {
    let bounds = shape.bounds
    if bounds.isEmpty {
      return LabelPicture(
        image: SpriteImage(width: 0, height: 0) { _, _ in }, originX: 0, originY: 0)
    }
    let settings = tint?.settings(shape.settings) ?? shape.settings
    var words = [UInt32](repeating: 0, count: bounds.width * bounds.height)
    words.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      let canvas = PixelCanvas(
        base, stride: bounds.width, width: bounds.width, height: bounds.height)
      if let icon = shape.icon {
        IconDrawing(icon, settings, scale: shape.scale).draw(
          on: canvas, originX: -bounds.x, originY: -bounds.y)
        if let tint, !icon.icon.isDistanceField { tint.change(memory) }
      }
      drawText(shape, settings, on: canvas)
    }
    return Self.cropped(words, bounds)
  }

  private func drawText(
    _ shape: LabelShape, _ settings: LabelSettings, on canvas: PixelCanvas
  ) {
    guard !shape.glyphs.isEmpty else { return }
    let opacity = LabelType.limited(settings.textOpacity, 0...1)
    var mask = GlyphMask(width: canvas.width, height: canvas.height)
    var colors: [UInt32] = []
    for glyph in shape.glyphs {
      add(glyph, shape, to: &mask)
      if !colors.contains(glyph.color) { colors.append(glyph.color) }
    }
    let radius = LabelShape.haloRadius(
      settings.textHaloWidth, size: settings.textSize, scale: shape.scale)
    if radius > 0, settings.textHaloColor >> 24 != 0 {
      let blur = LabelType.limited(settings.textHaloBlur, 0...8) * shape.scale
      let halo = MaskHalo.around(mask, radius: radius, blur: blur)
      Self.fill(halo, settings.textHaloColor, opacity, on: canvas)
    }
    if colors.count == 1 {
      Self.fill(mask, color(colors[0], settings), opacity, on: canvas)
      return
    }
    for color in colors.prefix(16) {
      var part = GlyphMask(width: canvas.width, height: canvas.height)
      for glyph in shape.glyphs where glyph.color == color { add(glyph, shape, to: &part) }
      Self.fill(part, self.color(color, settings), opacity, on: canvas)
    }
  }

  /// The colour of a section; 0: the text's.
  private func color(_ section: UInt32, _ settings: LabelSettings) -> UInt32 {
    if section == 0 { return settings.textColor }
    // A section has a halo behind it only if one is drawn.
    let halo = settings.textHaloWidth > 0 ? settings.textHaloColor : 0
    return tint?.ink(section, over: halo) ?? section
  }

  private func add(_ glyph: LabelShape.Glyph, _ shape: LabelShape, to mask: inout GlyphMask) {
    type.typesetter.draw(
      glyph.index, font: Int(glyph.font), size: glyph.size, x: glyph.x - Float(shape.bounds.x),
      y: glyph.y - Float(shape.bounds.y), cosine: glyph.cosine, sine: glyph.sine, into: &mask)
  }

  private static func fill(
    _ mask: GlyphMask, _ color: UInt32, _ opacity: Float, on canvas: PixelCanvas
  ) {
    let alpha = UInt32((Float(color >> 24) * opacity).rounded())
    let color = color & 0xFF_FFFF | alpha << 24
    if alpha == 0 { return }
    // The canvas is as large as the mask.
    mask.coverage.withUnsafeBytes { coverage in
      for row in 0..<canvas.height {
        let pixels = canvas.pixels + row * canvas.stride
        let start = row * mask.width
        var column = 0
        while column < canvas.width {
          // Most of a text along a line's rectangle is empty.
          if column &+ 8 <= canvas.width,
            coverage.loadUnaligned(fromByteOffset: start &+ column, as: UInt64.self) == 0
          {
            column &+= 8
            continue
          }
          let cover = UInt32(coverage[start &+ column])
          if cover != 0 {
            pixels[column] = PixelMath.over(
              PixelMath.premultiplied(color, cover), 255, pixels[column])
          }
          column &+= 1
        }
      }
    }
  }

  /// Cuts the empty edges off.
  private static func cropped(_ words: [UInt32], _ bounds: PixelRect) -> LabelPicture {
    words.withUnsafeBufferPointer { words in
      var (left, top, right, bottom) = (bounds.width, bounds.height, 0, 0)
      for y in 0..<bounds.height {
        let row = UnsafeBufferPointer(rebasing: words[y * bounds.width..<(y + 1) * bounds.width])
        guard let first = row.firstIndex(where: { $0 != 0 }),
          let last = row.lastIndex(where: { $0 != 0 })
        else { continue }
        left = min(left, first)
        right = max(right, last + 1)
        top = min(top, y)
        bottom = y + 1
      }
      if left >= right { (left, top, right, bottom) = (0, 0, 0, 0) }
      let width = right - left
      let image = SpriteImage(width: width, height: bottom - top) { pixels, stride in
        guard width > 0, let first = words.baseAddress else { return }
        for y in top..<bottom {
          (pixels + (y - top) * stride).update(
            from: first + y * bounds.width + left, count: width)
        }
      }
      return LabelPicture(image: image, originX: -bounds.x - left, originY: -bounds.y - top)
    }
  }
}
