import MapGeometry
import Pixels
import TileLoading

/// Turns a view and layers into a plan of what to draw, and tracks what the display already shows.
///
/// The screen is divided into blocks of 256 pixels that are drawn once each (`ScreenBlocks`). A
/// finished block no longer needs its tiles. A view whose layers need more than the cache holds is
/// therefore completed block by block, nearest to the centre first, within the cache's limit.
public final class Scene {
  /// A block's edge in pixels.
  public static let blockEdge = ScreenBlocks.edge

  /// The tile cache, which other scenes may share.
  public let cache: TileCache
  /// The tiles known to be unavailable.
  public let missing: MissingTiles
  /// The plan of the last `update`.
  public private(set) var plan: FramePlan
  /// What the last `update` returned.
  public private(set) var lastUpdate = Update()
  /// How often `invalidate` was called for a part of the view.
  public private(set) var changesOfParts = 0
  /// Whether the view needs more than the cache holds. Blocks then wait for earlier ones, and what
  /// to load next is known only once the present damage is drawn.
  public private(set) var isHeldBack = false
  /// Bytes of the cache to keep free for tiles being decoded.
  public var reserveForDecoding = 0

  private let id: ViewID
  private let opaque: TilePixelFormat
  private let ring: RingAhead
  private var view: Viewport
  /// The edge in pixels of the grid's cells, for which tiles are painted; nil: 256 points. See
  /// `setCell(_:)`.
  public private(set) var cell: Int?
  private var allLayers: [SceneLayer] = []
  /// The layers shown at the view's zoom.
  private var layers: [SceneLayer] = []
  private var blocks = ScreenBlocks()
  private var newCells = NewCells()
  /// Whether base tiles of this view may wait for overlays: it was never held back.
  private var mayWait = true
  private var isFresh = true
  /// The visible cells, nearest to the centre first.
  private var order: [(distance: Int, index: Int)] = []
  /// Bytes of the tiles that the pending blocks need.
  private var neededBytes = 0

  /// Creates a scene without layers.
  ///
  /// - Parameters:
  ///   - cache: Holds the tiles.
  ///   - missing: The tiles known to be unavailable.
  ///   - opaque: The format of opaque tiles.
  ///   - view: The first view.
  ///   - id: Distinguishes it from other scenes that share the cache.
  public init(
    cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, view: Viewport,
    id: ViewID = .main
  ) {
    self.id = id
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
    self.view = view
    ring = RingAhead(cache: cache, missing: missing, id: id)
    plan = FramePlan(transform: ViewTransform(view))
  }

  /// Whether every block of the view has been drawn with all the tiles it needs.
  public var isComplete: Bool { !isFresh && blocks.areDone }

  /// How many blocks of the view have been drawn with all the tiles they need.
  public var doneBlocks: Int { blocks.doneCount }

  /// Whether drawing the damage of the last `update` completes the view.
  public var isWholePlan: Bool { blocks.areWhole }

  /// Marks a part of the view to be drawn again.
  ///
  /// - Parameter rect: The part in view pixels; nil: everything.
  public func invalidate(_ rect: PixelRect? = nil) {
    guard let rect else {
      isFresh = true
      return
    }
    changesOfParts &+= 1
    blocks.invalidate(rect)
  }

  /// Whether the next `update` draws everything, so that no part needs to be marked.
  ///
  /// - Parameter new: The view that it will be given.
  /// - Returns: Whether everything is drawn again.
  public func redrawsAll(of new: Viewport) -> Bool {
    isFresh || blocks.isEmpty
      || new != view && ViewTransform(new, cell: cell) != plan.transform
  }

  /// Replaces the layers. If they differ, the whole view is drawn again.
  ///
  /// - Parameter new: The layers, bottom first.
  public func setLayers(_ new: [SceneLayer]) {
    if new != allLayers { isFresh = true }
    allLayers = new
    layers = new.filter { shownZoom(view) >= $0.minZoom }
  }

  /// The first source of the base map on the screen; nil: there is none.
  var baseSource: SceneSource? { layers.first.flatMap { $0.isBase ? $0.chain.first : nil } }

  /// Whether a layer on the screen lies above the base's labels.
  public var hasLayersAboveLabels: Bool { layers.contains { $0.isAboveLabels } }

  /// Sets the size of the grid's cells, and so of all tiles. If it differs, the whole view is
  /// planned again: cached tiles of another size are shown scaled, and tiles of the new size are
  /// requested where no tile has that key. Sources thus need new numbers, with their present tiles
  /// as `SceneSource.former`.
  ///
  /// - Parameter edge: A cell's edge in pixels: the view's `restingCell` when it rests. Nil: 256
  ///   points.
  public func setCell(_ edge: Int?) {
    if edge == cell { return }
    cell = edge
    isFresh = true
  }

  /// The zoom that decides which layers are shown. A resting view's may be rounded down.
  private func shownZoom(_ view: Viewport) -> Double { cell == nil ? view.zoom : view.zoom + 0.004 }

