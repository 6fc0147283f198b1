import CLinux
import Glibc
import Platform

/// A connection to a provider's socket. Nothing in it waits but `greeting()`. Used on one thread.
final class ProviderConnection {
  /// How long a provider may take to greet, in milliseconds.
  static let greetingPatience: UInt64 = 5000
  /// The most bytes read at once.
  private static let mostRead = 64 << 10

  let descriptor: Int32
  private let chunk: UnsafeMutableRawBufferPointer
  /// Bytes that were received and not parsed yet.
  private var received: [UInt8] = []
  /// How many of these were parsed already.
  private var start = 0
  /// The tile whose bytes are arriving, with its number and its size.
  private var arriving: (number: Int, count: Int)?

  /// Connects to the socket at `path`.
  ///
  /// - Throws: A fault that says what is there instead. It may pass, except that something else
  ///   than a socket lies there.
  init(_ path: String, trust: PathTrust) throws(PackFault) {
    let place: Int32
    do {
      place = try trust.open(path, flags: waypost_o_path)
    } catch {
      throw PackFault("there is no provider: ", error.code, trust)
    }
    defer { close(place) }
    var status = stat()
    guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw PackFault("is no socket: a provider is a program that listens on one")
    }
    // Through the descriptor, as the name may lead elsewhere by now, or be too long.
    let name = "/proc/self/fd/\(place)"
    let descriptor = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
    guard descriptor >= 0, waypost_unix_connect(descriptor, name, name.utf8.count) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      let reason =
        code == ECONNREFUSED
        ? "no program listens on it: start the provider"
        : "cannot be connected to: \(String(cString: waypost_error_text(code)))"
      throw PackFault(reason, isTransient: true)
    }
    self.descriptor = descriptor
    // Last: an initialiser that throws runs no `deinit`.
    chunk = .allocate(byteCount: ProviderConnection.mostRead, alignment: 16)
  }

  deinit {
    close(descriptor)
    chunk.deallocate()
  }

  /// Waits for the lines that a provider begins with.
  ///
  /// - Throws: A fault if they do not come in time, or are wrong.
  func greeting() throws(PackFault) -> ProviderGreeting {
    let end = ProviderClock.now() &+ ProviderConnection.greetingPatience
    var lines: [String] = []
    while true {
      while let line = try takeLine() {
        if line.isEmpty { return try ProviderGreeting(lines) }
        lines.append(String(decoding: line, as: UTF8.self))
        guard lines.count <= ProviderGreeting.mostLines else {
          throw PackFault("says more than \(ProviderGreeting.mostLines) lines of itself")
        }
      }
      let now = ProviderClock.now()
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard now < end, poll(&poller, 1, Int32(end - now)) > 0 else {
        throw PackFault(
          "the provider said nothing of itself in \(ProviderConnection.greetingPatience / 1000) s",
          isTransient: true)
      }
      try receive()
    }
  }

  /// Receives what has arrived.
  ///
  /// - Throws: A fault if the connection has ended.
  func receive() throws(PackFault) {
    if start == received.count {
      // What one large tile took is not kept.
      received.removeAll(keepingCapacity: received.capacity <= 1 << 20)
    } else {
      received.removeSubrange(..<start)
    }
    start = 0
    let count = read(descriptor, chunk.baseAddress, chunk.count)
    let code = errno
    if count > 0 { received.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
    if count > 0 || (count < 0 && (code == EAGAIN || code == EINTR)) { return }
    throw PackFault("the provider has closed the connection", isTransient: true)
  }

  /// Sends as much of `bytes` as the socket takes, and removes that from them.
  ///
  /// - Throws: A fault if the connection has ended.
  func send(_ bytes: inout [UInt8]) throws(PackFault) {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count > 0 { bytes.removeFirst(count) }
    if count < 0, errno != EAGAIN, errno != EINTR {
      throw PackFault("the provider has closed the connection", isTransient: true)
    }
  }

  /// The next message that has arrived whole, and a tile's bytes with it; nil: there is none yet.
  ///
  /// - Throws: A fault if it is none of the protocol's.
  func next() throws(PackFault) -> (ProviderMessage, [UInt8])? {
    if arriving == nil {
      guard let line = try takeLine() else { return nil }
      let message = try ProviderMessage(line)
      guard case .tile(let number, let count) = message else { return (message, []) }
      // The bytes while they arrive, and twice that when the array grows.
      guard SpareMemory.has(count, of: 4) else { throw PackFault.noMemory(count) }
      arriving = (number, count)
    }
    guard let (number, count) = arriving, received.count - start >= count else { return nil }
    let bytes = Array(received[start..<start + count])
    start += count
    arriving = nil
    return (.tile(number, count: count), bytes)
  }

  /// The next line without its end; nil: there is no whole one.
  private func takeLine() throws(PackFault) -> [UInt8]? {
    let rest = received[start...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    guard (end ?? received.count) - start <= ProviderMessage.longestLine else {
      throw PackFault("sent a line of more than \(ProviderMessage.longestLine) bytes")
    }
    guard let end else { return nil }
    let line = Array(rest[..<end])
    start = end + 1
    return line
  }
}

/// The monotonic clock in milliseconds.
enum ProviderClock {
  static func now() -> UInt64 { SystemClock.monotonic() / 1_000_000 }
}
