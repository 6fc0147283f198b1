import Glibc
import TileFormats

/// Memory that a source fills with the encoded bytes of one tile.
///
/// A buffer has one owner and cannot be copied: whoever fills it is the only one who can. What was
/// filled in leaves it as a `TilePayload`, which is read-only, and whoever is done with the payload
/// gives its memory to the next buffer. Reading many tiles so asks the system for memory a few
/// times only.
public struct TileBuffer: ~Copyable, Sendable {
  private var memory: TileBytes?

  /// An empty buffer; it allocates when it is first filled.
  public init() {}

  /// An empty buffer on `memory`, where nothing else refers to that; else without any.
  ///
  /// - Parameter memory: of a payload that is done with.
  package init(reusing memory: consuming TileBytes?) {
    self.memory = TileBytes.emptied(&memory)
  }

  /// Bytes that there is room for without asking the system for memory.
  public var capacity: Int { memory?.capacity ?? 0 }

  /// Bytes that were filled in.
  public var count: Int { memory?.count ?? 0 }

  /// The bytes that were filled in. Valid until the buffer is filled again or released.
  public var bytes: UnsafeRawBufferPointer {
    memory?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Makes room for a tile, whose bytes the caller fills in; what was there is gone.
  ///
  /// - Parameter count: the tile's bytes, 0 or more; the source has checked it against a limit.
  /// - Returns: exactly that many uninitialised bytes, valid until the buffer is used again.
  public mutating func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    let memory = self.memory ?? TileBytes()
    self.memory = memory
    return memory.room(for: count)
  }

  /// Replaces the content by `bytes`.
  public mutating func set(_ bytes: [UInt8]) {
    let room = room(for: bytes.count)
    bytes.withUnsafeBytes { room.copyMemory(from: $0) }
  }

  /// Hands out what was filled in. The buffer is empty then, and without memory.
  ///
  /// - Parameter format: what the bytes are; nil: as they show.
  /// - Returns: the bytes with their format.
  public mutating func payload(format: TileFormat? = nil) -> TilePayload {
    let memory = self.memory ?? TileBytes()
    self.memory = nil
    return TilePayload(memory, format: format ?? TileFormat(sniffing: memory.bytes))
  }

  /// Takes the memory of a payload that is done with, where no copy of it is left and this buffer
  /// has none.
  public mutating func reuse(_ payload: consuming TilePayload) {
    guard memory == nil else { return }
    let memory = payload.memory
    // Two references fewer: none but the next one's may be left.
    _ = consume payload
    self = TileBuffer(reusing: consume memory)
  }

  /// Ends the buffer and gives out its memory, if it has any.
  package consuming func takeMemory() -> TileBytes? { memory }
}

/// The encoded bytes of one tile with what they are. They do not change; copies share them.
public struct TilePayload: Sendable {
  package let memory: TileBytes
  /// What the bytes are, sniffed once, where they were read.
  public let format: TileFormat

  fileprivate init(_ memory: TileBytes, format: TileFormat) {
    self.memory = memory
    self.format = format
  }

  /// The payload of `bytes`, copied.
  ///
  /// - Parameters:
  ///   - bytes: the encoded tile.
  ///   - format: what they are; nil: as they show.
  public init(_ bytes: [UInt8], format: TileFormat? = nil) {
    var buffer = TileBuffer()
    buffer.set(bytes)
    self = buffer.payload(format: format)
  }

  /// The encoded bytes. Valid as long as the payload or a copy of it is there.
  public var bytes: UnsafeRawBufferPointer { memory.bytes }
}

/// Memory of the heap that holds a tile's encoded bytes.
///
/// Unchecked: it is written through a `TileBuffer` alone, which has it to itself, and does not
/// change while a `TilePayload` refers to it.
package final class TileBytes: @unchecked Sendable {
  /// Behind a pointer: each access to a stored property of a class is checked while the program
  /// runs, ten of them for a tile.
  private struct State {
    var memory: UnsafeMutableRawPointer?
    var capacity = 0
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  fileprivate init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    free(state.pointee.memory)
    state.deallocate()
  }

  package var capacity: Int { state.pointee.capacity }

  package fileprivate(set) var count: Int {
    get { state.pointee.count }
    set { state.pointee.count = newValue }
  }

  fileprivate var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: state.pointee.memory, count: state.pointee.count)
  }

  fileprivate func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    if count > state.pointee.capacity { grow(to: count) }
    state.pointee.count = count
    return UnsafeMutableRawBufferPointer(start: state.pointee.memory, count: count)
  }

  /// `memory` without bytes, where nothing but this variable refers to it; else nil.
  fileprivate static func emptied(_ memory: inout TileBytes?) -> TileBytes? {
    guard memory != nil, isKnownUniquelyReferenced(&memory!) else { return nil }
    memory?.count = 0
    return memory
  }

  private func grow(to count: Int) {
    free(state.pointee.memory)
    // Tiles of a map have similar sizes: leave room for one that is a little larger.
    let size = count + count / 4
    // Sources check sizes against a tile's limit, some 16 MiB. Where not even that is left, an
    // array would end the program as well.
    guard let memory = malloc(size) else { preconditionFailure("no memory for a tile") }
    state.pointee.memory = memory
    state.pointee.capacity = size
  }
}
