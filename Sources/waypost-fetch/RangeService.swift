import CCurl
import Glibc
import Platform
import RangeWire

/// Answers questions for bytes of one address until its input ends.
final class RangeService {
  private let options: FetchOptions
  private let fetcher: OpaquePointer
  private var underWay: [Int: RangeTransfer] = [:]
  /// Of the input, after the last whole line.
  private var rest: [UInt8] = []

  /// Transfers at the same time, and connections: as many as one visitor's browser opens.
  static let mostUnderWay = 6
  private static let connectSeconds = 15
  /// A transfer with less than so many bytes a second over so many seconds is given up: a server
  /// that sends a byte now and then would hold it for ever.
  private static let leastBytes = 1000
  private static let slowSeconds = 30
  /// A look at the transfers, at least so often: libcurl has timers of its own.
  private static let pollMilliseconds: Int32 = 1000

  /// Nil where libcurl is not there.
  init?(_ options: FetchOptions) {
    guard let fetcher = waypost_curl_create(RangeService.mostUnderWay) else { return nil }
    self.options = options
    self.fetcher = fetcher
  }

  deinit { waypost_curl_destroy(fetcher) }

  /// Serves until the input ends.
  ///
  /// - Returns: the exit code.
  func run() -> Int32 {
    while true {
      guard
        waypost_curl_wait(fetcher, STDIN_FILENO, RangeService.pollMilliseconds) != 0
      else { return ExitCode.software }
      guard answerFinished() else { return ExitCode.ioError }
      switch readInput() {
      case .open: break
      case .ended: return ExitCode.ok
      case .malformed(let line):
        Complaint.print("\"\(line.prefix(80))\": a question is get NUMBER OFFSET COUNT")
        return ExitCode.usage
      }
    }
  }

  // MARK: Questions

  private enum Input {
    case open, ended
    case malformed(String)
  }

  /// Reads what has come, and begins what is asked for.
  private func readInput() -> Input {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0 else { return .open }
    var chunk = [UInt8](repeating: 0, count: RangeQuestion.longestLine)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .open : .ended }
    if count == 0 { return .ended }
    rest += chunk[..<count]
    while let end = rest.firstIndex(of: 0x0a) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      guard let question = RangeQuestion(line: line), underWay[question.number] == nil,
        underWay.count < RangeService.mostUnderWay
      else { return .malformed(line) }
      begin(question)
    }
    return rest.count < RangeQuestion.longestLine ? .open : .malformed("a line without end")
  }

  private func begin(_ question: RangeQuestion) {
    let transfer = RangeTransfer(question)
    underWay[question.number] = transfer
    let last = question.offset + UInt64(question.count) - 1
    let isBegun = options.address.withCString { address in
      options.userAgent.withCString { agent in
        "\(question.offset)-\(last)".withCString { range in
          options.schemes.withCString { schemes in
            var request = waypost_curl_request()
            (request.url, request.user_agent, request.range) = (address, agent, range)
            (request.schemes, request.redirections) = (schemes, schemes)
            request.connect_seconds = RangeService.connectSeconds
            request.least_bytes = RangeService.leastBytes
            request.slow_seconds = RangeService.slowSeconds
            request.on_header = { bytes, size, count, context in
              RangeService.pass(bytes, size &* count, context) { $0.takeHead($1) }
            }
            request.on_body = { bytes, size, count, context in
              RangeService.pass(bytes, size &* count, context) { $0.takeBody($1) }
            }
            // It stays in `underWay` until it ends.
            request.context = Unmanaged.passUnretained(transfer).toOpaque()
            return waypost_curl_begin(fetcher, &request) != 0
          }
        }
      }
    }
    if isBegun { return }
    underWay[question.number] = nil
    _ = write(
      .fault(
        number: question.number, canRetry: false, seconds: 0,
        reason: "cannot be asked for: is the address right?"), [])
  }

  private static func pass(
    _ bytes: UnsafePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (RangeTransfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<RangeTransfer>.fromOpaque(context).takeUnretainedValue()
    let isWanted = take(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
    // Another number than all of them ends the transfer; 0 would not where there are none.
    return isWanted ? count : count &+ 1
  }

  // MARK: Replies

  /// Replies for the transfers that ended.
  ///
  /// - Returns: false where nobody takes the replies any more.
  private func answerFinished() -> Bool {
    var result = waypost_curl_result()
    while waypost_curl_next(fetcher, &result) != 0 {
      guard let context = result.context else { continue }
      let transfer = Unmanaged<RangeTransfer>.fromOpaque(context).takeUnretainedValue()
      let reply = transfer.reply(result)
      underWay[transfer.question.number] = nil
      var bytes: [UInt8] = []
      if case .bytes = reply { bytes = transfer.bytes }
      guard write(reply, bytes) else { return false }
    }
    return true
  }

  private func write(_ reply: RangeReply, _ bytes: [UInt8]) -> Bool {
    write(Array(reply.line.utf8)) && write(bytes)
  }

  private func write(_ bytes: [UInt8]) -> Bool {
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
