import CLinux
import EventLoop
import Glibc
import Platform

/// The server's end of one connection: lines in, one call at a time, answers and events out.
final class ServerConnection {
  let fd: Int32
  let client: ControlClient
  private unowned let server: ControlServer
  private var watch: Watch?
  private var input = LineBuffer()
  private var output = OutputQueue()
  /// The call in progress; the next one waits for it. Only the code that will answer it keeps it
  /// alive: when that code drops it, the call answers itself with an error.
  private weak var pending: ControlCall?
  private var isPending = false
  /// The requests of a batch that are not handled yet, in reverse order.
  private var batch: [Sent] = []
  private var isInBatch = false
  /// Whether the client will send nothing more; it may still be reading.
  private var isAtEnd = false
  /// Whether the client will read nothing more.
  private var isPeerGone = false
  /// Whether requests are no longer handled; the connection closes once its output is sent.
  private var isClosing = false
  private var isClosed = false
  private var isHandling = false
  /// Whether requests wait for room in the output.
  private var isHeldUp = false

  /// A parsed request, and the digits of its id if `JSON` may not hold them exactly.
  private struct Sent {
    let json: JSON
    let idText: String?
    /// Whether its line has numbers that no double holds.
    var hasHuge = false
  }

  init(_ fd: Int32, server: ControlServer) {
    self.fd = fd
    self.server = server
    client = ControlClient(peer: PeerCredentials(of: fd))
    client.connection = self
  }

  deinit { Glibc.close(fd) }

  var queuedBytes: Int { output.count }

  func start(on loop: EventLoop) throws(SystemError) {
    watch = try loop.watch(fd, .readable) { [unowned self] ready in self.handle(ready) }
  }

  // MARK: Events of the descriptor

  private func handle(_ ready: Interest) {
    // The server may release the connection while it is at work.
    withExtendedLifetime(self) {
      if !ready.isDisjoint(with: [.hangup, .error]) {
        isPeerGone = true
        output.discard()
        if isPending { return close() }
      }
      // A client that has disconnected may have left notifications, which are carried out.
      if ready.contains(.readable) || isPeerGone { receive() }
      advance()
    }
  }

  private func receive() {
    if isAtEnd || isClosing || isPending || output.count > OutputQueue.answerLimit { return }
    let count = recv(
      fd, server.scratch.baseAddress, server.scratch.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      input.append(UnsafeRawBufferPointer(rebasing: server.scratch[..<count]))
    } else if count == 0 {
      isAtEnd = true
    } else if errno != EAGAIN && errno != EINTR {
      isAtEnd = true
      isPeerGone = true
    }
  }

  /// Handles and sends as much as possible, and updates which events to wait for.
  func advance() {
    if isClosed { return }
    handleLines()
    if isClosed { return }
    if isPeerGone {
      output.discard()
    } else if output.send(to: fd) == .failed {
      isPeerGone = true
      output.discard()
      if isPending { return close() }
    }
    if isHeldUp && output.count <= OutputQueue.answerLimit { server.resume(self) }
    let isDone = isClosing || (isAtEnd && input.isEmpty && !isInBatch)
    if isDone && !isPending && output.isEmpty { return close() }
    var interest: Interest = []
    let mayRead = !isAtEnd && !isClosing && !isPending
    if mayRead && output.count <= OutputQueue.answerLimit { interest.insert(.readable) }
    if !output.isEmpty { interest.insert(.writable) }
    watch?.interest = interest
  }

  // MARK: Requests

  /// How long one connection may occupy the loop before others get their turn, in nanoseconds.
  private static let turn: UInt64 = 2_000_000

  private func handleLines() {
    isHandling = true
    isHeldUp = false
    defer { isHandling = false }
    let start = EventLoop.now()
    while !isPending && !isClosing && !isClosed {
      if output.count > OutputQueue.answerLimit {
        isHeldUp = true
        break
      }
      if isInBatch {
        handleBatchElement()
      } else {
        switch input.next(atEnd: isAtEnd) {
        case .incomplete:
          input.compact()
          return
        case .tooLong: refuseLongLine()
        case .line(let range): handleLine(range)
        }
      }
      if EventLoop.now() &- start > Self.turn {
        server.resume(self)
        break
      }
    }
    input.compact()
  }

  private func handleLine(_ range: Range<Int>) {
    var hasHuge = false
    var json = JSON.null
    do throws(JSONError) {
      json = try parse(range)
    } catch {
      guard let rest = HugeNumbers.parse(input.bytes[range]) else {
        return output.append(line: Wire.error(.parse(error), id: .null))
      }
      (json, hasHuge) = (rest, true)
    }
    guard case .array(let requests) = json else {
      let isExact = !ServerConnection.mayBeInexact(json)
      let idText = isExact ? nil : idTexts([json], range)[0]
      return begin(Sent(json: json, idText: idText, hasHuge: hasHuge))
    }
    if requests.isEmpty {
      return output.append(
        line: Wire.error(.request("a batch holds at least one request"), id: .null))
    }
    let texts = idTexts(requests, range)
    batch = zip(requests, texts).map { Sent(json: $0, idText: $1, hasHuge: hasHuge) }.reversed()
    isInBatch = true
  }

