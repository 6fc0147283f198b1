import MapGeometry
import Pixels
import Platform
import TileSources

/// Brings tiles from their sources into the cache: decides, on the loop's thread, what is read and
/// decoded next, and in whose place.
///
/// What is wanted is said anew for every view, nearest first; work that no longer is wanted and has
/// not begun is not begun, what is being worked on is not asked for twice. Each source has a thread
/// that reads, all share a few that decode; both only ever hold jobs handed to them, and their results
/// are collected here.
public final class TileLoader {
  /// One tile that the present view wants.
  public struct Request: Sendable, Equatable {
    public var key: TileKey
    public var tile: TileID
    /// 0; or how many levels below the tile its descendants lie that are reduced to make it.
    public var levels: Int
    /// The tile's edge in pixels.
    public var edge: Int
    public var standing: TileStanding

    /// How many levels below a tile its descendants may lie: 4^3 of them make one.
    public static let maxLevels = 3

    /// Whether there is such a tile to be made: an edge of 1 to 4096 pixels, 0 to `maxLevels` levels,
    /// and a pixel at least for each descendant.
    var isPossible: Bool {
      (1...4096).contains(edge) && (0...Request.maxLevels).contains(levels) && edge >> levels > 0
    }

    public init(key: TileKey, tile: TileID, levels: Int, edge: Int, standing: TileStanding) {
      self.key = key
      self.tile = tile
      self.levels = levels
      self.edge = edge
      self.standing = standing
    }
  }

  /// What happened since the last `collect`.
  public enum Event: Sendable {
    case opened(source: Int, SourceInfo, problems: [SourceError])
    case openFailed(source: Int, SourceError)
    /// A tile arrived in the cache after decoding for that long.
    case decoded(TileKey, nanoseconds: Int)
    /// A tile is known not to be had.
    case missing(TileKey)
    /// A tile is there but broken.
    case tileError(source: Int, TileError)
  }

  /// The figures of the loader.
  public struct Stats: Sendable, Equatable {
    public var decodes = 0
    public var decodeErrors = 0
    /// Tiles that are being read or decoded.
    public var inFlight = 0
  }

  /// A class: of a thousand sources few are asked, and to look at one must not copy it.
  private final class Source {
    /// Made when it is first asked.
    private var made: SourceReader?
    private let make: () -> SourceReader
    /// The reader's, which tells its opening from others.
    let opening: Int
    /// Changes whenever what is under way is of no use any more.
    var generation: Int
    /// What is done to its tiles' colours.
    var colors: TileColors
    /// Draws its tiles, once it is open and if it draws.
    var drawing: (any TileDrawing)?
    /// Its tiles have shown transparency: buffers hold four bytes a pixel from the start.
    var alpha = false
    var inFlight = 0
    /// What tile errors name.
    let name: String

    init(
      generation: Int, colors: TileColors, name: String, make: @escaping () -> SourceReader
    ) {
      self.make = make
      opening = generation
      self.generation = generation
      self.colors = colors
      self.name = name
    }

    var reader: SourceReader {
      if let made { return made }
      let reader = make()
      made = reader
      return reader
    }

    var encodedBytes: Int { made?.buffers.bytes ?? 0 }

    /// Ends the reader if there is one; gives what it had not begun.
    func stop() -> [SourceReader.Job] { made?.stop() ?? [] }
  }

  private let cache: TileCache
  private let missing: MissingTiles
  private let pool: DecodePool
  /// What the threads have reported since the last `collect`.
  private struct Results {
    var waiting: [LoaderResult] = []
    /// The loop was woken for them.
    var isAnnounced = false
    /// The loader is gone: whoever still reports lets go of the memory itself.
    var closed = false
  }

  private let results: Gate<Results>
  /// What a reader reports.
  private let report: @Sendable (LoaderResult) -> Void
  private let depth: Int
  /// How many tiles are taken in at once while there is enough to decode.
  private static let batch = 4
  private let scale: Int
  private var sources: [Int: Source] = [:]
  private var generations = 0
  private var inFlight: Set<UInt64> = []
  /// Bytes of buffers that the threads hold.
  private var lent = 0
  private var wanted: [Request] = []

