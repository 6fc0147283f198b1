import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A font file read into memory, or the reason why it could not be read.
///
/// Letters are then drawn without the medium: one that hangs delays only the thread that reads the
/// file, and one that is pulled changes nothing.
///
/// Unchecked: its memory is written before anybody else has it, and never afterwards.
public final class FontFile: @unchecked Sendable {
  /// The most bytes of a font file, and of all files of one renderer together. Fonts of large
  /// scripts have 20 MiB.
  public static let sizeLimit = 32 << 20

  /// The file's path, as it was given.
  public let path: String
  /// Why the file could not be read; nil if it was.
  public let reason: String?
  /// Whether it is used only for characters that no other font has, not even the bundled one.
  public let isLast: Bool
  private let memory: UnsafeMutableRawBufferPointer

  /// The file's bytes, empty if it could not be read. Their address never changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// The number of bytes in memory; 0 if the file could not be read.
  public var byteCount: Int { memory.count }

  /// Reads a whole file. Blocks as long as the medium needs; never fails, but sets `reason`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - room: The most bytes that it may have, if that is less than `sizeLimit`.
  ///   - isLast: Whether it draws only what no other font has.
  public init(_ path: String, room: Int = FontFile.sizeLimit, isLast: Bool = false) {
    self.path = path
    self.isLast = isLast
    do throws(FileError) {
      memory = try FontFile.read(path, limit: min(room, FontFile.sizeLimit))
      reason = nil
    } catch {
      memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      reason = error.reason
    }
  }

  deinit { memory.deallocate() }

  /// Reads the first files of a list, at most `sizeLimit` bytes together, and as many as a renderer
  /// takes in addition to the bundled font.
  ///
  /// - Parameter paths: The files.
  /// - Returns: A font file for each path, which says if it could not be read.
  public static func all(_ paths: [String]) -> [FontFile] {
    var room = sizeLimit
    return paths.prefix(TextRenderer.maxFonts - 2).map { path in
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
