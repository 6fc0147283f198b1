import Glibc

/// The bytes of a file that is read once from beginning to end, and whose memory is freed along the
/// way.
///
/// A large file has a mapping of its own. `release` drops the pages that were read, so that memory
/// never holds both the whole file and what was parsed from it. Belongs to one thread at a time.
package final class FileBytes {
  /// Smaller files use ordinary memory, which `release` does not free.
  private static let least = 128 << 10
  /// How many bytes are given back at once.
  package static let step = 1 << 20

  /// The number of bytes.
  package let count: Int
  private let base: UnsafeMutableRawPointer
  /// The size of the mapping; 0: the memory is ordinary.
  private let mapped: Int
  private var released = 0

  private init(_ base: UnsafeMutableRawPointer, count: Int, mapped: Int) {
    (self.base, self.count, self.mapped) = (base, count, mapped)
  }

  deinit {
    if mapped > 0 { munmap(base, mapped) } else { base.deallocate() }
  }

  /// A copy of `bytes`.
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    mapped = 0
    base = .allocate(byteCount: max(count, 1), alignment: 16)
    bytes.withUnsafeBytes {
      base.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: count)
    }
  }

  /// Reads the open file `fd`.
  ///
  /// - Parameters:
  ///   - fd: The descriptor, at the file's beginning.
  ///   - path: The file's name in errors.
  ///   - size: The size that is expected.
  ///   - limit: The most bytes; a larger file is an error.
  /// - Returns: Its bytes.
  /// - Throws: `FileError` if it cannot be read or is too large.
  package static func read(
    _ fd: Int32, of path: String, size: Int, limit: Int
  ) throws(FileError) -> FileBytes {
    func tooLarge() -> FileError {
      FileError(file: path, reason: "larger than \(limit) bytes, the most that is read")
    }
    guard size <= limit else { throw tooLarge() }
    if size < least { return FileBytes(try FileIO.read(fd, of: path, size: size, limit: limit)) }
    // Pages that are not written take no memory, and the file may have grown since.
    let room = limit + 1
    let memory = mmap(
      nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw FileError(
        file: path, reason: "there is no memory to read it with", isTransient: true)
    }
    var count = 0
    while count < room {
      let got = Glibc.read(fd, memory + count, room - count)
      if got < 0, errno == EINTR { continue }
      if got < 0 {
        let code = errno
        munmap(memory, room)
        throw FileError(
          file: path, reason: "cannot be read: \(SystemError.text(of: code))",
          isTransient: SystemError.mayPass(code))
      }
      if got == 0 { break }
      count += got
    }
    if count > limit {
      munmap(memory, room)
      throw tooLarge()
    }
    return FileBytes(memory, count: count, mapped: room)
  }

  /// The bytes, as long as this object lives. Those that were released read as 0.
  package var pointer: UnsafePointer<UInt8> {
    UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
  }

  /// The bytes of a range.
  package subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    let range = range.clamped(to: 0..<count)
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Whether the reader has passed enough bytes since the last release for another one.
  @inline(__always)
  package func isReleaseDue(at offset: Int) -> Bool {
    offset &- released >= FileBytes.step && mapped > 0
  }

  /// Gives back the memory of the bytes before `offset`, which are not read again.
  package func release(upTo offset: Int) {
    let page = max(sysconf(Int32(_SC_PAGESIZE)), 4096)
    let end = min(offset, count) / page * page
    guard mapped > 0, end > released else { return }
    _ = madvise(base + released, end - released, MADV_DONTNEED)
    released = end
  }
}
