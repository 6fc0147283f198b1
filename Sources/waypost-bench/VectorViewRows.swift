import CBench
import Glibc
import Kiosk
import MapGeometry
import MapLabels
import TileSources
import VectorMaps

/// Measures views and frames of a vector map, beside the bare work and beside MapLibre Native.
struct VectorViewRows {
  let data: BenchData
  let options: BenchOptions
  let pack: String
  let style: String
  let plain: String
  let size = (width: 1280, height: 720)

  init?(_ data: BenchData, _ options: BenchOptions) {
    guard let pack = data.vector(BenchData.paris), let style = data.vector(BenchData.bright),
      let plain = data.withoutLabels(style)
    else { return nil }
    (self.data, self.options) = (data, options)
    (self.pack, self.style, self.plain) = (pack, style, plain)
  }

  func run(_ report: inout Report) {
    for hasLabels in [false, true] { coldView(&report, hasLabels: hasLabels) }
    panned(&report)
    turned(&report)
    mapLibre(&report)
    VectorMemoryRows(self).run(&report)
  }

  func source(_ style: String) -> SourceSpec {
    var spec = SourceSpec(name: "paris", location: .path(pack))
    spec.style = .file(style)
    return spec
  }

  private func kiosk(
    _ style: String, zoom: Double, size: (width: Int, height: Int) = (1920, 1080),
    fades: Bool = true, isPaced: Bool = false
  ) -> KioskBench {
    let bench = KioskBench(
      [source(style)], zoom: zoom, paced: isPaced, cache: 256 << 20, size: size
    ) {
      $0.view.center = BenchData.parisCenter
      if !fades { $0.view.fade = 0 }
    }
    // What is missing would cost nothing.
    let missing = bench.settle()
    if missing > 0 { stop("\(missing) tiles of the view are missing") }
    return bench
  }

  // MARK: A complete view

  private func coldView(_ report: inout Report, hasLabels: Bool) {
    let style = hasLabels ? style : plain
    let bench = kiosk(style, zoom: 15, size: size, fades: false)
    let tiles = PaintThreads.tiles(of: source(style), bench.kiosk.currentView)
    var result = Comparison()
    for _ in 0..<max(5, options.rounds / 3) {
      VectorMemory.removeAll()
      bench.kiosk.clearCache()
      let begun = bench_now()
      bench.settle()
      result.measured.append(Double(bench_now() - begun))
      // The tiles around the view, which are painted next, would slow the reference down.
      bench.run(seconds: 1)
      VectorMemory.removeAll()
      result.reference.append(PaintThreads.run(tiles, threads: Int(bench_processors())))
    }
    report.add(
      Row(
        hasLabels
          ? "  with labels, faded in (\(LabelPlacement.fadeTime / 1_000_000) ms)"
          : "complete cold view of Paris z14, 1280x720, without labels, not faded in",
        to: "painting its \(tiles.jobs.count) tiles with all cores",
        goal: hasLabels ? nil : 1.2, result))
  }

  /// For profilers: paints the view `count` times, in a kiosk or without one. Returns the
  /// nanoseconds of one, by the clock and of all threads' processor time.
  func cold(isKiosk: Bool, _ count: Int) -> (time: Double, work: Double) {
    let bench = kiosk(plain, zoom: 15, size: size, fades: false)
    let tiles = PaintThreads.tiles(of: source(plain), bench.kiosk.currentView)
    var (time, work) = (0.0, 0.0)
    for _ in 0..<count {
      VectorMemory.removeAll()
      if isKiosk { bench.kiosk.clearCache() }
      let (begun, before) = (bench_now(), clock())
      if isKiosk {
        bench.settle()
      } else {
        _ = PaintThreads.run(tiles, threads: Int(bench_processors()))
      }
      time += Double(bench_now() - begun)
      work += Double(clock() - before) * 1000
    }
    return (time / Double(count), work / Double(count))
  }

  // MARK: Frames

  /// The zooms at which the map fills the screen: upright, and turned by up to 35 degrees.
  private static let pannedZoom = 15.1
  private static let turnedZoom = 16.0

  private func panned(_ report: inout Report) {
    let bench = kiosk(style, zoom: Self.pannedZoom, isPaced: true)
    let copy = FrameCopyBench()
    let ends = FrameViews.ends(bench.kiosk.currentView, isTurned: false)
    let frames = MovingFrames(bench: bench)
    for end in ends { _ = frames.times(to: end) }
    var result = Comparison()
    for round in 0..<options.rounds {
      var copies: [Double] = []
      let times = frames.times(to: ends[round % 2]) { copies.append(copy.time()) }
      result.measured.append(MovingFrames.mean(times))
      result.reference.append(MovingFrames.mean(copies))
    }
    let count = bench.kiosk.mapLabelCount
    report.add(
      Row(
        "frame of an animated pan, 1080p, \(count) labels", to: "memcpy of a frame", goal: 1.5,
        result))
  }

