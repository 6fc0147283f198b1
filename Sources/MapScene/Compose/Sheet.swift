import Pixels

/// A tile as it lies over or under a cell.
struct Sheet {
  /// The pixel at the cell's corner, and bytes from row to row.
  var corner: UnsafeRawPointer
  var rowBytes: Int
  /// What its blocks hold (`TileCover`): the block at the cell's corner, and blocks from row to
  /// row.
  var cover: UnsafePointer<UInt8>?
  var blocks = 0
  /// 0 ... 256.
  var opacity = 256
  /// The tile's serial number in the cache.
  var serial: UInt32 = 0

  /// Whether these blocks have no pixel; false where that is not known.
  func isClear(_ columns: ClosedRange<Int>, _ row: Int) -> Bool {
    guard let cover else { return false }
    for column in columns where cover[row * blocks + column] != TileCover.clear { return false }
    return true
  }
}

/// The sheets over a cell's base, bottom first.
struct SheetStack {
  /// The most sheets over a cell that are copied; more are mixed.
  static let capacity = 16

  let sheets: UnsafeMutablePointer<Sheet>
  var count = 0

  /// Which sheet alone is seen in a block: 0 the base, 1 and more those over it; −1: several are.
  ///
  /// - Parameters:
  ///   - x: The block's column in the cell.
  ///   - y: The block's row in the cell.
  ///   - isWide: Whether the panel has 32 bits a pixel, as the sheets have.
  /// - Returns: The sheet's number, or −1.
  @inline(__always)
  func topmost(_ x: Int, _ y: Int, _ isWide: Bool) -> Int {
    var n = count
    while n > 0 {
      let sheet = sheets[n - 1]
      guard let cover = sheet.cover else { return -1 }
      let content = cover[y * sheet.blocks + x]
      if content == TileCover.mixed { return -1 }
      // A faded sheet lets the ones below through, however opaque its pixels are.
      if content == TileCover.opaque { return sheet.opacity == 256 && isWide ? n : -1 }
      n -= 1
    }
    return 0
  }
}
