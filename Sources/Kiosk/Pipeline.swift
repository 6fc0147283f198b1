import Displays
import EventLoop
import MapGeometry
import MapScene
import Pixels
import TileCache

/// Everything between the sources and one display: made anew when the display changes.
final class Pipeline {
  let display: any Display
  let scale: Int
  let cache: TileCache
  let missing = MissingTiles()
  let loader: TileLoader
  let scene: Scene
  let compositor: Compositor
  /// Kept, so that a frame allocates nothing.
  private var panelDamage: [PixelRect] = []
  private var history = DamageHistory()
  private var timesDrawn = 0

  /// - Parameters:
  ///   - cacheLimit: bytes.
  ///   - wake: called on any thread when the loader has news.
  init(
    display: any Display, scale: Int, cacheLimit: Int, view: Viewport, decodeThreads: Int,
    wake: @escaping @Sendable () -> Void
  ) {
    self.display = display
    self.scale = scale
    cache = TileCache(limit: cacheLimit)
    let opaque = TilePixelFormat(opaqueFor: display.format)
    loader = TileLoader(
      cache: cache, missing: missing, opaque: opaque, threads: decodeThreads, wake: wake)
    scene = Scene(cache: cache, missing: missing, opaque: opaque, view: view)
    compositor = Compositor(cache: cache)
  }

  /// Sets the cache's floor for tiles of at most `tileSize` points: what one layer of the view can need,
  /// and what one block of the screen can with all layers, which is drawn at once.
  func setFloor(tileSize: Int, layers: Int) {
    let size = display.viewSize
    let edge = tileSize * scale
    let inFlight = loader.inFlightBytes(edge: edge)
    scene.reserveForDecoding = inFlight
    func floor(_ width: Int, _ height: Int) -> Int {
      CacheFloor.bytes(
        width: width, height: height, edge: edge, bytesPerPixel: loader.opaque.bytes, inFlight: 0)
    }
    let block = Scene.blockEdge
    cache.setFloor(
      max(floor(size.width, size.height), layers * floor(block, block)) + inFlight)
  }

  /// Nothing is drawn: frames are planned, and what they need is loaded.
  var isDark = false

  /// Whether a frame that is planned now would be drawn, or need not be.
  var canPlan: Bool { isDark || !display.isVisible || display.isReady }

  /// Whether the display shows what was drawn last. False after it was dark or in other hands.
  var isCurrent: Bool { !display.isLost }

  /// Gets ready to plan the next frame: where what the display's memory holds is not known, all of it
  /// is to be drawn. Call it before the scene is updated.
  func prepare() {
    guard !isDark, display.isVisible, display.isReady, display.begin().age == 0, display.frame != 0
    else { return }
    scene.invalidate()
    history.reset()
  }

  /// Draws what of `view` is not on the display yet, and presents it. Returns how long it took; nil:
  /// there was nothing, or nobody sees it.
  ///
  /// `isRepeated`: the same is to be drawn again, into the display's other memory, before the tiles it
  /// is made of may go.
  func draw(_ update: Scene.Update, sprites: [Sprite]) -> (nanoseconds: Int, isRepeated: Bool)? {
    if update.damage.isEmpty { return nil }
    guard display.isVisible, !isDark else {
      // Planned, loaded, and as good as drawn.
      history.reset()
      scene.didDraw()
      return nil
    }
    let begun = EventLoop.now()
    let (target, age) = display.begin()
    let size = display.viewSize
    history.record(update.damage)
    compositor.place(sprites, width: size.width, height: size.height)
    defer { withExtendedLifetime(sprites) {} }
    if let redraw = history.redraw(age: age) {
      for rect in redraw { compose(rect, target) }
    } else {
      compose(PixelRect(x: 0, y: 0, width: size.width, height: size.height), target)
    }
    panelDamage.removeAll(keepingCapacity: true)
    for rect in update.damage {
      panelDamage.append(
        display.rotation.panelRect(rect, viewWidth: size.width, viewHeight: size.height))
    }
    display.present(damage: panelDamage)
    timesDrawn += 1
    let isRepeated = scene.isHeldBack && timesDrawn < display.bufferCount
    if !isRepeated {
      timesDrawn = 0
      scene.didDraw()
    }
    return (Int(EventLoop.now() - begun), isRepeated)
  }

  private func compose(_ rect: PixelRect, _ target: ScanoutBuffer) {
    compositor.draw(scene.plan, in: rect, to: target, rotation: display.rotation)
  }
}