  /// Plans the frame for `view`. Call `didDraw` once the damage is drawn.
  ///
  /// A tile of the base that has arrived waits for the tiles of overlays from local sources over
  /// it, so that they appear together: for 250 ms at most, where something else stands in for it,
  /// and never in a view that is held back.
  ///
  /// - Parameters:
  ///   - new: The view.
  ///   - motion: The direction in which the view moves, in screen axes and any unit. Tiles ahead
  ///     are loaded first.
  ///   - now: The time of the frame in nanoseconds. If tiles wait, the next frame is due at the
  ///     result's `waitsUntil` at the latest. Nil: no tile waits.
  /// - Returns: What to draw, load and open.
  public func update(
    view new: Viewport, motion: (x: Double, y: Double) = (0, 0), now: UInt64? = nil
  ) -> Update {
    lastUpdate.removeAll()
    // A move too small to draw leaves the picture as it is.
    if !isFresh, new != view, ViewTransform(new, cell: cell) == plan.transform { view = new }
    if isFresh || new != view || blocks.isEmpty { begin(new) }
    cache.beginView(id)
    missing.beginView(id)
    blocks.activateAll()
    resolveCells(mayWait ? now : nil)
    isHeldBack = neededBytes > cache.limit - reserveForDecoding
    if isHeldBack { holdBack() }
    blocks.judge(plan, order, isHeldBack: isHeldBack, &lastUpdate)
    if !isHeldBack { ring.add(plan, layers, isPainted: cell != nil, motion, to: &lastUpdate) }
    return lastUpdate
  }

  /// Records that the damage of the last update has been drawn.
  public func didDraw() { blocks.didDraw() }

  /// Selects the layers shown at `zoom`.
  private func chooseLayers(at zoom: Double) {
    // Checks first, so that a view that only moves allocates nothing.
    var shown = 0
    for layer in allLayers where zoom >= layer.minZoom {
      guard shown < layers.count, layers[shown].chain.first == layer.chain.first else {
        layers = allLayers.filter { zoom >= $0.minZoom }
        return
      }
      shown += 1
    }
    if shown != layers.count { layers = allLayers.filter { zoom >= $0.minZoom } }
  }

