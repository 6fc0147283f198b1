import EventLoop
import Glibc
import MapGeometry
import Platform
import TileSources
import TileStore

/// One http(s) source: answers requests for its tiles from its store, from its server, or with why
/// there is none. Belongs to the loop's thread.
final class ServedSource {
  /// Programs that may be connected.
  private static let mostConnections = 8
  /// How many seconds a tile stays fresh: the default if its server does not say, and the limit.
  private static let lifetimes = (usual: 7 * 86_400, longest: Int(TileStore.longestLifetime))
  /// The same for a missing tile; shorter, because maps grow.
  private static let absences = (usual: 86_400, longest: 7 * 86_400)
  /// How many seconds a new connection waits for its greeting while the source is not described
  /// yet. Clients give up after five.
  private static let greetingSeconds: UInt64 = 3
  /// The longest time in seconds before a batch is written.
  private static let batchSeconds: UInt64 = 10
  /// A socket that could not be made is tried again after so many seconds.
  private static let listeningSeconds: UInt64 = 5

  private typealias Key = RefusedTiles.Key

  /// Who waits for a tile.
  private struct Waiter {
    weak var connection: TileConnection?
    var number: Int
  }

  let spec: SourceSpec
  private let context: ServiceContext
  private let origin: any TileOrigin
  private var listener: TileListener?
  /// The listener before that one. While it is open, the next socket cannot get its inode number,
  /// by which clients tell the two apart.
  private var former: TileListener?
  private var listeningTimer: LoopTimer?
  /// Connections accepted before the greeting is known.
  private var ungreeted: [Int32] = []
  private var greetingTimer: LoopTimer?
  /// What was greeted with last.
  private var greeted: String?
  private var connections: [ObjectIdentifier: TileConnection] = [:]
  let store: TileStore?
  private let worker: Worker
  private var batchTimer: LoopTimer?
  private var waiters: [Key: [Waiter]] = [:]
  private var revalidating: Set<Key> = []
  private var refusals = RefusedTiles()
  /// What is wrong with the store.
  private var trouble: ProblemReport?

  /// - Throws: `SystemError` if its socket cannot be made.
  init(_ spec: SourceSpec, _ context: ServiceContext) throws(SystemError) {
    self.spec = spec
    self.context = context
    // Two jobs for each open request, a lookup and a tile to store, and those that revalidate.
    worker = Worker("store", loop: context.loop, capacity: 4096)
    store = spec.store.map {
      TileStore(
        TileStore.Options(
          path: $0, limit: spec.storeLimit ?? SourceSpec.usualStoreLimit, title: spec.name,
          attribution: spec.attribution ?? (spec.isRemoteArchive ? nil : "")))
    }
    origin =
      spec.isRemoteArchive
      ? ArchiveOrigin(spec, context) : TemplateOrigin(spec, queueOf: context.queueOf)
    try listen()
    batchTimer = context.loop.timer { [weak self] in self?.writeBatch() }
    listeningTimer = context.loop.timer { [weak self] in self?.listenAgain() }
    greetingTimer = context.loop.timer { [weak self] in self?.greet() }
    trouble = ProblemReport(loop: context.loop) { [weak self] in self?.tell(problem: $0) }
    if let archive = origin as? ArchiveOrigin { adopt(archive) }
  }

  private func listen() throws(SystemError) {
    listener = try TileListener(
      FetchSocket.name(for: spec.name), in: context.folder, loop: context.loop
    ) { [weak self] in self?.accept($0) }
  }

  /// Gives an archive what the store knows of it, and stores what the archive says of itself.
  private func adopt(_ archive: ArchiveOrigin) {
    archive.onInfo = { [weak self] in self?.learned($0) }
    guard let store else { return archive.adopt(nil) }
    let isTaken = worker.post(
      { (store.archive(), store.takeNews()) },
      then: { [weak self, weak archive] text, news in
        self?.report(news)
        archive?.adopt(text)
      })
    if !isTaken { archive.adopt(nil) }
  }

  private func learned(_ info: ArchiveInfo) {
    if let store {
      var facts = info.facts
      // The store has the configuration's already.
      if spec.attribution != nil { facts["attribution"] = nil }
      let (text, kept) = (info.text, facts)
      _ = worker.post({ store.keep(archive: text, facts: kept) }, then: {})
      scheduleBatch()
    }
    guard let greeted, greeted != greeting else { return }
    // Clients take a new socket for a new map and open it again.
    self.greeted = nil
    listener?.end()
    (former, listener) = (listener, nil)
    for connection in Array(connections.values) { connection.end() }
    listenAgain()
  }

  private func listenAgain() {
    if listener != nil { return }
    do throws(SystemError) {
      try listen()
      former = nil
      context.problem("socket of \(spec.name)", nil)
    } catch {
      let seconds = ServedSource.listeningSeconds
      context.problem(
        "socket of \(spec.name)", "cannot be made, and is tried again in \(seconds) s: \(error)")
      listeningTimer?.arm(after: seconds * 1_000_000_000)
    }
  }

