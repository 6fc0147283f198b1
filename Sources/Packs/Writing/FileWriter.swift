import CLinux
import Glibc
import Platform
import TileSources

/// A file that grows at its end, written through a buffer, and read back where that is asked for.
package final class FileWriter {
  /// Bytes so far, those in the buffer included.
  package private(set) var end: UInt64 = 0
  /// What errors name.
  private let name: String
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  /// Bytes that are in the file.
  private var flushed: UInt64 = 0
  private var buffer: [UInt8] = []

  private static let bufferSize = 256 << 10
  private static let compared = 64 << 10

  /// Writes to `descriptor`, which is open for reading and writing, empty, and the caller's.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    ownsDescriptor = false
    buffer.reserveCapacity(FileWriter.bufferSize)
  }

  /// A file without a name on the file system of `folder`, gone with this object or its process.
  package init(temporaryIn folder: String) throws(PackError) {
    var descriptor = waypost_open_unnamed(folder)
    if descriptor < 0 {
      // FAT and others know no files without a name.
      var template = Array("\(folder)/.waypost-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      if descriptor >= 0 { unlink(template) }
    }
    guard descriptor >= 0 else {
      throw PackError(file: folder, failed: "no temporary file can be made here")
    }
    self.descriptor = descriptor
    name = "a temporary file in \(folder)"
    ownsDescriptor = true
    buffer.reserveCapacity(FileWriter.bufferSize)
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Adds `bytes` at the end.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(PackError) {
    if buffer.count + bytes.count > FileWriter.bufferSize { try flush() }
    if bytes.count >= FileWriter.bufferSize {
      try put(bytes, at: flushed)
      flushed += UInt64(bytes.count)
    } else {
      buffer.append(contentsOf: bytes)
    }
    end += UInt64(bytes.count)
  }

  /// Adds `bytes` at the end.
  package func append(_ bytes: [UInt8]) throws(PackError) {
    let failure: PackError? = bytes.withUnsafeBytes { raw in
      do throws(PackError) { try append(raw) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }

  /// Writes what is in the buffer.
  package func flush() throws(PackError) {
    guard !buffer.isEmpty else { return }
    try overwrite(buffer, at: flushed)
    flushed += UInt64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Cuts the file off after `count` bytes.
  package func truncate(to count: UInt64) throws(PackError) {
    try flush()
    guard ftruncate(descriptor, off_t(count)) == 0 else { throw failed("cannot be cut off") }
    flushed = count
    end = count
  }

  /// Writes over bytes that are there.
  package func overwrite(_ bytes: [UInt8], at offset: UInt64) throws(PackError) {
    let failure: PackError? = bytes.withUnsafeBytes { raw in
      do throws(PackError) { try put(raw, at: offset) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }

  /// Whether the file has `bytes` at `offset`.
  package func holds(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PackError) -> Bool {
    if offset + UInt64(bytes.count) > flushed { try flush() }
    return try withUnsafeTemporary(min(bytes.count, FileWriter.compared)) {
      room throws(PackError) in
      var done = 0
      while done < bytes.count {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: room[..<min(room.count, bytes.count - done)])
        try get(part, at: offset + UInt64(done))
        guard let stored = part.baseAddress, let wanted = bytes.baseAddress,
          memcmp(stored, wanted + done, part.count) == 0
        else { return false }
        done += part.count
      }
      return true
    }
  }

  /// Reads `room.count` bytes from `offset` on, which are there.
  package func read(at offset: UInt64, into room: UnsafeMutableRawBufferPointer) throws(PackError) {
    if offset + UInt64(room.count) > flushed { try flush() }
    try get(room, at: offset)
  }

  private func withUnsafeTemporary<Value>(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(PackError) -> Value
  ) throws(PackError) -> Value {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { room.deallocate() }
    return try body(room)
  }

  private func get(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(PackError) {
    var done = 0
    while done < room.count {
      let count = pread(
        descriptor, room.baseAddress.map { $0 + done }, room.count - done,
        off_t(offset) + off_t(done))
      if count > 0 {
        done += count
      } else if count == 0 {
        throw PackError(file: name, reason: "ended while it was written: has its medium gone?")
      } else if errno != EINTR {
        throw failed("cannot be read back")
      }
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PackError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
        off_t(offset) + off_t(done))
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw failed("cannot be written")
      }
    }
  }

  private func failed(_ what: String) -> PackError { PackError(file: name, failed: what) }
}
