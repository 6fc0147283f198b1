import CBench
import Control
import Glibc
import Kiosk
import MapGeometry
import Platform

/// Measures the installed daemon, from its start until it rests.
struct DaemonRows {
  let data: BenchData
  let options: BenchOptions
  private let socket: String
  private let zoom: Double

  init(_ data: BenchData, _ options: BenchOptions) {
    self.data = data
    self.options = options
    socket = data.scratch + "/socket"
    zoom = data.folder == nil ? 3 : 5
  }

  func run(_ report: inout Report) {
    guard access(options.waypostd, X_OK) == 0 else {
      return report.skip("the daemon", "\(options.waypostd) is not there (--waypostd FILE)")
    }
    firstFrame(&report)
    roundTrip(&report)
    rest(&report)
  }

  /// A configuration with the map at its centre, and `more`.
  func configuration(_ more: String = "") -> String {
    let source =
      data.folder.map {
        "[[source]]\nname = \"osm\"\npath = \"\($0)/raster-dirs/osm-standard-z3-5\"\n"
      } ?? ""
    let path = data.scratch + "/waypost.toml"
    let text = """
      [display]
      backend = "headless"
      size = "1920x1080"
      [view]
      center = [45, 8]
      zoom = \(Int(zoom))
      [state]
      path = ""
      [control]
      socket = "\(socket)"
      \(source)\(more)
      """
    Files.write(Array(text.utf8), to: path)
    return path
  }

  // MARK: From exec to the first picture

  private func firstFrame(_ report: inout Report) {
    guard let folder = data.folder else {
      return report.skip("first frame", "the data set is not at hand (--data)")
    }
    let path = configuration()
    var result = Comparison()
    let rounds = max(5, options.rounds / 3)
    for round in 0...rounds {
      guard let time = Self.start(options.waypostd, ["--config", path], socket) else {
        return report.skip("first frame", "the daemon did not start")
      }
      let begun = bench_now()
      Child(BenchOptions.beside("waypost-bench-empty"), []).wait()
      let empty = Double(bench_now() - begun)
      let child = Child(BenchOptions.own, ["--child", "decode", folder], readsOutput: true)
      let decoded = Double(child.text().split(separator: "\n").first.flatMap { Int($0) } ?? 0)
      child.wait()
      if round == 0 { continue }  // The caches of the file system are warm from here on.
      result.measured.append(time)
      result.reference.append(empty + decoded)
    }
    report.add(
      Row(
        "exec to the first complete picture, 1080p",
        to: "decoding its tiles cold with all cores + exec of an empty Swift program", goal: 1.15,
        result))
  }

  /// Starts the daemon with a listening socket, and ends it once it has drawn everything. Returns
  /// the nanoseconds from exec until then; nil if it does not answer.
  static func start(_ program: String, _ arguments: [String], _ socket: String) -> Double? {
    let start = starting(program, arguments, socket)
    return start.isWhole ? start.time : nil
  }

  /// What the daemon answers once it has drawn everything, and the nanoseconds from exec until
  /// then.
  struct Start {
    var time = 0.0
    /// Empty: nothing.
    var answer = ""
    /// Whether no tiles are missing, because a picture of nothing is quickly complete.
    var isWhole: Bool {
      answer.contains("\"complete\":true") && answer.contains("\"missing\":0")
    }
  }

