import MapGeometry
import Pixels
import TileLoading
import TileSources

/// Draws one picture of a view without a daemon or a display, in bounded memory: strips of 256
/// rows, in blocks that keep only their own tiles.
///
/// Use it on one thread. It reads the sources on the calling thread.
public final class StillRenderer {
  /// The longest side of a picture in pixels.
  public static let maxSide = 16384
  /// The most bytes of decoded tiles, not counting overlays.
  public static let cacheBytes = 64 << 20

  private static let blockEdge = 512
  private static let stripHeight = 256

  /// The view that is drawn: the one that was asked for, with the zoom changed by at most 0.3 % if
  /// the map is painted for its zoom.
  public let view: Viewport
  /// The edge of the grid's cells in pixels; nil: 256 points.
  private let cell: Int?
  private let layers: [SceneLayer]
  private let cache: TileCache
  private let missing = MissingTiles()
  private let loader: SynchronousLoader
  private let compositor: Compositor
  private var plan: FramePlan

  /// The first 100 tiles that could not be decoded.
  public var errors: [TileError] { loader.errors }
  /// How many tiles could not be decoded.
  public var errorCount: Int { loader.errorCount }
  /// What became of the map's tiles so far.
  public private(set) var tally = StillTally()

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - view: The view, at most `maxSide` pixels on a side (not checked).
  ///   - source: The map; open, and used on this thread.
  ///   - levels: The map's tile levels.
  ///   - tileSize: The edge of its tiles in points, 256 or 512.
  ///   - overlays: The overlays, bottom first.
  ///   - colors: The colour changes of the map, and whether it is night.
  ///   - overlayColors: Those of the overlays; nil: the map's.
  ///   - palette: The colours where there is no map.
  public init(
    view: Viewport, source: any TileSource, levels: ClosedRange<Int>, tileSize: Int,
    overlays: [any DrawnSource] = [], colors: TileColors = .none,
    overlayColors: TileColors? = nil, palette: Compositor.Palette = .day
  ) {
    let isPainted = (source as? any DrawnSource)?.painter.dependsOnZoom ?? false
    cell = isPainted ? view.restingCell : nil
    let view = view.resting(cell: cell)
    self.view = view
    var layers = [
      SceneLayer(
        chain: [SceneSource(index: 0, tileSize: tileSize, levels: levels)], isBase: true)
    ]
    // A block needs its tiles of all layers in the cache together.
    let overlayBytes = 16 * 65536 * 4 * view.scale * view.scale
    cache = TileCache(limit: StillRenderer.cacheBytes + overlays.count * overlayBytes)
    loader = SynchronousLoader(
      cache: cache, missing: missing, opaque: .xrgb8888, scale: view.scale)
    loader.setSource(0, source, colors: colors)
    for (n, overlay) in overlays.enumerated() {
      var colors = overlayColors ?? colors
      colors.shownCell = cell == nil ? view.restingCell : nil
      loader.setSource(n + 1, overlay, colors: colors)
      let levels = overlay.info.minZoom...max(overlay.info.minZoom, overlay.info.maxZoom)
      layers.append(
        SceneLayer(chain: [SceneSource(index: n + 1, levels: levels)], isBase: false))
    }
    self.layers = layers
    compositor = Compositor(cache: cache)
    compositor.palette = palette
    plan = FramePlan(transform: ViewTransform(view, cell: cell))
  }

