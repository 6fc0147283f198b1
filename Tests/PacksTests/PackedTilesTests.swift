import Foundation
import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// Vector tiles compressed in ways that their packs do not state.
@Suite struct PackedTilesTests {
  /// Three different vector tiles.
  private func tiles(_ packing: Packing) -> [(id: TileID, bytes: [UInt8])] {
    ["ab", "cd", "ef"].enumerated().compactMap { number, name in
      let layer = MadePyramid.vectorTile.replacingOccurrences(of: "ab", with: name)
      return HilbertID.tile(UInt64(number)).map { ($0, packing.pack(Array(layer.utf8))) }
    }
  }

  private func write(_ packing: Packing, _ folder: TemporaryFolder) throws -> [String] {
    let name = "\(packing)"
    try TilePacks.writeMBTiles(tiles(packing), to: folder["\(name).mbtiles"], format: "pbf")
    for (id, bytes) in tiles(packing) {
      let column = folder["\(name)/\(id.z)/\(id.x)"]
      try FileManager.default.createDirectory(
        atPath: column, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(column)/\(id.y).pbf"))
    }
    return [folder["\(name).mbtiles"], folder[name]]
  }

  @Test(arguments: Packing.allCases)
  func packsOfEveryCompressionAreVerified(packing: Packing) throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let plain = try withExtendedLifetime(other) { try PackTest.verify(try write(.none, other)[0]) }
    for path in try write(packing, folder) {
      let report = try PackTest.verify(path)
      #expect(report.verification?.isGood == true, "\(path): \(report)")
      #expect(report.format == "mvt" && report.compression == "\(packing)")
      #expect(report.verification?.checksum == plain.verification?.checksum)
      let info = try PackSurvey.run(path) { _ in true }
      #expect(info.format == "mvt" && info.compression == "\(packing)")
    }
  }

  @Test(arguments: [Packing.gzip, .zstd, .brotli])
  func packsOfEveryCompressionAreConvertedToGzip(packing: Packing) throws {
    let folder = try TemporaryFolder()
    for (number, path) in try write(packing, folder).enumerated() {
      let before = try PackTest.verify(path).verification?.checksum
      for name in ["\(number).pmtiles", "\(number).mbtiles", "\(number)"] {
        let result = try PackTest.convert([path], to: folder[name])
        #expect(result.broken == 0)
        let after = try PackTest.verify(folder[name])
        #expect(after.compression == "gzip", "\(name)")
        #expect(after.verification?.isGood == true && after.verification?.checksum == before)
      }
    }
  }
}
