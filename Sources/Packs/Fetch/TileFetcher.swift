import MapGeometry
import RangeWire
import TileSources

/// Requests tiles in order, checks the answers, retries if that may help, and pauses for hosts that
/// ask for it.
final class TileFetcher {
  /// A tile that is to be asked for.
  private struct Task {
    var number: UInt64
    var etag: String?
    var url: String
    var host: String
    /// How often it was requested.
    var attempts = 0
    /// The earliest time for its next request.
    var due = -Double.infinity
  }

  private let link: any TileLink
  private let template: URLTemplate
  private let onNote: (String) -> Void
  private let jitter: () -> Double
  private let check = TileCheck()
  /// The initial state of every host.
  private let stranger: HostManners
  private var hosts: [String: HostManners] = [:]
  private var retries: [Task] = []
  private var underWay: [Int: Task] = [:]
  /// The task after those that were begun.
  private var peeked: Task?
  private var lastNumber = 0

  /// Tiles that could not be fetched, by the reason.
  private(set) var problems = ProblemList()
  private(set) var missing: UInt64 = 0
  private(set) var repeated: UInt64 = 0
  /// Why the work ended early; nil: it did not.
  private(set) var stop: String?

  /// How often a tile is requested before the fetch goes on without it.
  static let attempts = 6
  /// The most tiles waiting for a retry; beyond that, no new tiles are begun.
  private static let mostRetries = 1000
  /// The shortest pause that is reported, in seconds.
  private static let toldPause = 1.0
  /// Before a longer wait `onWait` is called, in seconds.
  private static let longWait = 5.0

  /// - Parameters:
  ///   - link: the way to the servers.
  ///   - template: the tiles' addresses.
  ///   - hasAnswered: the servers answered an earlier run.
  ///   - allowsMissing: tiles may be missing: servers that refuse some are asked for the others.
  ///   - onNote: hears why it pauses.
  ///   - jitter: random numbers from 0 to 1.
  init(
    _ link: any TileLink, _ template: URLTemplate, hasAnswered: Bool = false,
    allowsMissing: Bool = false, onNote: @escaping (String) -> Void,
    jitter: @escaping () -> Double = { Double.random(in: 0...1) }
  ) {
    self.link = link
    self.template = template
    self.onNote = onNote
    self.jitter = jitter
    stranger = HostManners(hasAnswered: hasAnswered, allowsMissing: allowsMissing)
  }

  /// Begins no more requests.
  ///
  /// - Parameter reason: why; it ends up in `stop`.
  func end(because reason: String) { stop = stop ?? reason }

  /// Fetches tiles until there are no more, or a host is given up.
  ///
  /// - Parameters:
  ///   - wanted: gives the next tile's number, and the ETag of what is there of it; nil: no more.
  ///   - onWait: is called before nothing comes for long.
  ///   - take: gets each tile, whether it is there or not.
  /// - Throws: `PackError` where nothing can be fetched any more; what `onWait` and `take` throw.
  func run(
    _ wanted: () -> (number: UInt64, etag: String?)?,
    onWait: () throws(PackError) -> Void = {},
    take: (UInt64, TileAnswer.Content) throws(PackError) -> Void
  ) throws(PackError) {
    var isAtEnd = false
    while true {
      if peeked == nil, !isAtEnd, stop == nil, let next = wanted() {
        peeked = task(next.number, next.etag)
      } else if peeked == nil {
        isAtEnd = true
      }
      if underWay.count < link.window, stop == nil, let next = due() {
        try begin(next)
        continue
      }
      if underWay.isEmpty, stop != nil || (peeked == nil && retries.isEmpty) { return }
      let isFull = underWay.count >= link.window || stop != nil
      let deadline = isFull ? .infinity : nextDue()
      if underWay.isEmpty, deadline > link.now + TileFetcher.longWait { try onWait() }
      if let answer = try link.next(until: min(deadline, link.now + TileFetcher.longWait)) {
        try handle(answer, take)
      } else if deadline > link.now {
        try onWait()
      }
    }
  }

  private func task(_ number: UInt64, _ etag: String?) -> Task? {
    guard let tile = HilbertID.tile(number) else { return nil }
    let url = template.filled(for: tile)
    return Task(number: number, etag: etag, url: url, host: TileServerPolicy.host(of: url) ?? "")
  }

