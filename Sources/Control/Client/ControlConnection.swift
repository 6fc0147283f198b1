import CLinux
import EventLoop
import Glibc
import Platform

/// A client's end of the control socket, for programs that wait for their answers. It blocks, and
/// belongs to the thread that made it.
public final class ControlConnection {
  /// The longest line accepted from a daemon; the screenshot of a large display fits many times.
  static let maxLine = 256 * 1024 * 1024

  private let fd: Int32
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  private var input: [UInt8] = []
  private var head = 0
  private var scanned = 0
  private var events: [JSON] = []
  private var lastID: Int64 = 0

  /// Connects to the socket at `path`, at most 107 bytes long.
  ///
  /// - Throws: `ClientError.noDaemon` or `.notPermitted`, with the path.
  public init(path: String) throws(ClientError) {
    fd = waypost_unix_socket(0)
    // From here on `deinit` cleans up.
    if fd < 0 { throw .system(SystemError("socket")) }
    if waypost_unix_connect(fd, path, path.utf8.count) != 0 {
      let error = SystemError("connect", on: path)
      if error.code == EACCES || error.code == EPERM {
        throw .notPermitted(path: path, group: Self.group(of: path))
      }
      throw .noDaemon(path: path, reason: error.text)
    }
  }

  deinit {
    close(fd)
    scratch.deallocate()
  }

  /// The group of the file at `path`; "waypost", as installed, if it cannot be determined.
  private static func group(of path: String) -> String {
    var info = stat()
    guard stat(path, &info) == 0, info.st_gid != 0, let entry = getgrgid(info.st_gid) else {
      return "waypost"
    }
    return String(cString: entry.pointee.gr_name)
  }

  /// Calls a method and waits for its result for at most `timeout` seconds (nil: without limit).
  /// Events that arrive meanwhile are kept for `nextEvent`.
  ///
  /// - Throws: `ClientError.refused` with the daemon's error, `.timedOut`, `.closed` if the daemon
  ///   closed the connection, `.malformed`, or `.system`.
  public func call(
    _ method: String, _ params: JSON = .null, timeout: Double? = 30
  ) throws(ClientError) -> JSON {
    lastID += 1
    let id = JSON.int(lastID)
    var request: JSONObject = ["jsonrpc": "2.0", "id": id, "method": .string(method)]
    if !params.isNull { request["params"] = params }
    var line: [UInt8] = []
    JSON.object(request).write(to: &line)
    line.append(UInt8(ascii: "\n"))
    let deadline = Deadline(timeout)
    // A daemon that has closed may have sent a refusal first: read it before giving up.
    let isSent = try send(line)
    while let message = try receive(deadline) {
      if message["method"] != nil {
        events.append(message)
        continue
      }
      if let error = message["error"], message["id"] == id || message["id"] == .null {
        throw .refused(ControlError(error))
      }
      guard message["id"] == id, let result = message["result"] else {
        throw .malformed(NearestName.shorten(message.text))
      }
      return result
    }
    if !isSent { throw .closed }
    throw .timedOut(seconds: timeout ?? 0)
  }

  /// Calls a method with its typed parameters and returns its typed result.
  ///
  /// - Throws: as `call(_:_:timeout:)` does, and `ClientError.malformed` if the result is not of
  ///   the method's type.
  public func call<Method: ControlMethod>(
    _ method: Method.Type, _ params: Method.Params, timeout: Double? = 30
  ) throws(ClientError) -> Method.Result {
    let result = try call(Method.name, params.json, timeout: timeout)
    do throws(ControlError) {
      return try Method.Result(result)
    } catch {
      throw .malformed("\(Method.name): \(error.message)")
    }
  }

  /// The next event's `params`; nil if none came within `timeout` seconds (nil: waits without
  /// limit). `{"type": "view", …}`, for instance.
  ///
  /// - Throws: `ClientError.closed` if the daemon closed the connection, `.malformed` or `.system`.
  public func nextEvent(timeout: Double? = nil) throws(ClientError) -> JSON? {
    let deadline = Deadline(timeout)
    while events.isEmpty {
      guard let message = try receive(deadline) else { return nil }
      if message["method"]?.string == "event" { events.append(message) }
    }
    return events.removeFirst()["params"] ?? .null
  }

  // MARK: Lines

  /// Returns false if the daemon no longer reads.
  private func send(_ line: [UInt8]) throws(ClientError) -> Bool {
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes { raw in
        Glibc.send(
          fd, raw.baseAddress.map { $0 + sent }, raw.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EPIPE || errno == ECONNRESET {
        return false
      } else if errno != EINTR {
        throw .system(SystemError("send"))
      }
    }
    return true
  }

  /// The next line, parsed; nil once the deadline has passed.
  private func receive(_ deadline: Deadline) throws(ClientError) -> JSON? {
    while true {
      if let end = lineEnd() {
        let line = Array(input[head..<end])
        head = end + 1
        scanned = head
        if head == input.count || head > 1 << 20 {
          input.removeSubrange(..<head)
          head = 0
          scanned = 0
        }
        do throws(JSONError) {
          return try JSON.parse(line)
        } catch {
          throw .malformed(error.description)
        }
      }
      scanned = input.count
      if input.count - head > Self.maxLine { throw .malformed("a line without end") }
      var poller = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, deadline.milliseconds)
      if ready == 0 { return nil }
      if ready < 0 {
        if errno == EINTR { continue }
        throw .system(SystemError("poll"))
      }
      try read()
    }
  }

  private func lineEnd() -> Int? {
    input.withUnsafeBytes { raw in
      guard let base = raw.baseAddress,
        let hit = memchr(base + scanned, 0x0A, raw.count - scanned)
      else { return nil }
      return UnsafeRawPointer(hit) - base
    }
  }

  private func read() throws(ClientError) {
    let count = recv(fd, scratch.baseAddress, scratch.count, 0)
    if count > 0 {
      input.append(contentsOf: scratch[..<count])
    } else if count == 0 || errno == ECONNRESET {
      throw .closed
    } else if errno != EINTR {
      throw .system(SystemError("recv"))
    }
  }
}

/// A moment on CLOCK_MONOTONIC, or never.
private struct Deadline {
  let at: UInt64?

  init(_ seconds: Double?) {
    at = seconds.map { EventLoop.now() &+ UInt64(min(max($0, 0), 1e9) * 1e9) }
  }

  /// For poll: the time left, rounded up; -1 for no limit.
  var milliseconds: Int32 {
    guard let at else { return -1 }
    let now = EventLoop.now()
    return at <= now ? 0 : Int32(min((at - now) / 1_000_000 + 1, UInt64(Int32.max)))
  }
}
