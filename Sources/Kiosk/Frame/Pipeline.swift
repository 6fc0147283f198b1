import Displays
import EventLoop
import Glibc
import MapGeometry
import MapScene
import Pixels
import TileLoading

/// Everything between the sources and one display. Each display gets its own.
package final class Pipeline {
  package let display: any Display
  package let scale: Int
  package let cache: TileCache
  let missing = MissingTiles()
  package let loader: TileLoader
  let scene: Scene
  package let compositor: Compositor
  /// Reused, so that a frame allocates nothing.
  private var panelDamage: [PixelRect] = []
  private var history = DamageHistory()
  private var timesDrawn = 0

  /// Creates a pipeline with a cache of `cacheLimit` bytes. `wake` is called on any thread when the
  /// loader has results.
  init(
    display: any Display, scale: Int, cacheLimit: Int, view: Viewport, decodeThreads: Int,
    wake: @escaping @Sendable () -> Void
  ) {
    self.display = display
    self.scale = scale
    cache = TileCache(limit: cacheLimit)
    let opaque = TilePixelFormat(opaqueFor: display.format)
    loader = TileLoader(
      cache: cache, missing: missing, opaque: opaque, threads: decodeThreads, scale: scale,
      wake: wake)
    scene = Scene(cache: cache, missing: missing, opaque: opaque, view: view)
    compositor = Compositor(
      cache: cache, leastShared: decodeThreads > 1 ? Compositor.leastShared : nil)
  }

  /// Sets the cache's floor for tiles of at most `tileSize` points.
  ///
  /// `layers` is the number of sources of opaque tiles that can lie over each other, `overlays` the
  /// number with transparency. `isPainted`: tiles are painted for the zoom between two levels.
  func setFloor(tileSize: Int, layers: Int, overlays: Int, isPainted: Bool = false) {
    let size = display.viewSize
    // A tile between two levels is up to √2 as large.
    let edge = isPainted ? tileSize * scale * 1449 / 1024 + 1 : tileSize * scale
    let demand = CacheFloor.Demand(
      width: size.width, height: size.height, edge: edge,
      opaqueBytes: loader.opaque.bytes, layers: layers, overlays: overlays, jobs: loader.depth)
    scene.reserveForDecoding = demand.inFlightBytes
    cache.setFloor(demand.floor)
  }

  /// Threads that decode: the cores. They give way to the one that draws.
  package static var decodeThreads: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  // MARK: The map that is to come

  /// Plans the map that will replace the one on the screen.
  private var next: Scene?

  /// Loads the tiles that `layers` need for `view`, beside those on the screen.
  ///
  /// Returns whether all are there, the numbers of sources to open, and whether the cache can hold
  /// the tiles at all.
  func prepareNext(
    _ layers: [SceneLayer], _ view: Viewport
  ) -> (isWhole: Bool, closed: [Int], fits: Bool) {
    let scene =
      next
      ?? Scene(cache: cache, missing: missing, opaque: loader.opaque, view: view, id: .next)
    next = scene
    scene.reserveForDecoding = self.scene.reserveForDecoding
    scene.setCell(self.scene.cell)
    scene.setLayers(layers)
    let update = scene.update(view: view)
    loader.want(update.requests, for: .next)
    return (scene.isWholePlan, update.closed, !scene.isHeldBack)
  }

  /// Stops requesting tiles for the next map.
  func endNext() {
    if next == nil { return }
    next = nil
    loader.want([], for: .next)
    cache.beginView(.next)
    missing.endView(.next)
  }

  /// While the panel is dark nothing is drawn, but frames are planned and their tiles loaded.
  var isDark = false

  /// Whether the display shows what was drawn last. False after it was dark or in use by another
  /// program.
  var isCurrent: Bool { !display.isLost }

  /// Prepares for planning a frame: if the contents of the display's buffer are unknown, the whole
  /// view is drawn again. Call it before updating the scene.
  func prepare() {
    guard !isDark, display.isVisible, display.isReady, display.begin().age == 0, display.frame != 0
    else { return }
    scene.invalidate()
    history.reset()
  }

  /// How many of the sprites, from the first, are labels of the base map.
  var mapLabelCount = 0

  /// Whether parts of a picture that is not shown yet were drawn into a hidden buffer.
  private(set) var isHiding = false

  /// Whether the hidden picture is the one on the screen, drawn again for another buffer.
  private var isSamePicture = false
  private var changesShown = 0

  /// Draws the damage into the buffer to be shown next, without showing it.
  ///
  /// `again`: whether the picture is the one on the screen.
  func drawHidden(_ update: Scene.Update, sprites: [Sprite], again: Bool) {
    if update.damage.isEmpty { return }
    guard display.isVisible, !isDark else {
      history.reset()
      scene.didDraw()
      return
    }
    guard display.isReady else { return }
    if !isHiding {
      isHiding = true
      isSamePicture = again
      display.keepPicture()
    }
    let (target, _) = display.begin()
    place(sprites)
    defer { compositor.removeSprites() }
    for rect in update.damage { compose(rect, target) }
    scene.didDraw()
  }

  /// Draws the damage and presents the frame. Returns how long that took; nil if there was nothing
  /// to draw, or nobody can see it.
  ///
  /// `isRepeated`: the frame must be drawn again, into the display's other buffer, before its tiles
  /// may be evicted.
  func draw(_ update: Scene.Update, sprites: [Sprite]) -> (nanoseconds: Int, isRepeated: Bool)? {
    if update.damage.isEmpty, !isHiding { return nil }
    guard display.isVisible, !isDark else {
      // Count it as drawn: it was planned, and its tiles are loaded.
      isHiding = false
      history.reset()
      scene.didDraw()
      return nil
    }
    let begun = EventLoop.now()
    let (target, age) = display.begin()
    let size = display.viewSize
    place(sprites)
    defer { compositor.removeSprites() }
    if isHiding {
      // Together with the hidden parts, this damage covers the whole view.
      for rect in update.damage { compose(rect, target) }
      let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
      let isSame = isSamePicture && scene.changesOfParts == changesShown
      // Buffers drawn in the same way before already hold the whole picture.
      history.record(isSame ? [] : [whole])
      show([whole])
      isHiding = false
      timesDrawn = 0
      scene.didDraw()
      let isCutShort =
        scene.isHeldBack && display.bufferCount > 1
        && (!scene.isComplete || isSamePicture && !isSame)
      // The display's other buffers lack the hidden parts.
      if isCutShort { scene.invalidate() }
      return (Int(EventLoop.now() - begun), isCutShort)
    }
    history.record(update.damage)
    if let redraw = history.redraw(age: age) {
      for rect in redraw { compose(rect, target) }
    } else {
      compose(PixelRect(x: 0, y: 0, width: size.width, height: size.height), target)
    }
    show(update.damage)
    timesDrawn += 1
    let isRepeated = scene.isHeldBack && timesDrawn < display.bufferCount
    if !isRepeated {
      timesDrawn = 0
      scene.didDraw()
    }
    return (Int(EventLoop.now() - begun), isRepeated)
  }

  private func place(_ sprites: [Sprite]) {
    let size = display.viewSize
    let labels = scene.hasLayersAboveLabels ? mapLabelCount : 0
    compositor.place(sprites, labels: labels, width: size.width, height: size.height)
  }

  /// Presents the frame drawn; `damage` is in view pixels.
  private func show(_ damage: [PixelRect]) {
    let size = display.viewSize
    panelDamage.removeAll(keepingCapacity: true)
    for rect in damage {
      panelDamage.append(
        display.rotation.panelRect(rect, viewWidth: size.width, viewHeight: size.height))
    }
    display.present(damage: panelDamage)
    changesShown = scene.changesOfParts
  }

  private func compose(_ rect: PixelRect, _ target: ScanoutBuffer) {
    // While blocks wait for each other, the view's tiles have no standing yet.
    compositor.keepsFlatTiles = !scene.isHeldBack
    compositor.draw(scene.plan, in: rect, to: target, rotation: display.rotation)
  }
}
