import Fetching
import Glibc
import RangeWire

/// Answers questions for tiles until its input ends.
final class TileService {
  private let options: TileOptions
  private let client: HTTPClient
  private var headers: [String] = []
  private var input = LineInput(longest: TileQuestion.longestLine)

  private static let pollMilliseconds = 1000
  private static let mostHeaders = 64

  /// Nil where libcurl is not there.
  init?(_ options: TileOptions) {
    guard let client = HTTPClient(connections: options.connections) else { return nil }
    self.options = options
    self.client = client
  }

  /// Serves until the input ends.
  ///
  /// - Returns: the exit code.
  func run() -> Int32 {
    while true {
      var descriptors = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
      guard client.wait(&descriptors, milliseconds: TileService.pollMilliseconds) else {
        return ExitCode.software
      }
      while let result = client.next() {
        guard answer(result) else { return ExitCode.ioError }
      }
      if descriptors[0].revents == 0 { continue }
      switch input.read() {
      case .lines(let lines):
        for line in lines {
          guard take(line) else { return malformed() }
        }
      case .ended: return ExitCode.ok
      case .malformed: return malformed()
      }
    }
  }

  private func malformed() -> Int32 {
    // The line may contain a secret, so do not print it.
    Complaint.print("a line is neither get NUMBER URL [ETAG] nor header NAME: VALUE")
    return ExitCode.usage
  }

  /// - Returns: false where `line` is no question, or none that may come now.
  private func take(_ line: String) -> Bool {
    switch TileQuestion(line: line) {
    case .header(let text)?:
      guard headers.count < TileService.mostHeaders else { return false }
      headers.append(text)
      return true
    case .get(let number, let url, let etag)?:
      guard client.count < options.connections, !client.isUnderWay(number) else { return false }
      begin(number, url, etag)
      return true
    case nil: return false
    }
  }

  private func begin(_ number: Int, _ url: String, _ etag: String?) {
    if let reason = ServerAnswer.refusal(ofAddress: url) {
      _ = FetchOutput.write(ServerAnswer.never(number, reason).line)
      return
    }
    var request = HTTPRequest(url: url, userAgent: options.userAgent)
    request.headers = headers
    request.etag = etag
    request.limits = options.limits
    request.wantsBody = { $0.status == 200 }
    // Headers may be secret, so they go only to the host that they are for.
    let host = headers.isEmpty ? nil : TileServerPolicy.host(of: url)
    request.wantsRedirection = { ServerAnswer.mayFollow($0, within: host) }
    guard client.begin(request, id: number) else {
      let reply = ServerAnswer.never(number, "cannot be asked for: is the address right?")
      _ = FetchOutput.write(reply.line)
      return
    }
  }

  /// - Returns: false where nobody takes the replies any more.
  private func answer(_ result: HTTPResult) -> Bool {
    let reply = ServerAnswer.reply(to: result)
    if case .tile = reply { return FetchOutput.write(reply.line, result.body) }
    return FetchOutput.write(reply.line)
  }
}
