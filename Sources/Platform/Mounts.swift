/// The kernel's list of mounted file systems. Reading it touches no medium, so one that hangs
/// delays nobody who asks.
package struct Mounts: Sendable {
  /// The longest list that is read, in bytes.
  private static let limit = 1 << 20

  /// A mounted file system.
  package struct Mount: Hashable, Sendable {
    /// Where it is mounted.
    package var point: String
    /// Differs where another file system, or the same one again, is mounted at this point.
    package var identity: String
  }

  private let points: [[UInt8]]
  /// The number of the mount, the device and the mounted folder of each point.
  private let identities: [[UInt8]]

  /// Reads the list as it is now. Without one, every path lies on "/".
  package init() {
    self.init(list: (try? FileIO.read("/proc/self/mountinfo", limit: Mounts.limit)) ?? [])
  }

  /// Parses a list in the format of proc(5), /proc/pid/mountinfo.
  init(list: [UInt8]) {
    var (points, identities): ([[UInt8]], [[UInt8]]) = ([], [])
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 5 else { continue }
      points.append(Mounts.unescaped(fields[4]))
      identities.append(Array([fields[0], fields[2], fields[3]].joined(separator: [0x20])))
    }
    (self.points, self.identities) = (points, identities)
  }

  /// The mount point of the file system that holds `path`. Links are not followed: following one
  /// may touch a medium that hangs.
  package func point(of path: String) -> String { mount(of: path).point }

  /// The file system that holds `path`, found in the same way.
  package func mount(of path: String) -> Mount {
    let path = Array(FileIO.absolute(path).utf8)
    var longest = Array("/".utf8)
    var identity: [UInt8] = []
    // Of several at one point, the last one hides the others.
    for (i, point) in points.enumerated()
    where point.count >= longest.count && Mounts.holds(point, path) {
      (longest, identity) = (point, identities[i])
    }
    return Mount(
      point: String(decoding: longest, as: UTF8.self),
      identity: String(decoding: identity, as: UTF8.self))
  }

  /// The file systems that are mounted below the folder `path`, sorted by their points; one at
  /// `path` itself is not among them.
  package func mounts(below path: String) -> [Mount] {
    let folder = Array(FileIO.absolute(path).utf8)
    var found: [String: Mount] = [:]
    for (i, point) in points.enumerated()
    where point.count > folder.count && Mounts.holds(folder, point) {
      let text = String(decoding: point, as: UTF8.self)
      found[text] = Mount(point: text, identity: String(decoding: identities[i], as: UTF8.self))
    }
    return found.values.sorted { $0.point < $1.point }
  }

  /// Whether `path` is the folder or lies in it.
  private static func holds(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
    guard path.starts(with: folder) else { return false }
    return path.count == folder.count || folder.last == UInt8(ascii: "/")
      || path[folder.count] == UInt8(ascii: "/")
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
