import CBench
import Glibc

/// Measures the memory of the daemon with a vector map: while it paints, and at rest.
struct VectorMemoryRows {
  let views: VectorViewRows

  init(_ views: VectorViewRows) { self.views = views }

  /// A configuration with Paris in OSM Bright.
  func configuration() -> String {
    let path = views.data.scratch + "/vector.toml"
    let center = BenchData.parisCenter
    let text = """
      [display]
      backend = "headless"
      size = "\(views.size.width)x\(views.size.height)"
      [view]
      center = [\(center.lat), \(center.lon)]
      zoom = 15
      [state]
      path = ""
      [control]
      socket = "\(views.data.scratch)/socket"
      [[source]]
      name = "paris"
      path = "\(views.pack)"
      style = "\(views.style)"
      """
    Files.write(Array(text.utf8), to: path)
    return path
  }

  func run(_ report: inout Report) {
    let socket = views.data.scratch + "/socket"
    guard access(views.options.waypostd, X_OK) == 0 else {
      return report.skip("memory", "\(views.options.waypostd) is not there (--waypostd FILE)")
    }
    let listener = bench_listen(socket)
    let client = bench_connect(socket)
    let other = bench_connect(socket)
    let daemon = Child(views.options.waypostd, ["--config", configuration()], listener: listener)
    close(listener)
    defer {
      close(client)
      close(other)
      daemon.end()
    }
    let wire = RawClient(client)
    let watch = RawClient(other)
    _ = wire.ask("settle", "{\"timeout\":60}")
    // Painted anew, with the start's memory and code gone.
    sleep(8)
    var most = Memory()
    for _ in 0..<3 {
      _ = wire.ask("cache.clear", "{}")
      wire.send(
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"settle\",\"params\":{\"timeout\":60}}\n")
      let end = bench_now() + 1_500_000_000
      while bench_now() < end {
        let now = Memory(watch, daemon.pid)
        if now.beyond > most.beyond { most = now }
        usleep(5000)
      }
      _ = wire.line()
    }
    report.add(most.row("memory beyond cache and display, while painting the Paris view", 16))
    sleep(12)
    // Before it is asked, since the answer brings code back.
    let size = DaemonRows.proportionalSize(daemon.pid)
    var rest = Memory(watch, daemon.pid)
    rest.size = size
    report.add(rest.row("  at rest", 10))
  }

  /// The daemon's memory at a moment, in bytes.
  struct Memory {
    var size = 0.0
    var cache = 0.0
    var display = 0.0
    var vector = 0.0

    init() {}

    init(_ wire: RawClient, _ pid: Int32) {
      let stats = wire.ask("stats", "{}")
      size = DaemonRows.proportionalSize(pid)
      cache = DaemonRows.number("cache", in: stats)
      display = DaemonRows.number("display", in: stats)
      vector = DaemonRows.number("vector", in: stats)
    }

    var beyond: Double { size - cache - display }

    func row(_ figure: String, _ goal: Double) -> Row {
      func text(_ bytes: Double) -> String { Text.number(bytes / 1_048_576, 1) }
      return Row(
        figure, goal: goal, beyond / 1_048_576, unit: "MiB",
        detail:
          "PSS \(text(size)), cache \(text(cache)), display \(text(display)), "
          + "parsed tiles \(text(vector)) MiB")
    }
  }
}
