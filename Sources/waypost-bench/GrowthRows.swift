import CBench
import Configuration
import Glibc
import MapGeometry
import TileSources

/// Measures packs of a thousand to ten million tiles, and one to a thousand sources.
struct GrowthRows {
  let data: BenchData
  let options: BenchOptions
  private let sizes: [Int]

  init(_ data: BenchData, _ options: BenchOptions) {
    self.data = data
    self.options = options
    sizes = options.isQuick ? [1000, 1_000_000] : [1000, 100_000, 10_000_000]
  }

  func run(_ report: inout Report) {
    packs(&report)
    sources(&report)
  }

  private func packs(_ report: inout Report) {
    let level = data.folder == nil ? 3 : 5
    let tiles = data.tiles(of: data.map, level: level, count: 64)
    var first: [(open: Double, find: Double, frame: Double)] = []
    for size in sizes {
      let paths = [data.scratch + "/\(size).pmtiles", data.scratch + "/\(size).mbtiles"]
      GrownPack.pmtiles(size, tiles, to: paths[0])
      GrownPack.mbtiles(size, tiles, to: paths[1])
      for (i, path) in paths.enumerated() {
        let costs = cost(path, GrownPack.level(size))
        if first.count < paths.count { first.append(costs) }
        let kind = i == 0 ? "PMTiles" : "MBTiles"
        report.add(
          Row(
            "panned frame, \(kind) of \(size) tiles", goal: 1.1,
            costs.frame / first[i].frame, unit: "x", detail: Text.time(costs.frame),
            to: "the same of \(sizes[0])"))
        report.add(
          Row(
            "  opening, finding a tile", goal: nil, costs.open / first[i].open, unit: "x",
            detail: "\(Text.time(costs.open)), \(Text.time(costs.find))"))
        unlink(path)
      }
    }
  }

  /// The nanoseconds to open the pack, to find a tile in it, and to draw a panned frame.
  private func cost(_ path: String, _ level: Int) -> (open: Double, find: Double, frame: Double) {
    let spec = SourceSpec(name: "grown", location: .path(path))
    var opening: [Double] = []
    for _ in 0..<5 {
      let begun = bench_now()
      withExtendedLifetime(data.open(spec)) { opening.append(Double(bench_now() - begun)) }
    }
    let source = data.open(spec)
    var finding: [Double] = []
    let middle = (1 << level) / 2
    for i in 0..<400 {
      guard let id = TileID(z: level, x: middle + i % 20 - 10, y: middle + i / 20 - 10) else {
        continue
      }
      let begun = bench_now()
      _ = try? source.tile(at: id)
      finding.append(Double(bench_now() - begun))
    }
    let bench = FrameBench(spec, data, zoom: Double(level))
    let views = bench.pan()
    var frames: [Double] = []
    for i in 0..<60 {
      let begun = bench_now()
      bench.frame(views[i % views.count])
      frames.append(Double(bench_now() - begun))
    }
    return (Statistics.median(opening), Statistics.median(finding), Statistics.median(frames))
  }

  /// Compares the start with many sources with the start with one, and with the time the library
  /// takes to read that much text.
  private func sources(_ report: inout Report) {
    guard access(options.waypostd, X_OK) == 0, let folder = data.folder else {
      return report.skip("many sources", "no daemon or no data set")
    }
    let rows = DaemonRows(data, options)
    let socket = data.scratch + "/socket"
    for count in options.isQuick ? [1000] : [100, 1000] {
      var more = ""
      for i in 1..<count {
        more +=
          "[[source]]\nname = \"s\(i)\"\npath = \"\(folder)/mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles\"\n"
      }
      var result = Comparison()
      for round in 0...max(5, options.rounds / 3) {
        guard
          let many = DaemonRows.start(
            options.waypostd, ["--config", rows.configuration(more)], socket),
          let one = DaemonRows.start(options.waypostd, ["--config", rows.configuration()], socket)
        else { return report.skip("many sources", "the daemon did not start") }
        let text = Files.bytes(rows.configuration(more))
        let begun = bench_now()
        let tree = try? ConfigValue.parse(toml: text, file: "waypost.toml", directory: nil)
        let reading = Double(bench_now() - begun)
        if round == 0 || tree == nil { continue }
        result.measured.append(many)
        result.reference.append(one + reading)
      }
      report.add(
        Row(
          "exec to the first picture, \(count) sources",
          to: "with one + reading the file by toml++ alone", goal: 1.2, result))
    }
  }
}
