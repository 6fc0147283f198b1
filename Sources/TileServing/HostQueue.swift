import EventLoop

/// The questions to one server: at most two at the same time, and none for a while if the server
/// cannot be reached or asks for a pause.
final class HostQueue {
  /// Questions at the same time.
  private static let mostRunning = 2
  /// The most questions in each queue; nobody waits for those in `behind`.
  private static let mostWaiting = (wanted: 512, behind: 256)
  /// Seconds of the first pause and of the longest; each failure doubles the pause.
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
    /// Whether an HTTP status caused it. Answers to questions sent before do not end such a pause.
    var isFromStatus: Bool
  }

  let host: String
  private let fetcher: any ServerFetcher
  private let clock: () -> UInt64
  private let problem: (String?) -> Void
  private var running = 0
  private var waiting: [Job] = []
  /// Background questions, asked when no others wait.
  private var behind: [Job] = []
  private var pause: Pause?
  /// What `problem` was called with last.
  private var told: String?
  private var failures = 0
  private var cuts = 0

  /// - Parameters:
  ///   - host: for messages.
  ///   - fetcher: asks.
  ///   - clock: the monotonic clock in nanoseconds.
  ///   - problem: called with why the server is not asked at present, and with nil once it answers
  ///     again.
  init(
    _ host: String, fetcher: any ServerFetcher, clock: @escaping () -> UInt64,
    problem: @escaping (String?) -> Void
  ) {
    self.host = host
    self.fetcher = fetcher
    self.clock = clock
    self.problem = problem
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

  /// Why no questions are sent at present; nil: they are.
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
        // Everyone who asks this server gets the same reason.
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
    case .broken(let reason): answersUselessly(reason)
    case .refused(let status, let retryAfter) where status == 429 || status == 503:
      rest(retryAfter)
    // A proxy or captive portal wants a login. A 401 or 403 concerns one tile: some servers send it
    // for tiles that do not exist, and another source may have another key.
    case .refused(let status, _) where status == 407 || status == 511:
      stop("answers with HTTP \(status): the network wants a login", isFromStatus: true)
    case .refused(let status, _) where status >= 500:
      answersUselessly("answers with HTTP \(status)")
    case .refused, .tile, .part, .unchanged, .absent, .empty:
      if let pause, pause.isFromStatus, clock() < pause.end { return }
      tell(nil)
      (pause, failures, cuts) = (nil, 0, 0)
    }
  }

  /// Tells what is wrong, or nil, if that is news.
  private func tell(_ reason: String?) {
    if reason == told { return }
    told = reason
    problem(reason)
  }

  /// A useless answer is still an answer: it stops nothing. What was wrong before a pause is over,
  /// but the server is not well yet.
  private func answersUselessly(_ reason: String) {
    cuts = 0
    if let pause, clock() >= pause.end { tell("\(reason); only stored tiles are shown") }
  }

  /// Ends a pause early, because the cause may be gone: the next question will tell.
  func retry() {
    guard pause != nil else { return }
    failures = 0
    pause?.end = clock()
  }

  /// Pauses an unreachable server and refuses all waiting questions.
  private func stop(_ reason: String, isFromStatus: Bool = false) {
    cuts = 0
    // A question sent before the pause began has failed with it.
    if let pause, clock() < pause.end { return }
    let seconds = grow()
    tell("\(reason); only stored tiles are shown")
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
    tell("wants to be left alone for \(seconds) s")
    pause = Pause(
      end: clock() + UInt64(seconds) * 1_000_000_000, reason: nil, isFromStatus: true)
    refuseAll()
  }

  /// A question sent before the pause began was answered with a longer one.
  private func lengthen(_ present: Pause, to seconds: Int) {
    let end = clock() + UInt64(seconds) * 1_000_000_000
    guard end > present.end else { return }
    tell("wants to be left alone for \(seconds) s")
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
