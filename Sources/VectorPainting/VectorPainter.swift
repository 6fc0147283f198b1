import Drawing
import Glibc
import MapLabels
import MapStyle
import Pixels
import Platform
import Synchronization
import TileLoading
import VectorTiles

/// Paints vector tiles in a style: pixels, and the candidates for labels.
///
/// Immutable but for its cache of parsed tiles; several threads use one at the same time.
public final class VectorPainter: Sendable {
  /// The style.
  public let style: MapStyle
  /// The tiles that were painted last.
  public let cache: ParsedTileCache
  let compiled: CompiledStyle
  let images: any VectorImages
  let limits: VectorTileLimits
  private let memoises: Bool
  /// The tiles that threads prepare now.
  private let preparations = TilePreparations()

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - images: The pictures of its sprite sheet.
  ///   - cache: Keeps parsed tiles of this painter, and of others that share it.
  ///   - limits: What a tile may have at most.
  public convenience init(
    style: MapStyle, images: any VectorImages = NoVectorImages(),
    cache: ParsedTileCache = ParsedTileCache(), limits: VectorTileLimits = VectorTileLimits()
  ) {
    self.init(style: style, images: images, cache: cache, limits: limits, memoises: true)
  }

  /// Creates a painter that, without `memoises`, evaluates rules for each feature.
  init(
    style: MapStyle, images: any VectorImages, cache: ParsedTileCache, limits: VectorTileLimits,
    memoises: Bool
  ) {
    self.style = style
    self.images = images
    self.cache = cache
    self.limits = limits
    self.memoises = memoises
    compiled = CompiledStyle(style)
  }

  deinit { cache.removeAll(of: ObjectIdentifier(self)) }

  /// The source layers that the style draws. Others are skipped when a tile is read.
  public var sourceLayers: Set<String> { compiled.sourceLayers }

  /// Paints a vector tile, or a part of it.
  ///
  /// - Parameters:
  ///   - bytes: The uncompressed tile.
  ///   - owner: What keeps `bytes` where and as they are for as long as it exists, so that the
  ///     parsed tile shares them; nil: it copies them.
  ///   - request: What to paint.
  ///   - pictures: What `raster` layers draw. A source without one has nothing here.
  ///   - target: The memory to paint into. Its companion becomes the part's `TileLabels`, if there
  ///     are any and the request wants them.
  /// - Returns: The result. A style with an opaque background gives opaque tiles; others have
  ///   transparency.
  public func paint(
    _ bytes: UnsafeRawBufferPointer, of owner: (any AnyObject & Sendable)? = nil,
    _ request: VectorPaintRequest, pictures: [VectorPicture] = [], into target: inout PaintTarget
  ) -> PaintOutcome {
    guard target.edge > 0,
      target.edge <= PartWindow.maximumEdge
        || target.edge <= TileProjection.maximumEdge >> request.part.levels
    else { return .failed("tile too far below the source's deepest level") }
    let work = PaintWorkPool.shared.take()
    defer { PaintWorkPool.shared.giveBack(work) }
    do throws(VectorTileError) {
      guard let tile = try prepared(bytes, owner, request, target, work) else { return .cancelled }
      let outcome = try paint(tile, request, pictures, into: &target, work)
      if outcome != .cancelled { cache.finish(request.part, of: tile) }
      return outcome
    } catch {
      return error.lacksMemory ? .lacksMemory(error.description) : .failed(error.description)
    }
  }

  private func prepared(
    _ bytes: UnsafeRawBufferPointer, _ owner: (any AnyObject & Sendable)?,
    _ request: VectorPaintRequest, _ target: PaintTarget, _ work: PaintWork
  ) throws(VectorTileError) -> PreparedTile? {
    let key = PreparedTile.Key(
      zoom: request.zoom, pixelsPerPoint: request.pixelsPerPoint, hasLabels: request.hasLabels)
    var known = cache.find(request.tile, of: ObjectIdentifier(self), bytes, key)
    if let known, known.key == key { return known }
    let turn = preparations.begin(request.tile, isCancelled: { target.isCancelled })
    if turn == .cancelled { return nil }
    defer { if turn == .first { preparations.end(request.tile) } }
    if turn == .later {
      known = cache.find(request.tile, of: ObjectIdentifier(self), bytes, key)
      if let known, known.key == key { return known }
    }
    let tile: VectorTile
    if let known {
      tile = known.tile
    } else {
      tile = try VectorTile(bytes, owner: owner, layers: compiled.sourceLayers, limits: limits)
    }
    let prepared = try PreparedTile.prepare(
      tile, compiled, key, images, work.geometry, memoises: memoises,
      isCancelled: { target.isCancelled })
    if let prepared { cache.insert(request.tile, of: ObjectIdentifier(self), prepared) }
    return prepared
  }