  /// Tries everything again, because the server's trouble may be over.
  func retry() {
    refusals.removeAll()
    origin.retry()
  }

  /// Ends its connections, and begins to write what is to be stored.
  func close() {
    listener?.end()
    listener = nil
    for connection in Array(connections.values) { connection.end() }
    for fd in ungreeted { Glibc.close(fd) }
    ungreeted = []
    greetingTimer?.cancel()
    batchTimer?.cancel()
    listeningTimer?.cancel()
    if let store { _ = worker.post({ store.close() }, then: {}) }
  }

  /// After `close`: waits until it is written, but at most to `deadline` by the monotonic clock. A
  /// medium that hangs is left to its thread.
  func finish(by deadline: UInt64) {
    guard let store else { return }
    let now = context.clock()
    worker.finish(within: deadline > now ? Double(deadline - now) / 1e9 : 0)
    // A job under way has the store's lock.
    if worker.isIdle {
      report(store.takeNews())
    } else {
      context.log(
        .warning, "source \(spec.name): its store's medium does not answer; nobody waits for it")
    }
  }

  // MARK: Connections

  private func accept(_ fd: Int32) {
    guard connections.count + ungreeted.count < ServedSource.mostConnections else {
      Glibc.close(fd)
      return
    }
    ungreeted.append(fd)
    if let greetingTimer, !greetingTimer.isArmed {
      greetingTimer.arm(after: ServedSource.greetingSeconds * 1_000_000_000)
    }
    origin.describe { [weak self] in self?.greet() }
  }

  /// Greets those who are connected with what is known by now.
  private func greet() {
    greetingTimer?.cancel()
    let all = ungreeted
    ungreeted = []
    for fd in all { connect(fd) }
  }

  private func connect(_ fd: Int32) {
    let text = greeting
    let connection = TileConnection(
      fd, greeting: text, loop: context.loop, unsent: context.unsent)
    guard let connection else { return }
    greeted = text
    connections[ObjectIdentifier(connection)] = connection
    connection.onEnd = { [weak self] in self?.connections[ObjectIdentifier($0)] = nil }
    connection.onRequest = { [weak self] in self?.request($1, of: $0) }
    connection.onProblems = { [weak self] in
      if let text = self?.trouble?.told { $0.tell(problem: text) }
    }
  }

  private func tell(problem text: String?) {
    for connection in Array(connections.values) { connection.tell(problem: text) }
  }

  private var greeting: String {
    let info = origin.info
    let title = info.map(\.title) ?? ""
    var lines = [
      "waypost-tiles 1", "name \(ProviderAnswer.line(title.isEmpty ? spec.name : title))",
    ]
    lines += ["min_zoom \(levels.lowerBound)", "max_zoom \(levels.upperBound)"]
    if let bounds = info?.boundsText { lines.append("bounds \(bounds)") }
    if let format = info?.format { lines.append("format \(format.rawValue)") }
    let attribution = spec.attribution ?? info?.attribution ?? ""
    if !attribution.isEmpty { lines.append("attribution \(ProviderAnswer.line(attribution))") }
    if store != nil { lines.append("problems on-request") }
    return lines.joined(separator: "\n") + "\n\n"
  }

  /// The configured levels, or the archive's; otherwise the defaults of a url.
  private var levels: ClosedRange<Int> {
    let least = spec.minZoom ?? origin.info?.levels.lowerBound ?? 0
    return least...max(spec.maxZoom ?? origin.info?.levels.upperBound ?? 22, least)
  }

  private func request(_ request: TileRequest, of connection: TileConnection) {
    let key = Key(tile: request.tile, scale: request.scale)
    let waiter = Waiter(connection: connection, number: request.number)
    guard levels.contains(key.tile.z) else {
      return connection.answer(request.number, .none)
    }
    if waiters[key] != nil {
      waiters[key]?.append(waiter)
      return
    }
    waiters[key] = [waiter]
    guard let store else { return fetch(key, nil) }
    let scale = origin.storedScale(key.scale)
    let isTaken = worker.post(
      { (store.tile(key.tile, scale: scale), store.takeNews(), store.isDue) },
      then: { [weak self] stored, news, isDue in
        self?.report(news)
        if isDue { self?.scheduleBatch() }
        self?.found(stored, key)
      })
    if !isTaken { answer(key, .later(1)) }
  }

  private func answer(_ key: Key, _ answer: ProviderAnswer) {
    for waiter in waiters.removeValue(forKey: key) ?? [] {
      waiter.connection?.answer(waiter.number, answer)
    }
  }

  // MARK: Stored tiles

  private func found(_ stored: TileStore.Tile?, _ key: Key) {
    guard let stored else { return fetch(key, nil) }
    let isCurrent = stored.variant == origin.variant(key.scale)
    let isFresh = isCurrent && stored.expires > context.wallClock()
    if !stored.bytes.isEmpty { answer(key, .tile(stored.bytes)) }
    if isFresh {
      answer(key, .none)
    } else if stored.bytes.isEmpty {
      fetch(key, isCurrent ? stored : nil)
    } else {
      revalidate(key, isCurrent ? stored : nil)
    }
  }

