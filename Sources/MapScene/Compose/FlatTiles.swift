import MapGeometry
import Pixels
import TileLoading

/// Cells of the map with all that lies over them mixed in once, as opaque tiles in the cache, so that
/// panning copies them as it copies the map alone.
///
/// They take what room the cache has beside the tiles that the view wants, and are the first to go. What
/// they were made of is remembered; a cell whose tiles are others by now is mixed anew.
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

  /// The pixels of the cell `tile` as they were mixed of what `signature` stands for; nil: they were not.
  func find(_ tile: TileID, _ signature: UInt64) -> UnsafeMutableRawPointer? {
    guard let slot = cache.use(TileKey(flat: tile)), Int(slot) < capacity else { return nil }
    let entry = cache.entry(slot)
    let known = made[Int(slot)]
    guard known.serial == entry.serial, known.signature == signature else { return nil }
    cache.raise(slot, to: .ahead)
    return entry.pixels
  }

  /// Memory for the cell `tile`, an opaque tile of `edge` pixels, to be filled at once; nil: there is no
  /// room.
  func add(
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
