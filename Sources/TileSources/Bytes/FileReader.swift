import CLinux
import Glibc
import MapGeometry
import Platform
import Synchronization

/// A regular file, read with `pread` and never mapped. If its card is pulled, a read returns an
/// error, where a mapping would end the process with SIGBUS.
package final class FileReader: ByteReader {
  package let size: UInt64
  private let path: String
  private let trust: PathTrust
  /// Stays the same number when the file is opened again.
  private let descriptor: Int32
  /// The last read failed. Atomic only because accesses to other stored properties of a class are
  /// checked at run time, for every tile.
  private let hasFailed = Atomic(false)

  /// The file system and inode of the file that was opened.
  let identity: FileIdentity

  /// Opens `path` for reading.
  ///
  /// - Throws: A fault if it cannot be opened, or is not a regular file.
  package init(path: String, trust: PathTrust = .anywhere) throws(PackFault) {
    let descriptor: Int32?
    var status = stat()
    do {
      descriptor = try trust.openRegular(path, status: &status)
    } catch {
      throw PackFault("cannot be opened: ", error.code, trust)
    }
    guard let descriptor else { throw PackFault("is not a regular file") }
    (self.path, self.trust, self.descriptor) = (path, trust, descriptor)
    identity = FileIdentity(status)
    size = UInt64(max(0, status.st_size))
  }

  deinit { close(descriptor) }

  package func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    try checkRange(at: offset, count: count)
    guard SpareMemory.has(count) else { throw PackFault.noMemory(count) }
    reopenIfFailed()
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      (filled, failure) = fill(UnsafeMutableRawBufferPointer(buffer), from: offset, count)
    }
    if bytes.count < count { throw fault(failure, at: offset, after: bytes.count) }
    return bytes
  }

  package func read(at offset: UInt64, count: Int, into buffer: inout TileBuffer) throws(PackFault)
  {
    try checkRange(at: offset, count: count)
    reopenIfFailed()
    let (filled, failure) = fill(try buffer.reserve(count), from: offset, count)
    if filled < count { throw fault(failure, at: offset, after: filled) }
  }

  /// Opens the file again after a failed read: a medium that was pulled and reinserted has the same
  /// file, but the old descriptor fails for ever. A different file is not accepted.
  private func reopenIfFailed() {
    guard hasFailed.load(ordering: .relaxed) else { return }
    guard let fresh = try? FileReader(path: path, trust: trust),
      fresh.identity == identity, fresh.size == size,
      waypost_replace_descriptor(fresh.descriptor, descriptor) == descriptor
    else { return }
    hasFailed.store(false, ordering: .relaxed)
  }

  /// How many bytes came, and the errno that kept the rest away; 0 at the file's end.
  private func fill(
    _ room: UnsafeMutableRawBufferPointer, from offset: UInt64, _ count: Int
  ) -> (filled: Int, failure: Int32) {
    var filled = 0
    while filled < count, let base = room.baseAddress {
      // In range: `size` came from an off_t.
      let place = off_t(offset) + off_t(filled)
      let got = pread(descriptor, base + filled, count - filled, place)
      if got > 0 {
        filled += got
      } else if got == 0 {
        break
      } else if errno != EINTR {
        hasFailed.store(true, ordering: .relaxed)
        return (filled, errno)
      }
    }
    return (filled, 0)
  }

  private func fault(_ failure: Int32, at offset: UInt64, after count: Int) -> PackFault {
    failure != 0
      ? PackFault("cannot be read at byte \(offset): ", failure)
      : PackFault(
        "ended at byte \(offset + UInt64(count)) although it was \(size) bytes long when opened")
  }
}

extension PackFault {
  /// A fault with `what` and the meaning of the errno `code`.
  init(_ what: String, _ code: Int32, _ trust: PathTrust = .anywhere) {
    self.init(what + trust.explanation(of: code), isTransient: SystemError.mayPass(code))
  }
}

extension TileError {
  init(_ fault: PackFault, file: String, tile: TileID) {
    self.init(file: file, tile: tile, reason: fault.reason, isTransient: fault.isTransient)
    lacksMemory = fault.lacksMemory
  }
}

extension SourceError {
  init(_ fault: PackFault, file: String) {
    self.init(file: file, reason: fault.reason, isTransient: fault.isTransient)
  }
}
