import MapGeometry
import Pixels
import TileSources

/// Brings tiles into the cache one by one on the caller's thread: for pictures made without a daemon.
public final class SynchronousLoader {
  private let cache: TileCache
  private let missing: MissingTiles
  private let opaque: TilePixelFormat
  private let scale: Int
  private let tools = TileTools()
  private let buffers = EncodedBuffers()
  private struct Source {
    var source: any TileSource
    var name: String
    var colors: TileColors
    var drawing: (any TileDrawing)?
  }
  private var sources: [Int: Source] = [:]

  /// Tiles that are there but broken, the first 100 of them.
  public private(set) var errors: [TileError] = []
  /// How many there were.
  public private(set) var errorCount = 0

  /// - Parameter scale: pixels a point, for sources that draw.
  public init(cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, scale: Int = 1) {
    self.scale = scale
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
  }

  /// Makes `index` stand for `source`.
  ///
  /// - Parameters:
  ///   - name: what errors of tiles that cannot be decoded name as their file.
  ///   - colors: what is done to its tiles' colours.
  public func setSource(
    _ index: Int, _ source: any TileSource, name: String = "", colors: TileColors = .none
  ) {
    let drawing = (source as? any DrawnSource)?.drawing
    sources[index] = Source(source: source, name: name, colors: colors, drawing: drawing)
    missing.setDrawing(drawing, of: index)
  }

  /// Loads one tile, or notes that it is not to be had. False when the cache has no room for it, and
  /// for what cannot be asked for.
  public func load(_ request: TileLoader.Request) -> Bool {
    guard request.isPossible, let entry = sources[request.key.source] else { return false }
    if let drawing = entry.drawing {
      return decode(request, parts: [], broken: [], entry, drawing: drawing)
    }
    let source = entry.source
    switch SourceReader.read(request.tile, levels: request.levels, from: source, buffers) {
    case .missing(let ancestor):
      missing.insert(request.key, .init(ancestorLevel: ancestor, failed: false))
    case .later:
      // Nobody waits here.
      missing.insert(request.key, .init(ancestorLevel: nil, failed: false))
    case .failed(let errors, let ancestor):
      fail(request.key, errors, ancestor)
    case .parts(let parts, let broken):
      return decode(request, parts: parts, broken: broken, entry, drawing: nil)
    }
    return true
  }

  private func decode(
    _ request: TileLoader.Request, parts: [DecodeJob.Part], broken: [TileError], _ entry: Source,
    drawing: (any TileDrawing)?
  ) -> Bool {
    let (source, name) = (entry.source, entry.name)
    // Always with room for transparency: the picture is made once.
    let bytes = request.edge * request.edge * 4
    guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
    var job = DecodeJob(
      key: request.key, parts: parts, broken: broken, levels: request.levels,
      memory: TileMemory(pointer: buffer, bytes: bytes), edge: request.edge, opaque: opaque,
      colors: entry.colors, drawing: drawing, scale: scale, generation: 0)
    guard case .decoded(_, let outcome, _) = DecodePool.run(job, tools) else { return false }
    buffers.giveBack(&job.parts)
    switch outcome {
    case .tile(let format, let undecoded):
      note(broken + undecoded.map { TileError(file: name, tile: $0.tile, reason: $0.reason) })
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: request.edge, format: format,
        standing: .needed)
    case .nothing:
      cache.cancel(buffer, bytes: bytes)
      missing.insert(request.key, .init(ancestorLevel: nil, failed: false))
    case .needsAlphaRoom:
      cache.cancel(buffer, bytes: bytes)
      return false
    case .failed(let undecoded):
      cache.cancel(buffer, bytes: bytes)
      let ancestor =
        request.levels == 0 ? (try? source.nearestAncestor(of: request.tile))?.z : nil
      fail(
        request.key,
        broken + undecoded.map { TileError(file: name, tile: $0.tile, reason: $0.reason) },
        ancestor)
    }
    return true
  }

  private func note(_ broken: [TileError]) {
    errorCount += broken.count
    errors.append(contentsOf: broken.prefix(100 - errors.count))
  }

  private func fail(_ key: TileKey, _ errors: [TileError], _ ancestor: Int?) {
    note(errors)
    missing.insert(key, .init(ancestorLevel: ancestor, failed: true))
  }
}
