import Glibc

/// The one-line files below /sys.
enum SysfsFile {
  /// More bytes than any file that is read here.
  private static let limit = 256

  /// The line, without surrounding white space.
  static func text(_ path: String) throws(BacklightError) -> String {
    let fd = open(path, O_RDONLY | O_CLOEXEC)
    if fd < 0 { throw BacklightError(path, call: "open") }
    defer { close(fd) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(fd, &bytes, limit)
    if count < 0 { throw BacklightError(path, call: "read") }
    let line = bytes[..<count].prefix { $0 != 0x0a }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d || $0 == 0 }
    let start = line.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }
    return String(decoding: end.map { start[...$0] } ?? [], as: UTF8.self)
  }

  /// The line as a number.
  static func number(_ path: String) throws(BacklightError) -> Int {
    let line = try text(path)
    guard let number = Int(line) else {
      throw BacklightError(path, "\"\(line)\" is not a number")
    }
    return number
  }

  /// Writes a number in one call.
  static func write(_ number: Int, to path: String) throws(BacklightError) {
    let fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC)
    if fd < 0 { throw BacklightError(path, call: "open") }
    defer { close(fd) }
    let line = "\(number)\n"
    if Glibc.write(fd, line, line.utf8.count) != line.utf8.count {
      throw BacklightError(path, call: "write")
    }
  }
}
