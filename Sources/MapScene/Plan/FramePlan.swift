import MapGeometry
import TileLoading

/// What a frame draws and where, as a value.
///
/// Plans can be compared and printed. A piece names its tile by source, address and serial number;
/// the slot only saves looking the tile up, and is ignored by `==`.
public struct FramePlan: Sendable, Equatable {
  /// The size that a tile has on the grid if it is not a power of two of its own.
  public struct Scaling: Sendable, Equatable {
    /// The grid pixels that the whole tile is stretched to, horizontally.
    public var width: Int
    /// The grid pixels that the whole tile is stretched to, vertically.
    public var height: Int

    /// Creates the size of a tile on the grid, in grid pixels.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// A part of a cell that shows (part of) one tile.
  public struct Piece: Sendable, Equatable {
    /// The source and the tile, or the source's quiet cell.
    public var key: TileKey
    /// The tile's serial number in the cache. It changes each time the tile is decoded.
    public var serial: UInt32
    /// The cache slot that held the tile when the plan was made; ignored by `==`.
    public var slot: Int32
    /// One tile pixel covers 2^shift grid pixels on a side: 0 for the tile itself, positive for an
    /// enlarged ancestor, −1 for a reduced child. With `scaling`, it only says how many levels lie
    /// between the grid and the tile.
    public var shift: Int32
    /// The size of a tile that was painted for cells of another size; nil: `shift` says all.
    public var scaling: Scaling?
    /// The column of the tile's upper left corner, in grid pixels from the cell's corner.
    public var originX: Int
    /// The row of the tile's upper left corner, in grid pixels from the cell's corner.
    public var originY: Int
    /// The left edge of the part that it covers, in grid pixels from the cell's corner.
    public var x: Int32
    /// The upper edge of that part, in grid pixels from the cell's corner.
    public var y: Int32
    /// The width of that part in grid pixels.
    public var width: Int32
    /// The height of that part in grid pixels.
    public var height: Int32
    /// Whether the tile has transparency, so that what is below shows through.
    public var alpha: Bool

    /// `shift` as far as pixels are sampled with it: a scaled tile is sampled per grid pixel.
    @inlinable var pixelShift: Int32 { scaling == nil ? shift : 0 }
    /// Whether the tile's pixels are the grid's.
    @inlinable var isExact: Bool { shift == 0 && scaling == nil }

    /// The quiet cell `key` of `edge` pixels, in `slot` of `cache`.
    static func quietCell(
      _ key: TileKey, edge: Int, slot: Int32, in cache: TileCache
    ) -> Piece {
      Piece(
        key: key, serial: cache.entry(slot).serial, slot: slot, shift: 0, originX: 0, originY: 0,
        x: 0, y: 0, width: Int32(edge), height: Int32(edge), alpha: false)
    }

    /// Whether both show the same part of the same tile.
    public static func == (a: Piece, b: Piece) -> Bool {
      a.key == b.key && a.serial == b.serial && a.shift == b.shift && a.originX == b.originX
        && a.originY == b.originY && a.x == b.x && a.y == b.y && a.width == b.width
        && a.height == b.height && a.alpha == b.alpha && a.scaling == b.scaling
    }
  }

  /// One cell of the grid in one layer.
  public struct Cell: Sendable, Equatable {
    /// The index in `pieces` of its first piece, the lowest one.
    public var firstPiece: Int32 = 0
    /// The number of its pieces, which are consecutive in `pieces`.
    public var pieceCount: Int32 = 0
    /// Whether a part of it is in view.
    public var visible = false
    /// Whether every tile that it needs is loaded or known to be unavailable.
    public var complete = false
    /// How good the picture is: 64 when complete, else 32 minus the levels by which its best
    /// stand-in is scaled, or 0 without any.
    public var quality: Int32 = 0
  }

