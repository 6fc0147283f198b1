import CLinux
import Glibc

/// Output that a client has not taken yet. Answers are always queued (reading of requests stops
/// above `answerLimit`). Events are queued up to `eventLimit` bytes; beyond it they are counted and
/// dropped.
struct OutputQueue {
  /// Above this many queued bytes a client's further requests wait.
  static let answerLimit = 1024 * 1024
  /// The most bytes of events queued since the client last took all of its output.
  static let eventLimit = 256 * 1024

  private var bytes: [UInt8] = []
  private var head = 0
  /// Events that came while a batch's answer line was being written.
  private var held: [UInt8] = []
  private var eventBytes = 0
  private var lostEvents = 0
  /// Whether a line has been begun: a batch's answers go out as they come.
  private var isMidLine = false

  /// Queued bytes of all kinds.
  var count: Int { bytes.count - head + held.count }

  /// Whether there is anything that may be sent now.
  var isEmpty: Bool { bytes.count == head }

  /// Queues one answer and its line end.
  mutating func append(line answer: [UInt8]) {
    bytes.append(contentsOf: answer)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Queues one answer of a batch; the line is begun with the first.
  mutating func append(batchElement answer: [UInt8]) {
    bytes.append(UInt8(ascii: isMidLine ? "," : "["))
    isMidLine = true
    bytes.append(contentsOf: answer)
  }

  /// Ends a batch's line, if any answer began one.
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
          // Keep the moves few: only when more than half is behind us.
          if head > bytes.count / 2 {
            bytes.removeSubrange(..<head)
            head = 0
          }
          return .some
        }
        head += sent
      }
      // Large answers are rare: their room is given back.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 16 * 1024)
      head = 0
      eventBytes = held.count
      if lostEvents == 0 || isMidLine { return .all }
      let lost = lostEvents
      lostEvents = 0
      append(event: Wire.event("overflow", ["lost": .int(Int64(lost))]))
    }
  }

  /// The client has gone: what it will not take is dropped.
  mutating func discard() {
    bytes = []
    held = []
    head = 0
  }
}