  private func begin(_ new: Viewport) {
    isFresh = false
    mayWait = true
    view = new
    chooseLayers(at: shownZoom(new))
    plan.transform = ViewTransform(new, cell: cell)
    blocks.reset(width: new.width, height: new.height)
    let t = plan.transform
    let all = t.cells(in: PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    plan.columns = all.columns
    plan.rows = all.rows
    // Sorts the visible cells by distance from the middle of the view.
    order.removeAll(keepingCapacity: true)
    let middle = t.grid(Double(t.width) / 2, Double(t.height) / 2)
    for row in all.rows {
      for column in all.columns where t.isVisible(column: column, row: row) {
        let dx = (Double(column) + 0.5) * Double(t.cell) - middle.x
        let dy = (Double(row) + 0.5) * Double(t.cell) - middle.y
        order.append(
          (
            Int(dx * dx + dy * dy),
            (row - all.rows.lowerBound) * all.columns.count + column - all.columns.lowerBound
          ))
      }
    }
    order.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
  }

  /// Resolves the cells of all layers, nearest to the centre first. A cell whose blocks are all
  /// done keeps its tiles but requests none; other cells request tiles if one of their blocks is
  /// active. At the time `now`, base tiles may wait for overlays; nil: none waits.
  private func resolveCells(_ now: UInt64?) {
    let t = plan.transform
    let count = plan.columns.count * plan.rows.count
    plan.layers.removeAll(keepingCapacity: true)
    plan.cells.removeAll(keepingCapacity: true)
    plan.pieces.removeAll(keepingCapacity: true)
    lastUpdate.requests.removeAll(keepingCapacity: true)
    lastUpdate.quietCells.removeAll(keepingCapacity: true)
    plan.cells.append(
      contentsOf: repeatElement(FramePlan.Cell(), count: count * layers.count))
    lastUpdate.waitsUntil = nil
    plan.missing = 0
    plan.quiet = 0
    plan.visible = order.count
    neededBytes = 0
    let resolver = CellResolver(
      cache: cache, missing: missing, level: t.level, cellEdge: t.cell)
    for (n, layer) in layers.enumerated() {
      plan.layers.append(
        FramePlan.Layer(
          firstCell: n * count, opacity: layer.opacity, isBase: layer.isBase,
          isAboveLabels: layer.isAboveLabels))
    }
    let mask = t.columns - 1
    newCells.begin(plan)
    // Retains the array once per frame instead of several times per cell.
    let layers = layers
    let hasBase = layers.first?.isBase ?? false
    for (_, index) in order {
      let row = plan.rows.lowerBound + index / plan.columns.count
      let column = plan.columns.lowerBound + index % plan.columns.count
      guard let tile = TileID(z: t.level, x: column & mask, y: row) else { continue }
      let need = blocks.need(t, column: column, row: row)
      let standing: TileStanding =
        need.active ? .needed : need.pending ? .unwanted : .shown
      var isAwaited = false
      for n in layers.indices {
        let at = n * count + index
        plan.cells[at].visible = true
        if resolve(layers[n], tile, at, resolver, standing) { isAwaited = true }
      }
      if hasBase,
        let end = newCells.wait(
          column: column, row: row, isComplete: plan.cells[index].complete,
          isAwaited: isAwaited, now: now)
      {
        if keepStandIns(layers[0], tile, index, resolver) {
          lastUpdate.waitsUntil = min(lastUpdate.waitsUntil ?? end, end)
        } else {
          newCells.show(column: column, row: row)
        }
      }
    }
  }

  /// Resolves the cell `at` of `layer`. Returns whether it lies over the base and will soon look
  /// different, because its tile comes from a local source and nothing as sharp stands in.
  private func resolve(
    _ layer: borrowing SceneLayer, _ tile: TileID, _ at: Int, _ resolver: borrowing CellResolver,
    _ standing: TileStanding
  ) -> Bool {
    let (isBase, cellEdge) = (layer.isBase, resolver.cellEdge)
    var isAwaited = false
    let first = plan.pieces.count
    let outcome = resolver.resolve(layer, tile, into: &plan.pieces) { source, wanted, levels in
      let edge = cellEdge << source.lift
      neededBytes += edge * edge * (isBase ? opaque.bytes : 4)
      guard standing == .needed else { return }
      if source.isLocal, !isBase { isAwaited = true }
      lastUpdate.requests.append(
        TileLoader.Request(
          key: TileKey(source: source.index, tile: wanted), tile: wanted, levels: levels,
          edge: edge, standing: .needed))
    }
    if let closed = outcome.closed, !lastUpdate.closed.contains(closed) {
      lastUpdate.closed.append(closed)
    }
    if let source = outcome.quiet {
      plan.quiet += 1
      let key = TileKey(quietCellOf: source)
      if let slot = cache.hit(key) {
        plan.pieces.append(
          .quietCell(key, edge: plan.transform.cell, slot: slot, in: cache))
      } else if standing == .needed, !lastUpdate.quietCells.contains(source) {
        lastUpdate.quietCells.append(source)
        lastUpdate.requests.append(
          TileLoader.Request(
            key: key, tile: .world, levels: 0, edge: plan.transform.cell, standing: .needed))
      }
    }
    let complete = outcome.complete && !(outcome.quiet != nil && plan.pieces.count == first)
    var quality: Int32 = complete ? 64 : 0
    for i in first..<plan.pieces.count {
      let piece = plan.pieces[i]
      // Stand-ins may be evicted for the real tile.
      cache.raise(piece.slot, to: complete ? standing : min(standing, .shown), for: id)
      if complete, standing == .needed { neededBytes += cache.entry(piece.slot).bytes }
      if !complete { quality = max(quality, 32 - abs(piece.shift)) }
    }
    plan.cells[at].firstPiece = Int32(first)
    plan.cells[at].pieceCount = Int32(plan.pieces.count - first)
    plan.cells[at].complete = complete
    plan.cells[at].quality = quality
    if outcome.missing { plan.missing += 1 }
    return isAwaited && quality < 32
  }

  /// Lets the base's cell `at` show what stood in for its tile, and wait. Returns whether anything
  /// does: without that, the tile is shown.
  private func keepStandIns(
    _ layer: borrowing SceneLayer, _ tile: TileID, _ at: Int, _ resolver: borrowing CellResolver
  ) -> Bool {
    let cell = plan.cells[at]
    if cell.pieceCount == 0 { return false }
    // The tile itself keeps its standing, and its pieces stay in the list without a cell.
    let own = plan.pieces[Int(cell.firstPiece + cell.pieceCount - 1)]
    let first = plan.pieces.count
    guard resolver.standIns(layer, tile, for: own, into: &plan.pieces) else { return false }
    var quality: Int32 = 0
    for piece in plan.pieces[first...] {
      cache.raise(piece.slot, to: .shown, for: id)
      quality = max(quality, 32 - abs(piece.shift))
    }
    plan.cells[at].firstPiece = Int32(first)
    plan.cells[at].pieceCount = Int32(plan.pieces.count - first)
    plan.cells[at].complete = false
    plan.cells[at].quality = quality
    return true
  }

  /// Lets only as many blocks request tiles as fit into the cache. The others follow once these are
  /// done.
  private func holdBack() {
    mayWait = false
    var held = HoldBack()
    blocks.activate(within: cache.limit - reserveForDecoding) {
      held.bytes($0, plan, layers)
    }
    cache.beginView(id)
    missing.beginView(id)
    resolveCells(nil)
  }
}
