import Glibc

/// A client of a Unix stream socket that nobody in the program wrote: bytes out, lines in, never
/// waiting.
public final class LineSocket {
  private let fd: Int32
  private var input: [UInt8] = []
  /// How many bytes of `input` are known to hold no end of a line.
  private var scanned = 0
  private var isOpen = true
  /// The other end has closed the connection.
  public private(set) var isAtEnd = false

  /// Connects to the socket at `path`; ends the test's process where nobody listens.
  public init(_ path: String) {
    fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(result == 0, "nobody listens at \(path)")
  }

  deinit { hangUp() }

  /// Sends all of `text`.
  public func send(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line that has come, without its end; nil where none has.
  public func takeLine() -> String? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !isAtEnd {
      let count = recv(fd, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count <= 0 {
        isAtEnd = count == 0 || errno != EAGAIN
        break
      }
      input += chunk[..<count]
    }
    guard let end = input[scanned...].firstIndex(of: 10) else {
      scanned = input.count
      return nil
    }
    defer {
      input.removeSubrange(...end)
      scanned = 0
    }
    return String(decoding: input[..<end], as: UTF8.self)
  }

  /// Closes the connection.
  public func hangUp() {
    if isOpen { close(fd) }
    isOpen = false
  }
}
