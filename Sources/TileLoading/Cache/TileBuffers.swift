import Glibc

/// The memory of decoded tiles, in whole pages straight from the kernel, counted to the byte. A
/// returned buffer may be kept for the next tile of its size, and counts until it is unmapped.
struct TileBuffers: ~Copyable {
  /// All bytes in buffers: in use, reserved for decoding, and kept for reuse.
  private(set) var bytes = 0
  /// The part of `bytes` that is kept for reuse.
  private(set) var spareBytes = 0
  private var spare: [(pointer: UnsafeMutableRawPointer, size: Int)] = []
  /// Address space that is mapped but untouched, so it takes no memory yet. New buffers are cut
  /// from it, because each mmap briefly stalls the other threads' page faults.
  private var uncut: (pointer: UnsafeMutableRawPointer, size: Int)?
  private static let cutFrom = 4 << 20
  /// Maps memory; nil: the kernel has none. Tests replace it.
  var map: (Int) -> UnsafeMutableRawPointer? = TileBuffers.map

  deinit {
    if let uncut { munmap(uncut.pointer, uncut.size) }
    for buffer in spare { munmap(buffer.pointer, buffer.size) }
  }

  /// Whether a buffer of `size` bytes fits within `limit` without eviction.
  func hasRoom(for size: Int, limit: Int) -> Bool {
    size <= max(limit, 0) - (bytes - spareBytes)
  }

  /// Takes a buffer of `size` bytes, first from those kept for reuse. Nil if it would exceed
  /// `limit`, if the kernel has no memory, or if `size` is not positive.
  mutating func take(_ size: Int, limit: Int) -> UnsafeMutableRawPointer? {
    guard size > 0 else { return nil }
    if let i = spare.lastIndex(where: { $0.size == size }) {
      spareBytes -= size
      return spare.remove(at: i).pointer
    }
    guard hasRoom(for: size, limit: limit) else { return nil }
    while bytes > limit - size, let other = spare.popLast() {
      unmap(other.pointer, other.size)
      spareBytes -= other.size
    }
    guard let memory = cut(size) ?? map(size) else { return nil }
    bytes += size
    return memory
  }

  /// Cuts `size` bytes, in whole pages, off `uncut`. Nil for large sizes, or if the kernel has no
  /// memory.
  private mutating func cut(_ size: Int) -> UnsafeMutableRawPointer? {
    let page = Int(getpagesize())
    guard size <= TileBuffers.cutFrom / 4 else { return nil }
    let whole = (size + page - 1) / page * page
    if let left = uncut, left.size < whole {
      munmap(left.pointer, left.size)
      uncut = nil
    }
    if uncut == nil, let new = map(TileBuffers.cutFrom) {
      uncut = (new, TileBuffers.cutFrom)
    }
    guard let from = uncut else { return nil }
    uncut = from.size == whole ? nil : (from.pointer + whole, from.size - whole)
    return from.pointer
  }

  static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    // A huge page would hold memory for tiles that do not exist yet or are gone.
    madvise(memory, size, MADV_NOHUGEPAGE)
    return memory
  }

  /// Returns a buffer: to the spare ones if `keep`, else to the kernel.
  mutating func give(_ pointer: UnsafeMutableRawPointer, _ size: Int, keep: Bool) {
    if keep {
      spare.append((pointer, size))
      spareBytes += size
    } else {
      unmap(pointer, size)
    }
  }

  /// Unmaps spare buffers until at most `limit` bytes are left.
  mutating func trim(to limit: Int) {
    while bytes > limit, let other = spare.popLast() {
      unmap(other.pointer, other.size)
      spareBytes -= other.size
    }
  }

  /// Stops counting `size` bytes of buffers that their holders unmap (`TileMemory.unmap`).
  mutating func disown(_ size: Int) { bytes -= size }

  private mutating func unmap(_ pointer: UnsafeMutableRawPointer, _ size: Int) {
    munmap(pointer, size)
    bytes -= size
  }
}