  /// Asked to set a source that is to be opened and is not set yet: of many, most never are.
  public var provide: ((Int) -> Void)?
  /// The display's opaque tile format; tiles are decoded into it.
  public let opaque: TilePixelFormat
  public private(set) var stats = Stats()

  /// - Parameters:
  ///   - threads: how many decode; the others of the machine's cores draw and read.
  ///   - scale: pixels a point, for sources that draw.
  ///   - wake: called on any thread when `collect` has something to give.
  public init(
    cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, threads: Int, scale: Int = 1,
    wake: @escaping @Sendable () -> Void
  ) {
    self.scale = scale
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
    let results = Gate(Results())
    self.results = results
    // Each waking of the loop takes as long as a tenth of a tile.
    let report: @Sendable (LoaderResult, () -> Bool) -> Void = { result, isUrgent in
      var isLost = false
      let wakes = results.locked { results in
        isLost = results.closed
        if isLost { return false }
        results.waiting.append(result)
        // Asked only now: what is not announced is with whoever reports after it.
        if results.isAnnounced || results.waiting.count < TileLoader.batch && !isUrgent() {
          return false
        }
        results.isAnnounced = true
        return true
      }
      if isLost { result.memory?.unmap() }
      if wakes { wake() }
    }
    self.report = { result in report(result) { true } }
    pool = DecodePool(threads: threads, done: report)
    // Enough under way that no thread waits for the loop, little enough that a view that moves on
    // leaves little behind.
    depth = max(1, threads) * 2 + 2
  }

  deinit {
    var batch: [LoaderResult] = []
    results.locked { results in
      results.closed = true
      swap(&batch, &results.waiting)
    }
    for memory in batch.compactMap(\.memory) { giveBack(memory) }
    for source in sources.values {
      for job in source.stop() { giveBack(job.memory) }
    }
    for job in pool.stop() { giveBack(job.memory) }
    // What the threads hold even now they unmap when they are done with it.
    cache.disown(lent)
  }

  /// A buffer comes back from the threads without a tile.
  private func giveBack(_ memory: TileMemory) {
    lent -= memory.bytes
    cache.cancel(memory.pointer, bytes: memory.bytes)
  }

  /// The bytes that tiles under way can take beside those of a view: for the cache's floor.
  ///
  /// - Parameter pixelBytes: of a tile's pixel; nil: an opaque one's.
  public func inFlightBytes(edge: Int, pixelBytes: Int? = nil) -> Int {
    depth * edge * edge * (pixelBytes ?? opaque.bytes)
  }

  /// Makes `index` (0 ..< `TileKey.maxSources`) stand for a source, in place of an earlier one.
  ///
  /// - Parameters:
  ///   - colors: what is done to its tiles' colours.
  ///   - make: opens it; called on its reader's thread with the first request.
  public func setSource(
    _ index: Int, name: String, colors: TileColors = .none,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) {
    removeSource(index)
    generations += 1
    let (generation, scale, pool, report) = (generations, scale, pool, report)
    sources[index] = Source(generation: generation, colors: colors, name: name) {
      SourceReader(
        index: index, name: name, generation: generation, scale: scale, pool: pool, make: make,
        report: report)
    }
  }

  /// What draws the tiles of the source `index`; nil while it is not open, and where they are read.
  public func drawing(of index: Int) -> (any TileDrawing)? { sources[index]?.drawing }

  /// Gives the source `index` other colours under the new number `new`, where it has no tiles yet. The
  /// tiles that it had stay in the cache under their old number, to stand in for the new ones, until
  /// `cache.remove(source:)`. It stays open; what is known to be missing stays known.
  ///
  /// With `new` the same as `index` its tiles go.
  public func recolor(_ index: Int, to new: Int, colors: TileColors) {
    guard let source = sources[index] else { return }
    for job in source.reader.takeBack() { giveBack(job.memory) }
    // What its threads still hold comes back with the old generation and is let go then.
    inFlight = inFlight.filter { TileKey(raw: $0).source != index }
    stats.inFlight = inFlight.count
    wanted.removeAll { $0.key.source == index }
    generations += 1
    source.generation = generations
    source.inFlight = 0
    source.colors = colors
    if new == index {
      cache.remove(source: index)
    } else {
      removeSource(new)
      sources[index] = nil
      missing.setDrawing(nil, of: index)
      missing.setDrawing(source.drawing, of: new)
      missing.rename(source: index, to: new)
    }
    sources[new] = source
  }

