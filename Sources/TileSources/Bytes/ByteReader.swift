import Glibc
import Platform

/// Why bytes of a pack cannot be read. The caller adds the file's name.
package struct PackFault: Error, Equatable {
  package var reason: String
  /// Whether the error may pass by itself; see `TileError.isTransient`.
  package var isTransient: Bool
  /// Whether the system had no memory for it, which may pass.
  package var lacksMemory = false

  package init(_ reason: String, isTransient: Bool = false) {
    self.reason = reason
    self.isTransient = isTransient
  }

  /// The system has no memory for what takes `count` bytes.
  package static func noMemory(_ count: Int) -> PackFault {
    var fault = PackFault("takes \(count) bytes, for which there is no memory", isTransient: true)
    fault.lacksMemory = true
    return fault
  }

  /// The system has no memory for what a library needs, "for unpacking it".
  static func noMemory(_ what: String) -> PackFault {
    var fault = PackFault("cannot be read: there is no memory \(what)", isTransient: true)
    fault.lacksMemory = true
    return fault
  }

  /// The same fault in other words.
  func said(_ reason: String) -> PackFault {
    var fault = self
    fault.reason = reason
    return fault
  }
}

/// Random access to the bytes of a pack.
package protocol ByteReader: AnyObject {
  /// The number of bytes when the reader was created.
  var size: UInt64 { get }

  /// Reads exactly `count` bytes at `offset`.
  ///
  /// - Throws: A fault that names the offset; also if the range passes the end.
  func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8]

  /// Reads exactly `count` bytes at `offset` into `buffer`, which then holds only those.
  ///
  /// - Throws: A fault that names the offset; also if the range passes the end.
  func read(at offset: UInt64, count: Int, into buffer: inout TileBuffer) throws(PackFault)
}

extension ByteReader {
  package func read(at offset: UInt64, count: Int, into buffer: inout TileBuffer) throws(PackFault)
  {
    let bytes = try read(at: offset, count: count)
    let room = try buffer.reserve(bytes.count)
    bytes.withUnsafeBytes { room.copyMemory(from: $0) }
  }

  /// Throws a fault if the range passes the last byte.
  func checkRange(at offset: UInt64, count: Int) throws(PackFault) {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(max(count, 0)))
    guard count >= 0, !overflow, end <= size else {
      throw PackFault(
        "bytes \(offset) to \(offset)+\(count) lie beyond its end at \(size): is it cut off?")
    }
  }
}

/// Reads a constant in memory, usually in the program's file.
package final class MemoryReader: ByteReader {
  private let bytes: StaticBytes

  package init(_ bytes: StaticBytes) { self.bytes = bytes }

  package var size: UInt64 { UInt64(max(bytes.count, 0)) }

  package func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    try checkRange(at: offset, count: count)
    guard SpareMemory.has(count) else { throw PackFault.noMemory(count) }
    let start = bytes.start + Int(offset)
    defer { if bytes.isPartOfProgram { release(start, count) } }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  package func read(at offset: UInt64, count: Int, into buffer: inout TileBuffer) throws(PackFault)
  {
    try checkRange(at: offset, count: count)
    let start = bytes.start + Int(offset)
    defer { if bytes.isPartOfProgram { release(start, count) } }
    try buffer.copy(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Drops the pages just read, and those that the kernel mapped around them. They belong to the
  /// program's file and are read from there again when needed.
  private func release(_ start: UnsafeRawPointer, _ count: Int) {
    let around = 65536
    let first = max(Int(bitPattern: bytes.start), Int(bitPattern: start) - around)
    let end = min(
      Int(bitPattern: bytes.start) + bytes.count, Int(bitPattern: start) + count + around)
    // Whole pages within the bytes.
    let page = 16384
    let from = (first + page - 1) / page * page
    let to = end / page * page
    guard from < to, let place = UnsafeMutableRawPointer(bitPattern: from) else { return }
    madvise(place, to - from, Int32(MADV_DONTNEED))
  }
}
