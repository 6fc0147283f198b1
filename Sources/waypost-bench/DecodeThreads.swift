import CBench
import Glibc
import Images
import MapGeometry
import Pixels
import TileSources

/// Tiles decoded by several threads into new memory, and nothing else: the least that a picture can
/// cost.
enum DecodeThreads {
  /// Unchecked: nothing in it is changed, and each thread writes only its own tiles' part of
  /// `memory`. Only the benchmark makes one.
  private final class Work: @unchecked Sendable {
    let tiles: [[UInt8]]
    let threads: Int
    let memory: UnsafeMutableRawPointer
    let number: Int

    init(_ tiles: [[UInt8]], _ threads: Int, _ memory: UnsafeMutableRawPointer, _ number: Int) {
      (self.tiles, self.threads, self.memory, self.number) = (tiles, threads, memory, number)
    }

    func run() {
      let decoder = TileDecoder()
      let size = 256 * 256 * 4
      for i in stride(from: number, to: tiles.count, by: threads) {
        let target = UnsafeMutableRawBufferPointer(start: memory + i * size, count: size)
        tiles[i].withUnsafeBytes {
          _ = try? decoder.decode($0, edge: 256, opaque: .xrgb8888, into: target)
        }
      }
    }
  }

  /// Decodes all tiles. Returns the nanoseconds that it took.
  static func run(_ tiles: [[UInt8]], threads: Int) -> Double {
    let count = max(1, tiles.count) * 256 * 256 * 4
    guard
      let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { stop("no memory") }
    defer { munmap(memory, count) }
    let begun = bench_now()
    var started: [pthread_t] = []
    for number in 0..<threads {
      var thread = pthread_t()
      let work = Unmanaged.passRetained(Work(tiles, threads, memory, number))
      pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().run()
          return nil
        }, work.toOpaque())
      started.append(thread)
    }
    for thread in started { pthread_join(thread, nil) }
    return Double(bench_now() - begun)
  }

  /// The encoded tiles that a 1080p view of `spec` needs.
  static func tiles(of spec: SourceSpec, _ data: BenchData, zoom: Double) -> [[UInt8]] {
    let bench = FrameBench(spec, data, zoom: zoom)
    let source = data.open(spec)
    var found: [[UInt8]] = []
    for request in bench.scene.update(view: bench.view).requests where request.standing == .needed {
      if let bytes = try? source.tile(at: request.tile) { found.append(bytes) }
    }
    return found
  }
}
