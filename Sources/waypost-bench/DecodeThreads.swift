import Images
import MapGeometry
import Pixels
import TileSources

/// Tiles decoded by several threads into new memory, and nothing else: the least that a picture can
/// cost.
enum DecodeThreads {
  /// Decodes all tiles. Returns the nanoseconds that it took.
  static func run(_ tiles: [[UInt8]], threads: Int) -> Double {
    let size = 256 * 256 * 4
    return BenchThreads.run(bytes: max(1, tiles.count) * size, threads: threads) {
      memory, number in
      let decoder = TileDecoder()
      for i in stride(from: number, to: tiles.count, by: threads) {
        let target = UnsafeMutableRawBufferPointer(start: memory + i * size, count: size)
        tiles[i].withUnsafeBytes {
          _ = try? decoder.decode($0, edge: 256, opaque: .xrgb8888, into: target)
        }
      }
    }
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
