import MapGeometry
import Pixels
import TileSources

/// Brings tiles into the cache one by one on the caller's thread: for pictures made without a daemon.
public final class SynchronousLoader {
  private let cache: TileCache
  private let missing: MissingTiles
  private let opaque: TilePixelFormat
  private let decoder = TileDecoder()
  private var sources: [Int: (source: any TileSource, name: String)] = [:]

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
  ///
  /// - Parameter name: what errors of tiles that cannot be decoded name as their file.
  public func setSource(_ index: Int, _ source: any TileSource, name: String = "") {
    sources[index] = (source, name)
  }

  /// Loads one tile, or notes that it is not to be had. False when the cache has no room for it, and
  /// for what cannot be asked for.
  public func load(_ request: TileLoader.Request) -> Bool {
    guard request.isPossible, let (source, name) = sources[request.key.source] else {
      return false
    }
    switch SourceReader.read(request.tile, levels: request.levels, from: source) {
    case .missing(let ancestor):
      missing.insert(request.key, .init(ancestorLevel: ancestor, failed: false))
    case .failed(let errors, let ancestor):
      fail(request.key, errors, ancestor)
    case .parts(let parts, let broken):
      // Always with room for transparency: the picture is made once.
      let bytes = request.edge * request.edge * 4
      guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
      let job = DecodeJob(
        key: request.key, parts: parts, broken: broken, levels: request.levels,
        memory: TileMemory(pointer: buffer, bytes: bytes), edge: request.edge, opaque: opaque,
        generation: 0)
      guard case .decoded(_, let outcome, _) = DecodePool.run(job, decoder) else { return false }
      switch outcome {
      case .tile(let format, let undecoded):
        note(broken + undecoded.map { TileError(file: name, tile: $0.tile, reason: $0.reason) })
        cache.insert(
          request.key, buffer: buffer, bytes: bytes, edge: request.edge, format: format,
          standing: .needed)
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