  /// Starts the daemon with a listening socket, and ends it once it has drawn everything.
  static func starting(_ program: String, _ arguments: [String], _ socket: String) -> Start {
    let listener = bench_listen(socket)
    let client = bench_connect(socket)
    guard listener >= 0, client >= 0 else { return Start() }
    defer { close(client) }
    let wire = RawClient(client)
    wire.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"settle\",\"params\":{\"timeout\":60}}\n")
    let begun = bench_now()
    let child = Child(program, arguments, listener: listener)
    close(listener)
    let answer = wire.line()
    let time = Double(bench_now() - begun)
    child.end()
    return Start(time: time, answer: answer)
  }

  // MARK: The control socket

  private func roundTrip(_ report: inout Report) {
    let listener = bench_listen(socket)
    let client = bench_connect(socket)
    let daemon = Child(options.waypostd, ["--config", configuration()], listener: listener)
    close(listener)
    defer {
      close(client)
      daemon.end()
    }
    let wire = RawClient(client)
    _ = wire.ask("settle", "{\"timeout\":60}")
    let answer = wire.ask("view.set", "{\"lat\":45.001,\"lon\":8.5}")
    guard answer.contains("\"lat\":45.001") else { stop("view.set: \(answer)") }
    let other = data.scratch + "/echo"
    let echoListener = bench_listen(other)
    let echoClient = bench_connect(other)
    let echo = Child(
      BenchOptions.own, ["--child", "echo", String(answer.utf8.count + 1)], listener: echoListener)
    close(echoListener)
    let bare = RawClient(echoClient)
    // All on one core, because otherwise the scheduler's choice of a core is measured.
    for pid in [0, daemon.pid, echo.pid] { bench_pin(pid, 0) }
    defer { bench_pin(0, -1) }
    var result = Comparison()
    var step = 0
    func time(_ wire: RawClient) -> Double {
      step += 1
      let lon = Double(step % 100) / 1000 + 8
      let request =
        "{\"jsonrpc\":\"2.0\",\"id\":\(step),\"method\":\"view.set\",\"params\":{\"lat\":45.5,\"lon\":\(lon)}}\n"
      let bytes = Array(request.utf8)
      let begun = bench_now()
      wire.send(bytes)
      let answer = wire.line()
      let time = Double(bench_now() - begun)
      guard answer.utf8.count > 40 else { stop("no answer") }
      return time
    }
    for _ in 0..<options.rounds {
      var own: [Double] = []
      var reference: [Double] = []
      for _ in 0..<100 {
        own.append(time(wire))
        reference.append(time(bare))
      }
      result.measured.append(Statistics.median(own))
      result.reference.append(Statistics.median(reference))
    }
    close(echoClient)
    echo.wait()
    report.add(
      Row("view.set over the socket, round trip", to: "a bare socket echo", goal: 2, result))
  }

  // MARK: At rest

  private func rest(_ report: inout Report) {
    let listener = bench_listen(socket)
    let client = bench_connect(socket)
    let daemon = Child(
      options.waypostd, ["--demo", "--display", "headless", "--socket", socket], listener: listener)
    close(listener)
    defer {
      close(client)
      daemon.end()
    }
    let wire = RawClient(client)
    _ = wire.ask("settle", "{\"timeout\":60}")
    // Asked before the daemon releases its code, since the answer brings 3 MiB of it back.
    sleep(2)
    let stats = wire.ask("stats", "{}")
    // Until its start is over: packs are on trial for a while, then its code is released.
    sleep(5)
    let cache = Self.number("cache", in: stats)
    let display = Self.number("display", in: stats)
    let size = Self.proportionalSize(daemon.pid)
    let rest = (size - cache - display) / 1_048_576
    report.add(
      Row(
        "memory beyond cache and display, demo, at rest", goal: 10, rest, unit: "MiB",
        detail:
          "PSS \(Text.number(size / 1_048_576, 1)), cache \(Text.number(cache / 1_048_576, 1)), "
          + "display \(Text.number(display / 1_048_576, 1)) MiB"))
    // The daemon, which has just answered, goes back to sleep.
    usleep(300_000)
    let seconds = options.isQuick ? 10 : 60
    let before = Self.switches(daemon.pid)
    sleep(UInt32(seconds))
    let after = Self.switches(daemon.pid)
    report.add(
      Row(
        "wake-ups at rest in \(seconds) s, all threads", goal: 0, Double(after.sum - before.sum),
        unit: "", detail: "\(after.threads) threads"))
  }

  /// The bytes of `owner` in the answer to `stats`.
  static func number(_ owner: String, in stats: String) -> Double {
    (try? JSON.parse(stats))?["result"]?["memory"]?[owner]?.double ?? 0
  }

  /// The proportional set size (PSS) in bytes.
  static func proportionalSize(_ pid: Int32) -> Double {
    for line in Files.text("/proc/\(pid)/smaps_rollup").split(separator: "\n")
    where line.hasPrefix("Pss:") {
      return Double(line.split(separator: " ")[1]).map { $0 * 1024 } ?? 0
    }
    return 0
  }

  /// The context switches of all threads, because each wake-up ends in one; and the number of
  /// threads.
  static func switches(_ pid: Int32) -> (sum: Int, threads: Int) {
    var sum = 0
    let tasks = Directory.visibleNames(in: "/proc/\(pid)/task")
    for task in tasks {
      for line in Files.text("/proc/\(pid)/task/\(task)/status").split(separator: "\n")
      where line.hasPrefix("voluntary_ctxt_switches") {
        sum += line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last.flatMap { Int($0) } ?? 0
      }
    }
    return (sum, tasks.count)
  }
}

/// Sends and reads lines over a socket, without any library in between.
final class RawClient {
  private let fd: Int32
  private var input = [UInt8](repeating: 0, count: 1 << 20)
  private var id = 0

  init(_ fd: Int32) { self.fd = fd }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// The next line; empty at the end.
  func line() -> String {
    var count = 0
    while count < input.count {
      let got = input.withUnsafeMutableBytes {
        recv(fd, $0.baseAddress! + count, $0.count - count, 0)
      }
      if got <= 0 { return "" }
      count += got
      if input[count - 1] == 10 { break }
    }
    return String(decoding: input[..<(count - 1)], as: UTF8.self)
  }

  func ask(_ method: String, _ params: String) -> String {
    id += 1
    send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}\n")
    return line()
  }
}
