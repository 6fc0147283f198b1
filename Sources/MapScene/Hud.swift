import MapGeometry
import Pixels

/// The words over the map: the attribution of what is on screen, and a notice where something is wrong.
/// Each is drawn once, when its words or the view's size change.
public final class Hud {
  private struct Label {
    var text: String
    var view: PixelRect
    var scale: Int
    var sprite: Sprite?
  }

  private let makeText: () -> TextRenderer?
  private lazy var renderer = makeText()
  private var attribution: Label?
  private var notice: Label?

  /// What lies over the map, bottom first.
  public private(set) var sprites: [Sprite] = []

  /// - Parameter makeText: gives the renderer of the HUD's font; called when the first word is drawn.
  public init(makeText: @escaping () -> TextRenderer?) { self.makeText = makeText }

  /// The renderer of the HUD's font.
  public var text: TextRenderer? { renderer }

  /// Shows these words; empty shows nothing. Returns the parts of the screen that changed.
  public func show(
    attribution: String, notice: String, width: Int, height: Int, scale: Int
  ) -> [PixelRect] {
    let view = PixelRect(x: 0, y: 0, width: width, height: height)
    var changed: [PixelRect] = []
    func update(_ label: inout Label?, _ words: String, _ make: () -> Sprite?) {
      if label?.text == words, label?.view == view, label?.scale == scale { return }
      if let old = label?.sprite { changed.append(old.rect) }
      let sprite = words.isEmpty ? nil : make()
      label = Label(text: words, view: view, scale: scale, sprite: sprite)
      if let sprite { changed.append(sprite.rect) }
    }
    update(&self.attribution, attribution) {
      box(
        attribution, size: 11 * scale, pad: 4 * scale, view: view, corner: .bottomRight,
        back: 0xC8C8_C8C8, ink: 0xFF33_3333)
    }
    update(&self.notice, notice) {
      box(
        notice, size: 15 * scale, pad: 10 * scale, view: view, corner: .topLeft,
        back: 0xF05A_1E1E, ink: 0xFFFF_FFFF)
    }
    if !changed.isEmpty {
      sprites = [self.attribution?.sprite, self.notice?.sprite].compactMap { $0 }
    }
    return changed
  }

  /// Bytes of the words' pictures.
  public var bytes: Int { sprites.reduce(0) { $0 + $1.image.bytes } }

  private enum Corner { case bottomRight, topLeft }

  /// Words on a translucent field, broken into lines as wide as the view. `back` is premultiplied.
  private func box(
    _ words: String, size: Int, pad: Int, view: PixelRect, corner: Corner, back: UInt32, ink: UInt32
  ) -> Sprite? {
    guard let renderer else { return nil }
    let room = max(view.width - 2 * pad, 16)
    let lines = wrap(words, size, room, renderer)
    let metrics = renderer.measure("Äg", size: size)
    let lineHeight = metrics.ascent + metrics.descent + size / 5
    let width = min(
      (lines.map { renderer.measure($0, size: size).width }.max() ?? 0) + 2 * pad,
      view.width)
    let height = min(lines.count * lineHeight + pad, view.height)
    let rect = PixelRect(
      x: corner == .bottomRight ? view.width - width : 0,
      y: corner == .bottomRight ? view.height - height : 0, width: width, height: height)
    if rect.isEmpty { return nil }
    let image = SpriteImage(width: width, height: height) { words, stride in
      fill(words, back, width * height)
      for (n, line) in lines.enumerated() {
        renderer.draw(
          line, size: size, color: ink, halo: nil, into: words, stride: stride, width: width,
          height: height, at: pad, baselineY: pad / 2 + n * lineHeight + metrics.ascent)
      }
    }
    return Sprite(image, x: rect.x, y: rect.y)
  }

  /// At most 6 lines.
  private func wrap(_ words: String, _ size: Int, _ room: Int, _ renderer: TextRenderer) -> [String]
  {
    var lines: [String] = []
    var line = ""
    for word in words.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if !line.isEmpty, renderer.measure(longer, size: size).width > room {
        lines.append(line)
        line = String(word)
      } else {
        line = longer
      }
    }
    if !line.isEmpty { lines.append(line) }
    return Array(lines.prefix(6))
  }
}
