import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A font file in memory, or why it could not be read.
///
/// Letters are then drawn without the medium: one that hangs holds up whoever reads the file, and
/// one that is pulled costs nothing.
///
/// Unchecked: its memory is written before anybody else has it, and never after.
public final class FontFile: @unchecked Sendable {
  /// The most bytes of a font file, and of all that one renderer takes. Those of the large scripts
  /// have 20 MiB.
  public static let sizeLimit = 32 << 20

  /// The file's path.
  public let path: String
  /// Why it could not be read; nil: it was.
  public let reason: String?
  private let memory: UnsafeMutableRawBufferPointer

  /// The file's bytes; none where it could not be read. They stay where they are.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// Bytes of memory that it takes.
  public var byteCount: Int { memory.count }

  /// Reads a file, whole.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - room: the most bytes that it may have, beside `sizeLimit`.
  public init(_ path: String, room: Int = FontFile.sizeLimit) {
    self.path = path
    do throws(FileError) {
      memory = try FontFile.read(path, limit: min(room, FontFile.sizeLimit))
      reason = nil
    } catch {
      memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      reason = error.reason
    }
  }

  deinit { memory.deallocate() }

  /// Reads files of `sizeLimit` bytes together, as many as a renderer takes beside one of its own.
  ///
  /// - Parameter paths: the files.
  /// - Returns: each file, or why it could not be read.
  public static func all(_ paths: [String]) -> [FontFile] {
    var room = sizeLimit
    return paths.prefix(TextRenderer.maxFonts - 1).map { path in
      let file = FontFile(path, room: room)
      room -= file.byteCount
      return file
    }
  }

  private static func read(
    _ path: String, limit: Int
  ) throws(FileError) -> UnsafeMutableRawBufferPointer {
    var size = 0
    let descriptor = try FileIO.openRegular(path, size: &size)
    defer { close(descriptor) }
    guard size <= limit else {
      throw FileError(
        file: path,
        reason: "has \(ByteCount.text(size)); there is room for \(ByteCount.text(limit)) of it:"
          + " give a smaller font, or fewer")
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    var done = 0
    while done < size, let start = memory.baseAddress {
      let count = pread(descriptor, start + done, size - done, off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let why = count < 0 ? SystemError("pread", on: path).text : "it became shorter meanwhile"
        memory.deallocate()
        throw FileError(file: path, reason: "cannot be read: \(why)")
      }
      done += count
    }
    return memory
  }
}