  /// Asks whether a stale tile, which is shown already, has changed.
  private func revalidate(_ key: Key, _ stored: TileStore.Tile?) {
    guard refusals.answer(for: key, at: context.clock()) == nil, revalidating.insert(key).inserted
    else { return }
    origin.ask(key.tile, scale: key.scale, stored: stored, isBehind: true) { [weak self] result in
      guard let self else { return }
      revalidating.remove(key)
      switch result {
      case .success(.unchanged(let terms)):
        guard let store else { return }
        let expires = expiry(terms.lifetime)
        _ = worker.post({ store.confirm(key.tile, until: expires) }, then: {})
        scheduleBatch()
      // A failure needs no answer: whoever asked meanwhile gets the stored tile.
      case .success(var outcome):
        // An empty answer must not erase a tile that had content.
        if case .empty = outcome { outcome = .broken("sends nothing where there was a tile") }
        if let (answer, lasts) = fault(outcome) {
          if lasts { refusals.add(key, answer, at: context.clock()) }
        } else {
          take(outcome, key)
        }
      case .failure: break
      }
    }
  }

  private func keep(_ bytes: [UInt8], _ terms: FetchOutcome.Terms, _ key: Key) {
    guard let store, terms.mayStore else { return }
    let lifetime =
      bytes.isEmpty
      ? min(terms.lifetime ?? ServedSource.absences.usual, ServedSource.absences.longest)
      : terms.lifetime
    let tile = TileStore.Tile(
      bytes: bytes, tag: terms.tag, modified: terms.modified,
      expires: expiry(lifetime), variant: origin.variant(key.scale))
    let scale = origin.storedScale(key.scale)
    let isTaken = worker.post(
      {
        if store.keep(tile, for: key.tile, scale: scale) { store.write() }
        return store.takeNews()
      }, then: { [weak self] in self?.report($0) })
    if isTaken { scheduleBatch() }
  }

  private func expiry(_ lifetime: Int?) -> Int64 {
    let seconds = min(lifetime ?? ServedSource.lifetimes.usual, ServedSource.lifetimes.longest)
    return context.wallClock() + Int64(max(seconds, 0))
  }

  private func scheduleBatch() {
    guard let batchTimer, !batchTimer.isArmed else { return }
    batchTimer.arm(after: ServedSource.batchSeconds * 1_000_000_000)
  }

  private func writeBatch() {
    guard let store else { return }
    let isTaken = worker.post(
      {
        store.write()
        return store.takeNews()
      }, then: { [weak self] in self?.report($0) })
    if !isTaken { scheduleBatch() }
  }

  private func report(_ news: TileStore.News) {
    let matter = "source \(spec.name)"
    for note in news.notes where !note.isOfTrouble {
      context.log(note.level, "\(matter): \(note.text)")
    }
    if trouble?.change(to: news.trouble) == true { context.problem(matter, news.trouble) }
  }

  // MARK: Fetching

  private func fetch(_ key: Key, _ stored: TileStore.Tile?) {
    if let refusal = refusals.answer(for: key, at: context.clock()) {
      return answer(key, refusal)
    }
    origin.ask(key.tile, scale: key.scale, stored: stored, isBehind: false) { [weak self] result in
      guard let self else { return }
      switch result {
      // The store already knows that this tile was missing.
      case .success(.unreachable) where stored != nil: answer(key, .none)
      case .failure where stored != nil: answer(key, .none)
      case .success(let outcome): take(outcome, key)
      case .failure(let error):
        switch error.refusal {
        case .later(let seconds): answer(key, .later(seconds))
        case .unreachable(let reason): answer(key, .error(reason))
        }
      }
    }
  }

  private func take(_ outcome: FetchOutcome, _ key: Key) {
    switch outcome {
    case .tile(let bytes, let terms):
      keep(bytes, terms, key)
      answer(key, .tile(bytes))
    case .absent(let terms), .empty(let terms), .unchanged(let terms):
      // Unchanged means that the tile is still missing, as stored.
      keep([], terms, key)
      answer(key, .none)
    case .part, .refused, .unreachable, .broken, .cut:
      guard let (answer, lasts) = fault(outcome) else { return }
      if lasts { refusals.add(key, answer, at: context.clock()) }
      self.answer(key, answer)
    }
  }

  /// The answer for a tile that did not come, and whether to stop requesting it for a while. Nil:
  /// the server did say what the tile is.
  private func fault(_ outcome: FetchOutcome) -> (answer: ProviderAnswer, lasts: Bool)? {
    switch outcome {
    case .tile, .unchanged, .absent, .empty: nil
    case .part: (.error("sends a part of a file"), true)
    case .refused(let status, let retryAfter) where status == 429 || status == 503:
      (.later(retryAfter ?? 5), false)
    case .refused(let status, _): (.error("the server answers with HTTP \(status)"), true)
    case .unreachable(let reason): (.error(reason), false)
    case .broken(let reason), .cut(let reason): (.error(reason), true)
    }
  }
}
