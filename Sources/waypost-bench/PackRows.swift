import CBench
import Glibc
import Kiosk
import Platform
import TileSources

/// Measures `waypost pack` on a pack of a million tiles, each command beside a tool of the field
/// with the same input, and how much memory it takes.
struct PackRows {
  let data: BenchData
  let options: BenchOptions
  private let count: Int

  /// What a process took.
  private struct Cost {
    /// Processor time of all its threads, in nanoseconds.
    var time = 0.0
    /// From its start to its end, in nanoseconds.
    var wall = 0.0
    /// The most memory that was resident, in bytes.
    var peak = 0.0

    var text: String {
      "\(Text.number(time / 1e9, 1)) s, \(Text.number(peak / 1_048_576, 0)) MiB"
    }
  }

  private static let memoryGoal = 64.0

  init(_ data: BenchData, _ options: BenchOptions) {
    self.data = data
    self.options = options
    count = options.isQuick ? 100_000 : 1_000_000
  }

  func run(_ report: inout Report) {
    let waypost = BenchOptions.beside("waypost")
    guard access(waypost, X_OK) == 0 else {
      return report.skip("packs", "there is no \(waypost)")
    }
    let pictures = data.tiles(of: Bundled.sources[1], level: 3, count: 64)
    let made = MadePack(pictures)
    let folder = data.scratch + "/packs"
    mkdir(folder, 0o700)
    defer { remove(folder) }
    func path(_ name: String) -> String { folder + "/" + name }
    let tiles = made.write(count, to: path("all.mbtiles"))
    made.write(count, part: 0...0.6, to: path("west.mbtiles"))
    let convert = PackRows.find("pmtiles-convert")
    let mbutil = PackRows.find("mb-util")
    if convert == nil {
      report.skip("pmtiles-convert", "not installed: \"pip install pmtiles\" has it")
    }
    if mbutil == nil { report.skip("mb-util", "not installed: \"pip install mbutil\" has it") }

    func compare(
      _ what: String, _ words: [String], _ other: (name: String, path: String, words: [String])?,
      goal: Double?
    ) {
      guard let cost = measure(waypost, ["pack"] + words) else {
        return report.skip(what, "the command failed")
      }
      let reference = other.flatMap { measure($0.path, $0.words) }
      let per = cost.time / Double(tiles) / 1000
      if let reference, let other {
        report.add(
          Row(
            "\(what), \(tiles) tiles", goal: goal, cost.time / reference.time, unit: "x",
            detail: "\(cost.text) / \(reference.text)", to: other.name))
      } else {
        report.add(
          Row("\(what), \(tiles) tiles", goal: nil, per, unit: "us a tile", detail: cost.text))
      }
      report.add(
        Row(
          "  memory of it", goal: PackRows.memoryGoal, cost.peak / 1_048_576, unit: "MiB",
          detail: "from start to end \(Text.number(cost.wall / 1e9, 1)) s"))
    }

    compare(
      "MBTiles to PMTiles", ["convert", path("all.mbtiles"), path("all.pmtiles")],
      convert.map { ("pmtiles-convert", $0, [path("all.mbtiles"), path("other.pmtiles")]) },
      goal: 0.5)
    compare(
      "PMTiles to MBTiles", ["convert", path("all.pmtiles"), path("again.mbtiles")],
      convert.map { ("pmtiles-convert", $0, [path("all.pmtiles"), path("other.mbtiles")]) },
      goal: 0.7)
    verify(&report, waypost, path("all.pmtiles"), tiles, pictures)
    compare("info of PMTiles", ["info", path("all.pmtiles")], nil, goal: nil)
    compare("info of MBTiles", ["info", path("all.mbtiles")], nil, goal: nil)
    compare(
      "coverage of PMTiles", ["coverage", path("all.pmtiles"), "-o", path("coverage.png")], nil,
      goal: nil)
    compare(
      "merge of two packs",
      ["merge", path("west.mbtiles"), path("all.pmtiles"), path("merged.pmtiles")], nil,
      goal: nil)
    compare(
      "extract of all tiles", ["extract", path("all.pmtiles"), path("part.pmtiles")], nil,
      goal: nil)
    compare(
      "extract of a half, MBTiles to PMTiles",
      [
        "extract", path("all.mbtiles"), path("half.pmtiles"), "--bbox=-180,-85,0,85",
      ], nil, goal: nil)
    compare(
      "PMTiles to a folder", ["export", path("all.pmtiles"), path("folder")],
      convert.map { ("pmtiles-convert", $0, [path("all.pmtiles"), path("other-folder")]) },
      goal: 1)
    remove(path("other-folder"))
    compare(
      "a folder to PMTiles", ["import", path("folder"), path("imported.pmtiles")], nil, goal: nil)
    remove(path("folder"))
    compare(
      "MBTiles to a folder", ["export", path("all.mbtiles"), path("folder")],
      mbutil.map {
        ("mb-util", $0, ["--silent", path("all.mbtiles"), path("other-folder")])
      }, goal: 1)
  }

