import CLinux
import MapGeometry
import MapScene
import Pixels
import TileLoading
import TileSources
import VectorMaps

/// Vector tiles painted by several threads into new memory, and nothing else: the least that a view
/// can cost.
enum PaintThreads {
  /// What is painted, and by what.
  struct Jobs {
    var jobs: [(tile: TileID, payload: TilePayload)] = []
    var painter: any TilePainter
    var edge = 256
  }

  /// The tiles that `view` shows of `spec`, read.
  static func tiles(of spec: SourceSpec, _ view: Viewport) -> Jobs {
    guard let source = try? VectorMap.open(spec) as? any DrawnSource else { stop("no vector map") }
    let level = Int(view.zoom.rounded())
    let size = Double(1 << level) * 256
    let center = WebMercator.project(view.center)
    let (left, top) = (
      center.x * size - Double(view.width) / 2, center.y * size - Double(view.height) / 2
    )
    var jobs = Jobs(painter: source.painter)
    let columns = Int(left / 256)...Int((left + Double(view.width) - 1) / 256)
    let rows = Int(top / 256)...Int((top + Double(view.height) - 1) / 256)
    for y in rows {
      for x in columns {
        var buffer = TileBuffer()
        guard let id = TileID(z: level, x: x, y: y),
          case .payload(let payload)? = try? source.read(id, into: &buffer)
        else { continue }
        jobs.jobs.append((id, payload))
      }
    }
    return jobs
  }

  /// Paints all tiles. Returns the nanoseconds that it took.
  static func run(_ jobs: Jobs, threads: Int) -> Double {
    let size = jobs.edge * jobs.edge * 4
    return BenchThreads.run(bytes: max(1, jobs.jobs.count) * size, threads: threads) {
      memory, number in
      // As the threads of a kiosk do, which other programs on the machine otherwise overtake.
      waypost_yield_thread(10)
      let tools = PaintTools()
      for i in stride(from: number, to: jobs.jobs.count, by: threads) {
        var target = PaintTarget(
          pixels: memory + i * size, rowBytes: jobs.edge * 4, edge: jobs.edge, room: size,
          tools: tools)
        let job = jobs.jobs[i]
        _ = jobs.painter.paint(job.payload, job.tile, into: &target)
      }
    }
  }
}
