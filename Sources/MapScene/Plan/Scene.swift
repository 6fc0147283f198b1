import MapGeometry
import Pixels
import Platform
import TileLoading

/// Turns a view and layers into a plan of what to draw, and knows what of it is on the display already.
///
/// The screen is divided into blocks of 256 pixels. A block is *done* once it was drawn with every
/// tile that it needs; it is drawn again only when the view or the layers change or it is invalidated,
/// and its tiles are then no longer needed. So a view whose layers need more than the cache holds is
/// completed block by block, nearest to the centre first, within the limit.
public final class Scene {
  /// What `update` found out.
  public struct Update {
    /// The parts of the screen to be drawn.
    public var damage: [PixelRect] = []
    /// What to load, most urgent first.
    public var requests: [TileLoader.Request] = []
    /// Sources whose quiet cell is among the requests.
    var quietCells: [Int] = []
    /// Sources to be opened.
    public var closed: [Int] = []
  }

  struct Block {
    var drawn = false
    var done = false
    /// The sum of its cells' quality and a hash of what was shown, when it was last drawn.
    var quality = 0
    var signature = FNV1a()
    // For the present update.
    var active = true
    var nowComplete = true
    var nowQuality = 0
    var nowSignature = FNV1a()
  }

  /// A block's edge in pixels.
  public static let blockEdge = 256

  public let cache: TileCache
  public let missing: MissingTiles
  let opaque: TilePixelFormat
  public private(set) var plan: FramePlan
  public private(set) var lastUpdate = Update()
  private var view: Viewport
  private var allLayers: [SceneLayer] = []
  /// Those that the view's zoom shows.
  private var layers: [SceneLayer] = []
  private var blocks: [Block] = []
  private var blockColumns = 0
  private var blockRows = 0
  private var freshView = true
  private var pendingDraw: [Int] = []
  private var order: [(distance: Int, index: Int)] = []

  public init(cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, view: Viewport) {
    self.cache = cache
    self.missing = missing
    self.opaque = opaque
    self.view = view
    plan = FramePlan(transform: ViewTransform(view))
  }

  /// Every block of the view was drawn with all that it needs.
  public var isComplete: Bool { !freshView && blocks.allSatisfy(\.done) }

  /// How many blocks of the view are done.
  public var doneBlocks: Int { blocks.reduce(0) { $0 + ($1.done ? 1 : 0) } }

  /// How often a part of the picture was to be drawn again, as something else lies over it.
  public private(set) var changesOfParts = 0

  /// Has `rect` (nil: everything) drawn again, whatever was drawn there.
  public func invalidate(_ rect: PixelRect? = nil) {
    guard let rect else {
      freshView = true
      return
    }
    changesOfParts &+= 1
    forEachBlock(in: rect) {
      blocks[$0].done = false
      blocks[$0].drawn = false
    }
  }

  /// Whether what the last `update` planned is whole: drawn already, or to be drawn with all that it
  /// needs.
  public var isWholePlan: Bool { blocks.allSatisfy { $0.done || $0.nowComplete } }

  /// Changes the layers, bottom first; everything is drawn again if they differ.
  public func setLayers(_ new: [SceneLayer]) {
    if new != allLayers { freshView = true }
    allLayers = new
    layers = new.filter { view.zoom >= $0.minZoom }
  }

