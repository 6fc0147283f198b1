import CBench
import Configuration
import Glibc
import Kiosk
import MapGeometry
import MapOverlays

/// Compares a frame with everything over the map with a frame of the map alone.
struct OverlayRows {
  let data: BenchData
  let rounds: Int

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  func run(_ report: inout Report) {
    let grid = "[[overlay]]\nname = \"grid\"\nkind = \"grid\"\n"
    func polygons(_ file: String) -> String {
      "[[overlay]]\nname = \"polygons\"\npath = \"\(file)\"\n"
    }
    let many = polygons(polygonFile("polygons", 10_000))
    let few = polygons(polygonFile("few", 10, lat: 30...55, lon: -15...30))
    let markers = markers()
    row(&report, "frame with the tile grid", nil, grid)
    row(&report, "frame with 10,000 polygons", nil, many)
    row(
      &report, "frame with 10,000 polygons, a quarter of them in view", 1.2, many, against: few,
      "the same frame with 10 in view")
    row(&report, "frame with 1,000 markers", nil, markers)
    // As many labels as find room.
    let names = namedPoints(10_000)
    for isTurned in [false, true] { labels(&report, names, isTurned: isTurned) }
    row(&report, "frame with the HUD", nil, "", hud: true)
    row(
      &report, "frame with grid, 10,000 polygons, 1,000 markers, HUD", 1.5,
      many + grid + markers, hud: true)
  }

  /// Compares a frame with `things` (TOML) over the map with one that has `others`, called
  /// `reference`.
  private func row(
    _ report: inout Report, _ name: String, _ goal: Double?, _ things: String, hud: Bool = false,
    against others: String = "", _ reference: String = "the same frame without"
  ) {
    let bare = bench(others, hud: false)
    let full = bench(things, hud: hud)
    for bench in [bare, full] {
      for step in 0..<20 { move(bench, step, isLoading: true) }
    }
    var (one, other) = (0, 0)
    let result = Comparison.run(rounds: rounds, allThreads: true) {
      one += 1
      move(full, one, isLoading: false)
    } reference: {
      other += 1
      move(bare, other, isLoading: false)
    }
    add(&report, Row(name, to: reference, goal: goal, result), full)
  }

  /// Compares frames of animated movements with as many of the `names` (TOML) as find room, and
  /// without labels, by the clock.
  private func labels(_ report: inout Report, _ names: String, isTurned: Bool) {
    let benches = [names + "label = \"name\"\n", names].map {
      bench($0, hud: false, isPaced: true)
    }
    let ends = FrameViews.ends(benches[0].kiosk.currentView, isTurned: isTurned)
    for bench in benches {
      for end in ends { _ = MovingFrames(bench: bench).times(to: end) }
    }
    var result = Comparison()
    for round in 0..<rounds {
      let means = benches.map {
        MovingFrames.mean(MovingFrames(bench: $0).times(to: ends[round % 2]))
      }
      result.measured.append(means[0])
      result.reference.append(means[1])
    }
    let count = benches[0].kiosk.overlayLabelCount
    let kind = isTurned ? "turn" : "pan"
    add(
      &report,
      Row(
        "frame of an animated \(kind), labels of 10,000 points in view, \(count) placed",
        to: "the same without labels", goal: 1.5, result), benches[0])
  }

  /// Adds a row, and keeps a picture of what it measured if asked for.
  private func add(_ report: inout Report, _ row: Row, _ bench: KioskBench) {
    if let folder = getenv("WAYPOST_BENCH_PICTURES"), let shot = try? bench.kiosk.screenshot() {
      Files.write(shot.png, to: String(cString: folder) + "/\(row.figure).png")
    }
    report.add(row)
  }

  /// For profilers: pans at least `count` frames with the labels of 10,000 points. Returns the mean
  /// nanoseconds of a frame by the clock.
  func labelled(_ count: Int) -> Double {
    let bench = bench(namedPoints(10_000) + "label = \"name\"\n", hud: false, isPaced: true)
    let ends = FrameViews.ends(bench.kiosk.currentView, isTurned: false)
    for end in ends { _ = MovingFrames(bench: bench).times(to: end) }
    var times: [Double] = []
    var round = 0
    while times.count < count {
      times += MovingFrames(bench: bench).times(to: ends[round % 2])
      round += 1
    }
    return MovingFrames.mean(times)
  }