  /// Whether the source `index` is set.
  public func has(_ index: Int) -> Bool { sources[index] != nil }

  /// What is done to the colours of the source `index`; nil: there is none.
  public func colors(of index: Int) -> TileColors? { sources[index]?.colors }

  /// Lets go of the source `index` and of its tiles.
  ///
  /// - Parameter keepingTiles: its tiles stay in the cache until `cache.remove(source:)`.
  public func removeSource(_ index: Int, keepingTiles: Bool = false) {
    if let old = sources.removeValue(forKey: index) {
      for job in old.stop() { giveBack(job.memory) }
      // What its threads still hold comes back with the old generation and is let go then.
      inFlight = inFlight.filter { TileKey(raw: $0).source != index }
      stats.inFlight = inFlight.count
    }
    wanted.removeAll { $0.key.source == index }
    if !keepingTiles { cache.remove(source: index) }
    missing.setDrawing(nil, of: index)
    missing.forget(source: index)
  }

  /// Opens the source `index` if it is not open yet; `collect` tells how it went.
  public func open(_ index: Int) {
    if sources[index] == nil { provide?(index) }
    sources[index]?.reader.open()
  }

  /// Replaces what is wanted, in order of urgency. What cannot be made (an edge that is not 1...4096
  /// pixels, levels that are not 0...`Request.maxLevels`) is left out.
  public func want(_ requests: [Request]) {
    wanted.removeAll(keepingCapacity: true)
    wanted.append(contentsOf: requests.lazy.filter(\.isPossible))
    withdraw()
    pump()
  }

  /// Takes back what no thread has begun, so that the new order holds for it too.
  private func withdraw() {
    if inFlight.isEmpty { return }
    var jobs: [SourceReader.Job] = []
    // Of many sources few have anything under way.
    for index in Set(inFlight.map({ TileKey(raw: $0).source })) {
      if let reader = sources[index]?.reader { jobs += reader.takeBack() }
    }
    for job in jobs {
      landed(job.key)
      giveBack(job.memory)
    }
  }

  /// Bytes that sources' readers keep for encoded tiles.
  public var encodedBytes: Int { sources.values.reduce(0) { $0 + $1.encodedBytes } }

  /// Whether something that the present view cannot be whole without is still to come.
  public var isNeeded: Bool { wanted.first?.standing == .needed }

  /// Whether nothing is wanted or under way.
  public var isIdle: Bool { wanted.isEmpty && inFlight.isEmpty }

  /// Takes in what the threads have done; call it after `wake`.
  public func collect(_ handle: (Event) -> Void) {
    var batch: [LoaderResult] = []
    results.locked {
      swap(&batch, &$0.waiting)
      $0.isAnnounced = false
    }
    for result in batch { take(result, handle) }
    if !batch.isEmpty { pump() }
  }