  /// Draws the picture from the top down.
  ///
  /// - Parameters:
  ///   - sprites: The sprites over the map, bottom first.
  ///   - write: Called once per strip with its first pixel (0xFFRRGGBB, `view.width` pixels per
  ///     row) and the number of rows. The pixels are valid during the call.
  /// - Throws: What `write` throws.
  public func render<E: Error>(
    sprites: [Sprite] = [], write: (UnsafePointer<UInt32>, Int) throws(E) -> Void
  ) throws(E) {
    let strip = StillRenderer.stripHeight
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: view.width * strip)
    defer { words.deallocate() }
    compositor.place(sprites, width: view.width, height: view.height)
    defer { withExtendedLifetime(sprites) {} }
    var top = 0
    while top < view.height {
      let height = min(strip, view.height - top)
      // The strip as a buffer whose first row is row `top` of the view.
      let target = ScanoutBuffer(
        base: UnsafeMutableRawPointer(words - top * view.width), rowBytes: view.width * 4,
        width: view.width, height: view.height, format: .xrgb8888)
      var left = 0
      while left < view.width {
        let rect = PixelRect(
          x: left, y: top, width: min(StillRenderer.blockEdge, view.width - left), height: height)
        prepare(rect)
        compositor.draw(plan, in: rect, to: target, rotation: .none)
        left += rect.width
      }
      try write(UnsafePointer(words), height)
      top += height
    }
  }

  /// Paints the whole map once without drawing the picture, to collect the companions of the tiles.
  /// `render` does not paint the tiles again that fit the cache.
  ///
  /// - Parameter body: Called with each tile of the map that the picture shows, once on each copy
  ///   of the world: the tile, its copy of the world (0, or how many further east), and its
  ///   companion.
  public func visitBaseTiles(_ body: (TileID, Int, (any TileCompanion)?) -> Void) {
    struct Visited: Hashable {
      var tile: TileID
      var world: Int
    }
    var visited: Set<Visited> = []
    let edge = StillRenderer.blockEdge
    for top in stride(from: 0, to: view.height, by: edge) {
      for left in stride(from: 0, to: view.width, by: edge) {
        prepare(
          PixelRect(
            x: left, y: top, width: min(edge, view.width - left),
            height: min(edge, view.height - top)))
        for row in plan.rows {
          for column in plan.columns {
            let cell = plan.cells[plan.index(layer: 0, column: column, row: row)]
            let first = Int(cell.firstPiece)
            for piece in plan.pieces[first..<first + Int(cell.pieceCount)] {
              let world = column >> plan.transform.level
              guard let tile = piece.key.tile,
                visited.insert(Visited(tile: tile, world: world)).inserted
              else { continue }
              body(tile, world, cache.companion(piece.slot))
            }
          }
        }
      }
    }
  }

  /// Plans `rect`, after loading every tile that it needs.
  private func prepare(_ rect: PixelRect) {
    let t = plan.transform
    let range = t.cells(in: rect)
    plan.columns = range.columns
    plan.rows = range.rows
    let count = range.columns.count * range.rows.count
    plan.layers = layers.enumerated().map {
      FramePlan.Layer(firstCell: $0 * count, opacity: $1.opacity, isBase: $1.isBase)
    }
    plan.cells = Array(repeating: FramePlan.Cell(), count: count * layers.count)
    plan.pieces.removeAll(keepingCapacity: true)
    cache.beginView()
    let resolver = CellResolver(cache: cache, missing: missing, level: t.level, cellEdge: t.cell)
    for row in range.rows {
      for column in range.columns {
        guard let tile = TileID(z: t.level, wrapping: column, row: row) else { continue }
        for n in layers.indices {
          let first = plan.pieces.count
          let at = plan.index(layer: n, column: column, row: row)
          resolve(layers[n], tile, resolver)
          if n == 0 { note(tile, plan.pieces[first...], resolver) }
          for piece in plan.pieces[first...] { cache.raise(piece.slot, to: .needed) }
          plan.cells[at].visible = true
          plan.cells[at].complete = true
          plan.cells[at].firstPiece = Int32(first)
          plan.cells[at].pieceCount = Int32(plan.pieces.count - first)
        }
      }
    }
  }

  private func resolve(_ layer: SceneLayer, _ tile: TileID, _ resolver: CellResolver) {
    let first = plan.pieces.count
    // Each round loads a tile or finds that it is missing, and a tile has at most 24 ancestors.
    for _ in 0..<TileID.maxLevel + 8 {
      var wanted: [TileLoader.Request] = []
      plan.pieces.removeLast(plan.pieces.count - first)
      let outcome = resolver.resolve(layer, tile, into: &plan.pieces) { source, id, levels in
        wanted.append(
          TileLoader.Request(
            key: TileKey(source: source.index, tile: id), tile: id, levels: levels,
            edge: resolver.edge(source), standing: .needed))
      }
      if wanted.isEmpty {
        if let quiet = outcome.quiet { addQuiet(quiet) }
        return
      }
      for request in wanted where !loader.load(request) { return }
    }
  }

  /// Counts the map's tile that covers `cell`, for which `pieces` were found.
  private func note(
    _ cell: TileID, _ pieces: ArraySlice<FramePlan.Piece>, _ resolver: CellResolver
  ) {
    guard let map = layers.first?.chain.first, let own = resolver.target(map, cell) else { return }
    let key = TileKey(source: map.index, tile: own.tile)
    var outcome = StillTally.Outcome.there
    if loader.broken.contains(key) {
      outcome = .broken
    } else if cache.peek(key) == nil, let known = missing.find(key) {
      outcome = .missing
      // If a tile above it, which would have stood in, is broken, this one counts as broken too.
      if let level = known.ancestorLevel, let above = own.tile.ancestor(atLevel: level),
        loader.broken.contains(TileKey(source: map.index, tile: above))
      {
        outcome = .broken
      }
    }
    tally.count(own.tile, outcome, isShown: pieces.contains { $0.key.tile != nil })
  }

  private func addQuiet(_ source: Int) {
    let key = TileKey(quietCellOf: source)
    let edge = plan.transform.cell
    if cache.peek(key) == nil {
      loader.setQuietCell(
        QuietCell(edge: edge, scale: view.scale, palette: compositor.palette), of: source)
      _ = loader.load(
        TileLoader.Request(key: key, tile: .world, levels: 0, edge: edge, standing: .needed))
    }
    guard let slot = cache.hit(key) else { return }
    plan.pieces.append(.quietCell(key, edge: edge, slot: slot, in: cache))
  }
}
