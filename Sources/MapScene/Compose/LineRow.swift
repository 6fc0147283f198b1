import Pixels

/// A row of a cell on its way to the panel, in 32-bit pixels: columns that sprites cover are mixed
/// in a buffer, and what lies between them is the tile's. All goes to the panel in whole lines of
/// 64 bytes, the unit that it takes past the processor's caches.
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
  /// The first column's place in its line.
  private let lead: Int
  /// The columns `begin` ..< `end` are in the buffer; what is left of them is on the panel.
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

  /// Has `mix` write the columns `left` ..< `right`, which begin no further left than the last ones
  /// ended, to the buffer. It gets the tile's pixels of them, and where they are to be written.
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

  /// Writes all columns before `column`, none of which is mixed yet but those in the buffer.
  @inline(__always)
  private mutating func flush(upTo column: Int) {
    if end > begin { stream(buffer + begin, target + begin, byteCount: (end &- begin) &* 4) }
    if column > end { stream(source + end, target + end, byteCount: (column &- end) &* 4) }
    begin = column
  }

  /// Copies columns of the tile to the buffer: less than a line of them, mostly.
  @inline(__always)
  private func copy(_ from: Int, _ to: Int) {
    if to > from { copyRow(source + from, buffer + from, to &- from) }
  }
}
