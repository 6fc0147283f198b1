import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

/// Sources that are broken, and packs that must stay as they are.
@Suite struct DaemonSourcesTests {
  private static let lfs = DaemonProcess.packs + "/lfs-folder"
  /// The middle of the tile that is a Git LFS pointer, 5/16/10.
  private static let pointer = ViewSetParams(lat: 52.5, lon: 5.625, zoom: 5)

  @Test(arguments: ["corrupt.mbtiles", "invalid.mbtiles", "invalid.pmtiles", "none.pmtiles"])
  func aBrokenPackIsNamedAndTheOthersGoOn(_ file: String) throws {
    let path = DaemonProcess.packs + "/" + file
    let daemon = try DaemonProcess(sources: [("osm", DaemonProcess.tiles), ("bad", path)])
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.health]))
    let refusal = client.refusal("source.use", ["name": "bad"])
    #expect(refusal?.code == ControlError.fileRefused)
    #expect(refusal?.data?["path"] == .string(path))
    try client.settled()
    let event = try client.event(.health) { event in
      event["health"]?.array?.contains { $0["what"] == "source bad" } == true
    }
    #expect(event != nil)

    let health = try client.health("source bad")
    #expect(health?.state == "error")
    #expect(health?.detail?.contains(path) == true)
    let bad = try client.source("bad")
    #expect(bad?.healthy == false)
    #expect(bad?.active == false)
    // What was shown is shown again.
    #expect(try client.source("osm")?.active == true)
    #expect(bad?.error?.contains(path) == true)

    _ = try client.call("source.use", ["name": "osm"])
    #expect(try client.settled().missing == 0)
    #expect(try client.source("osm")?.healthy == true)
  }

  @Test func aBrokenTileIsToldWithSourceFilePlaceAndReason() throws {
    let daemon = try DaemonProcess(sources: [("osm", DaemonProcess.tiles), ("lfs", Self.lfs)])
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.tileError]))
    _ = try client.call("source.use", ["name": "lfs"])
    _ = try client.call(ViewSet.self, Self.pointer)
    let event = try #require(
      try client.event(.tileError) { $0["z"] == 5 && $0["x"] == 16 && $0["y"] == 10 })
    #expect(event["source"] == "lfs")
    #expect(event["file"]?.string?.hasPrefix(Self.lfs) == true)
    #expect(event["reason"]?.string?.contains("Git LFS") == true)

    try client.settled()
    let lfs = try client.source("lfs")
    #expect(lfs?.healthy == false)
    #expect(lfs?.error?.contains("5/16/10") == true)
    #expect(try client.source("osm")?.healthy != false)
    #expect(try client.call("cache.stats")["decode_errors"] != 0)
  }

  @Test func anAddedSourceThatCannotBeOpenedIsRefused() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    for path in [DaemonProcess.packs + "/corrupt.mbtiles", "/nonexistent/a.pmtiles"] {
      let error = client.refusal("source.add", ["name": "bad", "path": .string(path)])
      #expect(error?.code == ControlError.fileRefused)
      #expect(error?.data?["path"]?.string == path)
      #expect(try client.source("bad") == nil)
    }
    #expect(try client.call(Status.self, NoParams()).health.isEmpty)
  }

  @Test func whoSubscribedIsToldOfSourcesThatComeAndGo() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.source]))
    _ = try client.call("source.add", ["name": "new", "path": .string(DaemonProcess.tiles)])
    let added = try #require(try client.event(.source) { $0["change"] == "added" })
    #expect(added["name"] == "new" && added["healthy"] == true)
    _ = try client.call("source.use", ["name": "new"])
    let used = try #require(try client.event(.source) { $0["change"] == "used" })
    #expect(used["name"] == "new" && used["active"] == true)
    _ = try client.call("source.remove", ["name": "new"])
    let removed = try #require(try client.event(.source) { $0["change"] == "removed" })
    #expect(removed["name"] == "new" && removed["path"] == nil)
  }

  @Test func theMemoryOfPacksIsCounted() throws {
    let daemon = try DaemonProcess(sources: [("pack", DaemonProcess.packs + "/world_l1.mbtiles")])
    let client = try daemon.connect()
    try client.settled()
    let bytes = try #require(try client.call(Stats.self, NoParams()).memory("packs"))
    #expect((1..<64 << 20).contains(bytes), "\(bytes)")
  }

  @Test func onlySoManySourcesCanBeAdded() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let limit = try client.call(Stats.self, NoParams()).sources.addedLimit
    #expect(limit == 64)
    func table(_ i: Int) -> JSON {
      ["name": .string("added\(i)"), "path": .string(DaemonProcess.tiles)]
    }
    for i in 0..<limit { _ = try client.call("source.add", table(i), timeout: 300) }
    let error = client.refusal("source.add", table(limit))
    #expect(error?.code == ControlError.notAvailable)
    #expect(error?.data?["limit"] == .int(Int64(limit)))
    // One that is there already may be replaced, and one that goes makes room.
    _ = try client.call("source.add", table(3), timeout: 300)
    _ = try client.call("source.remove", ["name": "added5"])
    _ = try client.call("source.add", table(limit), timeout: 300)
    #expect(try client.call(Stats.self, NoParams()).sources.added == limit)
  }

  @Test func aVectorMapOfUnknownLayersIsRefusedWithWhatWouldBeRight() throws {
    let folder = try TemporaryFolder()
    let pack = folder["vector.mbtiles"]
    // A layer of Mapbox Vector Tiles 2.1: field 3 with a name and a version.
    let tile: [UInt8] = [0x1a, 0x07, 0x0a, 0x01, 0x61, 0x78, 0x02, 0x28, 0x20]
    try TilePacks.writeMBTiles(
      [(id: try #require(TileID(z: 0, x: 0, y: 0)), bytes: tile)], to: pack, format: "pbf")
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let error = client.refusal("source.add", ["name": "v", "path": .string(pack)])
    #expect(error?.code == ControlError.fileRefused)
    #expect(error?.message.contains("OpenMapTiles") == true)
    #expect(error?.message.contains("style = ") == true)
    #expect(try client.source("v") == nil)
  }

  @Test(.enabled(if: !isEmulated, "skipped under emulation: it has no openat2"))
  func aPackOnAMediumIsToldOfWhenItComesAndWhenItGoes() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["drawer/stick"], withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: DaemonProcess.packs + "/world_l1.mbtiles", toPath: folder["drawer/stick/w.mbtiles"])
    try folder.write("no pack", to: "drawer/stick/bad.pmtiles")
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles)
        + "[media]\nwatch = [\"\(folder["media"])\"]\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    _ = try client.call("subscribe", ["events": ["source"]])
    func told(_ change: String) throws {
      let event = try client.event(.source) { $0["change"]?.string == change }
      #expect(event?["name"] == "w")
    }
    #expect(rename(folder["drawer"], folder["media"]) == 0)
    try told("added")
    #expect(try client.source("w")?.healthy == true)
    #expect(try client.call(Stats.self, NoParams()).sources.media == 1)
    #expect(try client.call(Stats.self, NoParams()).sources.added == 0)
    #expect(try client.health("media")?.detail?.contains("bad.pmtiles") == true)
    #expect(rename(folder["media"], folder["drawer"]) == 0)
    try told("removed")
    #expect(try client.source("w") == nil)
    #expect(try waitUntil { try client.health("media") == nil })
  }

  @Test func aCircleOfFallbacksIsRefused() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let tiles = JSON.string(DaemonProcess.tiles)
    _ = try client.call("source.add", ["name": "a", "path": tiles, "fallback": "osm"])
    _ = try client.call("source.add", ["name": "b", "path": tiles, "fallback": "a"])
    let circle = client.refusal("source.add", ["name": "a", "path": tiles, "fallback": "b"])
    #expect(circle?.code == ControlError.invalidParams)
    #expect(circle?.data?["parameter"] == "fallback")
    #expect(
      client.refusal("source.add", ["name": "c", "path": tiles, "fallback": "c"])?.code
        == ControlError.invalidParams)
  }

  @Test func packsStayByteForByteAndNothingLiesBesideThem() throws {
    let folder = try TemporaryFolder()
    let names = [
      "world_l1.mbtiles", "webp-no-primary.mbtiles", "byte_webp.pmtiles", "test_fixture_1.pmtiles",
      "corrupt.mbtiles",
    ]
    let maps = folder["maps"]
    try FileManager.default.createDirectory(atPath: maps, withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(
        atPath: DaemonProcess.packs + "/" + name, toPath: maps + "/" + name)
    }
    try FileManager.default.copyItem(atPath: DaemonProcess.tiles, toPath: maps + "/osm")
    let before = try digests(of: maps)
    let sources = (names + ["osm"]).enumerated().map { index, name in
      DaemonProcess.source("s\(index)", maps + "/" + name)
    }
    try folder.write(DaemonProcess.head(folder) + sources.joined(), to: "waypost.toml")

    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    for _ in sources {
      for zoom in [0.0, 1, 5] {
        _ = try client.call(ViewSet.self, ViewSetParams(lat: 40, lon: 10, zoom: zoom))
        try client.settled()
        #expect(try digests(of: maps) == before)
      }
      _ = try client.call("source.next")
    }
    #expect(daemon.end() == 0)
    #expect(try digests(of: maps) == before)
  }
}
