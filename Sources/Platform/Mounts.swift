/// The kernel's list of mounted file systems. Reading it touches no medium, so one that hangs
/// delays nobody who asks.
package struct Mounts: Sendable {
  /// The longest list that is read, in bytes.
  private static let limit = 1 << 20

  private let points: [[UInt8]]

  /// Reads the list as it is now. Without one, every path lies on "/".
  package init() {
    self.init(list: (try? FileIO.read("/proc/self/mountinfo", limit: Mounts.limit)) ?? [])
  }

  /// Parses a list in the format of proc(5), /proc/pid/mountinfo.
  init(list: [UInt8]) {
    points = list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      return fields.count > 5 ? Mounts.unescaped(fields[4]) : nil
    }
  }

  /// The mount point of the file system that holds `path`. Links are not followed: following one
  /// may touch a medium that hangs.
  package func point(of path: String) -> String {
    let path = Array(FileIO.absolute(path).utf8)
    var longest = Array("/".utf8)
    for point in points where point.count > longest.count && path.starts(with: point) {
      if path.count == point.count || path[point.count] == UInt8(ascii: "/") { longest = point }
    }
    return String(decoding: longest, as: UTF8.self)
  }

  /// Names the media that hold `paths`: equal for paths on the same media.
  package func media(of paths: [String]) -> String {
    Set(paths.map { point(of: $0) }).sorted().joined(separator: "\n")
  }

  /// The kernel writes space, tab, newline and backslash as a backslash and three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
