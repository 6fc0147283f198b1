import CBench
import Glibc

/// Measures painting vector tiles, beside Skia and beside other tiles.
struct VectorRows {
  let data: BenchData
  let rounds: Int

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  func run(_ report: inout Report) {
    guard let style = data.vector(BenchData.bright),
      let paris = VectorTileBench(data, pack: BenchData.paris, style: style, 14, 8298, 5635),
      let europe = VectorTileBench(data, pack: BenchData.paris, style: style, 4, 8, 5)
    else {
      return report.skip("vector tiles", "the vector maps of the data set are not at hand (--data)")
    }
    skia(&report, paris)
    report.add(
      Row(
        "  painted as a kiosk does, four tiles of 256 px", to: "one of 512 px", goal: nil,
        Comparison.run(rounds: rounds) {
          paris.paintQuarters()
        } reference: {
          paris.paint()
        }))
    let count = paris.place(paris.paint(labels: true))
    for isFirst in [true, false] {
      report.add(
        Row(
          isFirst
            ? "the same with its \(count) labels placed and drawn"
            : "  those whose texts were drawn before", to: "without labels", goal: 1.3,
          Comparison.run(rounds: rounds) {
            paris.place(paris.paint(labels: true), isFirst: isFirst)
          } reference: {
            paris.paint()
          }))
    }
    report.add(
      Row(
        "Europe z4", to: "the Paris tile", goal: 1,
        Comparison.run(rounds: rounds) {
          europe.paint()
        } reference: {
          paris.paint()
        }))
  }

  private func skia(_ report: inout Report, _ paris: VectorTileBench) {
    let shapes = paris.shapes
    let file = data.scratch + "/shapes"
    Files.write(ShapeFile(shapes).bytes, to: file)
    let figure = "Paris z14, 512 px, OSM Bright without labels"
    guard let skia = ScriptReference(Scripts.skia, [file, "512"], data) else {
      return report.skip(figure, "no Skia for Python (pip install skia-python; WAYPOST_PYTHON)")
    }
    defer { skia.end() }
    _ = skia.ask("draw")
    paris.paint()
    var result = Comparison()
    for _ in 0..<rounds {
      let begun = bench_thread_time()
      paris.paint()
      result.measured.append(Double(bench_thread_time() - begun))
      result.reference.append(skia.ask("draw"))
    }
    report.add(
      Row(figure, to: "Skia, its \(shapes.count) bare shapes", goal: 0.6, result))
  }
}