  /// Verifies a pack, beside libpng, which decodes as many pictures and does nothing else.
  private func verify(
    _ report: inout Report, _ waypost: String, _ path: String, _ tiles: Int, _ pictures: [[UInt8]]
  ) {
    let ending = path.hasSuffix(".pmtiles") ? "PMTiles" : "MBTiles"
    guard let cost = measure(waypost, ["pack", "verify", path]) else {
      return report.skip("verify", "the command failed")
    }
    let made = MadePack(pictures)
    var pixels = [UInt32](repeating: 0, count: 256 * 256)
    let rounds = 40
    let begun = bench_thread_time()
    for _ in 0..<rounds {
      for picture in made.pictures { _ = bench_png(picture, picture.count, &pixels, 256) }
    }
    let one = Double(bench_thread_time() - begun) / Double(rounds * made.pictures.count)
    report.add(
      Row(
        "verify of \(ending), \(tiles) tiles", goal: 0.8, cost.time / (one * Double(tiles) * 0.7),
        unit: "x", detail: "\(cost.text) / \(Text.number(one * Double(tiles) * 0.7 / 1e9, 1)) s",
        to: "libpng, decoding those that differ (from \(made.pictures.count))"))
    report.add(
      Row(
        "  memory of it", goal: PackRows.memoryGoal, cost.peak / 1_048_576, unit: "MiB",
        detail: "from start to end \(Text.number(cost.wall / 1e9, 1)) s"))
  }

  /// Runs a program; nil, and a note, if it fails.
  ///
  /// A small process of its own starts it: the kernel counts the memory of the process that calls
  /// exec as the new program's peak (`exec_mmap`), and this one has made a large pack.
  private func measure(_ program: String, _ words: [String]) -> Cost? {
    let child = Child(
      BenchOptions.own, ["--child", "measure", program] + words, readsOutput: true)
    let numbers = child.text().split(separator: "\n").last?.split(separator: " ") ?? []
    let values = numbers.compactMap { Double(String($0)) }
    child.wait()
    guard values.count == 3 else {
      Report.note("\(program) \(words.joined(separator: " ")): failed")
      return nil
    }
    return Cost(time: values[0], wall: values[1], peak: values[2])
  }

  /// Runs a program, and gives the numbers of a `Cost`; nil if it fails.
  static func cost(of words: [String]) -> String? {
    guard let program = words.first else { return nil }
    let begun = bench_now()
    let child = Child(program, Array(words.dropFirst()))
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child.pid, &status, 0, &usage) == child.pid, status == 0 else { return nil }
    func nanoseconds(_ time: timeval) -> Int { time.tv_sec * 1_000_000_000 + time.tv_usec * 1000 }
    let time = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
    return "\(time) \(bench_now() - begun) \(usage.ru_maxrss * 1024)"
  }

  /// The path of a program of `PATH`.
  private static func find(_ name: String) -> String? {
    let places = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return places.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Removes a file or a folder below the scratch folder.
  private func remove(_ path: String) {
    guard path.hasPrefix(data.scratch + "/") else { return }
    _ = Child("/bin/rm", ["-rf", path]).wait()
  }
}