  /// The earliest time at which the task may be requested from its host.
  private func opening(_ task: Task) -> Double {
    max(task.due, hosts[task.host]?.pausedUntil ?? -Double.infinity)
  }

  /// The next new tile; nil while too many tiles wait for a retry.
  private var fresh: Task? { retries.count < TileFetcher.mostRetries ? peeked : nil }

  /// What may be asked for now.
  private func due() -> Task? {
    let now = link.now
    let next = fresh.flatMap { opening($0) <= now ? $0 : nil }
    // Another tile shows whether the trouble is the host's or the tile's.
    if let next, hosts[next.host]?.isFailing == true {
      peeked = nil
      return next
    }
    if let index = retries.firstIndex(where: { opening($0) <= now }) {
      return retries.remove(at: index)
    }
    if next != nil { peeked = nil }
    return next
  }

  /// When something may be asked for next.
  private func nextDue() -> Double {
    retries.reduce(fresh.map(opening) ?? .infinity) { min($0, opening($1)) }
  }

  private func begin(_ next: Task) throws(PackError) {
    lastNumber += 1
    var task = next
    task.attempts += 1
    if task.attempts > 1 { repeated += 1 }
    underWay[lastNumber] = task
    try link.begin(lastNumber, url: task.url, etag: task.etag)
  }

  private func handle(
    _ answer: TileAnswer, _ take: (UInt64, TileAnswer.Content) throws(PackError) -> Void
  ) throws(PackError) {
    guard let task = underWay.removeValue(forKey: answer.number) else { return }
    let host = task.host
    let content = checked(answer.content, hasETag: task.etag != nil)
    guard case .fault(let reason, let canRetry, let seconds, let isAnswer) = content else {
      hosts[host, default: stranger].noteAnswer()
      return try take(task.number, content)
    }
    var manners = hosts[host] ?? stranger
    let failed = HostManners.Failed(
      number: answer.number, lastNumber: lastNumber, isFirst: task.attempts == 1,
      canRetry: canRetry, seconds: seconds, isAnswer: isAnswer)
    let pause = manners.noteFailure(failed, jitter: jitter(), now: link.now)
    hosts[host] = manners
    if stop != nil {
      // What was under way when the host was given up.
    } else if seconds > HostManners.longestWait {
      stop = "\(host) wants to be left alone for \(seconds) s: \(reason)"
    } else if manners.isGivenUp(canRetry: canRetry) {
      stop = "\(host) is given up after \(manners.failuresInARow) failures in a row: \(reason)"
    }
    if !canRetry || task.attempts >= TileFetcher.attempts {
      missing += 1
      problems.add("tiles cannot be fetched: \(reason)", "\(HilbertID.tile(task.number)!)")
      return
    }
    var again = task
    // A tile that keeps failing also waits longer each time, even while others succeed.
    again.due = link.now + max(pause, HostManners.pause(after: task.attempts))
    retries.append(again)
    if pause >= TileFetcher.toldPause, stop == nil {
      onNote("\(host): \(reason); asked again in \(Int(pause.rounded())) s")
    }
  }

  /// The content, where it is what a map consists of; else what is wrong with it.
  private func checked(_ content: TileAnswer.Content, hasETag: Bool) -> TileAnswer.Content {
    func fault(_ reason: String, canRetry: Bool = true) -> TileAnswer.Content {
      .fault(reason, canRetry: canRetry, seconds: 0, isAnswer: true)
    }
    switch content {
    case .absent, .fault: return content
    case .same: return hasETag ? content : fault("says that a tile is the same that it never sent")
    case .tile(let bytes, let fresh, let etag):
      let verdict = bytes.withUnsafeBytes { check.check($0, StoredTile.Encoding()) }
      guard let reason = verdict.fault else {
        // Some servers compress all that they send; packs have pictures as they are.
        guard verdict.compression != .none, verdict.format.isDrawn,
          let plain = try? StoredTile(bytes: bytes).unpacked()
        else { return content }
        return .tile(plain, fresh: fresh, etag: etag)
      }
      // An unsupported map format will not change; anything else may be a temporary page.
      let isLasting = verdict.format.isMapTile && !verdict.format.isDrawn && verdict.format != .mvt
      return fault("sends what is no whole tile: \(reason)", canRetry: !isLasting)
    }
  }
}
