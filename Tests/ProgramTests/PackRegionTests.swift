import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

/// `waypost pack plan` and `extract`, as people type them.
@Suite struct PackRegionTests {
  private func waypost(_ words: [String]) throws -> Program.Outcome {
    try Program.built("waypost").run(words)
  }

  /// A pack of the levels 0 to 5.
  private func pack(_ folder: TemporaryFolder) throws -> String {
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    for z in 0...5 {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          guard let id = TileID(z: z, x: x, y: y) else { continue }
          tiles.append((id, png + Array("\(id)".utf8)))
        }
      }
    }
    try TilePacks.writePMTiles(tiles, to: folder["all.pmtiles"], leaf: 100)
    return folder["all.pmtiles"]
  }

  @Test func aPlanSaysTilesBytesAndRoom() throws {
    let words = [
      "pack", "plan", "--bbox", "-10,-10,10,10", "--around", "-33.9,18.4,20km", "--zoom", "0-6",
    ]
    let outcome = try waypost(words)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("all   40"))
    #expect(outcome.text.contains("by the default of 100 KB a tile"))
    #expect(outcome.text.contains("are free at ."))
    let json = try waypost(words + ["--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    #expect(object?["tiles"] as? Int == 40)
    #expect(object?["bytes"] as? Int == 4_000_000)
    #expect(object?["basis"] as? String == "default")
    #expect((object?["zooms"] as? [Any])?.count == 7)
  }

  @Test func aPlanMeasuresASampleAndTakesThePacksZooms() throws {
    let folder = try TemporaryFolder()
    let outcome = try waypost(
      ["pack", "plan", try pack(folder), "--bbox=-180,-90,180,90", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    #expect(object?["tiles"] as? Int == 1365)
    #expect(object?["basis"] as? String == "sample")
  }

  @Test func anExtractIsSaidBeforeAndMade() throws {
    let folder = try TemporaryFolder()
    let (whole, part) = (try pack(folder), folder["part.pmtiles"])
    let words = ["pack", "extract", whole, part, "--bbox", "-10,-10,10,10", "--zoom", "2-5"]
    let before = try waypost(words + ["--dry-run"])
    #expect(before.status == 0 && before.text.contains("all   16"))
    #expect(!FileManager.default.fileExists(atPath: part))
    let said = try JSON.parse(waypost(words + ["--dry-run", "--json"]).text)
    #expect(said["tiles"]?.int == 16 && said["zooms"]?.array?.count == 4)
    let made = try waypost(words)
    #expect(made.status == 0 && made.text.contains("16 tiles"))
    let size = try FileManager.default.attributesOfItem(atPath: part)[.size] as? Int
    #expect(before.text.contains("to write as .pmtiles: \(size ?? -1) bytes"))
    // It is there now.
    #expect(try waypost(words).status == 64)
    let again = try JSON.parse(waypost(words + ["--force", "--json"]).text)
    #expect(again["tiles"]?.int == 16 && again["bytes"]?.int == said["pmtiles_bytes"]?.int)
    #expect(again["pack"]?.string == part)
  }

  @Test func theBytesOfAPackWithoutAnIndexOfThemAreEstimated() throws {
    let folder = try TemporaryFolder()
    let ids = (0..<16).compactMap { TileID(z: 2, x: $0 / 4, y: $0 % 4) }
    let head: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let tile = head + [UInt8](repeating: 7, count: 1016)
    // A pack with gaps: only what is there counts.
    let some = ids.enumerated().filter { $0.offset % 2 == 0 }.map { ($0.element, tile) }
    try TilePacks.writeMBTiles(some, to: folder["a.mbtiles"])
    let words = ["pack", "extract", folder["a.mbtiles"], folder["b.pmtiles"], "--dry-run"]
    let outcome = try waypost(words)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("tiles: about 8 KiB, estimated from 8 of them"))
    let said = try JSON.parse(waypost(words + ["--json"]).text)
    #expect(said["tiles"]?.int == 8 && said["tile_bytes"] == .null)
    #expect(said["estimated_bytes"]?.int == 8192 && said["sampled"]?.int == 8)
  }

  @Test func aPlanBeyondAllBytesIsPrinted() throws {
    let words = ["pack", "plan", "--bbox", "-180,-90,180,90", "--zoom", "22"]
    let outcome = try waypost(words)
    #expect(outcome.status == 0 && outcome.text.contains("1.5 EiB"), "\(outcome.text)")
    #expect(try waypost(words + ["--json"]).text.contains("\"bytes\":1759218604441600000"))
  }

  @Test(arguments: [
    (["plan", "--zoom", "3"], "a region is needed"),
    (["plan", "--bbox", "1,2,3,4"], "--zoom A-B is needed"),
    (["plan", "--bbox", "1,2,3", "--zoom", "3"], "W,S,E,N"),
    (["plan", "--around", "1,2,3", "--zoom", "9-3"], "the lower zoom comes first"),
    (["plan", "--route", "a.gpx", "--zoom", "3"], "FILE,WIDTH"),
    (["plan", "--bbox", "1,86,2,89", "--zoom", "3"], "outside the map"),
    (["extract", "https://a.example/b.pmtiles", "c.mbtiles"], "end the name with .pmtiles"),
    (["extract", "a.pmtiles", "b.pmtiles", "--overfetch", "-1"], "0 to 10"),
  ])
  func whatIsWrongIsSaid(_ words: [String], _ reason: String) throws {
    let outcome = try waypost(["pack"] + words)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(reason))
  }

  @Test func whatIsNoPackOrHasNothingIsBadData() throws {
    let folder = try TemporaryFolder()
    let none = try waypost(["pack", "extract", folder["none.pmtiles"], folder["a.pmtiles"]])
    #expect(none.status == 65)
    let empty = try waypost(
      [
        "pack", "extract", try pack(folder), folder["a.pmtiles"], "--zoom", "9", "--around",
        "1,2,3",
      ])
    #expect(empty.status == 65 && empty.errors.contains("zooms 0 to 5"))
  }
}
