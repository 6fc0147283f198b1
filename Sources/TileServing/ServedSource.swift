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
  /// A tile that the server refused is not asked for again before that many seconds, and so many of
  /// them are remembered.
  private static let refusalSeconds: UInt64 = 60
  private static let mostRefusals = 4096
  /// Seconds for which a tile is fresh if its server does not say, and at most.
  private static let lifetimes = (usual: 7 * 86_400, longest: Int(TileStore.longestLifetime))
  /// The same for one that is not there: maps grow.
  private static let absences = (usual: 86_400, longest: 7 * 86_400)
  /// A batch is written after so many seconds at last.
  private static let batchSeconds: UInt64 = 10

  /// A tile for a display.
  private struct Key: Hashable {
    var tile: TileID
    var scale: Int
  }

  /// Who waits for a tile.
  private struct Waiter {
    weak var connection: TileConnection?
    var number: Int
  }

  let spec: SourceSpec
  private let context: ServiceContext
  private var listener: TileListener?
  private var connections: [ObjectIdentifier: TileConnection] = [:]
  let store: TileStore?
  private let worker: Worker
  private var batchTimer: LoopTimer?
  private var templates: [Int: URLTemplate] = [:]
  private var waiters: [Key: [Waiter]] = [:]
  private var revalidating: Set<Key> = []
  private var refusals: [Key: (answer: TileAnswer, end: UInt64)] = [:]

  /// - Throws: `SystemError` if its socket cannot be made.
  init(_ spec: SourceSpec, _ context: ServiceContext) throws(SystemError) {
    self.spec = spec
    self.context = context
    // Jobs are bounded by the open requests, twice: a look and a tile to keep.
    worker = Worker("store", loop: context.loop, capacity: 4096)
    store = spec.store.map {
      TileStore(
        TileStore.Options(
          path: $0, limit: spec.storeLimit ?? SourceSpec.usualStoreLimit, title: spec.name,
          attribution: spec.attribution ?? ""))
    }
    listener = try TileListener(
      FetchSocket.name(for: spec.name), in: context.folder, loop: context.loop
    ) { [weak self] in self?.accept($0) }
    batchTimer = context.loop.timer { [weak self] in self?.writeBatch() }
  }

  /// Ends its connections, and begins to write what is to be stored.
  func close() {
    listener?.end()
    listener = nil
    for connection in Array(connections.values) { connection.end() }
    batchTimer?.cancel()
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
      report(store.takeNotes())
    } else {
      context.log(
        .warning, "source \(spec.name): its store's medium does not answer; nobody waits for it")
    }
  }

  // MARK: Connections

  private func accept(_ fd: Int32) {
    guard connections.count < ServedSource.mostConnections else {
      Glibc.close(fd)
      return
    }
    guard let connection = TileConnection(fd, greeting: greeting, loop: context.loop) else {
      return
    }
    connections[ObjectIdentifier(connection)] = connection
    connection.onEnd = { [weak self] in self?.connections[ObjectIdentifier($0)] = nil }
    connection.onRequest = { [weak self] in self?.request($1, of: $0) }
  }

  private var greeting: String {
    var lines = ["waypost-tiles 1", "name \(TileAnswer.line(spec.name))"]
    lines += ["min_zoom \(levels.lowerBound)", "max_zoom \(levels.upperBound)"]
    if let text = spec.attribution { lines.append("attribution \(TileAnswer.line(text))") }
    return lines.joined(separator: "\n") + "\n\n"
  }

  /// As for a url of files.
  private var levels: ClosedRange<Int> {
    let least = spec.minZoom ?? 0
    return least...max(spec.maxZoom ?? 22, least)
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
    let scale = storedScale(key.scale)
    let isTaken = worker.post(
      { (store.tile(key.tile, scale: scale), store.takeNotes(), store.isDue) },
      then: { [weak self] stored, notes, isDue in
        self?.report(notes)
        if isDue { self?.scheduleBatch() }
        self?.found(stored, key)
      })
    if !isTaken { answer(key, .later(1)) }
  }

  private func answer(_ key: Key, _ answer: TileAnswer) {
    for waiter in waiters.removeValue(forKey: key) ?? [] {
      waiter.connection?.answer(waiter.number, answer)
    }
  }

  // MARK: Stored tiles

  private func found(_ stored: TileStore.Tile?, _ key: Key) {
    guard let stored else { return fetch(key, nil) }
    let isCurrent = stored.variant == variant(key.scale)
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
    guard refusal(key) == nil, revalidating.insert(key).inserted else { return }
    ask(key, stored, isBehind: true) { [weak self] result in
      guard let self else { return }
      revalidating.remove(key)
      switch result {
      case .success(.unchanged(let terms)):
        guard let store else { return }
        let expires = expiry(terms.lifetime)
        _ = worker.post({ store.confirm(key.tile, until: expires) }, then: {})
        scheduleBatch()
      // A failure answers nobody: who has asked meanwhile gets what is stored.
      case .success(var outcome):
        // A tile does not lose what was on it.
        if case .empty = outcome { outcome = .broken("sends nothing where there was a tile") }
        if let (answer, lasts) = fault(outcome) {
          if lasts { refuse(key, answer) }
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
      expires: expiry(lifetime), variant: variant(key.scale))
    let scale = storedScale(key.scale)
    let isTaken = worker.post(
      {
        if store.keep(tile, for: key.tile, scale: scale) { store.write() }
        return store.takeNotes()
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
        return store.takeNotes()
      }, then: { [weak self] in self?.report($0) })
    if !isTaken { scheduleBatch() }
  }

  private func report(_ notes: [TileStore.Note]) {
    for note in notes { context.log(note.level, "source \(spec.name): \(note.text)") }
  }

  // MARK: Fetching

  private func fetch(_ key: Key, _ stored: TileStore.Tile?) {
    if let refusal = refusal(key) { return answer(key, refusal) }
    ask(key, stored, isBehind: false) { [weak self] result in
      guard let self else { return }
      switch result {
      // A tile that was not there when it was last asked for.
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

  private func ask(
    _ key: Key, _ stored: TileStore.Tile?, isBehind: Bool, _ reply: @escaping HostQueue.Reply
  ) {
    guard let template = template(key.scale) else {
      return reply(.success(.broken("its url is none")))
    }
    var question = FetchQuestion(
      address: template.filled(for: key.tile),
      headers: spec.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
    (question.tag, question.modified) = (stored?.tag ?? "", stored?.modified ?? "")
    context.queueOf(question.address).ask(question, isBehind: isBehind, reply)
  }

  private func take(_ outcome: FetchOutcome, _ key: Key) {
    switch outcome {
    case .tile(let bytes, let terms):
      keep(bytes, terms, key)
      answer(key, .tile(bytes))
    case .absent(let terms), .empty(let terms), .unchanged(let terms):
      // Unchanged: what is stored is that there is none.
      keep([], terms, key)
      answer(key, .none)
    case .refused, .unreachable, .broken, .cut:
      guard let (answer, lasts) = fault(outcome) else { return }
      if lasts { refuse(key, answer) }
      self.answer(key, answer)
    }
  }

  /// What to say of a tile that did not come, and whether it is not to be asked for again for a
  /// while. Nil: the server said what there is.
  private func fault(_ outcome: FetchOutcome) -> (answer: TileAnswer, lasts: Bool)? {
    switch outcome {
    case .tile, .unchanged, .absent, .empty: nil
    case .refused(let status, let retryAfter) where status == 429 || status == 503:
      (.later(retryAfter ?? 5), false)
    case .refused(let status, _): (.error("the server answers with HTTP \(status)"), true)
    case .unreachable(let reason): (.error(reason), false)
    case .broken(let reason), .cut(let reason): (.error(reason), true)
    }
  }

  private func refuse(_ key: Key, _ answer: TileAnswer) {
    if refusals.count >= ServedSource.mostRefusals { refusals.removeAll() }
    refusals[key] = (answer, context.clock() + ServedSource.refusalSeconds * 1_000_000_000)
  }

  private func refusal(_ key: Key) -> TileAnswer? {
    guard let refusal = refusals[key] else { return nil }
    if refusal.end > context.clock() { return refusal.answer }
    refusals[key] = nil
    return nil
  }

  private func template(_ scale: Int) -> URLTemplate? {
    if let template = templates[scale] { return template }
    guard case .url(let text) = spec.location,
      let template = try? URLTemplate(
        text, scheme: spec.scheme ?? .xyz, subdomains: spec.subdomains, scale: scale)
    else { return nil }
    templates[scale] = template
    return template
  }

  /// Tells the tiles of one address from those of another: where the template changes, what is
  /// stored is out of date.
  private func variant(_ scale: Int) -> Int64 {
    guard case .url(let text) = spec.location else { return 0 }
    let words = "\(text) \(spec.scheme ?? .xyz) \(storedScale(scale))"
    return Int64(bitPattern: FNV1a(words.utf8).value)
  }

  /// The scale of what the server sends to a display of `scale`: 1 where its address is the same
  /// for all of them.
  private func storedScale(_ scale: Int) -> Int {
    guard case .url(let text) = spec.location else { return 1 }
    return ["{scale}", "{ratio}", "{r}"].contains { text.contains($0) } ? scale : 1
  }
}
