import MapGeometry
import Pixels

/// The pixels of a `Backdrop`, xrgb8888, to draw into and to copy from.
///
/// Each pixel is at the number of its row times the view's width, plus its column, both of the
/// grid, modulo the view's size. So a pan moves nothing, and rows of the view follow each other in
/// memory: what leaves the view on one side makes room for what comes on the other.
///
/// Valid for one frame.
struct BackdropRows {
  /// The widest part of a row under sprites.
  private static let partWidth = Workspace.rowsWords / 16 * 16

  let memory: UnsafeMutableRawPointer
  /// The view's size in pixels, which is that of the memory.
  let width: Int
  let height: Int
  /// The grid position of the view.
  let corner: (x: Int, y: Int)
  /// The rows of the view that it holds.
  let rows: Range<Int>
  /// The parts of the view that must be drawn into it before they are copied.
  let damage: [PixelRect]
  /// The sprites that are drawn into it, and the other ones.
  let standing: SpriteLists
  let others: SpriteLists

  /// Calls `body` with each part of `rect` that is whole in memory, and the memory as a buffer in
  /// which that part has its position in the view.
  func forEachPart(of rect: PixelRect, _ body: (PixelRect, ScanoutBuffer) -> Void) {
    if rect.isEmpty { return }
    let count = width * height
    var start = (corner.y % height * width + corner.x % count) % count
    if start < 0 { start += count }
    // The row of the view in which the memory ends, and the column from which it goes on at its
    // beginning.
    let (end, split) = ((count - start) / width, (count - start) % width)
    func call(_ part: PixelRect, isSecond: Bool) {
      let part = part.intersection(rect)
      if part.isEmpty { return }
      body(
        part,
        ScanoutBuffer(
          base: memory + (isSecond ? start - count : start) * 4,
          rowBytes: width * 4, width: width, height: height, format: .xrgb8888))
    }
    call(PixelRect(x: 0, y: 0, width: width, height: end), isSecond: false)
    call(PixelRect(x: 0, y: end, width: split, height: 1), isSecond: false)
    call(PixelRect(x: split, y: end, width: width - split, height: 1), isSecond: true)
    call(PixelRect(x: 0, y: end + 1, width: width, height: height - end - 1), isSecond: true)
  }

  /// Copies a part of the view to the panel, with the other sprites over it.
  func copy(_ rect: PixelRect, _ mixer: ChunkMixer) {
    let (panel, work) = (mixer.panel, mixer.work)
    let rowBytes = width * 4
    let sprites = SpriteRows(over: others, panel: panel, work: work)
    forEachPart(of: rect) { part, pixels in
      var x = part.x
      var count = 0
      while x < part.maxX {
        // Parts begin at whole cache lines of the panel, which are written at once.
        let end = min(part.maxX, (x / Self.partWidth + 1) * Self.partWidth)
        let piece = PixelRect(x: x, y: part.y, width: end - x, height: part.height)
        let from = pixels.pixel(x: x, y: part.y)
        x = end
        if panel.rotation == .none {
          work.cells[count] = Workspace.Cell(from: from, rowBytes: rowBytes, part: piece)
          count += 1
          if count == Workspace.mostCells || x >= part.maxX {
            sprites.drawCells(0..<count)
            count = 0
          }
        } else if others.meets(piece) {
          sprites.drawUnderSprites(from, rowBytes, piece)
        } else {
          panel.target.storeRotated(
            from, sourceRowBytes: rowBytes, rect: piece, rotation: panel.rotation)
        }
      }
    }
  }
}
