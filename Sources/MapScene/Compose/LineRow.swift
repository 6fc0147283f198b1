import Pixels

/// A row of a cell on its way to the panel, in 32-bit pixels. Columns under sprites are mixed in a
/// buffer; the columns between them come straight from the tile. The row is written in whole cache
/// lines of 64 bytes, the unit in which writes can bypass the processor's caches.
///
/// Valid for one row. Columns are counted from the cell's left; parts are mixed left to right.
struct LineRow {
  private static let line = 16
  /// The row of the tile.
  private let source: UnsafePointer<UInt32>
  private let target: UnsafeMutablePointer<UInt32>
  /// As wide as the row.
  private let buffer: UnsafeMutablePointer<UInt32>
  private let width: Int
  /// The position of the first column within its cache line.
  private let lead: Int
  /// The columns `begin` ..< `end` are in the buffer; those to their left are on the panel.
  private var begin = 0
  private var end = 0

  @inline(__always)
  init(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer,
    by buffer: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    self.source = source.assumingMemoryBound(to: UInt32.self)
    self.target = target.assumingMemoryBound(to: UInt32.self)
    (self.buffer, self.width) = (buffer, width)
    lead = Int(bitPattern: target) / 4 & (Self.line - 1)
  }

  /// Lets `mix` write the columns `left` ..< `right` to the buffer. They must not begin left of the
  /// previous call's end. `mix` receives the tile's pixels there, and the place to write to.
  @inline(__always)
  mutating func mix(
    _ left: Int, _ right: Int,
    _ mix: (_ under: UnsafePointer<UInt32>, _ into: UnsafeMutablePointer<UInt32>) -> Void
  ) {
    let start = max(0, left &- (lead &+ left) & (Self.line - 1))
    if start >= end {
      flush(upTo: start)
      end = start
    }
    copy(end, left)
    mix(source + left, buffer + left)
    let stop = min(width, right &+ (0 &- lead &- right) & (Self.line - 1))
    copy(max(end, right), stop)
    end = max(end, stop)
  }

  /// Writes what is left of the row.
  @inline(__always)
  mutating func finish() { flush(upTo: width) }

  /// Writes all columns before `column`. Those that are not in the buffer come from the tile
  /// unmixed.
  @inline(__always)
  private mutating func flush(upTo column: Int) {
    if end > begin { stream(buffer + begin, target + begin, byteCount: (end &- begin) &* 4) }
    if column > end { stream(source + end, target + end, byteCount: (column &- end) &* 4) }
    begin = column
  }

  /// Copies columns of the tile to the buffer, usually less than a cache line.
  @inline(__always)
  private func copy(_ from: Int, _ to: Int) {
    if to > from { copyRow(source + from, buffer + from, to &- from) }
  }
}
