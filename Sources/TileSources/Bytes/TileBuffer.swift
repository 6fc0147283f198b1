import Glibc
import MapGeometry
import Platform
import TileFormats

/// Memory that a source fills with the encoded bytes of one tile.
///
/// A buffer has one owner and cannot be copied. Its contents leave it as a read-only `TilePayload`.
/// When the payload is no longer needed, its memory goes to the next buffer, so that reading many
/// tiles rarely allocates.
public struct TileBuffer: ~Copyable, Sendable {
  private var memory: TileBytes?

  /// Creates an empty buffer, which allocates when first filled.
  public init() {}

  /// Creates an empty buffer that reuses `memory` if nothing else refers to it.
  ///
  /// - Parameter memory: The memory of a payload that is no longer needed.
  package init(reusing memory: consuming TileBytes?) {
    self.memory = TileBytes.emptied(&memory)
  }

  /// The bytes that fit without allocating.
  public var capacity: Int { memory?.capacity ?? 0 }

  /// The number of bytes filled in.
  public var count: Int { memory?.count ?? 0 }

  /// The bytes filled in. Valid until the buffer is filled again or released.
  public var bytes: UnsafeRawBufferPointer {
    memory?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Makes room for a tile, whose bytes the caller fills in. The former contents are lost.
  ///
  /// Without memory the program ends, as it does without memory for an array. The sources of
  /// Waypost use `reserve(_:)`.
  ///
  /// - Parameter count: The tile's bytes, 0 or more; the source has checked it against a limit.
  /// - Returns: Exactly that many uninitialised bytes, valid until the buffer is used again.
  public mutating func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    guard let room = roomIfAny(for: count) else { preconditionFailure("no memory for a tile") }
    return room
  }

  /// Makes room as `room(for:)` does.
  ///
  /// - Throws: A fault that may pass if there is no memory; then the buffer is empty.
  package mutating func reserve(_ count: Int) throws(PackFault) -> UnsafeMutableRawBufferPointer {
    guard let room = roomIfAny(for: count) else { throw PackFault.noMemory(count) }
    return room
  }

  private mutating func roomIfAny(for count: Int) -> UnsafeMutableRawBufferPointer? {
    if memory == nil { memory = TileBytes() }
    return memory.unsafelyUnwrapped.room(for: count)
  }

  /// Replaces the contents by a copy of `bytes`.
  public mutating func set(_ bytes: [UInt8]) {
    let room = room(for: bytes.count)
    bytes.withUnsafeBytes { room.copyMemory(from: $0) }
  }

  /// Replaces the contents by a copy of `bytes`.
  ///
  /// - Throws: A fault that may pass if there is no memory; then the buffer is empty.
  package mutating func copy(_ bytes: UnsafeRawBufferPointer) throws(PackFault) {
    try reserve(bytes.count).copyMemory(from: bytes)
  }

  /// Returns the contents as a payload, and leaves the buffer empty and without memory.
  ///
  /// - Parameter format: The format of the bytes; nil: it is sniffed.
  /// - Returns: The bytes with their format.
  public mutating func payload(format: TileFormat? = nil) -> TilePayload {
    let memory = self.memory ?? TileBytes()
    self.memory = nil
    return TilePayload(memory, format: format ?? TileFormat(sniffing: memory.bytes))
  }

  /// Takes over the memory of a payload that is no longer needed. Does nothing if a copy of the
  /// payload exists, or if this buffer has memory already.
  public mutating func reuse(_ payload: consuming TilePayload) {
    guard memory == nil else { return }
    let memory = payload.memory
    // Drop the other references, so that the memory can be reused if this was the last.
    _ = consume payload
    self = TileBuffer(reusing: consume memory)
  }

  /// Ends the buffer and returns its memory, if it has any.
  package consuming func takeMemory() -> TileBytes? { memory }
}

/// The encoded bytes of one tile with their format. Immutable; copies share the bytes.
public struct TilePayload: Sendable {
  package let memory: TileBytes
  /// The format of the bytes, sniffed once when they were read.
  public let format: TileFormat
  /// The tile whose bytes these are, where it is not the one that was asked for: an ancestor, of
  /// which a part is drawn. Nil: the one that was asked for.
  public var origin: TileID?
  /// The pictures that are drawn between the layers of a vector tile.
  package var pictures: [TilePicture] = []
  /// Why pictures are missing although they exist.
  package var faults: [TileError] = []

  init(_ memory: TileBytes, format: TileFormat) {
    self.memory = memory
    self.format = format
  }

  /// Creates a payload with a copy of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The encoded tile.
  ///   - format: The format of the bytes; nil: it is sniffed.
  public init(_ bytes: [UInt8], format: TileFormat? = nil) {
    var buffer = TileBuffer()
    buffer.set(bytes)
    self = buffer.payload(format: format)
  }

  /// The encoded bytes. Valid while the payload or a copy of it exists.
  public var bytes: UnsafeRawBufferPointer { memory.bytes }
}

/// Heap memory with a tile's encoded bytes.
///
/// Unchecked: it is written only by what made it or the `TileBuffer` that owns it, and does not
/// change while a `TilePayload` refers to it.
package final class TileBytes: @unchecked Sendable {
  /// Behind a pointer, because accesses to stored properties of a class are checked at run time,
  /// about ten times per tile.
  private struct State {
    var memory: UnsafeMutableRawPointer?
    var capacity = 0
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    free(state.pointee.memory)
    state.deallocate()
  }

  package var capacity: Int { state.pointee.capacity }

  package internal(set) var count: Int {
    get { state.pointee.count }
    set { state.pointee.count = newValue }
  }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: state.pointee.memory, count: state.pointee.count)
  }

  /// Room for `count` bytes; nil, and empty, if there is no memory.
  func room(for count: Int) -> UnsafeMutableRawBufferPointer? {
    if count > state.pointee.capacity, !grow(to: count) { return nil }
    state.pointee.count = count
    return UnsafeMutableRawBufferPointer(start: state.pointee.memory, count: count)
  }

  /// Empties and returns `memory` if only this variable refers to it; else nil.
  fileprivate static func emptied(_ memory: inout TileBytes?) -> TileBytes? {
    guard memory != nil, isKnownUniquelyReferenced(&memory!) else { return nil }
    memory?.count = 0
    return memory
  }

  /// Room for at least `least` bytes after those filled in; nil, and unchanged, without memory.
  func tail(_ least: Int) -> UnsafeMutableRawBufferPointer? {
    let (size, isTooLarge) = count.addingReportingOverflow(least)
    if isTooLarge { return nil }
    if size > capacity {
      guard let memory = SpareMemory.reallocate(state.pointee.memory, size) else { return nil }
      state.pointee.memory = memory
      state.pointee.capacity = size
    }
    return state.pointee.memory.map {
      UnsafeMutableRawBufferPointer(start: $0 + count, count: capacity - count)
    }
  }

  /// Gives back memory beyond the bytes filled in, if it is much.
  func fit() {
    guard capacity - count > count / 4,
      let memory = SpareMemory.reallocate(state.pointee.memory, count)
    else { return }
    state.pointee.memory = memory
    state.pointee.capacity = count
  }

  private func grow(to count: Int) -> Bool {
    free(state.pointee.memory)
    state.pointee = State()
    // A map's tiles have similar sizes, so leave room for a slightly larger one.
    let (size, isTooLarge) = count.addingReportingOverflow(count / 4)
    guard !isTooLarge, let memory = SpareMemory.allocate(size) else { return false }
    state.pointee.memory = memory
    state.pointee.capacity = size
    return true
  }
}
