import CLinux
import EventLoop
import Glibc

/// A connected program that asks for tiles. Nothing here blocks.
final class TileConnection {
  /// The most unanswered requests. The protocol allows 64; further ones are told to retry later.
  private static let mostOpen = 128
  /// The most unread output in bytes; a connection with more is closed.
  private static let mostUnsent = 32 << 20

  /// Called with a request. It is answered by `answer`.
  var onRequest: ((TileConnection, TileRequest) -> Void)?
  /// Called when the program asked to be told of problems.
  var onProblems: ((TileConnection) -> Void)?
  /// Called once, when the connection has ended.
  var onEnd: ((TileConnection) -> Void)?

  private let fd: Int32
  private let unsent: UnsentAnswers
  private var watch: Watch?
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  /// How many bytes of `output` are sent.
  private var sent = 0
  private var open = 0
  private var isEnded = false
  /// Whether the program asked to be told of problems.
  private var wantsProblems = false

  /// Takes over the connected socket `fd`, and greets. `unsent` counts what is not read.
  init?(_ fd: Int32, greeting: String, loop: EventLoop, unsent: UnsentAnswers) {
    self.fd = fd
    self.unsent = unsent
    output = Array(greeting.utf8)
    let watch = try? loop.watch(fd, [.readable]) { [weak self] interest in self?.serve(interest) }
    guard let watch else { return nil }
    self.watch = watch
    flush()
  }

  deinit {
    if isEnded { return }
    close(fd)
    unsent.note(0, of: self)
  }

  /// Answers the request `number`.
  func answer(_ number: Int, _ answer: ProviderAnswer) {
    if isEnded { return }
    open -= 1
    output += answer.bytes(for: number)
    flush()
    if !isEnded, output.count - sent > TileConnection.mostUnsent { end() }
  }

  /// Tells the program what is wrong with the source, if it asked for that; nil: nothing is.
  func tell(problem: String?) {
    guard wantsProblems, !isEnded else { return }
    let text = problem.map { " " + ProviderAnswer.line($0) } ?? ""
    output += Array("problem\(text)\n".utf8)
    flush()
    if !isEnded, output.count - sent > TileConnection.mostUnsent { end() }
  }

  /// Ends the connection.
  func end() {
    if isEnded { return }
    isEnded = true
    watch?.cancel()
    close(fd)
    unsent.note(0, of: self)
    onEnd?(self)
  }

  private func serve(_ interest: Interest) {
    if interest.contains(.writable) { flush() }
    if !isEnded, !interest.isDisjoint(with: [.readable, .hangup, .error]) { receive() }
  }

  private func receive() {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(fd, &chunk, chunk.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    input += chunk[..<count]
    var start = 0
    while !isEnded, let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) {
      take(String(decoding: input[start..<end], as: UTF8.self))
      start = end + 1
    }
    input.removeSubrange(..<min(start, input.count))
    if input.count > TileRequest.longestLine { end() }
  }

  private func take(_ line: String) {
    switch TileRequest.parse(line) {
    case .unknown: break
    case .malformed: end()
    case .problems:
      if wantsProblems { return }
      wantsProblems = true
      onProblems?(self)
    case .get(let request):
      open += 1
      guard open <= TileConnection.mostOpen else { return answer(request.number, .later(1)) }
      onRequest?(self, request)
    }
  }

  private func flush() {
    while sent < output.count {
      let count = output.withUnsafeBytes {
        send(fd, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      sent += count
    }
    if sent == output.count {
      // What one large tile took is not kept.
      output.removeAll(keepingCapacity: output.capacity <= 1 << 18)
      sent = 0
    } else if sent > 1 << 18 {
      output.removeSubrange(..<sent)
      sent = 0
    }
    watch?.interest = output.isEmpty ? [.readable] : [.readable, .writable]
    unsent.note(output.count - sent, of: self)
  }
}
