import MapGeometry
import TileLoading

/// What is to be drawn where: the whole answer to "what does this view look like now", as a value.
///
/// It names tiles in the cache by slot and is of use until the cache changes.
public struct FramePlan: Sendable, Equatable {
  /// A part of a cell that shows (part of) one tile.
  public struct Piece: Sendable, Equatable {
    /// The tile's slot in the cache.
    public var slot: Int32
    /// The tile's serial number in the cache: tells one decoding from another.
    public var serial: UInt32
    /// One tile pixel covers 2^shift grid pixels a side: 0 the tile itself, above 0 an ancestor
    /// enlarged, −1 a child reduced.
    public var shift: Int32
    /// Where the tile's upper left corner lies, in grid pixels from the cell's.
    public var originX: Int
    public var originY: Int
    /// The part of the cell to be covered, in grid pixels from the cell's corner.
    public var x: Int32
    public var y: Int32
    public var width: Int32
    public var height: Int32
    /// The tile has transparency.
    public var alpha: Bool
  }

  /// One cell of the grid in one layer.
  public struct Cell: Sendable, Equatable {
    /// Its pieces, from the bottom up, in `pieces`.
    public var firstPiece: Int32 = 0
    public var pieceCount: Int32 = 0
    /// In view and to be drawn.
    public var visible = false
    /// Every tile that it needs is there or known not to be had.
    public var complete = false
    /// How good what it shows is: 64 complete, 32 − levels enlarged for a stand-in, 0 nothing.
    public var quality: Int32 = 0
  }

  public struct Layer: Sendable, Equatable {
    /// Where this layer's cells begin in `cells`, row by row.
    public var firstCell: Int
    public var opacity: Double
    public var isBase: Bool
  }

  public var transform: ViewTransform
  /// The cells of every layer: columns (not wrapped) and rows of the grid.
  public var columns: Range<Int> = 0..<0
  public var rows: Range<Int> = 0..<0
  public var layers: [Layer] = []
  public var cells: [Cell] = []
  public var pieces: [Piece] = []
  /// Cells of the view whose own tile is known not to be had.
  public var missing = 0
  /// Cells of the view, and those of them in which the base has nothing at all.
  public var visible = 0
  public var quiet = 0

  /// The index in `cells` of a cell of `layer`.
  @inlinable
  public func index(layer: Int, column: Int, row: Int) -> Int {
    layers[layer].firstCell + (row - rows.lowerBound) * columns.count + column - columns.lowerBound
  }
}

extension FramePlan: CustomStringConvertible {
  /// One line a cell in view: layer, column/row, complete or not, and its pieces as `slot<<shift`.
  public var description: String {
    var text = "level \(transform.level) x\(transform.magnification) bearing \(transform.bearing)"
    for (n, _) in layers.enumerated() {
      for row in rows {
        for column in columns {
          let cell = cells[index(layer: n, column: column, row: row)]
          guard cell.visible else { continue }
          let first = Int(cell.firstPiece)
          let list = pieces[first..<first + Int(cell.pieceCount)]
            .map { "\($0.slot)<<\($0.shift)" }.joined(separator: " ")
          text += "\n\(n): \(column)/\(row) \(cell.complete ? "complete" : "waiting") \(list)"
        }
      }
    }
    return text
  }
}