  /// One layer of the plan.
  public struct Layer: Sendable, Equatable {
    /// The index in `cells` of this layer's first cell. Cells run row by row.
    public var firstCell: Int
    /// The opacity with which it is drawn, 0 ... 1.
    public var opacity: Double
    /// Whether it is the bottom layer, which covers everything.
    public var isBase: Bool
    /// Whether it lies above the labels of the base (`Compositor.place`).
    public var isAboveLabels = false
  }

  /// The position of the screen on the tile grid.
  public var transform: ViewTransform
  /// The columns of every layer's cells; not wrapped at the antimeridian.
  public var columns: Range<Int> = 0..<0
  /// The rows of every layer's cells; within the world.
  public var rows: Range<Int> = 0..<0
  /// The layers, bottom first.
  public var layers: [Layer] = []
  /// The cells of all layers, one layer after the other.
  public var cells: [Cell] = []
  /// The pieces of all cells, one cell after the other; a cell's lowest piece first.
  public var pieces: [Piece] = []
  /// How many cells in view lack their own tile because it is known to be unavailable, counted in
  /// each layer.
  public var missing = 0
  /// How many cells are in view, counted once for all layers.
  public var visible = 0
  /// How many cells in view have no tile at all in the base, and show a quiet cell.
  public var quiet = 0

  /// The index of a cell in `cells`.
  ///
  /// - Parameters:
  ///   - layer: The layer's index.
  ///   - column: One of `columns`.
  ///   - row: One of `rows`.
  /// - Returns: The index.
  @inlinable
  public func index(layer: Int, column: Int, row: Int) -> Int {
    layers[layer].firstCell + (row - rows.lowerBound) * columns.count + column - columns.lowerBound
  }

  /// Whether every piece's tile is still in its slot.
  func isCurrent(in cache: TileCache) -> Bool {
    for i in pieces.indices where !cache.holds(pieces[i].slot, serial: pieces[i].serial) {
      return false
    }
    return true
  }

  /// The plan without the pieces whose tiles have left the cache.
  func current(in cache: TileCache) -> FramePlan {
    var plan = self
    plan.pieces.removeAll(keepingCapacity: true)
    for i in cells.indices {
      let first = Int(cells[i].firstPiece)
      plan.cells[i].firstPiece = Int32(plan.pieces.count)
      for piece in pieces[first..<first + Int(cells[i].pieceCount)]
      where cache.holds(piece.slot, serial: piece.serial) {
        plan.pieces.append(piece)
      }
      plan.cells[i].pieceCount = Int32(plan.pieces.count) - plan.cells[i].firstPiece
    }
    return plan
  }
}

extension FramePlan.Piece: CustomStringConvertible {
  /// `source:z/x/y`, with `<<n` for an ancestor enlarged n times, `>>1` for a child reduced, and
  /// `~WxH` for a tile that is stretched to that size.
  public var description: String {
    let scale = shift > 0 ? "<<\(shift)" : shift < 0 ? ">>\(-shift)" : ""
    return key.name + scale + (scaling.map { "~\($0.width)x\($0.height)" } ?? "")
  }
}

extension FramePlan: CustomStringConvertible {
  /// The view, then for each cell in view a line with its layer, column and row, `complete` or
  /// `waiting`, and its pieces.
  public var description: String {
    var text = "level \(transform.level) x\(transform.magnification) bearing \(transform.bearing)"
    for n in layers.indices {
      for row in rows {
        for column in columns {
          let cell = cells[index(layer: n, column: column, row: row)]
          guard cell.visible else { continue }
          let first = Int(cell.firstPiece)
          let list = pieces[first..<first + Int(cell.pieceCount)].map { " \($0)" }.joined()
          text += "\n\(n): \(column)/\(row) \(cell.complete ? "complete" : "waiting")\(list)"
        }
      }
    }
    return text
  }
}

extension TileKey {
  /// `source:z/x/y`, or `source:quiet` for a quiet cell.
  var name: String { "\(source):" + (tile.map { "\($0.z)/\($0.x)/\($0.y)" } ?? "quiet") }
}
