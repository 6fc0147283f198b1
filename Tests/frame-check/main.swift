// Copyright Waypost contributors. Licence: Apache-2.0.
//
// frame-check
//
// Draws steady frames of every kind and prints what each of them allocated, locked and retained
// (CHotPathCount): a line a kind, `KIND allocations N locks N retains N`, per frame. Draws fewer of
// them under emulation.

import CHotPathCount
import Displays
import EventLoop
import Glibc
import Kiosk
import MapGeometry
import MapScene
import Pixels
import TileLoading
import TileSources

func stop(_ reason: String) -> Never {
  print("frame-check: \(reason)")
  exit(1)
}

/// Prints the counts of `frames` calls of `body`, each divided by them.
func count(_ name: String, _ frames: Int, _ body: (Int) -> Void) {
  for i in 0..<frames { body(i) }
  let before = waypost_counts_now()
  for i in 0..<frames { body(i) }
  let after = waypost_counts_now()
  func each(_ part: KeyPath<waypost_counts, Int>) -> Int {
    (after[keyPath: part] - before[keyPath: part] + frames - 1) / frames
  }
  print(
    "\(name) allocations \(each(\.allocations)) locks \(each(\.locks)) retains \(each(\.retains))")
}

// Counting itself works: ten objects are made and retained.
final class Probe {}
let probes = waypost_counts_now()
var kept: [Probe] = []
for _ in 0..<10 { kept.append(Probe()) }
var again: [Unmanaged<Probe>] = []
for probe in kept { again.append(Unmanaged.passRetained(probe)) }
let probed = waypost_counts_now()
for probe in again { probe.release() }
print(
  "probe allocations \(probed.allocations - probes.allocations) locks \(probed.locks - probes.locks)",
  "retains \(probed.retains - probes.retains)")

/// Planning and composing, without a kiosk: zoom, bearing, and what the display is like.
func frames(
  _ name: String, _ zoom: Double, _ bearing: Double, _ format: PixelFormat, width: Int = 1280,
  height: Int = 720, leastShared: Int? = nil
) {
  let cache = TileCache(limit: 64 << 20)
  let opaque = TilePixelFormat(opaqueFor: format)
  let missing = MissingTiles()
  let loader = SynchronousLoader(cache: cache, missing: missing, opaque: opaque)
  guard let source = try? Bundled.sources[0].open() else { stop("no bundled map") }
  loader.setSource(0, source)
  let view = Viewport(
    center: GeoPoint(lat: 30, lon: 10), zoom: zoom, bearing: bearing, width: width,
    height: height)
  let scene = Scene(cache: cache, missing: missing, opaque: opaque, view: view)
  scene.setLayers([
    SceneLayer(
      chain: [SceneSource(index: 0, levels: source.info.minZoom...source.info.maxZoom)],
      isBase: true)
  ])
  let compositor = Compositor(cache: cache, leastShared: leastShared)
  let memory = UnsafeMutableRawPointer.allocate(byteCount: width * height * 4, alignment: 64)
  defer { memory.deallocate() }
  let target = ScanoutBuffer(
    base: memory, rowBytes: width * format.bytes, width: width, height: height, format: format)
  let views = (0..<8).map { view.panned(dx: Double($0) * 3, dy: Double($0)) }
  for view in views {
    for _ in 0..<20 {
      for request in scene.update(view: view).requests { _ = loader.load(request) }
    }
  }
  let rounds = getenv("WAYPOST_EMULATED") == nil ? 40 : 8
  count("plan \(name)", rounds) { _ = scene.update(view: views[$0 % views.count]) }
  let whole = PixelRect(x: 0, y: 0, width: width, height: height)
  count("\(leastShared == nil ? "draw" : "bands") \(name)", rounds) { _ in
    compositor.draw(scene.plan, in: whole, to: target, rotation: .none)
  }
}

frames("panned", 3, 0, .xrgb8888)
frames("zoomed", 3.3, 0, .xrgb8888)
frames("turned", 3, 30, .xrgb8888)
frames("panned-rgb565", 3, 0, .rgb565)
// By two threads.
frames("panned-shared", 3, 0, .xrgb8888, leastShared: 1)
frames("turned-shared", 3, 30, .xrgb8888, leastShared: 1)
// A quarter of the tiles.
frames("panned-small", 3, 0, .xrgb8888, width: 640, height: 360)
frames("zoomed-small", 3.3, 0, .xrgb8888, width: 640, height: 360)
