import MapGeometry
import Pixels
import Platform
import TileLoading

/// Flattens cells: the base and everything over it, mixed once and kept as an opaque tile in the
/// cache, so that panning copies it like a plain map tile.
///
/// Flattened cells use the room that the view's tiles leave in the cache, and are evicted first.
/// Each records what it was made of; if a tile or an opacity changes, the cell is mixed again.
final class FlatTiles {
  private let cache: TileCache
  /// What the tile in each slot was made of: its own serial number, and a hash of its parts'.
  private var made: UnsafeMutablePointer<(serial: UInt32, signature: UInt64)>
  private var capacity = 256

  init(cache: TileCache) {
    self.cache = cache
    made = .allocate(capacity: capacity)
    made.initialize(repeating: (0, 0), count: capacity)
  }

  deinit { made.deallocate() }

  /// Bytes of the records; the cache counts the tiles.
  var bytes: Int { capacity * MemoryLayout<(serial: UInt32, signature: UInt64)>.stride }

  /// The flattened cell, from the cache or mixed now.
  ///
  /// - Parameters:
  ///   - tile: The cell.
  ///   - base: The opaque tile at the bottom.
  ///   - stack: The tiles over it.
  ///   - edge: The cell's edge in pixels.
  ///   - opaque: The format of opaque tiles.
  ///   - row: Work memory for one row of `edge` pixels.
  /// - Returns: The opaque cell; nil: the cache has no room for it.
  func sheet(
    _ tile: TileID, _ base: Sheet, _ stack: SheetStack, edge: Int, _ opaque: TilePixelFormat,
    row: UnsafeMutablePointer<UInt32>
  ) -> Sheet? {
    guard edge <= Workspace.chunkWidth * Workspace.chunkHeight else { return nil }
    // A hash rather than a sum: serial numbers are small, so different sums would often collide.
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
    let blocks = 0...TileCover.blocks(edge: edge) - 1
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

  /// The pixels of the flattened cell if it was made of exactly what `signature` stands for.
  private func find(_ tile: TileID, _ signature: UInt64) -> UnsafeMutableRawPointer? {
    guard let slot = cache.use(TileKey(flat: tile)), Int(slot) < capacity else { return nil }
    let entry = cache.entry(slot)
    let known = made[Int(slot)]
    guard known.serial == entry.serial, known.signature == signature else { return nil }
    cache.raise(slot, to: .ahead)
    return entry.pixels
  }

  /// Reserves an opaque tile of `edge` pixels in the cache. The caller fills it at once. Nil: there
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
