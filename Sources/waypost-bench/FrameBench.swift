import CBench
import Glibc
import MapGeometry
import MapScene
import Pixels
import TileLoading
import TileSources

/// Frames without a daemon: a scene, a cache that contains all tiles, a compositor, and memory in
/// place of the display's.
final class FrameBench {
  let cache = TileCache(limit: 384 << 20)
  let missing = MissingTiles()
  let loader: SynchronousLoader
  let scene: Scene
  let compositor: Compositor
  let target: ScanoutBuffer
  let rotation: MountingRotation
  let view: Viewport
  let memory: UnsafeMutableRawPointer
  let bytes: Int

  /// Creates a bench with frames of 1920x1080 pixels, and `overlays` over the map.
  init(
    _ spec: SourceSpec, _ data: BenchData, overlays: [any TileSource] = [],
    format: PixelFormat = .xrgb8888, rotation: MountingRotation = .none, zoom: Double,
    bearing: Double = 0
  ) {
    let (width, height) = (1920, 1080)
    let opaque = TilePixelFormat(opaqueFor: format)
    loader = SynchronousLoader(cache: cache, missing: missing, opaque: opaque)
    compositor = Compositor(cache: cache)
    let rowBytes = width * format.bytes
    bytes = rowBytes * height
    memory = .allocate(byteCount: bytes, alignment: 4096)
    memset(memory, 1, bytes)
    target = ScanoutBuffer(
      base: memory, rowBytes: rowBytes, width: width, height: height, format: format)
    self.rotation = rotation
    let size = rotation.turnedSize(width: width, height: height)
    view = Viewport(
      center: GeoPoint(lat: 45, lon: 8), zoom: zoom, bearing: bearing, width: size.width,
      height: size.height)
    scene = Scene(cache: cache, missing: missing, opaque: opaque, view: view)
    var layers: [SceneLayer] = []
    for (index, source) in ([data.open(spec)] + overlays).enumerated() {
      loader.setSource(index, source)
      let (low, high) = (source.info.minZoom, source.info.maxZoom)
      layers.append(
        SceneLayer(
          chain: [SceneSource(index: index, levels: low...max(low, high))], isBase: index == 0))
    }
    scene.setLayers(layers)
  }

  deinit { memory.deallocate() }

  /// Loads everything that `view` and its surroundings need.
  func load(_ view: Viewport) {
    for _ in 0..<200 {
      let update = scene.update(view: view)
      var isNew = false
      for request in update.requests { isNew = loader.load(request) || isNew }
      scene.didDraw()
      if !isNew { return }
    }
  }

  /// Plans and draws one frame.
  func frame(_ view: Viewport) {
    let update = scene.update(view: view)
    for rect in update.damage {
      compositor.draw(scene.plan, in: rect, to: target, rotation: rotation)
    }
    scene.didDraw()
  }

  /// Draws the whole planned frame again.
  func redraw() {
    compositor.draw(
      scene.plan, in: PixelRect(x: 0, y: 0, width: view.width, height: view.height),
      to: target, rotation: rotation)
  }

  /// The views of a pan there and back; all their tiles are in the cache.
  func pan(_ count: Int = 40) -> [Viewport] {
    var views: [Viewport] = []
    for i in 0..<count {
      let step = Double(i < count / 2 ? i : count - i) * 7
      views.append(view.panned(dx: step, dy: step / 2))
    }
    for view in views { load(view) }
    return views
  }
}
