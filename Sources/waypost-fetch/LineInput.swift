import Glibc

/// Lines that come on standard input.
struct LineInput {
  /// What came.
  enum Event {
    case lines([String])
    case ended
    /// A line that exceeds the limit, as far as it was read.
    case malformed(String)
  }

  private let longest: Int
  /// The bytes after the last complete line.
  private var rest: [UInt8] = []

  /// - Parameter longest: bytes of a line, its end included.
  init(longest: Int) { self.longest = longest }

  /// Reads what has arrived. Call it when standard input is readable.
  mutating func read() -> Event {
    var chunk = [UInt8](repeating: 0, count: longest)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .lines([]) : .ended }
    if count == 0 { return .ended }
    rest += chunk[..<count]
    var lines: [String] = []
    while let end = rest.firstIndex(of: 0x0a) {
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeSubrange(...end)
    }
    return rest.count < longest ? .lines(lines) : .malformed("a line without end")
  }
}

/// Standard output, written as a whole.
enum FetchOutput {
  /// Writes a line and the bytes that follow it.
  ///
  /// - Returns: false where nobody takes them any more.
  static func write(_ line: String, _ bytes: [UInt8] = []) -> Bool {
    write(Array(line.utf8)) && write(bytes)
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        Glibc.write(STDOUT_FILENO, raw.baseAddress.map { $0 + done }, raw.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
