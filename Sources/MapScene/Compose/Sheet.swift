import Pixels

/// A tile positioned over a cell, as its base or in a stack over it.
struct Sheet {
  /// The pixel at the cell's corner, and the bytes from row to row.
  var corner: UnsafeRawPointer
  var rowBytes: Int
  /// What each block holds (`TileCover`), from the block at the cell's corner; nil: unknown.
  /// `blocks` is the blocks from row to row.
  var cover: UnsafePointer<UInt8>?
  var blocks = 0
  /// 0 ... 256.
  var opacity = 256
  /// The tile's serial number in the cache.
  var serial: UInt32 = 0

  /// Whether these blocks are fully transparent; false if unknown.
  func isClear(_ columns: ClosedRange<Int>, _ row: Int) -> Bool {
    guard let cover else { return false }
    for column in columns where cover[row * blocks + column] != TileCover.clear { return false }
    return true
  }
}

/// The sheets over a cell's base, bottom first.
struct SheetStack {
  /// The most sheets over a cell; cells with more are mixed.
  static let capacity = 16

  let sheets: UnsafeMutablePointer<Sheet>
  var count = 0

  /// Which single sheet shows in a block.
  ///
  /// - Parameters:
  ///   - x: The block's column in the cell.
  ///   - y: The block's row in the cell.
  ///   - isWide: Whether the panel has 32 bits per pixel, as the sheets over the base have.
  /// - Returns: 0 for the base, n for sheet n − 1 of the stack, −1 if several show.
  @inline(__always)
  func topmost(_ x: Int, _ y: Int, _ isWide: Bool) -> Int {
    var n = count
    while n > 0 {
      let sheet = sheets[n - 1]
      guard let cover = sheet.cover else { return -1 }
      let content = cover[y * sheet.blocks + x]
      if content == TileCover.mixed { return -1 }
      // A translucent sheet lets lower ones show, however opaque its pixels are.
      if content == TileCover.opaque { return sheet.opacity == 256 && isWide ? n : -1 }
      n -= 1
    }
    return 0
  }
}
