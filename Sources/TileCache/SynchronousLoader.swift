import MapGeometry
import Pixels
import TileSources

/// Brings tiles into the cache one by one on the caller's thread: for pictures made without a daemon.
public final class SynchronousLoader {
  private let cache: TileCache
  private let missing: MissingTiles
  private let opaque: TilePixelFormat
  private let decoder = TileDecoder()
  private var sources: [Int: any TileSource] = [:]

  /// Tiles that are there but broken, the first 100 of them.
  public private(set) var errors: [TileError] = []
  /// How many there were.
  public private(set) var errorCount = 0

  public init(cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat) {
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
  }

  /// Makes `index` stand for `source`.
  public func setSource(_ index: Int, _ source: any TileSource) { sources[index] = source }

  /// Loads one tile, or notes that it is not to be had. False when the cache has no room for it.
  public func load(_ request: TileLoader.Request) -> Bool {
    guard let source = sources[request.key.source] else { return false }
    switch SourceReader.read(request.tile, levels: request.levels, from: source) {
    case .missing(let ancestor):
      missing.insert(request.key, .init(ancestorLevel: ancestor, failed: false))
    case .failed(let error, let ancestor):
      fail(request.key, error, ancestor)
    case .parts(let parts):
      // Always with room for transparency: the picture is made once.
      let bytes = request.edge * request.edge * 4
      guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
      let job = DecodeJob(
        key: request.key, parts: parts, levels: request.levels,
        memory: TileMemory(pointer: buffer, bytes: bytes), edge: request.edge, opaque: opaque,
        generation: 0)
      guard case .decoded(_, let outcome, _) = DecodePool.run(job, decoder) else { return false }
      switch outcome {
      case .tile(let format):
        cache.insert(
          request.key, buffer: buffer, bytes: bytes, edge: request.edge, format: format,
          standing: .needed)
      case .needsAlphaRoom:
        cache.cancel(buffer, bytes: bytes)
        return false
      case .failed(let tile, let reason):
        cache.cancel(buffer, bytes: bytes)
        let ancestor = request.levels == 0 ? (try? source.nearestAncestor(of: tile))?.map(\.z) : nil
        fail(
          request.key, TileError(file: "", tile: tile, reason: reason), ancestor ?? nil)
      }
    }
    return true
  }

  private func fail(_ key: TileKey, _ error: TileError, _ ancestor: Int?) {
    errorCount += 1
    if errors.count < 100 { errors.append(error) }
    missing.insert(key, .init(ancestorLevel: ancestor, failed: true))
  }
}
