import CLinux
import Glibc
import Platform
import RangeWire

/// An archive on an http or https server. This program has no network code: waypost-fetch reads
/// for it, started for one archive, and asked over its standard input and output.
///
/// A program of its own rather than a library: what parses a server's answers neither writes the
/// pack nor knows where it lies, and waypost loads no TLS library.
package final class FetchedRangeReader: RangeReader {
  /// How the archive is fetched.
  package struct Program: Sendable {
    /// waypost-fetch: a path, or a name that `PATH` leads to.
    package var path: String
    /// For the User-Agent: how the one who fetches can be reached; nil: not said.
    package var contact: String?

    package init(path: String, contact: String? = nil) {
      (self.path, self.contact) = (path, contact)
    }
  }

  package let name: String
  package let window = 4
  /// Whether `isWanted` said no.
  package private(set) var wasStopped = false

  private let isWanted: () -> Bool
  private let process: pid_t
  private let socket: Int32
  private var underWay: [Int: RangeRequest] = [:]
  /// What came after the last reply.
  private var received: [UInt8] = []
  /// The program has ended, or said what is no reply.
  private var failure: String?

  /// How often `isWanted` is asked while nothing comes. waypost-fetch has its own limits of time.
  private static let waitMilliseconds: Int32 = 250

  /// Starts `program` for the archive at `address`.
  ///
  /// - Parameters:
  ///   - address: http or https.
  ///   - program: what fetches.
  ///   - isWanted: is asked now and then while nothing comes; false ends the work.
  /// - Throws: `PackError` if the program cannot be started.
  package init(
    address: String, program: Program, isWanted: @escaping () -> Bool = { true }
  ) throws(PackError) {
    name = ShownAddress.of(address)
    self.isWanted = isWanted
    var words = ["waypost-fetch", "ranges"]
    if let contact = program.contact { words += ["--contact", contact] }
    (process, socket) = try FetchedRangeReader.start(program.path, words + [address])
  }

  deinit {
    // The end of its input ends it; whatever it does, it is not waited for long.
    close(socket)
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  package func begin(_ request: RangeRequest) {
    underWay[request.number] = request
    guard request.count <= RangeQuestion.mostBytes else { return }
    let question = RangeQuestion(
      number: request.number, offset: request.offset, count: request.count)
    let bytes = Array(question.line.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        send(
          socket, raw.baseAddress.map { $0 + done }, raw.count - done, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        failure = failure ?? "cannot be fetched: waypost-fetch ended"
        return
      }
      done += count
    }
  }

  package func next() -> RangeAnswer {
    for request in underWay.values where request.count > RangeQuestion.mostBytes {
      return fault(request.number, "is asked for \(request.count) bytes at once: too many")
    }
    if failure == nil {
      do throws(Ended) {
        try checkIsWanted()
        return try answer()
      } catch {
        failure = error.reason
      }
    }
    return fault(underWay.keys.first ?? -1, failure ?? "")
  }

  private func fault(_ number: Int, _ reason: String) -> RangeAnswer {
    underWay[number] = nil
    return RangeAnswer(number: number, result: .failure(RangeFault(reason, canRetry: false)))
  }

  // MARK: Replies

  /// Why no reply will come any more.
  private struct Ended: Error { var reason: String }

  private func answer() throws(Ended) -> RangeAnswer {
    let line = try line()
    switch RangeReply(line: line) {
    case .bytes(let number, let count, let size, let identity)?:
      guard let request = underWay[number], count <= request.count else { break }
      let bytes = try take(count)
      underWay[number] = nil
      let archive = ArchiveState(size: size, identity: identity)
      return RangeAnswer(
        number: number, result: .success(.init(bytes: bytes, archive: archive)))
    case .fault(let number, let canRetry, let seconds, let reason)?:
      guard underWay.removeValue(forKey: number) != nil else { break }
      return RangeAnswer(
        number: number,
        result: .failure(
          RangeFault(
            reason, canRetry: canRetry, retryAfter: seconds > 0 ? Double(seconds) : nil)))
    case nil: break
    }
    throw Ended(reason: "cannot be fetched: waypost-fetch says \"\(line.prefix(80))\"")
  }

  /// The next line without its end.
  private func line() throws(Ended) -> String {
    var searched = 0
    while true {
      if let end = received[searched...].firstIndex(of: 0x0a) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line
      }
      searched = received.count
      guard searched <= RangeQuestion.longestLine else {
        throw Ended(reason: "cannot be fetched: waypost-fetch says a line without end")
      }
      try receive(RangeQuestion.longestLine)
    }
  }

  private func take(_ count: Int) throws(Ended) -> [UInt8] {
    while received.count < count { try receive(count - received.count) }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Waits for more, and takes at most `limit` bytes of it.
  private func receive(_ limit: Int) throws(Ended) {
    while true {
      var input = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let found = poll(&input, 1, FetchedRangeReader.waitMilliseconds)
      // Nothing has come yet, or a signal has.
      if found <= 0 {
        try checkIsWanted()
        continue
      }
      let start = received.count
      received.append(contentsOf: repeatElement(0, count: limit))
      let count = received.withUnsafeMutableBytes { raw in
        recv(socket, raw.baseAddress.map { $0 + start }, limit, 0)
      }
      let failed = errno
      received.removeLast(limit - max(count, 0))
      if count > 0 { return }
      if count < 0, failed == EINTR { continue }
      throw Ended(reason: "cannot be fetched: waypost-fetch ended")
    }
  }

  private func checkIsWanted() throws(Ended) {
    if isWanted() { return }
    wasStopped = true
    throw Ended(reason: "was stopped")
  }

  // MARK: The program

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
