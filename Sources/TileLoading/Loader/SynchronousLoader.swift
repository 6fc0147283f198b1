import Glibc
import MapGeometry
import Pixels
import TileSources

/// Loads tiles into the cache one by one on the caller's thread, for pictures made without a
/// daemon.
public final class SynchronousLoader {
  private let cache: TileCache
  private let missing: MissingTiles
  private let opaque: TilePixelFormat
  private let scale: Int
  private let tools = PaintTools()
  private let buffers = EncodedBuffers()
  /// How long tiles that their source promises are waited for, all of them together, in
  /// nanoseconds.
  private static let patience: UInt64 = 60_000_000_000
  /// When that is over; nil: nothing was promised so far.
  private var patienceEnd: UInt64?
  private struct Source {
    var source: any TileSource
    var name: String
    var colors: TileColors
    var painter: (any TilePainter)?
    var quietCell: (any TilePainter)?
  }
  private var sources: [Int: Source] = [:]

  /// The errors of tiles that exist but are broken, the first 100 of them.
  public private(set) var errors: [TileError] = []
  /// How many such errors there were.
  public private(set) var errorCount = 0
  /// The tiles that these errors kept from being made, or made whole.
  public private(set) var broken: Set<TileKey> = []

  /// Creates a loader without sources.
  ///
  /// - Parameters:
  ///   - cache: Receives the tiles.
  ///   - missing: Remembers which tiles are unavailable.
  ///   - opaque: The format of tiles without transparency.
  ///   - scale: Pixels per point, for sources that draw.
  public init(cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, scale: Int = 1) {
    self.scale = scale
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
  }

  /// Sets the source with the number `index`.
  ///
  /// - Parameters:
  ///   - index: The number, 0 ..< `TileKey.maxSources`.
  ///   - source: The source; open, and used on this thread.
  ///   - name: The file name in errors of tiles that cannot be decoded.
  ///   - colors: The colour changes applied to its tiles.
  public func setSource(
    _ index: Int, _ source: any TileSource, name: String = "", colors: TileColors = .none
  ) {
    let painter = (source as? any DrawnSource)?.painter
    sources[index] = Source(source: source, name: name, colors: colors, painter: painter)
    let draws = painter.map { !$0.needsPayload } ?? false
    missing.setPainter(draws ? painter : nil, of: index)
  }

  /// Sets the painter of the quiet cell of `source`, which must need no payload.
  public func setQuietCell(_ painter: any TilePainter, of source: Int) {
    sources[source]?.quietCell = painter
  }

  /// Loads one tile, or records that it is unavailable.
  ///
  /// - Parameter request: The tile; its standing is always taken as `needed`.
  /// - Returns: False if the cache has no room for it, or if it cannot be made.
  public func load(_ request: TileLoader.Request) -> Bool {
    guard request.isPossible, var entry = sources[request.key.source] else { return false }
    if request.key.tile == nil {
      guard let quietCell = entry.quietCell else { return false }
      entry.painter = quietCell
    }
    if let painter = entry.painter, !painter.needsPayload {
      return paint(request, parts: [], broken: [], entry)
    }
    switch reading(request, entry.source) {
    case .missing(let ancestor):
      missing.insert(request.key, .init(ancestorLevel: ancestor, failed: false))
    case .later:
      missing.insert(request.key, .init(ancestorLevel: nil, failed: false))
    case .failed(let errors, let ancestor):
      fail(request.key, errors, ancestor)
    case .parts(let parts, let broken):
      return paint(request, parts: parts, broken: broken, entry)
    }
    return true
  }

  /// Reads a tile, and waits for one that its source promises, but not for ever.
  private func reading(_ request: TileLoader.Request, _ source: any TileSource) -> SourceReading {
    while true {
      let reading = SourceReading.read(
        request.tile, levels: request.levels, from: source, buffers)
      guard case .later(let retry) = reading else { return reading }
      let end = patienceEnd ?? MonotonicTime.now() &+ SynchronousLoader.patience
      patienceEnd = end
      guard MonotonicTime.now() < end else { return reading }
      while !retry.hasFired, MonotonicTime.now() < end { usleep(500) }
    }
  }

  private func paint(
    _ request: TileLoader.Request, parts: [PaintJob.Part], broken: [TileError], _ entry: Source
  ) -> Bool {
    let (source, name) = (entry.source, entry.name)
    // Always with room for transparency, because the picture is made only once.
    let bytes = request.edge * request.edge * 4
    guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
    var job = PaintJob(
      key: request.key, tile: request.tile, levels: request.levels,
      memory: TileMemory(pointer: buffer, bytes: bytes), edge: request.edge, opaque: opaque,
      colors: entry.colors, scale: scale, generation: 0)
    if let painter = entry.painter { job.painter = painter }
    job.parts = parts
    job.broken = broken
    let outcome = job.run(tools)
    buffers.giveBack(&job.parts)
    switch outcome {
    case .tile(let format, let undecoded, let companion):
      note(request.key, job.errors(undecoded, file: name))
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: request.edge, format: format,
        standing: .needed, companion: companion)
    case .nothing:
      cache.cancel(buffer, bytes: bytes)
      missing.insert(request.key, .init(ancestorLevel: nil, failed: false))
    case .needsAlphaRoom, .cancelled:
      cache.cancel(buffer, bytes: bytes)
      return false
    case .failed(let undecoded):
      cache.cancel(buffer, bytes: bytes)
      let ancestor =
        request.levels == 0 ? (try? source.nearestAncestor(of: request.tile))?.z : nil
      fail(request.key, job.errors(undecoded, file: name), ancestor)
    }
    return true
  }

  private func note(_ key: TileKey, _ found: [TileError]) {
    if found.isEmpty { return }
    broken.insert(key)
    errorCount += found.count
    errors.append(contentsOf: found.prefix(100 - errors.count))
  }

  private func fail(_ key: TileKey, _ errors: [TileError], _ ancestor: Int?) {
    note(key, errors)
    missing.insert(key, .init(ancestorLevel: ancestor, failed: true))
  }
}
