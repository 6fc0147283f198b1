import CBench
import Glibc
import MapGeometry
import MapScene
import Pixels

/// Measures frames: panned, zoomed, turned, on a rotated panel, and with 16 bits.
struct FrameRows {
  let data: BenchData
  let rounds: Int
  private let level: Double

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
    level = data.folder == nil ? 3 : 5
  }

  func run(_ report: inout Report) {
    panned(&report, .xrgb8888, .none, "panned frame, 1080p, all cached, whole zoom", 1.35)
    for degrees in [90, 180, 270] {
      let rotation = MountingRotation(rawValue: degrees) ?? .none
      panned(&report, .xrgb8888, rotation, "the same, mounting rotation \(degrees)", 3)
    }
    panned(&report, .rgb565, .right, "the same, mounting rotation 90, RGB565", 3)
    narrow(&report)
    guard bench_pixman_is_there() else {
      report.skip("frames against pixman", "libpixman-1.so.0 is not installed (libpixman-1-0)")
      return
    }
    for scale in [0.75, 0.8, 0.9, 0.97] { zoomed(&report, scale, 0.95) }
    for scale in [1.1, 1.2, 1.3, 1.4] { zoomed(&report, scale, 0.7) }
    zoomed(&report, 1.9, 0.7)
    turned(&report)
  }

  private func panned(
    _ report: inout Report, _ format: PixelFormat, _ rotation: MountingRotation, _ name: String,
    _ goal: Double
  ) {
    let bench = FrameBench(data.map, data, format: format, rotation: rotation, zoom: level)
    let views = bench.pan()
    let source = UnsafeMutableRawPointer.allocate(byteCount: bench.bytes, alignment: 4096)
    defer { source.deallocate() }
    memset(source, 2, bench.bytes)
    var at = 0
    let result = Comparison.run(rounds: rounds) {
      at += 1
      bench.frame(views[at % views.count])
    } reference: {
      memcpy(bench.memory, source, bench.bytes)
    }
    report.add(Row(name, to: "memcpy of a frame", goal: goal, result))
  }

  private func zoomed(_ report: inout Report, _ scale: Double, _ goal: Double) {
    // Above 1.41 the view uses the next level; only beyond the deepest are tiles enlarged further.
    against(
      &report, FrameBench(data.map, data, zoom: level + log2(scale)),
      "zoomed frame, \(Text.number(scale, 2))", goal)
  }

  private func turned(_ report: inout Report) {
    against(
      &report, FrameBench(data.map, data, zoom: level, bearing: 30), "turned frame, 30 degrees",
      0.17)
  }

  private func against(
    _ report: inout Report, _ bench: FrameBench, _ name: String, _ goal: Double
  ) {
    let views = bench.pan(8)
    bench.load(bench.view)
    bench.redraw()
    let pixman = PixmanFrame(bench)
    let isTurned = bench.view.bearing != 0
    if !isTurned {
      pixman.drawTiles()
      checkAlike(bench, pixman.memory, name)
    }
    pixman.drawAtOnce()
    checkAlike(bench, pixman.memory, name + " at once")
    var at = 0
    func compare(_ reference: () -> Void) -> Comparison {
      Comparison.run(rounds: max(5, rounds / 2)) {
        at += 1
        bench.frame(views[at % views.count])
      } reference: {
        reference()
      }
    }
    let atOnce = compare { pixman.drawAtOnce() }
    if isTurned {
      report.add(Row(name, to: "pixman, bilinear, of the same tiles", goal: goal, atOnce))
      return
    }
    report.add(
      Row(
        name, to: "pixman, bilinear, of the same tiles", goal: goal, compare { pixman.drawTiles() })
    )
    report.add(
      Row("  the same", to: "pixman, of one picture put together before", goal: nil, atOnce))
  }

  /// Checks that both drew the same picture, without which the comparison would be meaningless.
  private func checkAlike(
    _ bench: FrameBench, _ other: UnsafeMutablePointer<UInt32>, _ name: String
  ) {
    let own = bench.memory.assumingMemoryBound(to: UInt32.self)
    var sum = 0
    for i in 0..<(bench.bytes / 4) {
      for shift: UInt32 in [0, 8, 16] {
        sum += abs(Int(own[i] >> shift & 255) - Int(other[i] >> shift & 255))
      }
    }
    let mean = Double(sum) / Double(bench.bytes / 4 * 3)
    if mean > 1 {
      Report.note("\(name): differs from pixman's by \(Text.number(mean, 2)) a channel")
    }
  }

  /// Compares RGB565 with XRGB8888.
  private func narrow(_ report: inout Report) {
    compare(&report, "RGB565 frame from cached tiles, panned", 0.55, zoom: level, bearing: 0)
    compare(&report, "RGB565 frame, zoomed 1.3", 1.3, zoom: level + log2(1.3), bearing: 0)
    compare(&report, "RGB565 frame, zoomed 0.8", 1.3, zoom: level + log2(0.8), bearing: 0)
    compare(&report, "RGB565 frame, turned 30 degrees", 1.3, zoom: level, bearing: 30)
  }

  private func compare(
    _ report: inout Report, _ name: String, _ goal: Double, zoom: Double, bearing: Double
  ) {
    let narrow = FrameBench(data.map, data, format: .rgb565, zoom: zoom, bearing: bearing)
    let wide = FrameBench(data.map, data, zoom: zoom, bearing: bearing)
    let (narrowViews, wideViews) = (narrow.pan(), wide.pan())
    var (at, other) = (0, 0)
    let result = Comparison.run(rounds: rounds) {
      at += 1
      narrow.frame(narrowViews[at % narrowViews.count])
    } reference: {
      other += 1
      wide.frame(wideViews[other % wideViews.count])
    }
    report.add(Row(name, to: "the same frame in XRGB8888", goal: goal, result))
  }
}
