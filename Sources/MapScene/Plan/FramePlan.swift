import MapGeometry
import TileLoading

/// What is drawn where: the whole answer to "what does this view look like now", as a value.
///
/// Plans can be compared and printed. A piece names its tile by source, address and serial number;
/// the slot that it was found in only saves the search, and is no part of the value.
public struct FramePlan: Sendable, Equatable {
  /// A part of a cell that shows (part of) one tile.
  public struct Piece: Sendable, Equatable {
    /// The source and the tile, or the source's quiet cell.
    public var key: TileKey
    /// The tile's serial number in the cache: tells one decoding from another.
    public var serial: UInt32
    /// The slot of the cache in which the tile was when the plan was made; no part of the value.
    public var slot: Int32
    /// One tile pixel covers 2^shift grid pixels a side: 0 the tile itself, above 0 an ancestor
    /// enlarged, −1 a child reduced.
    public var shift: Int32
    /// Where the tile's upper left corner lies, in grid pixels from the cell's.
    public var originX: Int
    /// Where the tile's upper left corner lies, in grid pixels from the cell's.
    public var originY: Int
    /// The left edge of the part of the cell that it covers, in grid pixels from the cell's corner.
    public var x: Int32
    /// The upper edge of that part.
    public var y: Int32
    /// The width of that part in grid pixels.
    public var width: Int32
    /// The height of that part in grid pixels.
    public var height: Int32
    /// Whether the tile has transparency.
    public var alpha: Bool

    /// Whether both show the same part of the same tile.
    public static func == (a: Piece, b: Piece) -> Bool {
      a.key == b.key && a.serial == b.serial && a.shift == b.shift && a.originX == b.originX
        && a.originY == b.originY && a.x == b.x && a.y == b.y && a.width == b.width
        && a.height == b.height && a.alpha == b.alpha
    }
  }

  /// One cell of the grid in one layer.
  public struct Cell: Sendable, Equatable {
    /// Where its pieces begin in `pieces`, from the bottom up.
    public var firstPiece: Int32 = 0
    /// How many pieces it has.
    public var pieceCount: Int32 = 0
    /// In view and to be drawn.
    public var visible = false
    /// Every tile that it needs is there or known to be unavailable.
    public var complete = false
    /// How good what it shows is: 64 complete, 32 − levels enlarged for a stand-in, 0 nothing.
    public var quality: Int32 = 0
  }

  /// One layer of the plan.
  public struct Layer: Sendable, Equatable {
    /// Where this layer's cells begin in `cells`, row by row.
    public var firstCell: Int
    /// 0 ... 1.
    public var opacity: Double
    /// The bottom layer, which covers everything.
    public var isBase: Bool
  }

  /// How the screen lies on the grid.
  public var transform: ViewTransform
  /// The columns of the cells of every layer; not wrapped at the antimeridian.
  public var columns: Range<Int> = 0..<0
  /// The rows of the cells of every layer.
  public var rows: Range<Int> = 0..<0
  /// From the bottom up.
  public var layers: [Layer] = []
  /// The cells of all layers.
  public var cells: [Cell] = []
  /// The pieces of all cells.
  public var pieces: [Piece] = []
  /// Cells of the view whose own tile is known to be unavailable.
  public var missing = 0
  /// Cells of the view.
  public var visible = 0
  /// Cells of the view in which the base has nothing at all.
  public var quiet = 0

  /// The index in `cells` of a cell.
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

  /// Whether every tile still is in the slot where it was.
  func isCurrent(in cache: TileCache) -> Bool {
    for i in pieces.indices where !cache.holds(pieces[i].slot, serial: pieces[i].serial) {
      return false
    }
    return true
  }

  /// The plan without the pieces whose tiles left the cache.
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
  /// `source:z/x/y`, with `<<n` for an ancestor enlarged n times, `>>1` for a child reduced.
  public var description: String {
    let scale = shift > 0 ? "<<\(shift)" : shift < 0 ? ">>\(-shift)" : ""
    return key.name + scale
  }
}

extension FramePlan: CustomStringConvertible {
  /// The view, then a line for each cell in view: layer, column/row, complete or waiting, and its
  /// pieces.
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
  /// `source:z/x/y`, or `source:quiet` for its quiet cell.
  var name: String { "\(source):" + (tile.map { "\($0.z)/\($0.x)/\($0.y)" } ?? "quiet") }
}
