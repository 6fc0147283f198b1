import Glibc

/// The memory that decoded tiles live in, in whole pages straight from the kernel, with its sum
/// known to the byte. A buffer that is given back is kept for the next tile of its size and counts
/// until then.
struct TileBuffers: ~Copyable {
  /// Everything given out: in use, reserved for decoding, and kept for reuse.
  private(set) var bytes = 0
  /// The part of `bytes` that is kept for reuse.
  private(set) var spareBytes = 0
  private var spare: [(pointer: UnsafeMutableRawPointer, size: Int)] = []
  /// Mapped and never touched, so no memory yet: the next buffers are cut from it. Each mapping has
  /// the kernel keep all threads from theirs for a moment.
  private var uncut: (pointer: UnsafeMutableRawPointer, size: Int)?
  private static let cutFrom = 4 << 20

  deinit {
    if let uncut { munmap(uncut.pointer, uncut.size) }
    for buffer in spare { munmap(buffer.pointer, buffer.size) }
  }

  /// Whether a buffer of `size` can be had within `limit` without anything being evicted.
  func hasRoom(for size: Int, limit: Int) -> Bool {
    size <= max(limit, 0) - (bytes - spareBytes)
  }

  /// A buffer of `size` bytes, or nil when that would pass `limit` or the kernel has no memory, and
  /// where `size` is no size.
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
    guard let memory = cut(size) ?? TileBuffers.map(size) else { return nil }
    bytes += size
    return memory
  }

  /// The first `size` bytes of `uncut`, in whole pages; nil where that is no way to get them.
  private mutating func cut(_ size: Int) -> UnsafeMutableRawPointer? {
    let page = Int(getpagesize())
    guard size <= TileBuffers.cutFrom / 4 else { return nil }
    let whole = (size + page - 1) / page * page
    if let left = uncut, left.size < whole {
      munmap(left.pointer, left.size)
      uncut = nil
    }
    if uncut == nil, let new = TileBuffers.map(TileBuffers.cutFrom) {
      uncut = (new, TileBuffers.cutFrom)
    }
    guard let from = uncut else { return nil }
    uncut = from.size == whole ? nil : (from.pointer + whole, from.size - whole)
    return from.pointer
  }

  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    // A huge page would be memory of tiles that are not there yet, and of those that are gone.
    madvise(memory, size, MADV_NOHUGEPAGE)
    return memory
  }

  /// Gives a buffer back. `keep`: for the next tile of its size.
  mutating func give(_ pointer: UnsafeMutableRawPointer, _ size: Int, keep: Bool) {
    if keep {
      spare.append((pointer, size))
      spareBytes += size
    } else {
      unmap(pointer, size)
    }
  }

  /// Returns what is kept for reuse to the kernel until at most `limit` bytes are mapped.
  mutating func trim(to limit: Int) {
    while bytes > limit, let other = spare.popLast() {
      unmap(other.pointer, other.size)
      spareBytes -= other.size
    }
  }

  /// Forgets `size` bytes of buffers that others unmap (`TileMemory.unmap`).
  mutating func disown(_ size: Int) { bytes -= size }

  private mutating func unmap(_ pointer: UnsafeMutableRawPointer, _ size: Int) {
    munmap(pointer, size)
    bytes -= size
  }
}
