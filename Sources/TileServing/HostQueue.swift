import EventLoop

/// What is asked of one server: at most two questions at the same time, and none for a while if it
/// cannot be reached or wants to be left alone.
final class HostQueue {
  /// Questions at the same time.
  private static let mostRunning = 2
  /// Questions that wait, and those among them that nobody waits for.
  private static let mostWaiting = (wanted: 512, behind: 256)
  /// Seconds without questions after the first failure, and at most; twice as long each time.
  private static let pauses = (first: 5, longest: 300)
  /// Seconds of Retry-After that are honoured.
  private static let longestRetryAfter = 3600
  /// Answers in a row that were cut, after which the server counts as out of reach.
  private static let mostCut = 3

  /// Why a question was not asked.
  enum Refusal {
    /// The server cannot be reached.
    case unreachable(String)
    /// The server wants to be asked so many seconds later.
    case later(Int)
  }

  typealias Reply = (Result<FetchOutcome, RefusalError>) -> Void

  /// A refusal, as an error.
  struct RefusalError: Error { var refusal: Refusal }

  private struct Job {
    var question: FetchQuestion
    var reply: Reply
  }

  private struct Pause {
    var end: UInt64
    /// Nil: the server asked for it.
    var reason: String?
    /// A status asked for it. What was on its way when it came does not end it.
    var isFromStatus: Bool
  }

  let host: String
  private let fetcher: any TileFetcher
  private let clock: () -> UInt64
  private let log: (String) -> Void
  private var running = 0
  private var waiting: [Job] = []
  /// What is asked when nothing else is.
  private var behind: [Job] = []
  private var pause: Pause?
  private var failures = 0
  private var cuts = 0

  /// - Parameters:
  ///   - host: for messages.
  ///   - fetcher: asks.
  ///   - clock: the monotonic clock in nanoseconds.
  ///   - log: takes what the owner of the board should know.
  init(
    _ host: String, fetcher: any TileFetcher, clock: @escaping () -> UInt64,
    log: @escaping (String) -> Void
  ) {
    self.host = host
    self.fetcher = fetcher
    self.clock = clock
    self.log = log
  }

  /// Asks `question` when it is its turn. `reply` is called once, possibly before this returns.
  ///
  /// - Parameters:
  ///   - question: what to ask.
  ///   - isBehind: nobody waits for the answer.
  ///   - reply: gets what came of it.
  func ask(_ question: FetchQuestion, isBehind: Bool, _ reply: @escaping Reply) {
    if let refusal { return reply(.failure(RefusalError(refusal: refusal))) }
    let job = Job(question: question, reply: reply)
    if isBehind {
      guard behind.count < HostQueue.mostWaiting.behind else {
        return reply(.failure(RefusalError(refusal: .later(60))))
      }
      behind.append(job)
    } else {
      guard waiting.count < HostQueue.mostWaiting.wanted else {
        return reply(.failure(RefusalError(refusal: .later(2))))
      }
      waiting.append(job)
    }
    pump()
  }

  /// Nothing is asked of it, and it is not in trouble.
  var isIdle: Bool { isQuiet && pause == nil }

  /// Nothing is asked of it.
  var isQuiet: Bool { running == 0 && waiting.isEmpty && behind.isEmpty }

  /// Why nothing is asked at present; nil: something is.
  private var refusal: Refusal? {
    guard let pause else { return nil }
    let now = clock()
    guard now < pause.end else { return nil }
    let seconds = Int((pause.end - now) / 1_000_000_000) + 1
    guard let reason = pause.reason else { return .later(seconds) }
    return .unreachable("\(host): \(reason)")
  }

  private func pump() {
    // After a pause one question shows whether the server is there again.
    while running < (pause == nil ? HostQueue.mostRunning : 1) {
      let job: Job
      if !waiting.isEmpty {
        job = waiting.removeFirst()
      } else if !behind.isEmpty {
        job = behind.removeFirst()
      } else {
        return
      }
      running += 1
      fetcher.ask(job.question) { [weak self] outcome in
        self?.running -= 1
        self?.judge(outcome)
        // All that ask of it are told the same.
        if case .unreachable = outcome, let refusal = self?.refusal {
          job.reply(.failure(RefusalError(refusal: refusal)))
        } else {
          job.reply(.success(outcome))
        }
        self?.pump()
      }
    }
  }

  private func judge(_ outcome: FetchOutcome) {
    switch outcome {
    case .unreachable(let reason):
      stop(reason)
    case .cut(let reason):
      cuts += 1
      if cuts >= HostQueue.mostCut { stop(reason) }
    // Whatever it is, the server said it.
    case .broken: cuts = 0
    case .refused(let status, let retryAfter) where status == 429 || status == 503:
      rest(retryAfter)
    // What stands between this program and the server wants a login. A 401 or 403 is about a tile:
    // some servers say so of tiles that are not there, and another source may have another key.
    case .refused(let status, _) where status == 407 || status == 511:
      stop("answers with HTTP \(status): the network wants a login", isFromStatus: true)
    case .refused(let status, _) where status >= 500: cuts = 0
    case .refused, .tile, .part, .unchanged, .absent, .empty:
      if let pause, pause.isFromStatus, clock() < pause.end { return }
      if let reason = pause?.reason, !reason.isEmpty { log("\(host): answers again") }
      (pause, failures, cuts) = (nil, 0, 0)
    }
  }

  /// Ends a pause, since what was wrong may be mended: the next question shows whether it is.
  func retry() {
    guard pause != nil else { return }
    failures = 0
    pause?.end = clock()
  }

  /// The server cannot be reached: nobody waits for it.
  private func stop(_ reason: String, isFromStatus: Bool = false) {
    cuts = 0
    // Another question that was on its way already has failed with it.
    if let pause, clock() < pause.end { return }
    let seconds = grow()
    if pause?.reason == nil { log("\(host): \(reason); only stored tiles are shown") }
    pause = Pause(
      end: clock() + UInt64(seconds) * 1_000_000_000, reason: reason, isFromStatus: isFromStatus)
    refuseAll()
  }

  private func rest(_ retryAfter: Int?) {
    let wanted = retryAfter.map { min(max($0, 1), HostQueue.longestRetryAfter) }
    if let pause, clock() < pause.end {
      if let wanted { lengthen(pause, to: wanted) }
      return
    }
    let usual = grow()
    let seconds = wanted ?? usual
    log("\(host): wants to be left alone for \(seconds) s")
    pause = Pause(
      end: clock() + UInt64(seconds) * 1_000_000_000, reason: nil, isFromStatus: true)
    refuseAll()
  }

  /// A question that was on its way when the pause began was answered with a longer one.
  private func lengthen(_ present: Pause, to seconds: Int) {
    let end = clock() + UInt64(seconds) * 1_000_000_000
    guard end > present.end else { return }
    log("\(host): wants to be left alone for \(seconds) s")
    pause = Pause(end: end, reason: nil, isFromStatus: true)
  }

  private func grow() -> Int {
    let seconds = min(
      HostQueue.pauses.first << min(failures, 10), HostQueue.pauses.longest)
    failures += 1
    return seconds
  }

  private func refuseAll() {
    guard let refusal else { return }
    let all = waiting + behind
    (waiting, behind) = ([], [])
    for job in all { job.reply(.failure(RefusalError(refusal: refusal))) }
  }
}
