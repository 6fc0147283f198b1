import Control
import Glibc
import Platform

/// The state's file: a JSON object whose first member is a checksum of all that follows it. The
/// file before it is kept beside it, and a damaged file is set aside.
///
///     {"checksum":"7c9e1bd1e5f0a3c2","lat":46.02,…}
enum StateFile {
  /// The first bytes of a file with a checksum.
  private static let head = Array("{\"checksum\":\"".utf8)
  /// What follows the checksum's 16 digits.
  private static let tail = Array("\",".utf8)
  /// The first bytes of a file of earlier versions, which had no checksum.
  private static let plainHead = Array("{\"lat\":".utf8)
  /// How many bytes the checksum adds to the object.
  static let checksumBytes = head.count + 16 + tail.count - 1

  /// Why a file gave no state.
  struct Fault: Error {
    /// Names the file and what is wrong with it.
    var error: FileError
    /// Whether the file was read, and what it holds is no state.
    var isDamaged: Bool
  }

  /// Where the file before the present one is kept.
  static func previous(of path: String) -> String { FileIO.target(of: path) + ".previous" }

  /// Where a damaged file is set aside.
  static func damaged(_ path: String) -> String { FileIO.target(of: path) + ".damaged" }

  /// The file's bytes for `object`, the text of a JSON object with at least one member.
  static func sealed(_ object: String) -> [UInt8] {
    var rest = Array(object.utf8)
    rest.append(10)
    let sum = checksum(rest, from: 1)
    return head + sum + tail + rest[1...]
  }

  /// Reads what `sealed` made. Nil for anything else, except for files of earlier versions.
  static func state(of bytes: [UInt8]) -> SavedState? {
    guard isWhole(bytes), let json = try? JSON.parse(bytes) else { return nil }
    return SavedState(json)
  }

  /// Reads the state in the file at `path`.
  static func read(_ path: String) throws(Fault) -> SavedState {
    var info = stat()
    if stat(path, &info) == 0, info.st_size > SavedState.maxBytes {
      throw Fault(error: FileError(file: path, reason: "damaged: too large"), isDamaged: true)
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileIO.read(path, limit: SavedState.maxBytes)
    } catch {
      throw Fault(error: error, isDamaged: false)
    }
    guard let state = StateFile.state(of: bytes) else {
      throw Fault(error: FileError(file: path, reason: "damaged"), isDamaged: true)
    }
    return state
  }

  /// Replaces the file at `path`, and keeps the present one as the previous one.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try FileIO.replace(path, with: bytes, keeping: previous(of: path))
  }

  /// Moves the damaged file at `path` aside, in place of one set aside before.
  ///
  /// - Returns: where it is now; nil if it cannot be moved.
  static func setAside(_ path: String) -> String? {
    let aside = damaged(path)
    return rename(FileIO.target(of: path), aside) == 0 ? aside : nil
  }

  /// Sets the damaged file at `path` aside, and puts the previous one in its place, so that it is
  /// found again if the power is cut before the next write.
  ///
  /// - Returns: whether that was done; a file system without hard links has no room for two names
  ///   of a file, and the kernel refuses them for files of other users
  ///   (`fs.protected_hardlinks`, proc_sys_fs(5)).
  static func putBack(_ path: String) -> Bool {
    let target = FileIO.target(of: path)
    return FileIO.keep(target, as: damaged(path)) && FileIO.keep(previous(of: path), as: target)
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: plainHead) { return true }
    let start = head.count + 16 + tail.count
    guard bytes.count > start, bytes.starts(with: head),
      bytes[(start - tail.count)..<start].elementsEqual(tail)
    else { return false }
    let sum = checksum(bytes, from: start)
    return bytes[head.count..<(head.count + 16)].elementsEqual(sum)
  }

  /// The 16 digits of the checksum of `bytes` from `start` on.
  private static func checksum(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    var sum = FNV1a()
    bytes.withUnsafeBufferPointer {
      var index = start
      while index < $0.count {
        sum.combine(UInt64($0[index]))
        index += 1
      }
    }
    let digits = Array("0123456789abcdef".utf8)
    return (0..<16).map { digits[Int(sum.value >> (60 - 4 * UInt64($0)) & 15)] }
  }
}
