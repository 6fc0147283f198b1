import CLinux
import Glibc

/// Output that a client has not read yet. Answers are always queued (reading of requests stops
/// above `answerLimit`). Events are queued up to `eventLimit` bytes; beyond that they are counted
/// and dropped.
struct OutputQueue {
  /// Above this many queued bytes a client's further requests wait.
  static let answerLimit = 1024 * 1024
  /// The most bytes of an answer that is given however much all clients have left unread.
  static let smallAnswer = 64 * 1024
  /// The most bytes of events queued since the client last read all of its output.
  static let eventLimit = 256 * 1024

  private var bytes: [UInt8] = []
  private var head = 0
  /// Events that came while the line of a batch's answers was being written.
  private var held: [UInt8] = []
  private var eventBytes = 0
  private var lostEvents = 0
  /// Whether a line was begun and not ended: a batch's answers are sent as they come.
  private var isMidLine = false

  /// Queued bytes of all kinds.
  var count: Int { bytes.count - head + held.count }

  /// Whether nothing may be sent at this moment.
  var isEmpty: Bool { bytes.count == head }

  /// Queues one answer and its line end.
  mutating func append(line answer: [UInt8]) {
    bytes.append(contentsOf: answer)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Queues one answer of a batch. The first one begins the line.
  mutating func append(batchElement answer: [UInt8]) {
    bytes.append(UInt8(ascii: isMidLine ? "," : "["))
    isMidLine = true
    bytes.append(contentsOf: answer)
  }

  /// Ends a batch's line, if an answer began one.
  mutating func endBatch() {
    guard isMidLine else { return }
    bytes.append(contentsOf: [UInt8(ascii: "]"), UInt8(ascii: "\n")])
    isMidLine = false
    bytes.append(contentsOf: held)
    held = []
  }

  mutating func append(event: [UInt8]) {
    guard lostEvents == 0, eventBytes + event.count <= Self.eventLimit else {
      lostEvents += 1
      return
    }
    eventBytes += event.count
    if isMidLine {
      held.append(contentsOf: event)
    } else {
      bytes.append(contentsOf: event)
    }
  }

  enum Sent { case all, some, failed }

  /// Sends as much as the socket takes.
  mutating func send(to fd: Int32) -> Sent {
    while true {
      while head < bytes.count {
        let sent = bytes.withUnsafeBytes { raw in
          Glibc.send(
            fd, raw.baseAddress.map { $0 + head }, raw.count - head,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if sent < 0 {
          if errno == EINTR { continue }
          if errno != EAGAIN { return .failed }
          // Move the rest rarely: only once more than half has been sent.
          if head > bytes.count / 2 {
            bytes.removeSubrange(..<head)
            head = 0
          }
          return .some
        }
        head += sent
      }
      // Large answers are rare, so their memory is freed.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 16 * 1024)
      head = 0
      eventBytes = held.count
      if lostEvents == 0 || isMidLine { return .all }
      let lost = lostEvents
      lostEvents = 0
      append(event: Wire.event("overflow", ["lost": .int(Int64(lost))]))
    }
  }

  /// Drops all output, because the client has disconnected.
  mutating func discard() {
    bytes = []
    held = []
    head = 0
  }
}
