import Glibc

/// A regular file, read with `pread` and never mapped: a card pulled while it is read gives an error
/// here, where a mapping would end the process with SIGBUS.
package final class FileReader: ByteReader {
  package let size: UInt64
  private let descriptor: Int32

  /// Opens `path` for reading.
  package init(path: String) throws(PackFault) {
    // O_NONBLOCK: a FIFO of that name must not hold up the opening.
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw PackFault("cannot be opened: \(errorText(errno))") }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = errorText(errno)
      close(descriptor)
      throw PackFault("cannot be examined: \(reason)")
    }
    guard status.st_mode & S_IFMT == S_IFREG, let size = UInt64(exactly: status.st_size) else {
      close(descriptor)
      throw PackFault("is not a regular file")
    }
    self.descriptor = descriptor
    self.size = size
  }

  deinit { close(descriptor) }

  package func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    try checkRange(at: offset, count: count)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        // The range was checked against a size that came from an off_t.
        let place = off_t(offset) + off_t(filled)
        let got = pread(descriptor, base + filled, count - filled, place)
        if got > 0 {
          filled += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    if failure != 0 {
      throw PackFault("cannot be read at byte \(offset): \(errorText(failure))")
    }
    guard bytes.count == count else {
      throw PackFault(
        "ended at byte \(offset + UInt64(bytes.count)) although it was \(size) bytes long when opened"
      )
    }
    return bytes
  }
}

/// What `code` (an errno) means.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Calls again as long as a signal interrupts `call`.
func retryingInterrupts(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
