import MapGeometry
import Pixels

/// The memory in which pixels are mixed, small enough to stay in the processor's cache.
///
/// Its owner calls `deallocate` once; copies share the memory.
struct Workspace {
  // The unit of mixing: 256 x 64 pixels are 64 KiB.
  static let chunkWidth = 256
  static let chunkHeight = 64
  /// The edge of a block of a turned view.
  static let blockEdge = 32
  /// The most sprites that are drawn separately: over a strip of a cell, over a row of strips, and
  /// over the strips of all adjacent cells, counted once per cell. With more, strips are mixed.
  static let mostSprites = 32
  static let mostSpritesOfRow = 128
  static let mostSpritesOfCells = 256
  /// The most cells beside each other that are drawn together.
  static let mostCells = 24
  // Source pixels of a row or block: a step of at most √2, any angle, and neighbours.
  static let rowsWords = 2400
  static let blockWords = 72
  // Rows gathered at once, few enough to stay in the L1 cache until they are sampled: source pixels
  // of a chunk at a step of √2, and neighbours.
  static let fieldRows = 16
  static let fieldWords = 368 * fieldRows

  /// A mixed chunk, on its way to the display.
  let band: UnsafeMutablePointer<UInt32>
  /// One layer of a chunk.
  let layerBand: UnsafeMutablePointer<UInt32>
  /// A row, or four rows split into planes.
  let rows: UnsafeMutablePointer<UInt32>
  /// The source pixels of a turned block.
  let block: UnsafeMutablePointer<UInt32>
  /// Gathered source rows between two levels. Its pages are not touched before the first such view.
  let field: UnsafeMutablePointer<UInt32>
  let table: ResampleTable
  private let tableMemory: UnsafeMutableRawPointer
  let sheets: UnsafeMutablePointer<Sheet>
  /// Columns of a row that sprites cover: the first to the last of them, bottom first.
  struct Span {
    var left: Int
    var right: Int
    var first: Int
    var last: Int
  }

  /// A part of a cell to copy: its first pixel, and the bytes from row to row.
  struct Cell {
    var from: UnsafeRawPointer
    var rowBytes: Int
    /// In view pixels.
    var part: PixelRect
  }

  /// A strip of a cell, and the sprites that lie on it.
  struct CellRows {
    var from: UnsafeRawPointer
    var rowBytes: Int
    var rect: PixelRect
    var out: PanelWriter.Output
    /// Bottom first; by their left sides if no two meet, as `isApart` says.
    var numbers: UnsafeMutablePointer<Int32>
    var count: Int
    var isApart: Bool
  }

  /// Cells beside each other.
  let cells: UnsafeMutablePointer<Cell>
  let cellRows: UnsafeMutablePointer<CellRows>
  /// The numbers of the sprites over a row of strips, then those over each cell's strip, and the
  /// columns of a row of one that they cover.
  let numbers: UnsafeMutablePointer<Int32>
  let spans: UnsafeMutablePointer<Span>
  /// Work memory of `GridGatherer`.
  private(set) var scratch: UnsafeMutablePointer<UInt32>
  private var scratchWords: Int

  init() {
    func words(_ count: Int) -> UnsafeMutablePointer<UInt32> {
      let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    band = words(Workspace.chunkWidth * Workspace.chunkHeight)
    layerBand = words(Workspace.chunkWidth * Workspace.chunkHeight)
    rows = words(Workspace.rowsWords)
    block = words(Workspace.blockWords * Workspace.blockWords)
    field = .allocate(capacity: Workspace.fieldWords)
    tableMemory = .allocate(
      byteCount: ResampleTable.bytes(Workspace.chunkWidth), alignment: 64)
    table = ResampleTable(tableMemory)
    sheets = .allocate(capacity: SheetStack.capacity)
    cells = .allocate(capacity: Workspace.mostCells)
    cellRows = .allocate(capacity: Workspace.mostCells)
    numbers = .allocate(capacity: Workspace.mostSpritesOfRow + Workspace.mostSpritesOfCells)
    spans = .allocate(capacity: Workspace.mostSprites)
    scratchWords = GridGatherer.scratchWords(edge: 512)
    scratch = words(scratchWords)
  }

  func deallocate() {
    band.deallocate()
    layerBand.deallocate()
    rows.deallocate()
    block.deallocate()
    field.deallocate()
    tableMemory.deallocate()
    sheets.deallocate()
    cells.deallocate()
    cellRows.deallocate()
    numbers.deallocate()
    spans.deallocate()
    scratch.deallocate()
  }

  /// Makes `scratch` large enough for cells of `edge` pixels.
  mutating func reserve(edge: Int) {
    let words = GridGatherer.scratchWords(edge: edge)
    if words <= scratchWords { return }
    scratch.deallocate()
    scratch = .allocate(capacity: words)
    scratch.initialize(repeating: 0, count: words)
    scratchWords = words
  }

  /// Bytes of all pixel buffers and the table.
  var bytes: Int {
    (2 * Workspace.chunkWidth * Workspace.chunkHeight + Workspace.rowsWords
      + Workspace.blockWords * Workspace.blockWords + Workspace.fieldWords + scratchWords) * 4
      + ResampleTable.bytes(Workspace.chunkWidth)
  }
}
