import CBench
import Configuration
import EventLoop
import Glibc
import Inputs
import Kiosk
import MapGeometry
import TileSources

/// A medium that transfers 10 MB a second and takes 10 ms to seek.
final class SlowSource: TileSource {
  private let inner: any TileSource

  init(_ inner: any TileSource) { self.inner = inner }

  var info: SourceInfo { inner.info }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    // The map repeated endlessly, so that it is larger than any cache.
    let answer = try inner.read(id, into: &buffer)
    var count = 0
    if case .payload(let payload) = answer { count = payload.bytes.count }
    usleep(UInt32(10_000 + count / 10))
    return answer
  }
}

/// Measures panning at full speed, from a slow medium, over more than fits the cache.
struct SmoothRows {
  let data: BenchData
  let options: BenchOptions

  init(_ data: BenchData, _ options: BenchOptions) {
    self.data = data
    self.options = options
  }

  func run(_ report: inout Report) {
    let zoom: Double = data.folder == nil ? 3 : 5
    let seconds: Double = options.isQuick ? 5 : 20
    let bench = KioskBench([], zoom: zoom, paced: true, cache: 24 << 20)
    let spec = data.map
    bench.kiosk.addSource("slow") {
      do throws(SourceError) {
        return .success(SlowSource(try spec.open()))
      } catch { return .failure(error) }
    }
    bench.settle()
    let before = bench.kiosk.figures
    bench.display.presented.reserveCapacity(Int(seconds * 61))
    // Around the world, where nothing stops the view.
    let ways: [Action] = [.panRight, .panLeft, .panRight, .panLeft]
    let begun = bench_now()
    for way in ways {
      press(bench, way, .hold)
      bench.run(seconds: seconds / 4)
      press(bench, way, .release)
    }
    let time = Double(bench_now() - begun) / 1e9
    let after = bench.kiosk.figures
    let times = bench.display.presented
    let gaps = zip(times.dropFirst(), times).map { Double($0 - $1) / 1e6 }
    let beats = time * 60
    report.add(
      Row(
        "panning over a slow medium: frames late for want of a tile", goal: 0,
        Double(after.late - before.late), unit: "",
        detail:
          "\(times.count) frames in \(Int(beats)) beats, \(after.decodes - before.decodes) tiles "
          + "loaded, \(after.evictions - before.evictions) evicted"))
    report.add(
      Row(
        "  time of a frame, p99.9", goal: 1000 / 60, after.frameP999 ?? 0, unit: "ms",
        detail:
          "p50 \(Text.number(after.frameP50 ?? 0, 2)) ms, p99 \(Text.number(after.frameP99 ?? 0, 2)) ms"
      ))
    report.add(
      Row(
        "  from frame to frame, p99.9", goal: nil, Statistics.quantile(gaps, 0.999), unit: "ms",
        detail:
          "p50 \(Text.number(Statistics.quantile(gaps, 0.5), 2)) ms, most \(Text.number(gaps.max() ?? 0, 2)) ms"
      ))
  }

  private func press(_ bench: KioskBench, _ action: Action, _ phase: ButtonEvent.Phase) {
    if phase == .hold {
      bench.kiosk.handle(
        ButtonEvent(origin: "bench", action: action, phase: .press, time: EventLoop.now()))
    }
    bench.kiosk.handle(
      ButtonEvent(origin: "bench", action: action, phase: phase, time: EventLoop.now()))
  }
}