  /// The digits of a line's ids if one of them is a number that a double may not hold exactly;
  /// otherwise nil for each.
  private func idTexts(_ requests: [JSON], _ range: Range<Int>) -> [String?] {
    let none = [String?](repeating: nil, count: requests.count)
    guard requests.contains(where: ServerConnection.mayBeInexact) else { return none }
    let found = RequestID.numberTexts(in: input.bytes[range])
    return found.count == requests.count ? found : none
  }

  /// Whether a request's id is a number that a double may not hold exactly.
  private static func mayBeInexact(_ request: JSON) -> Bool {
    if case .double? = request["id"] { true } else { false }
  }

  private func parse(_ range: Range<Int>) throws(JSONError) -> JSON {
    let result = input.bytes.withUnsafeBytes { raw -> Result<JSON, JSONError> in
      do throws(JSONError) {
        return .success(try JSON.parse(UnsafeRawBufferPointer(rebasing: raw[range])))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func handleBatchElement() {
    if let next = batch.popLast() {
      begin(next)
    } else {
      isInBatch = false
      batch = []
      output.endBatch()
    }
  }

  private func refuseLongLine() {
    let error = ControlError(
      code: ControlError.invalidRequest,
      message: "a request line is at most \(LineBuffer.limit) bytes long; the connection closes",
      data: ["limit": .int(Int64(LineBuffer.limit))])
    output.append(line: Wire.error(error, id: .null))
    isClosing = true
    input.discard()
    // Input that has arrived is read from the socket, so that closing it does not look like a reset
    // to the client.
    var rounds = 0
    while rounds < 64,
      recv(fd, server.scratch.baseAddress, server.scratch.count, Int32(MSG_DONTWAIT)) > 0
    {
      rounds += 1
    }
  }

  /// Why a request of a line with numbers that no double holds is refused; nil: it has none.
  private func hugeError(_ request: Request) -> ControlError? {
    guard let name = HugeNumbers.member(of: request.params) else { return nil }
    return .parameter(
      NearestName.shorten(name),
      "\"\(NearestName.shorten(name))\" has a number that is too large: at most 1.7976931348623157e308"
    )
  }

  private func begin(_ sent: Sent) {
    if sent.hasHuge, sent.json["id"]?.string == HugeNumbers.mark {
      return queue(
        Wire.error(.request("\"id\" is a number that is too large", member: "id"), id: .null))
    }
    let request: Request
    do throws(Request.Invalid) {
      request = try Request(sent.json, numberText: sent.idText)
    } catch {
      return queue(Wire.error(error.error, id: error.id))
    }
    if sent.hasHuge, let error = hugeError(request) {
      if let id = request.id { queue(Wire.error(error, id: id)) }
      return
    }
    // A request with an id wants an answer, and its client has disconnected.
    if isPeerGone, request.id != nil { return }
    isPending = true
    let call = ControlCall(request, client: client)
    server.handler(call)
    if isPending { pending = call }
  }

  /// Handles a call's answer. It is written at once if the call was answered while it was being
  /// handled. Otherwise it is sent, and the requests behind it get their turn at the loop's next
  /// wake-up, not inside the answerer's work.
  func finish(id: RequestID?, _ result: Result<JSON, ControlError>) {
    if isClosed || !isPending { return }
    isPending = false
    pending = nil
    if case .failure(let error) = result, error.code == ControlError.notAllowed {
      server.onPeer?(.refused(client.peer, error))
    }
    if let id {
      switch result {
      case .success(let value):
        let answer = Wire.result(value, id: id)
        queue(server.hasRoom(for: answer, client.peer) ? answer : Wire.error(.noRoom, id: id))
      case .failure(let error): queue(Wire.error(error, id: id))
      }
    }
    if !isHandling { server.resume(self) }
  }

  private func queue(_ answer: [UInt8]) {
    if isPeerGone { return }
    if isInBatch {
      output.append(batchElement: answer)
    } else {
      output.append(line: answer)
    }
  }

  // MARK: Events

  /// Queues an event, and has it sent at the loop's next wake-up.
  func send(event: [UInt8]) {
    if isClosed || isClosing || isPeerGone { return }
    output.append(event: event)
    if !isHandling { watch?.interest.insert(.writable) }
  }

  // MARK: The end

  private func close() {
    if isClosed { return }
    server.forget(self)
    end()
  }

  /// Ends the connection without telling the server, and cancels the unanswered call.
  func end() {
    if isClosed { return }
    isClosed = true
    watch?.cancel()
    watch = nil
    client.connection = nil
    let call = pending
    pending = nil
    batch = []
    output.discard()
    call?.cancel()
  }
}
