import CLinux
import Glibc
import Platform

/// waypost-fetch as a child of this process: lines and bytes over its standard input and output.
///
/// A program of its own rather than a library: what parses a server's answers neither writes the
/// pack nor knows where it lies, and waypost loads no TLS library.
final class FetchChild {
  /// Why nothing more will come of it.
  struct Ended: Error { var reason: String }

  /// Whether `isWanted` said no.
  private(set) var wasStopped = false

  private let isWanted: () -> Bool
  private let longestLine: Int
  private let process: pid_t
  private let socket: Int32
  /// What came after the last line or bytes that were taken.
  private var received: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// How often `isWanted` is asked while nothing comes. waypost-fetch has its own limits of time.
  private static let waitMilliseconds = 250.0

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - path: waypost-fetch: a path, or a name that `PATH` leads to.
  ///   - words: of its command line, without its name.
  ///   - longestLine: bytes of a line that it may say, with its end.
  ///   - isWanted: is asked now and then while nothing comes; false ends the work.
  /// - Throws: `PackError` where it cannot be started.
  init(
    path: String, words: [String], longestLine: Int, isWanted: @escaping () -> Bool
  ) throws(PackError) {
    self.isWanted = isWanted
    self.longestLine = longestLine
    (process, socket) = try FetchChild.start(path, ["waypost-fetch"] + words)
  }

  deinit {
    // The program ends when its input ends. SIGTERM makes sure that this does not take long.
    close(socket)
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Sends a line, which includes its newline.
  func say(_ line: String) throws(Ended) {
    let bytes = Array(line.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        send(
          socket, raw.baseAddress.map { $0 + done }, raw.count - done, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw end() }
      done += count
    }
  }

  /// The next line without its end.
  ///
  /// - Parameter deadline: until when it is waited for, in seconds of `FetchChild.now`.
  /// - Returns: nil where it has not come by then.
  /// - Throws: `Ended`.
  func line(until deadline: Double = .infinity) throws(Ended) -> String? {
    var searched = 0
    while true {
      if let end = received[searched...].firstIndex(of: 0x0a) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line
      }
      searched = received.count
      guard searched <= longestLine else {
        throw Ended(reason: "cannot be fetched: waypost-fetch says a line without end")
      }
      guard try receive(longestLine, until: deadline) else { return nil }
    }
  }

  /// The next `count` bytes.
  func take(_ count: Int) throws(Ended) -> [UInt8] {
    while received.count < count {
      _ = try receive(count - received.count, until: .infinity)
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// The error for a line that is not in the protocol.
  static func nonsense(_ line: String) -> Ended {
    Ended(reason: "cannot be fetched: waypost-fetch says \"\(line.prefix(80))\"")
  }

  /// - Throws: `Ended` where the work is not wanted any more.
  func checkIsWanted() throws(Ended) {
    if isWanted() { return }
    wasStopped = true
    throw Ended(reason: "was stopped")
  }

  /// Seconds of a clock that nobody sets.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The process has ended. A signal to the process group may have been meant for this program,
  /// too.
  private func end() -> Ended {
    do throws(Ended) {
      try checkIsWanted()
    } catch {
      return error
    }
    return Ended(reason: "cannot be fetched: waypost-fetch ended")
  }

  /// Waits for more, and takes at most `limit` bytes of it.
  ///
  /// - Returns: false where none came until `deadline`.
  private func receive(_ limit: Int, until deadline: Double) throws(Ended) -> Bool {
    while true {
      let left = max((deadline - FetchChild.now) * 1000, 0).rounded(.up)
      var input = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let found = poll(&input, 1, Int32(min(left, FetchChild.waitMilliseconds)))
      // Nothing has come yet, or a signal has.
      if found <= 0 {
        try checkIsWanted()
        if FetchChild.now >= deadline { return false }
        continue
      }
      let count = recv(socket, &chunk, min(limit, chunk.count), 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw end() }
      received += chunk[..<count]
      return true
    }
  }

  private static func start(
    _ path: String, _ words: [String]
  ) throws(PackError) -> (process: pid_t, socket: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw PackError(file: path, failed: "cannot be started")
    }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    let failed = posix_spawnp(&process, path, &actions, nil, &arguments, waypost_environment())
    guard failed == 0 else {
      close(ends[0])
      throw PackError(
        file: path,
        reason: "cannot be started, and reads from servers: \(SystemError.text(of: failed)); "
          + "install it beside waypost", isMisuse: true)
    }
    return (process, ends[0])
  }
}
