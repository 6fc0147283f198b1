import Foundation
import Images
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// The kinds of packs.
enum PackFormat: String, CaseIterable {
  case mbtiles
  case pmtiles
}

/// What the tests of packs that come, go and change share: packs of one colour, and a kiosk that
/// shows one.
protocol PackCase {}

extension PackCase {
  var red: UInt32 { 0xffff_0000 }
  var blue: UInt32 { 0xff00_00ff }

  /// A tile in one colour.
  func png(_ color: UInt32) throws -> [UInt8] {
    let words = [UInt32](repeating: color, count: 256 * 256)
    return try words.withUnsafeBufferPointer {
      try PNGWriter.encode(
        $0.baseAddress!, width: 256, height: 256, rowBytes: 1024, compression: 1)
    }
  }

  /// Writes a pack of levels 0 to 4 in one colour.
  func write(_ color: UInt32, _ kind: PackFormat, to path: String) throws {
    let png = try png(color)
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    for z in 0...4 {
      for n in 0..<(1 << (2 * z)) {
        guard let id = TileID(z: z, x: n % (1 << z), y: n >> z) else { continue }
        tiles.append((id, png))
      }
    }
    switch kind {
    case .mbtiles: try TilePacks.writeMBTiles(tiles, to: path)
    case .pmtiles: try TilePacks.writePMTiles(tiles, to: path)
    }
  }

  func spec(_ path: String, _ name: String = "pack") -> SourceSpec {
    SourceSpec(name: name, location: .path(path))
  }

  /// A kiosk that shows a red pack at `path`.
  func bench(_ folder: TemporaryFolder, _ kind: PackFormat = .mbtiles) throws -> (Bench, String) {
    let path = folder["a.\(kind)"]
    try write(red, kind, to: path)
    let bench = try Bench([spec(path)], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle && bench.kiosk.book.areFilesQuiet })
    return (bench, path)
  }

  /// Puts another pack in the place of the one at `path`.
  func replace(_ path: String, _ color: UInt32, _ kind: PackFormat = .mbtiles) throws {
    try write(color, kind, to: path + ".new")
    #expect(rename(path + ".new", path) == 0)
  }

  /// Runs the loop until no file is looked at, and none is to be.
  func rest(_ bench: Bench) {
    #expect(
      bench.run {
        bench.kiosk.pipeline.loader.isIdle && bench.kiosk.book.areFilesQuiet
          && !bench.kiosk.book.isReplacing
      })
  }

  /// What is wrong with the source `name`.
  func health(_ bench: Bench, _ name: String = "pack") -> String? {
    bench.kiosk.health.entries.first { $0.what == "source \(name)" }?.detail
  }

  /// The colours on the screen.
  func colors(_ bench: Bench) -> Set<UInt32> {
    var found: Set<UInt32> = []
    var last: UInt32 = 0
    for word in bench.panel().words where word != last {
      found.insert(word)
      last = word
    }
    return found
  }

  /// The screen is red until it is blue, and never anything else.
  func expectOneChange(_ bench: Bench) {
    var seen: Set<Set<UInt32>> = []
    #expect(
      bench.run {
        seen.insert(colors(bench))
        return colors(bench) == [blue]
      })
    #expect(seen == [[red], [blue]])
  }
}
