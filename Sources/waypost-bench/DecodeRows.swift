import CBench
import Glibc
import Images
import Pixels
import TileSources

/// Measures decoding tiles to the display's pixels.
struct DecodeRows {
  let data: BenchData
  let rounds: Int

  private let edge = 256
  private let pixels = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 256 * 256 * 4 + 4096, alignment: 64)

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  func run(_ report: inout Report) {
    defer { pixels.deallocate() }
    let palette =
      data.folder.map { _ in data.tiles(of: data.map, level: 5, count: 64) }
      ?? data.tiles(of: data.map, level: 3, count: 64)
    compare(&report, "palette PNG to pixels", palette, "libpng's own expansion", 0.65, bench_png)
    others(&report, palette)
    guard let folder = data.folder else {
      report.skip("RGB PNG, RGBA PNG, JPEG, WebP tiles", "the data set is not at hand (--data)")
      return
    }
    func tiles(_ path: String, _ level: Int) -> [[UInt8]] {
      data.tiles(
        of: SourceSpec(name: path, location: .path(folder + "/" + path)), level: level, count: 48)
    }
    compare(
      &report, "RGB PNG to pixels", tiles("variants/osm-z3-rgbpng.pmtiles", 3), "libpng", 1.02,
      bench_png)
    compare(
      &report, "RGBA PNG to pixels", tiles("raster-dirs/partial-regional-z0-5-rgba", 5), "libpng",
      1.02, bench_png)
    compare(
      &report, "JPEG to pixels", tiles("mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles", 5),
      "libjpeg-turbo", 1.02, bench_jpeg)
    compare(
      &report, "WebP to pixels", tiles("variants/osm-z3-4-webp.mbtiles", 4), "libwebp", 1.02,
      bench_webp)
  }

  private typealias Decoder = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt32>?, UInt32) ->
    Bool

  private func compare(
    _ report: inout Report, _ name: String, _ tiles: [[UInt8]], _ library: String, _ goal: Double,
    _ reference: Decoder
  ) {
    let tiles = tiles.filter {
      reference($0, $0.count, pixels.baseAddress?.assumingMemoryBound(to: UInt32.self), 256)
    }
    guard !tiles.isEmpty else { return report.skip(name, "no tiles of 256 pixels") }
    let decoder = TileDecoder()
    let words = pixels.baseAddress?.assumingMemoryBound(to: UInt32.self)
    var result = Comparison.run(rounds: max(5, rounds / 2)) {
      for tile in tiles {
        tile.withUnsafeBytes {
          _ = try? decoder.decode($0, edge: edge, opaque: .xrgb8888, into: pixels)
        }
      }
    } reference: {
      for tile in tiles { _ = reference(tile, tile.count, words, 256) }
    }
    result.measured = result.measured.map { $0 / Double(tiles.count) }
    result.reference = result.reference.map { $0 / Double(tiles.count) }
    report.add(Row(name, to: library, goal: goal, result))
  }

  /// Other libraries on the same tiles: no goals, but the reasons for a choice.
  private func others(_ report: inout Report, _ tiles: [[UInt8]]) {
    guard let first = tiles.first, let base = pixels.baseAddress else { return }
    let words = base.assumingMemoryBound(to: UInt32.self)
    let count = Double(tiles.count)
    func row(_ name: String, _ body: @escaping ([UInt8]) -> Void) {
      var result = Comparison.run(rounds: max(5, rounds / 2)) {
        for tile in tiles { body(tile) }
      } reference: {
        for tile in tiles { _ = bench_png(tile, tile.count, words, 256) }
      }
      result.measured = result.measured.map { $0 / count }
      result.reference = result.reference.map { $0 / count }
      report.add(Row(name, to: "libpng's own expansion", goal: nil, result))
    }
    if bench_spng(first, first.count, words, 256) >= 0 {
      row("  libspng, the same tiles") { _ = bench_spng($0, $0.count, words, 256) }
    } else {
      report.skip("libspng", "libspng.so.0 is not installed")
    }
    let out = base.assumingMemoryBound(to: UInt8.self)
    let room = pixels.count
    row("  zlib, inflating alone") { _ = bench_inflate($0, $0.count, out, room) }
    if bench_deflate(first, first.count, out, room) >= 0 {
      row("  libdeflate, inflating alone") { _ = bench_deflate($0, $0.count, out, room) }
    } else {
      report.skip("libdeflate", "libdeflate.so.0 is not installed")
    }
  }
}
