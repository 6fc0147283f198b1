import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

/// `waypost pack` as people and scripts call it.
struct PackCommandTests {
  private static let osm = TestData.fixtures + "/tiles/osm"

  private func pack(_ words: [String]) throws -> Program.Outcome {
    try Program.built("waypost").run(["pack"] + words)
  }

  @Test func aFolderBecomesAPackAndIsUnpackedAgain() throws {
    let folder = try TemporaryFolder()
    var outcome = try pack(["import", Self.osm, folder["a.pmtiles"]])
    #expect(outcome.status == 0, "\(outcome.errors)")
    outcome = try pack(["convert", folder["a.pmtiles"], folder["a.mbtiles"]])
    #expect(outcome.status == 0 && outcome.text.contains("tiles"))
    outcome = try pack(["export", folder["a.mbtiles"], folder["out"]])
    #expect(outcome.status == 0)
    let before = try TilePacks.tiles(of: Self.osm)
    let after = try TilePacks.tiles(of: folder["out"])
    #expect(before.map(\.id) == after.map(\.id) && before.map(\.bytes) == after.map(\.bytes))
    outcome = try pack(["merge", folder["a.mbtiles"], folder["out"], folder["m.pmtiles"], "--json"])
    let made = try JSON.parse(outcome.text)
    #expect(made["tiles"]?.int == Int64(before.count) && made["broken"]?.int == 0)
    let sums = try ["a.pmtiles", "a.mbtiles", "out", "m.pmtiles"].map { name in
      try JSON.parse(pack(["verify", folder[name], "--json"]).text)["checksum"]?.string
    }
    #expect(Set(sums).count == 1 && sums[0]?.hasPrefix("sha256:") == true)
    outcome = try pack(["coverage", folder["a.mbtiles"], "-o", folder["c.png"]])
    #expect(outcome.status == 0)
    #expect(FileManager.default.fileExists(atPath: folder["c.png"]))
  }

  @Test func infoSaysWhatAPackIs() throws {
    let path = TestData.fixtures + "/packs/world_l1.mbtiles"
    let outcome = try Program.built("waypost").run(["--json", "pack", "info", path])
    let info = try JSON.parse(outcome.text)
    #expect(info["kind"] == "mbtiles" && info["format"] == "jpeg" && info["tiles"]?.int == 5)
    #expect(info["min_zoom"]?.int == 0 && info["max_zoom"]?.int == 1)
    let text = try pack(["info", path]).text
    #expect(text.contains("mbtiles") && text.contains("zoom 1"))
  }

  @Test func whatIsNoTileMakesNoPack() throws {
    let folder = try TemporaryFolder()
    let picture = PlainPNG.tile(1)
    let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:1\n".utf8)
    let ids = try (0..<4).map { try #require(TileID(z: 1, x: $0 / 2, y: $0 % 2)) }
    try TilePacks.writeMBTiles(ids.map { ($0, pointer) }, to: folder["none.mbtiles"])
    let none = try pack(["convert", folder["none.mbtiles"], folder["a.pmtiles"]])
    #expect(none.status == 65 && none.text == "")
    #expect(none.errors.contains("none of its 4 tiles is a picture or a vector tile"))
    #expect(none.errors.contains("the first, 1/0/0: not an image: a Git LFS pointer"))
    #expect(!FileManager.default.fileExists(atPath: folder["a.pmtiles"]))
    let some = ids.map { ($0, $0 == ids[3] ? picture : pointer) }
    try TilePacks.writeMBTiles(some, to: folder["some.mbtiles"])
    let made = try pack(["convert", folder["some.mbtiles"], folder["b.pmtiles"]])
    #expect(made.status == 0 && made.text.contains("4 tiles"))
    #expect(made.errors.contains("copied as they are (3): 1/0/0: not an image: a Git LFS"))
    let lfs = TestData.fixtures + "/packs/lfs-folder"
    #expect(try pack(["import", lfs, folder["c.mbtiles"]]).status == 65)
  }

  @Test func aBadPackExitsWith65() throws {
    let outcome = try pack(["verify", TestData.fixtures + "/packs/lfs-folder"])
    #expect(outcome.status == 65)
    #expect(outcome.text.contains("Git LFS pointer") && outcome.text.contains("The pack is bad."))
    let missing = try pack(["info", "/nonexistent.mbtiles"])
    #expect(missing.status == 65 && missing.errors.contains("/nonexistent.mbtiles"))
  }

  @Test func anExistingTargetIsAMistakeOfTheCommand() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "a.pmtiles")
    var outcome = try pack(["import", Self.osm, folder["a.pmtiles"]])
    #expect(outcome.status == 64 && outcome.errors.contains("--force"))
    let kept = try String(contentsOfFile: folder["a.pmtiles"], encoding: .utf8)
    #expect(kept == "mine")
    outcome = try pack(["import", Self.osm, folder["a.pmtiles"], "--force"])
    #expect(outcome.status == 0)
    outcome = try pack(["convert", Self.osm, folder["a.zip"]])
    #expect(outcome.status == 64 && outcome.errors.contains(".mbtiles"))
  }

  @Test(arguments: ["out.pmtiles", "out.mbtiles", "out/"], [SIGKILL, SIGTERM])
  func killedInTheMiddleNothingHasTheTargetsName(_ name: String, _ signal: Int32) throws {
    let folder = try TemporaryFolder()
    // Enough for the end to come in between.
    try FileManager.default.createDirectory(
      atPath: folder["in"], withIntermediateDirectories: true)
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    for number in 0..<4000 {
      guard let id = TileID(z: 8, x: number / 256, y: number % 256) else { break }
      tiles.append((id, PlainPNG.tile(UInt64(number))))
    }
    try TilePacks.writeMBTiles(tiles, to: folder["in/many.mbtiles"])
    let program = try Program.built("waypost").start(
      ["pack", "convert", folder["in/many.mbtiles"], folder[name]])
    let part = folder[name.replacingOccurrences(of: "/", with: "")] + ".waypost-part"
    while !FileManager.default.fileExists(atPath: part), !program.hasEnded { sched_yield() }
    kill(program.pid, signal)
    let outcome = program.outcome()
    let target = folder[name.replacingOccurrences(of: "/", with: "")]
    if outcome.status != 0 {
      #expect(!FileManager.default.fileExists(atPath: target))
      #expect(outcome.status == (signal == SIGKILL ? -SIGKILL : 130))
      if signal == SIGTERM { #expect(!FileManager.default.fileExists(atPath: part)) }
    }
    // What is left is in nobody's way.
    let again = try pack(["convert", folder["in/many.mbtiles"], folder[name], "--force"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(!FileManager.default.fileExists(atPath: part))
  }
}