  private func paint(
    _ tile: PreparedTile, _ request: VectorPaintRequest, _ pictures: [VectorPicture],
    into target: inout PaintTarget, _ work: PaintWork
  ) throws(VectorTileError) -> PaintOutcome {
    let edge = target.edge
    if let canvas = target.clearedCanvas() {
      let state: StepPainter
      switch try draw(tile, request, pictures, on: canvas, &target, work) {
      case .success(let painter): state = painter
      case .failure(let stop): return stop.outcome
      }
      if request.hasLabels, !target.isPart {
        target.companion = try labels(of: tile, request, target, work)
        if target.isCancelled { return .cancelled }
      }
      guard state.hasPixels || target.companion != nil else { return .nothing }
      target.applyColors()
      guard state.isOpaque else { return .painted(.argb8888) }
      if target.isPart { return .painted(.xrgb8888) }
      guard target.rowBytes == edge * 4, target.room >= edge * edge * 4 else {
        return .painted(.argb8888)
      }
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: target.pixels, count: target.room), edge: edge,
        to: target.opaque)
      return .painted(target.opaque)
    }
    // The target has two bytes per pixel, which is enough for opaque tiles.
    guard target.opaque == .rgb565, target.room >= edge * edge * 2 else { return .needsAlphaRoom }
    guard let room = SpareMemory.allocate(edge * edge * 4) else {
      return .lacksMemory("there is no memory for its pixels")
    }
    let spare = room.bindMemory(to: UInt32.self, capacity: edge * edge)
    spare.initialize(repeating: 0, count: edge * edge)
    defer { free(room) }
    let canvas = PixelCanvas(spare, stride: edge, width: edge, height: edge)
    let state: StepPainter
    switch try draw(tile, request, pictures, on: canvas, &target, work) {
    case .success(let painter): state = painter
    case .failure(let stop): return stop.outcome
    }
    if state.hasPixels, !state.isOpaque { return .needsAlphaRoom }
    if request.hasLabels {
      target.companion = try labels(of: tile, request, target, work)
      if target.isCancelled { return .cancelled }
    }
    guard state.hasPixels || target.companion != nil else { return .nothing }
    guard state.isOpaque else { return .needsAlphaRoom }
    target.colors.apply(to: spare, count: edge * edge)
    RGB565Tile.pack(spare, edge: edge, into: target.pixels)
    return .painted(.rgb565)
  }

  private func labels(
    of tile: PreparedTile, _ request: VectorPaintRequest, _ target: PaintTarget, _ work: PaintWork
  ) throws(VectorTileError) -> TileLabels? {
    let collector = LabelCollector(request, images, isCancelled: { target.isCancelled })
    let ground = compiled.ground(at: request.zoom, images)
    return try collector.labels(of: tile, on: ground, work)
  }

  /// Why a tile is not painted.
  struct Stop: Error {
    var outcome: PaintOutcome
  }

  /// Draws the style's layers in their order.
  private func draw(
    _ tile: PreparedTile, _ request: VectorPaintRequest, _ pictures: [VectorPicture],
    on canvas: PixelCanvas, _ target: inout PaintTarget, _ work: PaintWork
  ) throws(VectorTileError) -> Result<StepPainter, Stop> {
    let (tools, isCancelled) = (target.tools, target.cancellationCheck)
    var painter = StepPainter(
      canvas, tools.rasteriser, work, request, images, isCancelled: isCancelled)
    var next = 0
    // Forget the faults of an earlier attempt to paint this tile.
    target.faults = []
    for (order, layer) in style.layers.enumerated() {
      switch layer.kind {
      case .background(let background) where layer.isDrawn(at: request.zoom):
        painter.draw(background)
      case .raster(let raster) where layer.isDrawn(at: request.zoom):
        let picture = pictures.first { $0.source == layer.source }
        if let outcome = painter.draw(raster, picture, tools.decoder, &target.faults) {
          return .failure(Stop(outcome: outcome))
        }
      default: break
      }
      while next < tile.steps.count, tile.steps[next].order == order {
        guard try painter.draw(tile.steps[next], of: tile) else {
          return .failure(Stop(outcome: .cancelled))
        }
        next += 1
      }
    }
    return .success(painter)
  }
}
