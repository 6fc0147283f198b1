import CLinux
import Glibc
import MapGeometry
import Platform

/// Asks a provider for tiles, on a thread of its own, and keeps the answers until they are taken.
/// If the connection is lost, it is made again.
final class ProviderLink: Sendable {
  /// The most requests without an answer.
  static let mostRequests = 64
  /// The most requests that the provider has put off.
  static let mostPutOff = 4096
  /// The most answers that are kept, and their bytes. The oldest go first.
  static let mostAnswers = 256
  static let mostBytes = 32 << 20
  /// How long an answer is kept once it was read, in milliseconds. A tile that is made of others is
  /// read again until all of them are there.
  static let keepingTime: UInt64 = 3000
  /// How long an answer is kept that is not read, in milliseconds: the view has moved on.
  static let unreadTime: UInt64 = 60_000
  /// The most bytes of requests that the provider has not read.
  private static let mostOutgoing = 64 << 10
  /// How long an answer may take, in milliseconds.
  static let usualPatience: UInt64 = 30_000
  /// How long to wait before connecting again, in milliseconds: at first, and at most.
  private static let pauses: (first: UInt64, longest: UInt64) = (1000, 60_000)

  /// What is known of a tile.
  enum Answer {
    case tile([UInt8])
    case none
    case failed(String)
  }

  /// An answer, when it came, and when it was first read, in milliseconds.
  private struct Kept {
    var answer: Answer
    var cameAt: UInt64
    var readAt: UInt64?

    /// When it is dropped.
    var end: UInt64 {
      readAt.map { $0 + ProviderLink.keepingTime } ?? cameAt + ProviderLink.unreadTime
    }
  }

  /// A tile that was requested.
  private struct Request {
    var number: Int
    var retry: TileRetry
    /// When it is over: for want of an answer, or as the provider put it off.
    var end: UInt64
    var isPutOff = false
  }

  private struct State {
    var greeting: Result<SourceInfo, PackFault>?
    /// Why there is no connection; nil: there is one.
    var fault: PackFault?
    var requests: [TileID: Request] = [:]
    var tiles: [Int: TileID] = [:]
    var lastNumber = 0
    var answers: [TileID: Kept] = [:]
    /// The tiles of `answers`, the oldest first.
    var order: [TileID] = []
    var bytes = 0
    var outgoing: [UInt8] = []
    /// Fires when there is room for a request again.
    var room: TileRetry?
    var isClosed = false
    var problem = ProviderProblem()

    mutating func keep(_ answer: Answer, for tile: TileID) {
      drop(tile)
      if case .tile(let bytes) = answer { add(bytes.count) }
      answers[tile] = Kept(answer: answer, cameAt: ProviderClock.now())
      order.append(tile)
      while order.count > ProviderLink.mostAnswers || bytes > ProviderLink.mostBytes,
        order.count > 1
      {
        drop(order[0])
      }
    }

    /// The answer for `tile`, unless it was read too long ago.
    mutating func read(_ tile: TileID, at now: UInt64) -> Answer? {
      guard let kept = answers[tile] else { return nil }
      if kept.end <= now {
        drop(tile)
        return nil
      }
      if kept.readAt == nil { answers[tile]?.readAt = now }
      return kept.answer
    }

    /// When the first answer or request is over, or a problem is to be told, in milliseconds; nil:
    /// there is none.
    var end: UInt64? {
      [
        answers.values.lazy.map(\.end).min(), requests.values.lazy.map(\.end).min(), problem.due,
      ].compactMap(\.self).min()
    }

    /// Drops the answers whose time is over.
    mutating func dropOld(at now: UInt64) {
      for (tile, kept) in answers where kept.end <= now { drop(tile) }
    }

    private mutating func drop(_ tile: TileID) {
      guard let kept = answers.removeValue(forKey: tile) else { return }
      order.removeAll { $0 == tile }
      if case .tile(let bytes) = kept.answer { add(-bytes.count) }
    }

    private mutating func add(_ count: Int) {
      bytes += count
      ProviderMemory.add(count)
    }

    /// Keeps the answer to the request of that number. Without such a request it is late, and
    /// dropped.
    mutating func answer(_ number: Int, _ answer: Answer) -> [TileRetry] {
      guard let tile = tiles[number] else { return [] }
      keep(answer, for: tile)
      return end(tile)
    }

