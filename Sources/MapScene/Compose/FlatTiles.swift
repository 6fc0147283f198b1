import MapGeometry
import Pixels
import Platform
import TileLoading

/// Cells of the map with everything that lies over them, mixed once and kept as opaque tiles in the
/// cache, so that panning copies them like the map alone.
///
/// They take the room that the cache has beside the tiles of the view, and are the first to go.
/// Each remembers what it was made of; a cell with other tiles or another opacity is mixed again.
final class FlatTiles {
  private let cache: TileCache
  /// What the tile in each slot was made of: its serial number, and a hash of the tiles'.
  private var made: UnsafeMutablePointer<(serial: UInt32, signature: UInt64)>
  private var capacity = 256

  init(cache: TileCache) {
    self.cache = cache
    made = .allocate(capacity: capacity)
    made.initialize(repeating: (0, 0), count: capacity)
  }

  deinit { made.deallocate() }

  /// Bytes beside the tiles.
  var bytes: Int { capacity * MemoryLayout<(serial: UInt32, signature: UInt64)>.stride }

  /// The cell `tile` with everything that lies over it, mixed before or now; nil: the cache has no
  /// room.
  ///
  /// - Parameters:
  ///   - tile: The cell.
  ///   - base: The opaque tile at the bottom.
  ///   - stack: What lies over it.
  ///   - edge: The cell's edge in pixels, at most the words that `row` holds.
  ///   - opaque: The format of opaque tiles.
  ///   - row: Memory for a row that is mixed.
  /// - Returns: The mixed cell, opaque; nil: there is no room for it.
  func sheet(
    _ tile: TileID, _ base: Sheet, _ stack: SheetStack, edge: Int, _ opaque: TilePixelFormat,
    row: UnsafeMutablePointer<UInt32>
  ) -> Sheet? {
    guard edge <= Workspace.chunkWidth * Workspace.chunkHeight else { return nil }
    // Multiplied between one serial number and the next: they are small, and their sums alike.
    var signature = FNV1a()
    signature.combine(UInt64(base.serial))
    for n in 0..<stack.count {
      signature.combine(UInt64(stack.sheets[n].serial))
      signature.combine(UInt64(stack.sheets[n].opacity))
    }
    let rowBytes = edge * opaque.bytes
    if let pixels = find(tile, signature.value) {
      return Sheet(corner: UnsafeRawPointer(pixels), rowBytes: rowBytes)
    }
    guard let pixels = add(tile, signature.value, edge: edge, opaque) else { return nil }
    let blocks = 0...edge / TileCover.block - 1
    for y in 0..<edge {
      let from = base.corner + y * base.rowBytes
      let out = pixels + y * rowBytes
      let words: UnsafeMutablePointer<UInt32>
      if opaque == .rgb565 {
        words = row
        expand565(from.assumingMemoryBound(to: UInt16.self), words, edge)
      } else {
        words = out.assumingMemoryBound(to: UInt32.self)
        copyRow(from.assumingMemoryBound(to: UInt32.self), words, edge)
      }
      for n in 0..<stack.count {
        let sheet = stack.sheets[n]
        if sheet.isClear(blocks, y / TileCover.block) { continue }
        blendOver(
          (sheet.corner + y * sheet.rowBytes).assumingMemoryBound(to: UInt32.self), into: words,
          edge, opacity: sheet.opacity)
      }
      if opaque == .rgb565 {
        pack565(words, out.assumingMemoryBound(to: UInt16.self), edge, x: 0, y: y)
      }
    }
    return Sheet(corner: UnsafeRawPointer(pixels), rowBytes: rowBytes)
  }

  /// The pixels of the cell `tile` as they were mixed of what `signature` stands for; nil: they
  /// were not.
  private func find(_ tile: TileID, _ signature: UInt64) -> UnsafeMutableRawPointer? {
    guard let slot = cache.use(TileKey(flat: tile)), Int(slot) < capacity else { return nil }
    let entry = cache.entry(slot)
    let known = made[Int(slot)]
    guard known.serial == entry.serial, known.signature == signature else { return nil }
    cache.raise(slot, to: .ahead)
    return entry.pixels
  }

  /// Memory for the cell `tile`, an opaque tile of `edge` pixels, to be filled at once; nil: there
  /// is no room.
  private func add(
    _ tile: TileID, _ signature: UInt64, edge: Int, _ format: TilePixelFormat
  ) -> UnsafeMutableRawPointer? {
    let bytes = edge * edge * format.bytes
    guard let pixels = cache.reserve(bytes, standing: .ahead) else { return nil }
    let key = TileKey(flat: tile)
    cache.insert(key, buffer: pixels, bytes: bytes, edge: edge, format: format, standing: .ahead)
    guard let slot = cache.peek(key) else { return nil }
    if Int(slot) >= capacity { grow(to: Int(slot) + 1) }
    made[Int(slot)] = (cache.entry(slot).serial, signature)
    return pixels
  }

  private func grow(to count: Int) {
    var size = capacity
    while size < count { size *= 2 }
    let new = UnsafeMutablePointer<(serial: UInt32, signature: UInt64)>.allocate(capacity: size)
    new.initialize(repeating: (0, 0), count: size)
    new.update(from: made, count: capacity)
    made.deallocate()
    made = new
    capacity = size
  }
}
