import Configuration
import EventLoop
import Glibc
import Platform

/// Reads fixes from a gpsd on this machine over its JSON protocol (gpsd_json(5)), and reconnects
/// forever.
///
/// Use it on the loop's thread. It sleeps while nothing comes. Without a server it retries after 1
/// s, 2 s, 4 s and so on, then every 30 s.
public final class GPSDClient {
  /// The state of the connection.
  public enum State: Sendable, Equatable {
    /// No server answers; the text says why.
    case down(String)
    case connecting
    /// Connected; the text is the server's release.
    case up(String)
  }

  /// Counts since the client was created.
  public struct Counts: Sendable, Equatable {
    /// Reports read.
    public var reports = 0
    /// Lines that are not part of the protocol, or too long.
    public var badLines = 0
    /// Connections made.
    public var connections = 0
  }

  /// Seconds before the first retry, and the most before a retry.
  static let pauses: (first: UInt64, most: UInt64) = (1, 30)
  /// Nanoseconds within which a server must report its version.
  static let greeting: UInt64 = 10_000_000_000
  private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
  /// The most bytes read per wake-up, so that a flood on the socket does not delay a frame.
  private static let batch = 64 * 1024

  /// The address of gpsd.
  public let address: GPSDAddress
  /// The state of the connection.
  public private(set) var state = State.connecting
  /// Counts since the client was created.
  public private(set) var counts = Counts()
  /// Bytes of an unfinished line.
  public var bytes: Int { lines.count }

  private let loop: EventLoop
  private let onFix: (Fix) -> Void
  private let onState: (State) -> Void
  private var fd: Int32 = -1
  private var watch: Watch?
  private var retry: LoopTimer?
  private var pause = GPSDClient.pauses.first
  private var host = 0
  private var lines = GPSDLines()
  private var devices = DeviceChoice()
  private var isGreeted = false
  private var unsent: ArraySlice<UInt8> = []

  /// Creates a client, which connects once the loop runs.
  ///
  /// - Parameters:
  ///   - address: The address of gpsd.
  ///   - loop: The loop of this thread.
  ///   - onFix: Called with each fix of the chosen receiver.
  ///   - onState: Called when the server is lost or back, not for each retry.
  public init(
    address: GPSDAddress, loop: EventLoop, onFix: @escaping (Fix) -> Void,
    onState: @escaping (State) -> Void
  ) {
    self.address = address
    self.loop = loop
    self.onFix = onFix
    self.onState = onState
    retry = loop.timer { [weak self] in self?.connect() }
    // Not during `init`, since the creator is not ready for callbacks.
    retry?.arm(after: 0)
  }

  deinit { close() }

  /// Closes the connection for good.
  public func close() {
    retry?.cancel()
    retry = nil
    drop()
  }

  private func drop() {
    watch?.cancel()
    watch = nil
    if fd >= 0 { Glibc.close(fd) }
    fd = -1
    lines = GPSDLines()
    devices.forget()
    isGreeted = false
    unsent = []
  }

  // MARK: Connecting

  private func connect() {
    if fd >= 0 { return failed("it does not say its version, as gpsd does") }
    guard let fd = address.connect(index: host) else {
      return failed(SystemError("connect").text)
    }
    self.fd = fd
    unsent = ArraySlice(Self.watch.utf8)
    do throws(SystemError) {
      watch = try loop.watch(fd, [.readable, .writable]) { [unowned self] in ready($0) }
      retry?.arm(after: Self.greeting)
    } catch {
      failed(error.text)
    }
  }

  /// Closes a connection that failed, and schedules a retry.
  private func failed(_ reason: String) {
    let wasGreeted = isGreeted
    drop()
    if !wasGreeted, host + 1 < address.hosts.count {
      // The server may listen on the next address.
      host += 1
      return connect()
    }
    host = 0
    if wasGreeted { pause = Self.pauses.first }
    retry?.arm(after: pause * 1_000_000_000)
    pause = min(pause * 2, Self.pauses.most)
    if case .down = state { return }
    state = .down(reason)
    onState(state)
  }

  private func ready(_ interest: Interest) {
    if interest.contains(.writable), !unsent.isEmpty {
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      if getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0 { code = errno }
      if code != 0 { return failed(SystemError("connect", code: code).text) }
      guard send() else { return }
    }
    if !interest.isDisjoint(with: [.readable, .hangup, .error]) { receive() }
  }

  /// Sends what is left of the request. False: the connection has failed.
  private func send() -> Bool {
    let bytes = Array(unsent)
    let count = Glibc.send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return true }
      failed(SystemError("send").text)
      return false
    }
    unsent = unsent.dropFirst(count)
    if unsent.isEmpty { watch?.interest = .readable }
    return true
  }

  // MARK: Reading

  private func receive() {
    var done = 0
    while done < Self.batch {
      let open = fd
      let count = withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
        let count = recv(fd, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
          // Moved out during the callbacks, since a handler may close the connection.
          var own = lines
          lines = GPSDLines()
          let before = own.tooLong
          own.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { take($0) }
          counts.badLines += own.tooLong - before
          if fd == open { lines = own }
        }
        return count
      }
      // A handler may have closed the connection.
      if fd != open { return }
      if count == 0 { return failed("it closed the connection") }
      if count < 0 {
        if errno == EAGAIN { return }
        if errno == EINTR { continue }
        return failed(SystemError("recv").text)
      }
      done += count
      if count < 8192 { return }
    }
  }

  private func take(_ line: UnsafeRawBufferPointer) {
    guard let report = GPSDReport(line: line) else {
      counts.badLines += 1
      return
    }
    counts.reports += 1
    switch report {
    case .version(let release):
      if isGreeted { return }
      isGreeted = true
      retry?.cancel()
      pause = Self.pauses.first
      counts.connections += 1
      state = .up(release)
      onState(state)
    case .position(let device, let fix):
      if devices.takes(device, mode: fix?.mode, now: EventLoop.now()), let fix { onFix(fix) }
    case .partial, .error, .other: break
    }
  }
}