    /// The provider puts the request off; meanwhile there is room for another.
    mutating func putOff(_ number: Int, until time: UInt64) -> [TileRetry] {
      guard let tile = tiles.removeValue(forKey: number) else { return [] }
      guard requests.count - tiles.count <= ProviderLink.mostPutOff else {
        keep(.failed("the provider puts too many tiles off"), for: tile)
        return end(tile)
      }
      requests[tile]?.end = time
      requests[tile]?.isPutOff = true
      defer { room = nil }
      return room.map { [$0] } ?? []
    }

    /// Ends the request for `tile`. Returns what to fire once the lock is released.
    mutating func end(_ tile: TileID) -> [TileRetry] {
      guard let request = requests.removeValue(forKey: tile) else { return [] }
      tiles[request.number] = nil
      defer { room = nil }
      return [request.retry] + (room.map { [$0] } ?? [])
    }
  }

  private let path: String
  private let trust: PathTrust
  private let patience: UInt64
  private let state = Gate(State())
  private let wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

  /// Connects to the socket at `path`, and waits for what the provider says of itself.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - trust: Which files may be opened.
  ///   - patience: How long an answer may take, in milliseconds.
  /// - Throws: A fault if it does not greet within `ProviderConnection.greetingPatience`.
  init(
    _ path: String, trust: PathTrust, patience: UInt64 = ProviderLink.usualPatience
  ) throws(PackFault) {
    self.path = path
    self.patience = patience
    self.trust = trust
    guard wakeup >= 0, startThread(named: "provider", { [self] in run() }) else {
      throw PackFault("no thread can be started for it", isTransient: true)
    }
    _ = try info()
  }

  deinit {
    if wakeup >= 0 { Glibc.close(wakeup) }
    ProviderMemory.add(-state.locked { $0.bytes })
  }

  /// What the provider says of itself.
  ///
  /// - Throws: A fault if it said nothing or something wrong.
  func info() throws(PackFault) -> SourceInfo { try state.wait { $0.greeting }.get() }

  /// Bytes of the answers that were not taken yet.
  var keptBytes: Int { state.locked { $0.bytes } }

  /// Calls `action` with what the provider says is wrong although it answers, and with nil once
  /// nothing is: on the link's thread, and now if something is wrong already.
  func whenTroubled(_ action: @escaping @Sendable (String?) -> Void) {
    state.locked { $0.problem.follow(action) }
  }

  /// Ends the thread and the connection.
  func close() {
    state.locked { $0.isClosed = true }
    wake()
  }

  // MARK: Requests

  /// The answer for `tile`, or else when to ask for it again. Requests the tile if that was not
  /// done yet.
  ///
  /// - Throws: A fault if there is no connection.
  func answer(for tile: TileID, scale: Int) throws(PackFault) -> Result<Answer, Waiting> {
    let (patience, now) = (patience, ProviderClock.now())
    let result = state.locked { state -> Result<Result<Answer, Waiting>, PackFault> in
      if let answer = state.read(tile, at: now) { return .success(.success(answer)) }
      if let request = state.requests[tile] { return .success(.failure(Waiting(request.retry))) }
      if let fault = state.fault { return .failure(ProviderLink.passing(fault)) }
      guard state.tiles.count < ProviderLink.mostRequests else {
        let room = state.room ?? TileRetry()
        state.room = room
        return .success(.failure(Waiting(room)))
      }
      state.lastNumber += 1
      let request = Request(
        number: state.lastNumber, retry: TileRetry(),
        end: now + patience)
      state.requests[tile] = request
      state.tiles[request.number] = tile
      state.outgoing += Array(
        "get \(request.number) \(tile.z) \(tile.x) \(tile.y) \(scale)\n".utf8)
      return .success(.failure(Waiting(request.retry)))
    }
    wake()
    return try result.get()
  }

  /// The fault of a lost connection as a tile's fault: transient, because the connection may
  /// return.
  static func passing(_ fault: PackFault) -> PackFault {
    var fault = fault
    fault.isTransient = true
    return fault
  }

  /// When to ask for a tile again.
  struct Waiting: Error {
    let retry: TileRetry
    init(_ retry: TileRetry) { self.retry = retry }
  }

  private func wake() { _ = eventfd_write(wakeup, 1) }

  // MARK: The thread

