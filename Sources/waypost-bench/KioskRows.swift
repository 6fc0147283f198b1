import CBench
import CLinux
import Configuration
import EventLoop
import Glibc
import Kiosk

/// Measures switching between sources.
struct SwitchRows {
  let data: BenchData
  let rounds: Int

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  func run(_ report: inout Report) {
    let zoom: Double = data.folder == nil ? 2 : 5
    let bench = KioskBench([data.map, data.otherMap], zoom: zoom)
    bench.settle()
    let tiles = DecodeThreads.tiles(of: data.map, data, zoom: zoom)
    let names = (map: data.map.name, other: data.otherMap.name)
    var result = Comparison()
    for round in 0...max(5, rounds / 2) {
      _ = bench.kiosk.press(.source(names.other))
      bench.settle()
      bench.kiosk.clearCache()
      let begun = bench_now()
      _ = bench.kiosk.press(.source(names.map))
      bench.settle()
      let time = Double(bench_now() - begun)
      let alone = DecodeThreads.run(tiles, threads: Int(bench_processors()))
      if round == 0 { continue }
      result.measured.append(time)
      result.reference.append(alone)
    }
    report.add(
      Row(
        "source switch to the complete picture, 1080p",
        to: "decoding its \(tiles.count) tiles with all cores", goal: 1.2, result))
  }
}

/// Measures the time from writing an eventfd to the frame that begins because of it.
struct InputRows {
  let data: BenchData
  let rounds: Int

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  /// A thread that writes an eventfd 3 ms after it was asked to, either the kiosk's loop's or the
  /// bare loop's; both are asleep by then. Unchecked: the loop's thread reads the recorded time
  /// only after it was woken.
  private final class Pinger: @unchecked Sendable {
    let waker: Waker
    let bare: Int32 = eventfd(0, 0)
    private let orders: Int32 = eventfd(0, 0)
    private(set) var time: UInt64 = 0

    init(_ waker: Waker) { self.waker = waker }

    func start() {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          Unmanaged<Pinger>.fromOpaque(raw).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(self).toOpaque())
      pthread_detach(thread)
    }

    func order(bare isBare: Bool) {
      var order: UInt64 = isBare ? 2 : 1
      _ = write(orders, &order, 8)
    }

    private func run() {
      var order: UInt64 = 0
      var one: UInt64 = 1
      while read(orders, &order, 8) == 8 {
        usleep(3000)
        time = bench_now()
        if order == 2 { _ = write(bare, &one, 8) } else { waker.wake() }
      }
    }
  }

  func run(_ report: inout Report) {
    let zoom: Double = data.folder == nil ? 3 : 5
    let bench = KioskBench([data.map], zoom: zoom)
    bench.settle()
    var wakes = 0
    let pinger: Pinger
    do {
      pinger = Pinger(
        try bench.loop.waker { [kiosk = bench.kiosk, display = bench.display] in
          wakes += 1
          kiosk.pan(dx: wakes % 2 == 0 ? 3 : -3, dy: 0, animate: false)
          display.begun = 0
        })
    } catch { stop("\(error)") }
    let noted = eventfd(0, 0)
    guard bench_epoll(pinger.bare, noted) else { stop("no thread") }
    pinger.start()
    var result = Comparison()
    for _ in 0..<rounds {
      var own: [Double] = []
      var reference: [Double] = []
      for _ in 0..<20 {
        let before = wakes
        pinger.order(bare: false)
        while wakes == before || bench.display.begun == 0 { bench.loop.runOnce() }
        own.append(Double(bench.display.begun - pinger.time))
        pinger.order(bare: true)
        var count: UInt64 = 0
        _ = read(noted, &count, 8)
        reference.append(Double(bench_epoll_noted() - pinger.time))
      }
      result.measured.append(Statistics.median(own))
      result.reference.append(Statistics.median(reference))
    }
    report.add(
      Row(
        "input to frame: eventfd written to frame begun", to: "a bare epoll loop", goal: 2, result))
  }
}