  /// Leaves out the layers that `zoom` does not show.
  private func chooseLayers(at zoom: Double) {
    // A view that only moves allocates nothing here.
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

  /// Plans the frame for `view`.
  ///
  /// - Parameter motion: the direction in which the view moves, in screen points a second or any
  ///   other unit; tiles ahead are loaded first.
  /// - Returns: what to draw and to load. Call `didDraw` once `damage` is drawn.
  public func update(view new: Viewport, motion: (x: Double, y: Double) = (0, 0)) -> Update {
    lastUpdate.damage.removeAll(keepingCapacity: true)
    lastUpdate.requests.removeAll(keepingCapacity: true)
    lastUpdate.quietCells.removeAll(keepingCapacity: true)
    lastUpdate.closed.removeAll(keepingCapacity: true)
    // Moved by less than can be drawn, the picture is the same.
    if !freshView, new != view, ViewTransform(new) == plan.transform { view = new }
    if freshView || new != view || blocks.isEmpty { begin(new) }
    cache.beginView()
    missing.beginView()
    resolveCells(within: nil)
    isHeldBack = neededBytes > cache.limit - reserveForDecoding
    if isHeldBack { holdBack() }
    judgeBlocks()
    if !isHeldBack { addAhead(motion) }
    return lastUpdate
  }

  /// The view needs more than the cache holds: blocks still wait for others to be done, and what is to
  /// be loaded next is known only once the present damage is drawn.
  public private(set) var isHeldBack = false

  /// Bytes that tiles being decoded may take beside those of the view.
  public var reserveForDecoding = 0

  private func begin(_ new: Viewport) {
    freshView = false
    view = new
    chooseLayers(at: new.zoom)
    plan.transform = ViewTransform(new)
    blockColumns = (new.width + Scene.blockEdge - 1) / Scene.blockEdge
    blockRows = (new.height + Scene.blockEdge - 1) / Scene.blockEdge
    blocks.removeAll(keepingCapacity: true)
    blocks.append(contentsOf: repeatElement(Block(), count: blockColumns * blockRows))
    let t = plan.transform
    let all = t.cells(in: PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    plan.columns = all.columns
    plan.rows = all.rows
    // Cells by distance from the middle of the view.
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

  private var neededBytes = 0

  /// Resolves the cells of all layers, nearest to the centre first. Cells whose blocks are all done
  /// keep their tiles without asking for them. `active`: only blocks of this set may ask.
  private func resolveCells(within active: (([Block], Int) -> Bool)?) {
    let t = plan.transform
    let count = plan.columns.count * plan.rows.count
    plan.layers.removeAll(keepingCapacity: true)
    plan.cells.removeAll(keepingCapacity: true)
    plan.pieces.removeAll(keepingCapacity: true)
    lastUpdate.requests.removeAll(keepingCapacity: true)
    lastUpdate.quietCells.removeAll(keepingCapacity: true)
    plan.cells.append(
      contentsOf: repeatElement(FramePlan.Cell(), count: count * layers.count))
    plan.missing = 0
    plan.quiet = 0
    plan.visible = order.count
    neededBytes = 0
    let resolver = CellResolver(
      cache: cache, missing: missing, level: t.level, cellEdge: t.cell)
    for (n, layer) in layers.enumerated() {
      plan.layers.append(
        FramePlan.Layer(firstCell: n * count, opacity: layer.opacity, isBase: layer.isBase))
    }
    let mask = t.columns - 1
    // One reference for the frame instead of some for every cell.
    let layers = layers
    for (_, index) in order {
      let row = plan.rows.lowerBound + index / plan.columns.count
      let column = plan.columns.lowerBound + index % plan.columns.count
      guard let tile = TileID(z: t.level, x: column & mask, y: row) else { continue }
      let box = t.screenBox(column: column, row: row)
      var pending = false
      var allowed = active == nil
      forEachBlock(in: box) {
        if !blocks[$0].done {
          pending = true
          if let active, active(blocks, $0) { allowed = true }
        }
      }
      for n in layers.indices {
        let at = n * count + index
        plan.cells[at].visible = true
        let standing: TileStanding = pending && allowed ? .needed : pending ? .unwanted : .shown
        resolve(layers[n], tile, at, resolver, standing)
      }
    }
  }

  private func resolve(
    _ layer: borrowing SceneLayer, _ tile: TileID, _ at: Int, _ resolver: borrowing CellResolver,
    _ standing: TileStanding
  ) {
    let (isBase, cellEdge) = (layer.isBase, resolver.cellEdge)
    let first = plan.pieces.count
    let outcome = resolver.resolve(layer, tile, into: &plan.pieces) { source, wanted, levels in
      let edge = cellEdge << source.lift
      neededBytes += edge * edge * (isBase ? opaque.bytes : 4)
      guard standing == .needed else { return }
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
        let e = Int32(plan.transform.cell)
        plan.pieces.append(
          FramePlan.Piece(
            slot: slot, serial: cache.entry(slot).serial, shift: 0, originX: 0, originY: 0, x: 0,
            y: 0, width: e, height: e, alpha: false))
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
      // What stands in for a tile gives way to it.
      cache.raise(piece.slot, to: complete ? standing : min(standing, .shown))
      if complete, standing == .needed { neededBytes += cache.entry(piece.slot).bytes }
      if !complete { quality = max(quality, 32 - abs(piece.shift)) }
    }
    plan.cells[at].firstPiece = Int32(first)
    plan.cells[at].pieceCount = Int32(plan.pieces.count - first)
    plan.cells[at].complete = complete
    plan.cells[at].quality = quality
    if outcome.missing { plan.missing += 1 }
  }

  /// The layers need more than the cache holds: only as many blocks as fit ask for tiles now, nearest
  /// to the centre first; the others follow when these are done.
  private func holdBack() {
    let t = plan.transform
    let budget = cache.limit - reserveForDecoding
    var used = 0
    var seen = Set<UInt64>()
    let middle = (blockColumns * Scene.blockEdge / 2, blockRows * Scene.blockEdge / 2)
    let nearest = blocks.indices.filter { !blocks[$0].done }.sorted {
      distance($0, middle) < distance($1, middle)
    }
    for i in blocks.indices { blocks[i].active = false }
    var first = true
    let count = plan.columns.count * plan.rows.count
    for i in nearest {
      var bytes = 0
      let range = t.cells(in: blockRect(i))
      for row in range.rows.clamped(to: plan.rows) {
        for column in range.columns.clamped(to: plan.columns) {
          for n in layers.indices {
            let at =
              n * count + (row - plan.rows.lowerBound) * plan.columns.count
              + column - plan.columns.lowerBound
            guard plan.cells[at].visible else { continue }
            for source in layers[n].chain {
              // A source of the chain may need a tile of its own for this cell.
              let edge = t.cell << source.lift
              let mask = t.columns - 1
              let tile = UInt64(((row >> source.lift) << 26) | ((column & mask) >> source.lift))
              if seen.insert(UInt64(source.index) << 52 | tile).inserted {
                bytes += edge * edge * 4
              }
            }
          }
        }
      }
      if !first, used + bytes > budget { break }
      used += bytes
      first = false
      blocks[i].active = true
    }
    cache.beginView()
    missing.beginView()
    resolveCells { blocks, i in blocks[i].active }
  }

  private func distance(_ i: Int, _ middle: (Int, Int)) -> Int {
    let rect = blockRect(i)
    let dx = rect.x + rect.width / 2 - middle.0
    let dy = rect.y + rect.height / 2 - middle.1
    return dx * dx + dy * dy
  }

  /// Compares what each block would show with what it shows.
  private func judgeBlocks() {
    for i in blocks.indices {
      blocks[i].nowComplete = true
      blocks[i].nowQuality = 0
      blocks[i].nowSignature = FNV1a()
    }
    let t = plan.transform
    let count = plan.columns.count * plan.rows.count
    for (_, index) in order {
      let row = plan.rows.lowerBound + index / plan.columns.count
      let column = plan.columns.lowerBound + index % plan.columns.count
      let box = t.screenBox(column: column, row: row)
      for n in layers.indices {
        let cell = plan.cells[n * count + index]
        var hash = FNV1a()
        hash.combine(UInt64(index &+ 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(n))
        let first = Int(cell.firstPiece)
        for piece in plan.pieces[first..<first + Int(cell.pieceCount)] {
          hash.combine(UInt64(piece.serial) << 8 ^ UInt64(UInt8(truncatingIfNeeded: piece.shift)))
        }
        forEachBlock(in: box) {
          if !cell.complete { blocks[$0].nowComplete = false }
          blocks[$0].nowQuality += Int(cell.quality)
          blocks[$0].nowSignature.combine(hash.value)
        }
      }
    }
    pendingDraw.removeAll(keepingCapacity: true)
    for i in blocks.indices where !blocks[i].done {
      let b = blocks[i]
      if b.drawn, b.nowSignature == b.signature {
        // Drawn before with the very same pixels: nothing to do but to note it.
        blocks[i].done = b.nowComplete
      } else if !b.drawn || b.nowComplete || b.nowQuality > b.quality {
        pendingDraw.append(i)
      }
    }
    if pendingDraw.count == blocks.count {
      lastUpdate.damage.append(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    } else {
      for i in pendingDraw { lastUpdate.damage.append(blockRect(i)) }
    }
  }

  /// The damage of the last update is drawn.
  public func didDraw() {
    for i in pendingDraw {
      blocks[i].drawn = true
      blocks[i].done = blocks[i].nowComplete
      blocks[i].quality = blocks[i].nowQuality
      blocks[i].signature = blocks[i].nowSignature
    }
    pendingDraw.removeAll(keepingCapacity: true)
  }

  /// The ring around the view, ahead of the motion first, then the level above.
  private func addAhead(_ motion: (x: Double, y: Double)) {
    let t = plan.transform
    let resolver = CellResolver(
      cache: cache, missing: missing, level: t.level, cellEdge: t.cell)
    let mask = t.columns - 1
    let way = (
      x: motion.x * t.stepX - motion.y * t.stepY, y: motion.x * t.stepY + motion.y * t.stepX
    )
    func ask(_ source: SceneSource, _ tile: TileID) {
      guard case .wanted(let wanted, 0) = resolver.find(source, tile, use: false) else {
        if case .loaded(let slot, _) = resolver.find(source, tile, use: true) {
          cache.raise(slot, to: .ahead)
        }
        return
      }
      let key = TileKey(source: source.index, tile: wanted)
      if lastUpdate.requests.contains(where: { $0.key == key }) { return }
      lastUpdate.requests.append(
        TileLoader.Request(
          key: key, tile: wanted, levels: 0, edge: resolver.edge(source), standing: .ahead))
    }
    for layer in layers {
      guard let source = layer.chain.first, source.levels != nil else { continue }
      for pass in 0..<2 {
        for row in (plan.rows.lowerBound - 1)...plan.rows.upperBound
        where row >= 0 && row <= mask {
          for column in (plan.columns.lowerBound - 1)...plan.columns.upperBound {
            let dx =
              column < plan.columns.lowerBound ? -1 : column >= plan.columns.upperBound ? 1 : 0
            let dy = row < plan.rows.lowerBound ? -1 : row >= plan.rows.upperBound ? 1 : 0
            if dx == 0, dy == 0 { continue }
            let ahead = Double(dx) * way.x + Double(dy) * way.y > 0
            guard ahead == (pass == 0), let tile = TileID(z: t.level, x: column & mask, y: row)
            else { continue }
            ask(source, tile)
          }
        }
      }
      // The level above.
      guard t.level > 0 else { continue }
      let above = CellResolver(
        cache: cache, missing: missing, level: t.level - 1, cellEdge: t.cell)
      for row in stride(from: plan.rows.lowerBound & ~1, to: plan.rows.upperBound, by: 2) {
        for column in stride(from: plan.columns.lowerBound & ~1, to: plan.columns.upperBound, by: 2)
        {
          guard let tile = TileID(z: t.level, x: column & mask, y: row)?.ancestor(1) else {
            continue
          }
          switch above.find(source, tile, use: true) {
          case .loaded(let slot, _): cache.raise(slot, to: .ahead)
          case .wanted(let wanted, 0):
            let key = TileKey(source: source.index, tile: wanted)
            if !lastUpdate.requests.contains(where: { $0.key == key }) {
              lastUpdate.requests.append(
                TileLoader.Request(
                  key: key, tile: wanted, levels: 0, edge: above.edge(source), standing: .ahead))
            }
          default: break
          }
        }
      }
    }
  }

  private func blockRect(_ i: Int) -> PixelRect {
    let e = Scene.blockEdge
    return PixelRect(x: i % blockColumns * e, y: i / blockColumns * e, width: e, height: e)
      .intersection(PixelRect(x: 0, y: 0, width: view.width, height: view.height))
  }

  private func forEachBlock(in rect: PixelRect, _ body: (Int) -> Void) {
    if rect.isEmpty || blocks.isEmpty { return }
    let e = Scene.blockEdge
    for row in max(0, rect.y / e)...min(blockRows - 1, (rect.maxY - 1) / e) {
      for column in max(0, rect.x / e)...min(blockColumns - 1, (rect.maxX - 1) / e) {
        body(row * blockColumns + column)
      }
    }
  }
}
