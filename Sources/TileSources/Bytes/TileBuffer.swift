import Glibc

/// Memory for the encoded bytes of one tile, and then of the next: whoever reads many tiles does not ask
/// the system for memory for each.
///
/// Unchecked: it goes from the thread that reads to the one that decodes and back; one of them has it at
/// a time.
public final class TileBuffer: @unchecked Sendable {
  /// Behind a pointer: each access to a stored property of a class is checked while the program runs, ten
  /// of them for a tile.
  private struct State {
    var memory: UnsafeMutableRawPointer?
    var capacity = 0
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  public init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    free(state.pointee.memory)
    state.deallocate()
  }

  /// Bytes that there is room for.
  public var capacity: Int { state.pointee.capacity }

  /// Bytes of the tile.
  public var count: Int { state.pointee.count }

  /// The tile's bytes, until the buffer is filled with others.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: state.pointee.memory, count: state.pointee.count)
  }

  /// Room for a tile of `count` bytes (0 and more), which the caller fills; what was there is gone.
  public func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    if count > state.pointee.capacity { grow(to: count) }
    state.pointee.count = count
    return UnsafeMutableRawBufferPointer(start: state.pointee.memory, count: count)
  }

  /// Puts `bytes` in the place of what was there.
  public func set(_ bytes: [UInt8]) {
    let room = room(for: bytes.count)
    bytes.withUnsafeBytes { room.copyMemory(from: $0) }
  }

  private func grow(to count: Int) {
    free(state.pointee.memory)
    // Tiles of a map are much alike: the next may be a little larger.
    let size = count + count / 4
    // Every size is within the limits of a tile, some 16 MiB: where not even that is left, an array would
    // end the program as well.
    guard let memory = malloc(size) else { preconditionFailure("no memory for a tile") }
    state.pointee.memory = memory
    state.pointee.capacity = size
  }
}
