import Control
import Foundation
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
    _ = try client.call("source.use", ["name": "bad"])
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
    #expect(bad?.active == true)
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