  private func bench(_ things: String, hud: Bool, isPaced: Bool = false) -> KioskBench {
    let names = ["attribution", "scale_bar", "north", "zoom", "coordinates", "buttons", "toasts"]
    let settings = names.map { "\($0) = \(hud)\n" }.joined()
    let path = data.scratch + "/overlays.toml"
    Files.write(Array(("[hud]\n" + settings + things).utf8), to: path)
    let loaded = ConfigurationLoader().load(files: [path])
    guard let configuration = loaded.configuration else { stop("\(loaded.findings)") }
    return KioskBench(
      [data.map], zoom: data.folder == nil ? 3 : 5, paced: isPaced, cache: 192 << 20
    ) {
      $0.hud = configuration.hud
      $0.overlays = configuration.overlays
      $0.markers = configuration.markers
    }
  }

  /// One step of a pan there and back, drawn.
  private func move(_ bench: KioskBench, _ step: Int, isLoading: Bool) {
    bench.kiosk.pan(dx: step / 10 % 2 == 0 ? 7 : -7, dy: 0, animate: false)
    if isLoading {
      bench.settle()
    } else {
      bench.loop.runOnce(timeout: 0)
    }
  }

  // MARK: Things over the map

  private struct Numbers {
    var state: UInt64 = 88_172_645_463_325_252
    mutating func next(_ low: Double, _ high: Double) -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return low + (high - low) * Double(state >> 11) / 9_007_199_254_740_992
    }
  }

  /// Writes translucent hexagons to a file. A quarter of those in the default area is in view.
  private func polygonFile(
    _ name: String, _ count: Int, lat latitudes: ClosedRange<Double> = 0...72,
    lon longitudes: ClosedRange<Double> = -75...92
  ) -> String {
    var numbers = Numbers()
    var text = "{\"type\":\"FeatureCollection\",\"features\":["
    for i in 0..<count {
      let lat = numbers.next(latitudes.lowerBound, latitudes.upperBound)
      let lon = numbers.next(longitudes.lowerBound, longitudes.upperBound)
      let size = numbers.next(0.15, 0.6)
      var corners: [String] = []
      for corner in 0...6 {
        let angle = Double(corner % 6) * .pi / 3
        corners.append("[\(lon + size * cos(angle)),\(lat + size * 0.7 * sin(angle))]")
      }
      text += i > 0 ? "," : ""
      text += "{\"type\":\"Feature\",\"properties\":{\"fill\":\"#2a8f3c\",\"fill-opacity\":0.4,"
      text += "\"stroke\":\"#1a5f2c\",\"stroke-width\":1},\"geometry\":{\"type\":\"Polygon\","
      text += "\"coordinates\":[[\(corners.joined(separator: ","))]]}}"
    }
    let path = data.scratch + "/\(name).geojson"
    Files.write(Array((text + "]}").utf8), to: path)
    return path
  }

  /// An overlay of named points, most of them in view.
  private func namedPoints(_ count: Int) -> String {
    var numbers = Numbers()
    var text = "{\"type\":\"FeatureCollection\",\"features\":["
    for i in 0..<count {
      let (lat, lon) = (numbers.next(25, 60), numbers.next(-30, 50))
      text +=
        (i > 0 ? "," : "") + "{\"type\":\"Feature\",\"properties\":{\"name\":\"Place \(i)\"},"
        + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(lon),\(lat)]}}"
    }
    let path = data.scratch + "/names.geojson"
    Files.write(Array((text + "]}").utf8), to: path)
    return "[[overlay]]\nname = \"names\"\npath = \"\(path)\"\n"
  }

  /// 1,000 markers, a quarter of them in view.
  private func markers() -> String {
    var numbers = Numbers(state: 1_234_567)
    var text = ""
    for i in 0..<1000 {
      let (lat, lon) = (numbers.next(0, 72), numbers.next(-75, 92))
      text += "[[marker]]\nid = \"m\(i)\"\nlat = \(lat)\nlon = \(lon)\n"
      if i % 4 == 0 { text += "label = \"Marker \(i)\"\n" }
    }
    return text
  }
}
