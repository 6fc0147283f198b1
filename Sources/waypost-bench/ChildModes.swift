import CBench
import Glibc
import Kiosk
import Pixels

/// The things that this program does as a child of itself.
enum ChildModes {
  static func run(_ mode: String, _ options: BenchOptions) -> Never {
    switch mode {
    case "decode":
      // Decodes the tiles of the first view in a new process, and prints the nanoseconds.
      let data = BenchData(folder: options.childArguments.first)
      let level = data.folder == nil ? 3.0 : 5.0
      let tiles = DecodeThreads.tiles(of: data.map, data, zoom: level)
      let time = DecodeThreads.run(tiles, threads: Int(bench_processors()))
      data.tidy()
      print(Int(time))
    case "frames":
      // For profilers: only pans frames. SCALE BEARING FORMAT ROTATION COUNT.
      let words = options.childArguments
      func word(_ i: Int, _ other: String) -> String { i < words.count ? words[i] : other }
      let data = BenchData(folder: options.data)
      let level = data.folder == nil ? 3.0 : 5.0
      let bench = FrameBench(
        data.map, data, format: PixelFormat(rawValue: word(2, "xrgb8888")) ?? .xrgb8888,
        rotation: MountingRotation(rawValue: Int(word(3, "0")) ?? 0) ?? .none,
        zoom: level + log2(Double(word(0, "1")) ?? 1), bearing: Double(word(1, "0")) ?? 0)
      let views = bench.pan(16)
      let count = Int(word(4, "1000")) ?? 1000
      let begun = bench_now()
      for i in 0..<count { bench.frame(views[i % views.count]) }
      data.tidy()
      print(Text.time(Double(bench_now() - begun) / Double(count)), "a frame")
    case "overlay-frames":
      // For profilers: only pans a map with as many labels of an overlay as find room. COUNT.
      let data = BenchData(folder: options.data)
      let count = options.childArguments.first.flatMap { Int($0) } ?? 1000
      print(Text.time(OverlayRows(data, rounds: 0).labelled(count)), "a frame")
      data.tidy()
    case "vector-frames":
      // For profilers: only moves a vector map. pan or turn, COUNT, plain (without labels).
      let words = options.childArguments
      let data = BenchData(folder: options.data)
      guard let rows = VectorViewRows(data, options) else { stop("no vector maps at hand") }
      let count = words.count > 1 ? Int(words[1]) ?? 1000 : 1000
      let time = rows.frames(
        isTurned: words.first == "turn", hasLabels: words.count < 3 || words[2] != "plain", count)
      print(Text.time(time.mean), "a frame,", Text.time(time.copy), "a memcpy of one")
      data.tidy()
    case "vector-cold":
      // For profilers: only paints a view of a vector map. kiosk or tiles, COUNT.
      let words = options.childArguments
      let data = BenchData(folder: options.data)
      guard let rows = VectorViewRows(data, options) else { stop("no vector maps at hand") }
      let count = words.count > 1 ? Int(words[1]) ?? 10 : 10
      let cost = rows.cold(isKiosk: words.first != "tiles", count)
      print(Text.time(cost.time), "a view,", Text.time(cost.work), "of all threads")
      data.tidy()
    case "echo":
      // Answers what comes over the passed socket until its client disconnects.
      let fd = accept(3, nil, nil)
      var input = [UInt8](repeating: 0, count: 65536)
      let size = options.childArguments.first.flatMap { Int($0) } ?? 200
      var answer = [UInt8](repeating: 120, count: size)
      answer[size - 1] = 10
      while recv(fd, &input, input.count, 0) > 0 { _ = send(fd, answer, size, 0) }
    case "measure":
      // Runs a program, and prints what it took: see `PackRows.Cost`.
      print(PackRows.cost(of: options.childArguments) ?? "failed")
    case "pack":
      // Makes the pack that the packs' figures are measured with. COUNT FILE.mbtiles.
      let words = options.childArguments
      guard words.count == 2, let count = Int(words[0]) else { stop("pack: COUNT FILE.mbtiles") }
      let data = BenchData(folder: options.data)
      let pictures = data.tiles(of: Bundled.sources[1], level: 3, count: 64)
      print(MadePack(pictures).write(count, to: words[1]))
      data.tidy()
    default: break
    }
    exit(0)
  }
}

/// A program that was started.
struct Child {
  let pid: Int32
  /// The descriptor of its output; -1 if nobody reads it.
  let output: Int32

  init(_ path: String, _ arguments: [String], listener: Int32 = -1, readsOutput: Bool = false) {
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    var ends: [Int32] = [-1, -1]
    if readsOutput { pipe(&ends) }
    let silent = readsOutput ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC)
    pid = bench_spawn(path, &words, listener, readsOutput ? ends[1] : silent)
    if ends[1] >= 0 { close(ends[1]) }
    if silent >= 0 { close(silent) }
    output = ends[0]
    for word in words { free(word) }
  }

  /// Waits until it ends, and returns its status as waitpid(2) gives it.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    if output >= 0 { close(output) }
    return status
  }

  /// Reads its output to the end.
  func text() -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = read(output, &part, part.count)
      if got <= 0 { break }
      bytes += part[..<got]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func end() {
    kill(pid, SIGTERM)
    wait()
  }
}