  private func turned(_ report: inout Report) {
    let benches = [style, plain].map { kiosk($0, zoom: Self.turnedZoom, isPaced: true) }
    let ends = FrameViews.ends(benches[0].kiosk.currentView, isTurned: true)
    for bench in benches {
      for end in ends { _ = MovingFrames(bench: bench).times(to: end) }
    }
    var result = Comparison()
    for round in 0..<options.rounds {
      let means = benches.map { bench in
        MovingFrames.mean(MovingFrames(bench: bench).times(to: ends[round % 2]))
      }
      result.measured.append(means[0])
      result.reference.append(means[1])
    }
    let count = benches[0].kiosk.mapLabelCount
    report.add(
      Row(
        "frame of an animated turn, 1080p, \(count) labels", to: "the same without labels",
        goal: 1.5, result))
  }

  /// Draws at least `count` frames of animated movements, and returns the nanoseconds of one: the
  /// mean, and the mean of a memcpy of a frame after each.
  func frames(isTurned: Bool, hasLabels: Bool, _ count: Int) -> (mean: Double, copy: Double) {
    let bench = kiosk(
      hasLabels ? style : plain, zoom: isTurned ? Self.turnedZoom : Self.pannedZoom, isPaced: true)
    let ends = FrameViews.ends(bench.kiosk.currentView, isTurned: isTurned)
    let frames = MovingFrames(bench: bench)
    for end in ends { _ = frames.times(to: end) }
    let copy = FrameCopyBench()
    var (times, copies): ([Double], [Double]) = ([], [])
    var round = 0
    while times.count < count {
      times += frames.times(to: ends[round % 2]) { copies.append(copy.time()) }
      round += 1
    }
    return (MovingFrames.mean(times), MovingFrames.mean(copies))
  }

  // MARK: MapLibre Native

  private func mapLibre(_ report: inout Report) {
    let center = BenchData.parisCenter
    let glyphs = data.vector("glyphs") ?? ""
    let arguments = [
      style, pack, String(size.width), String(size.height), String(center.lat), String(center.lon),
      "14", glyphs,
    ]
    guard let other = ScriptReference(Scripts.mapLibre, arguments, data) else {
      return report.skip("MapLibre Native", "not installed (pip install pymgl; WAYPOST_PYTHON)")
    }
    defer { other.end() }
    let name = "MapLibre Native, Mesa's CPU driver"
    let path = VectorMemoryRows(self).configuration()
    var first = Comparison()
    for _ in 0..<5 {
      first.reference.append(other.ask("first"))
      let start = DaemonRows.starting(
        options.waypostd, ["--config", path], data.scratch + "/socket")
      guard start.isWhole else { stop("the daemon shows no whole picture: \(start.answer)") }
      first.measured.append(start.time)
    }
    report.add(
      Row(
        "exec to the first picture, Paris z14, its labels faded in", to: name + ", in its process",
        goal: nil, first))
    let bench = kiosk(style, zoom: 15, size: size)
    for kind in ["pan", "turn"] {
      let start = bench.kiosk.currentView
      let views = kind == "pan" ? FrameViews.panned(start) : FrameViews.turned(start)
      for view in views { FrameViews.show(view, bench) }
      bench.settle()
      var result = Comparison()
      for round in 0..<options.rounds {
        // All threads: labels are placed beside the loop.
        let begun = clock()
        for step in 0..<8 { FrameViews.show(views[(round * 8 + step) % views.count], bench) }
        result.measured.append(Double(clock() - begun) * 1000 / 8)
        result.reference.append(other.ask(kind))
      }
      report.add(
        Row(
          kind == "pan" ? "processor time of a panned frame, 1280x720" : "  of a turned frame",
          to: name, goal: nil, result))
      FrameViews.show(start, bench)
      bench.settle()
    }
  }
}

/// Views of a movement, and showing them.
enum FrameViews {
  /// A pan there and back.
  static func panned(_ view: Viewport) -> [Viewport] {
    (0..<40).map { view.panned(dx: Double($0 < 20 ? $0 : 40 - $0) * 3, dy: 0) }
  }

  /// A turn there and back.
  static func turned(_ view: Viewport) -> [Viewport] {
    (0..<40).map { step in
      var view = view
      view.bearing = 20 + Double(step < 20 ? step : 40 - step) * 0.5
      return view
    }
  }

  /// The ends of an animated movement there and back: 480 pixels, or 15 degrees.
  static func ends(_ view: Viewport, isTurned: Bool) -> [Viewport] {
    [-1.0, 1.0].map { side in
      if !isTurned { return view.panned(dx: side * 240, dy: 0) }
      var view = view
      view.bearing = 27.5 + side * 7.5
      return view
    }
  }

  /// Draws a frame with `view`.
  static func show(_ view: Viewport, _ bench: KioskBench) {
    bench.kiosk.go(to: view, animate: false)
    bench.loop.runOnce(timeout: 0)
  }
}
