import Fetching
import Glibc
import RangeWire

/// Answers questions for bytes of one address until its input ends.
final class RangeService {
  private let options: FetchOptions
  private let client: HTTPClient
  private var underWay: [Int: RangeTransfer] = [:]
  private var input = LineInput(longest: RangeQuestion.longestLine)

  /// Parallel transfers and connections: as many as one visitor's browser opens.
  static let mostUnderWay = 6
  /// The longest wait between two checks of the transfers: libcurl has timers of its own.
  private static let pollMilliseconds = 1000

  /// Nil where libcurl is not there.
  init?(_ options: FetchOptions) {
    guard let client = HTTPClient(connections: RangeService.mostUnderWay) else { return nil }
    self.options = options
    self.client = client
  }

  /// Serves until the input ends.
  ///
  /// - Returns: the exit code.
  func run() -> Int32 {
    while true {
      var descriptors = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
      guard client.wait(&descriptors, milliseconds: RangeService.pollMilliseconds) else {
        return ExitCode.software
      }
      guard answerFinished() else { return ExitCode.ioError }
      if descriptors[0].revents == 0 { continue }
      switch input.read() {
      case .lines(let lines):
        for line in lines {
          guard begin(line) else { return malformed(line) }
        }
      case .ended: return ExitCode.ok
      case .malformed(let line): return malformed(line)
      }
    }
  }

  private func malformed(_ line: String) -> Int32 {
    Complaint.print("\"\(line.prefix(80))\": a question is get NUMBER OFFSET COUNT")
    return ExitCode.usage
  }

  /// - Returns: false where `line` is no question, or none that may come now.
  private func begin(_ line: String) -> Bool {
    guard let question = RangeQuestion(line: line), underWay[question.number] == nil,
      underWay.count < RangeService.mostUnderWay
    else { return false }
    let transfer = RangeTransfer(question)
    let request = transfer.request(options.address, userAgent: options.userAgent)
    if client.begin(request, id: question.number) {
      underWay[question.number] = transfer
    } else {
      let fault = RangeReply.fault(
        number: question.number, canRetry: false, seconds: 0,
        reason: "cannot be asked for: is the address right?")
      _ = FetchOutput.write(fault.line)
    }
    return true
  }

  /// Replies for the transfers that ended.
  ///
  /// - Returns: false where nobody takes the replies any more.
  private func answerFinished() -> Bool {
    while let result = client.next() {
      guard let transfer = underWay.removeValue(forKey: result.id) else { continue }
      let reply = transfer.reply(result)
      var bytes: [UInt8] = []
      if case .bytes = reply { bytes = result.body }
      guard FetchOutput.write(reply.line, bytes) else { return false }
    }
    return true
  }
}