  private func take(_ result: LoaderResult, _ handle: (Event) -> Void) {
    switch result {
    case .opened(let generation, let info, let problems, let drawing):
      guard let index = index(ofReader: generation) else { return }
      if let drawing { drawsFromNowOn(index, drawing) }
      handle(.opened(source: index, info, problems: problems))
    case .openFailed(let generation, let error):
      guard let index = index(ofReader: generation) else { return }
      handle(.openFailed(source: index, error))
    case .missing(let key, let generation, let memory, let ancestor):
      giveBack(memory)
      guard land(key, generation) else { return }
      missing.insert(key, .init(ancestorLevel: ancestor, failed: false))
      handle(.missing(key))
    case .later(let key, let generation, let memory, _):
      giveBack(memory)
      // Not answered: whoever still wants the tile asks for it again.
      guard land(key, generation) else { return }
      wanted.removeAll { $0.key == key }
    case .unreadable(let key, let generation, let memory, let errors, let ancestor):
      giveBack(memory)
      guard land(key, generation) else { return }
      missing.insert(key, .init(ancestorLevel: ancestor, failed: true))
      tell(errors, of: key, handle)
    case .decoded(let job, let outcome, let nanoseconds):
      switch outcome {
      case .tile(let format, let broken):
        guard land(job.key, job.generation) else {
          giveBack(job.memory)
          return
        }
        stats.decodes += 1
        lent -= job.memory.bytes
        let standing = wanted.first { $0.key == job.key }?.standing ?? .unwanted
        cache.insert(
          job.key, buffer: job.memory.pointer, bytes: job.memory.bytes, edge: job.edge,
          format: format, standing: standing)
        handle(.decoded(job.key, nanoseconds: nanoseconds))
        tell(errors(job, broken), of: job.key, handle)
      case .needsAlphaRoom:
        giveBack(job.memory)
        guard land(job.key, job.generation) else { return }
        // Asked for again, from now on with room for four bytes a pixel.
        sources[job.key.source]?.alpha = true
      case .nothing:
        giveBack(job.memory)
        guard land(job.key, job.generation) else { return }
        missing.insert(job.key, .init(ancestorLevel: nil, failed: false))
        handle(.missing(job.key))
      case .failed(let broken):
        giveBack(job.memory)
        guard land(job.key, job.generation) else { return }
        // The level above is tried next, and knows what is above it.
        let level = broken.first?.tile.z ?? 0
        missing.insert(
          job.key,
          .init(ancestorLevel: job.levels == 0 && level > 0 ? level - 1 : nil, failed: true))
        tell(errors(job, broken), of: job.key, handle)
      }
    }
  }

  private func index(ofReader generation: Int) -> Int? {
    sources.first { $0.value.opening == generation }?.key
  }

  /// The source turned out to draw its tiles: the threads that decode do that, and none reads.
  private func drawsFromNowOn(_ index: Int, _ drawing: any TileDrawing) {
    sources[index]?.drawing = drawing
    sources[index]?.alpha = true
    missing.setDrawing(drawing, of: index)
    for job in sources[index]?.reader.stop() ?? [] {
      landed(job.key)
      giveBack(job.memory)
    }
  }

  /// Whether the result of `key` is still of use; it is no longer under way in any case.
  private func land(_ key: TileKey, _ generation: Int) -> Bool {
    guard sources[key.source]?.generation == generation else { return false }
    landed(key)
    return true
  }

  /// `key` is no longer under way.
  private func landed(_ key: TileKey) {
    if inFlight.remove(key.raw) != nil {
      sources[key.source]?.inFlight -= 1
      stats.inFlight = inFlight.count
    }
  }

  /// What was wrong with `job`, whose `broken` could not be decoded.
  private func errors(_ job: DecodeJob, _ broken: [LoaderResult.BrokenTile]) -> [TileError] {
    let name = sources[job.key.source]?.name ?? ""
    return job.broken + broken.map { TileError(file: name, tile: $0.tile, reason: $0.reason) }
  }

  private func tell(_ errors: [TileError], of key: TileKey, _ handle: (Event) -> Void) {
    for error in errors {
      stats.decodeErrors += 1
      handle(.tileError(source: key.source, error))
    }
  }

  private func pump() {
    var left = 0
    for i in wanted.indices {
      let request = wanted[i]
      if cache.peek(request.key) != nil || missing.find(request.key) != nil
        || sources[request.key.source] == nil
      {
        continue
      }
      wanted[left] = request
      left += 1
      dispatch(request)
    }
    wanted.removeLast(wanted.count - left)
  }

  private func dispatch(_ request: Request) {
    let index = request.key.source
    guard let source = sources[index], source.inFlight < depth,
      !inFlight.contains(request.key.raw)
    else { return }
    let pixelBytes = source.alpha || request.levels > 0 ? 4 : opaque.bytes
    let bytes = request.edge * request.edge * pixelBytes
    guard let pointer = cache.reserve(bytes, standing: request.standing) else { return }
    source.inFlight += 1
    inFlight.insert(request.key.raw)
    lent += bytes
    stats.inFlight = inFlight.count
    let job = SourceReader.Job(
      key: request.key, tile: request.tile, levels: request.levels,
      memory: TileMemory(pointer: pointer, bytes: bytes), edge: request.edge, opaque: opaque,
      colors: source.colors, generation: source.generation)
    if let drawing = source.drawing {
      pool.add(DecodeJob(job, drawing: drawing, scale: scale))
    } else {
      source.reader.read(job)
    }
  }
}
