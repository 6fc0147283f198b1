import Drawing
import MapGeometry
import Pixels
import TileLoading
import TileSources

/// The tile grid: each tile's border with its address and a name, legible on light and dark maps.
public final class GridSource: DrawnSource {
  /// The grid covers every tile of every level.
  public let info = SourceInfo(kind: "grid", minZoom: 0, maxZoom: TileID.maxLevel)
  /// Draws the grid.
  public let painter: any TilePainter

  /// Creates the grid.
  ///
  /// - Parameters:
  ///   - name: The text below every address: the name of the source with these tiles.
  ///   - scale: Pixels per point.
  ///   - text: Draws the text, only during this call; nil: the grid has only borders.
  public init(name: String, scale: Int, text: TextRenderer?) {
    painter = GridDrawing(name: name, scale: scale, text: text)
  }

  /// Always `.nothing`: its tiles are drawn, not read.
  public func read(_ id: TileID, into buffer: inout TileBuffer) -> TileRead {
    .nothing
  }

  /// True: the grid covers the world.
  public func contains(_ id: TileID) -> Bool { true }
}

/// Draws tiles of the grid with prepared pictures of the characters.
struct GridDrawing: TilePainter {
  private static let ink: UInt32 = 0xff14_1c26
  private static let halo: UInt32 = 0xe6ff_ffff
  // Premultiplied: the line, and its casing for dark maps.
  private static let line: UInt32 = 0xff14_1c26
  private static let casing: UInt32 = 0xb4b4_b4b4

  /// A piece of text as pictures: the halo, and the letters over it.
  private struct Word: Sendable {
    var width = 0
    var height = 0
    /// The picture's padding; the pen starts at (pad, pad + ascent).
    var pad = 0
    var ascent = 0
    var advance = 0
    var halo: [UInt32] = []
    var letters: [UInt32] = []

    init(_ text: String, size: Int, _ renderer: TextRenderer) {
      let extent = renderer.measure(text, size: size)
      pad = TextRenderer.haloRadius(size: size)
      ascent = extent.ascent
      advance = extent.width
      width = extent.width + 2 * pad
      height = extent.ascent + extent.descent + 2 * pad
      halo = picture(text, size, GridDrawing.halo, halo: GridDrawing.halo, renderer)
      letters = picture(text, size, GridDrawing.ink, halo: nil, renderer)
    }

    private func picture(
      _ text: String, _ size: Int, _ color: UInt32, halo: UInt32?, _ renderer: TextRenderer
    ) -> [UInt32] {
      var words = [UInt32](repeating: 0, count: width * height)
      words.withUnsafeMutableBufferPointer {
        guard let base = $0.baseAddress else { return }
        renderer.draw(
          text, size: size, color: color, halo: halo, into: base, stride: width, width: width,
          height: height, at: pad, baselineY: pad + ascent)
      }
      return words
    }
  }

  private let unit: Int
  /// The digits "0" to "9", then "/".
  private let signs: [Word]
  private let name: Word?

  init(name: String, scale: Int, text: TextRenderer?) {
    unit = max(1, scale)
    guard let text else {
      (signs, self.name) = ([], nil)
      return
    }
    signs = "0123456789/".map { Word(String($0), size: 22 * max(1, scale), text) }
    var shown = name
    while !shown.isEmpty, text.measure(shown, size: 13 * unit).width > 232 * unit {
      shown.removeLast()
    }
    self.name = shown.isEmpty ? nil : Word(shown, size: 13 * unit, text)
  }

  var needsPayload: Bool { false }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    draw(tile, on: canvas)
    target.applyColors()
    return .painted(.argb8888)
  }

  private func draw(_ tile: TileID, on canvas: PixelCanvas) {
    border(canvas)
    guard let first = signs.first else { return }
    let address = signs(of: tile)
    let width = address.reduce(0) { $0 + $1.advance }
    let lower = name.map { $0.height - $0.pad } ?? 0
    let top = (canvas.height - first.height - lower) / 2
    let left = (canvas.width - width) / 2
    for isHalo in [true, false] {
      var x = left
      for sign in address {
        put(sign, isHalo, x: x - sign.pad, y: top, canvas)
        x += sign.advance
      }
      if let name {
        put(
          name, isHalo, x: (canvas.width - name.width) / 2, y: top + first.height - name.pad,
          canvas)
      }
    }
  }

  private func signs(of tile: TileID) -> [Word] {
    "\(tile)".utf8.map { byte in
      byte == UInt8(ascii: "/") ? signs[10] : signs[Int(byte - UInt8(ascii: "0")) % 10]
    }
  }

  /// Draws a line along the upper and left edges, with a casing on both sides of it.
  private func border(_ canvas: PixelCanvas) {
    let (w, h) = (canvas.width, canvas.height)
    func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: UInt32) {
      for row in y..<min(y + height, h) {
        fill(canvas.pixels + row * canvas.stride + x, color, min(width, w - x))
      }
    }
    guard w > 4 * unit, h > 4 * unit else { return }
    for (from, color) in [(unit, Self.casing), (0, Self.line)] {
      let far = from == 0 ? 0 : unit
      if far > 0 {
        rect(0, h - far, w, far, color)
        rect(w - far, 0, far, h, color)
      }
      rect(0, from, w, unit, color)
      rect(from, 0, unit, h, color)
    }
  }

  private func put(_ word: Word, _ isHalo: Bool, x: Int, y: Int, _ canvas: PixelCanvas) {
    let first = max(0, -x)
    let count = min(word.width, canvas.width - x) - first
    guard count > 0 else { return }
    (isHalo ? word.halo : word.letters).withUnsafeBufferPointer { words in
      guard let base = words.baseAddress else { return }
      for row in max(0, -y)..<max(max(0, -y), min(word.height, canvas.height - y)) {
        blendOver(
          base + row * word.width + first,
          into: canvas.pixels + (y + row) * canvas.stride + x + first, count, opacity: 256)
      }
    }
  }
}
