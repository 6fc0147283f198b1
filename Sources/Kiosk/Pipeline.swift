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

  /// Draws what of `view` is not on the display yet, and presents it. Returns whether there was
  /// anything, and how long it took.
  func draw(_ update: Scene.Update, sprites: [Sprite]) -> Int? {
    if update.damage.isEmpty { return nil }
    let begun = EventLoop.now()
    let (target, age) = display.begin()
    let size = display.viewSize
    if age == 1 {
      for rect in update.damage { compose(rect, sprites, target) }
    } else {
      compose(PixelRect(x: 0, y: 0, width: size.width, height: size.height), sprites, target)
    }
    panelDamage.removeAll(keepingCapacity: true)
    for rect in update.damage {
      panelDamage.append(
        display.rotation.panelRect(rect, viewWidth: size.width, viewHeight: size.height))
    }
    display.present(damage: panelDamage)
    scene.didDraw()
    return Int(EventLoop.now() - begun)
  }

  private func compose(_ rect: PixelRect, _ sprites: [Sprite], _ target: ScanoutBuffer) {
    compositor.draw(
      scene.plan, in: rect, sprites: sprites, to: target, rotation: display.rotation)
  }
}