  private func run() {
    var pause = ProviderLink.pauses.first
    while !state.locked({ $0.isClosed }) {
      do throws(PackFault) {
        let connection = try ProviderConnection(path, trust: trust)
        let greeting = try connection.greeting()
        state.lockedBroadcast {
          $0.greeting = .success(greeting.info)
          $0.fault = nil
          if greeting.tellsProblems { $0.outgoing = Array("problems\n".utf8) }
        }
        try serve(connection, &pause)
      } catch {
        lose(error)
        // The source failed to open; whoever opens it tries again.
        if case .failure = state.locked({ $0.greeting }) { return }
        sleep(pause)
        pause = min(2 * pause, ProviderLink.pauses.longest)
      }
    }
  }

  /// Sends requests and takes answers until the link is closed. Resets `pause` with an answer.
  private func serve(
    _ connection: ProviderConnection, _ pause: inout UInt64
  ) throws(PackFault) {
    while true {
      while let (message, bytes) = try connection.next() {
        // Only an answer shows that it works.
        if case .problem = message {} else { pause = ProviderLink.pauses.first }
        take(message, bytes)
      }
      let (isClosed, outgoing, end) = state.locked { state in
        defer { state.outgoing = [] }
        return (state.isClosed, state.outgoing, state.end)
      }
      if isClosed { return }
      var rest = outgoing
      if !rest.isEmpty {
        try connection.send(&rest)
        let unsent = rest
        let count = state.locked { state in
          state.outgoing = unsent + state.outgoing
          return state.outgoing.count
        }
        guard count <= ProviderLink.mostOutgoing else {
          throw PackFault("the provider does not read its requests", isTransient: true)
        }
      }
      let now = ProviderClock.now()
      let writing = rest.isEmpty ? 0 : Int16(POLLOUT)
      var pollers = [
        pollfd(fd: connection.descriptor, events: Int16(POLLIN) | writing, revents: 0),
        pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
      ]
      poll(&pollers, 2, end.map { $0 > now ? Int32($0 - now) : 0 } ?? -1)
      if pollers[1].revents != 0 {
        var count: eventfd_t = 0
        eventfd_read(wakeup, &count)
      }
      if pollers[0].revents & ~Int16(POLLOUT) != 0 { try connection.receive() }
      expire(ProviderClock.now())
    }
  }

  private func take(_ message: ProviderMessage, _ bytes: [UInt8]) {
    let retries = state.locked { state -> [TileRetry] in
      switch message {
      case .tile(let number, _): return state.answer(number, .tile(bytes))
      case .none(let number): return state.answer(number, .none)
      case .error(let number, let reason): return state.answer(number, .failed(reason))
      case .later(let number, let seconds):
        return state.putOff(number, until: ProviderClock.now() + UInt64(seconds) * 1000)
      case .problem(let text):
        state.problem.change(to: text, at: ProviderClock.now())
        return []
      }
    }
    for retry in retries { retry.fire() }
  }

  /// Ends the requests whose time is over.
  private func expire(_ now: UInt64) {
    let reason = "the provider did not answer within \(Double(patience) / 1000) s"
    let retries = state.locked { state -> [TileRetry] in
      var retries: [TileRetry] = []
      state.dropOld(at: now)
      state.problem.tell(at: now)
      for (tile, request) in state.requests where request.end <= now {
        if !request.isPutOff { state.keep(.failed(reason), for: tile) }
        retries += state.end(tile)
      }
      return retries
    }
    for retry in retries { retry.fire() }
  }

  /// The connection is lost or was never made. Waiting callers ask again and get the reason.
  private func lose(_ fault: PackFault) {
    let retries = state.locked { state -> [TileRetry] in
      if state.greeting == nil { state.greeting = .failure(fault) }
      state.fault = fault
      state.outgoing = []
      state.problem.end()
      var retries: [TileRetry] = []
      for tile in Array(state.requests.keys) { retries += state.end(tile) }
      return retries
    }
    // Wake the initialiser, which waits for the greeting.
    state.lockedBroadcast { _ in }
    for retry in retries { retry.fire() }
  }

  /// Waits for `pause` milliseconds, or until the link is closed.
  private func sleep(_ pause: UInt64) {
    let end = ProviderClock.now() + pause
    while !state.locked({ $0.isClosed }) {
      let now = ProviderClock.now()
      guard now < end else { return }
      var poller = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
      poll(&poller, 1, Int32(end - now))
      var count: eventfd_t = 0
      eventfd_read(wakeup, &count)
    }
  }
}
