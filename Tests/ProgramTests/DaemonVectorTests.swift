import Control
import Foundation
import Images
import TestSupport
import Testing

/// Whether the system has a font that is used for Japanese.
private let hasJapanese = ["droid/DroidSansFallbackFull.ttf", "wqy/wqy-microhei.ttc"].contains {
  FileManager.default.fileExists(atPath: "/usr/share/fonts/truetype/" + $0)
}

/// Maps of vector tiles in the running daemon.
@Suite struct DaemonVectorTests {
  private static let pack = TestData.fixtures + "/vector/natural-earth-z0-1.mbtiles"
  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/CBundled/data/natural-earth.pmtiles").path

  private static func style(_ color: String) -> String {
    """
    {"version": 8, "sources": {"m": {"type": "vector"}}, "layers": [
      {"id": "sky", "type": "sky"},
      {"id": "land", "type": "background", "paint": {"background-color": "\(color)"}}]}
    """
  }

  /// The colour in the middle of what the display shows.
  private static func middle(of client: ControlConnection) throws -> UInt32 {
    let picture = try client.call(Screenshot.self, ScreenshotParams(), timeout: 300)
    let png = try picture.png()
    let edge = 64
    var pixels = [UInt32](repeating: 0, count: edge * edge)
    try pixels.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      try png.withUnsafeBytes {
        _ = try TileDecoder().decodeARGB($0, edge: edge, into: base, rowBytes: edge * 4)
      }
    }
    return pixels[edge / 2 * edge + edge / 2]
  }

  @Test func theListTellsSchemaLayersStyleAndLanguage() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    _ = try client.call(
      "source.add", ["name": "v", "path": .string(Self.pack), "language": "DE"], timeout: 300)
    let added = try #require(try client.source("v"))
    #expect(added.format == "mvt" && added.schema == "Natural Earth")
    #expect(added.layers?.contains("country_label") == true)
    #expect(added.style == "trailhead" && added.language == "de")
    #expect(added.minZoom == 0 && added.maxZoom == 1 && added.healthy == true)
    _ = try client.call("source.use", ["name": "v"], timeout: 300)
    #expect(try client.settled().missing == 0)
    #expect(try client.source("v")?.error == nil)
  }

  @Test func aBrokenStyleKeepsTheOldOneUntilItIsMended() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.style("#f00"), to: "style.json")
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("v", Self.pack)
        + "style = \"style.json\"\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    #expect(try client.source("v")?.style == path)
    #expect(try Self.middle(of: client) == 0xFFFF_0000)
    try folder.write("{", to: "style.json")
    let isNoted = try waitUntil {
      try client.health("source v")?.detail?.contains("style.json") == true
    }
    #expect(isNoted)
    // The map is drawn as before, also where it was not shown yet.
    _ = try client.call("view.set", ["lat": 50, "lon": -100, "zoom": 3], timeout: 300)
    #expect(try client.settled().missing == 0)
    #expect(try Self.middle(of: client) == 0xFFFF_0000)
    try folder.write(Self.style("#0f0"), to: "style.json")
    let isMended = try waitUntil { try client.health("source v") == nil }
    #expect(isMended)
    let isGreen = try waitUntil { try Self.middle(of: client) == 0xFF00_FF00 }
    #expect(isGreen)
  }

  /// A tile of one layer with one polygon whose geometry begins with a command that does not exist
  /// (Vector Tile Specification 2.1, 4.3.1).
  private static func brokenTile(_ layer: String) -> Data {
    let feature: [UInt8] = [0x18, 3, 0x22, 1, 0x0d]
    let inside: [UInt8] =
      [0x0a, UInt8(layer.utf8.count)] + Array(layer.utf8) + [0x12, UInt8(feature.count)]
      + feature + [0x78, 2]
    return Data([0x1a, UInt8(inside.count)] + inside)
  }

  @Test func aBrokenTileIsReportedWithItsLayerAndFeature() throws {
    let folder = try TemporaryFolder()
    let style = """
      {"version": 8, "sources": {"m": {"type": "vector"}}, "layers": [
        {"id": "sea", "type": "fill", "source": "m", "source-layer": "water"}]}
      """
    try folder.write(style, to: "style.json")
    let place = URL(fileURLWithPath: folder["tiles/0/0"])
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Self.brokenTile("water").write(to: place.appendingPathComponent("0.mvt"))
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("v", folder["tiles"])
        + "style = \"style.json\"\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    let error = try #require(try client.source("v")?.error)
    #expect(error.contains("layer \"water\"") && error.contains("feature"), "\(error)")
    let health = try client.health("source v")?.detail
    #expect(health?.contains("layer \"water\"") == true, "\(health ?? "none")")
    let picture = folder["picture.png"]
    let outcome = try Program.built("waypost").run(
      [
        "render", "--source", folder["tiles"], "--style", folder["style.json"], "--size", "64x64",
        "-o", picture,
      ])
    #expect(outcome.errors.contains("layer \"water\""), "\(outcome.errors)")
  }

  @Test func theCheckNamesTheFileAndTheLayerOfAStyle() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.style("#f00"), to: "style.json")
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("v", Self.pack)
        + "style = \"style.json\"\n", to: "waypost.toml")
    let outcome = try Program.built("waypostd").run(
      ["--check-config", "--config", folder["waypost.toml"]])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("style.json: layer \"sky\""))
  }

  @Test func renderPaintsInAStyleAndALanguage() throws {
    let folder = try TemporaryFolder()
    let style = try folder.write(Self.style("#ff0000"), to: "style.json")
    let waypost = try Program.built("waypost")
    for words in [["--style", "trailhead", "--language", "de"], ["--style", style]] {
      let picture = folder["\(words.count).png"]
      let outcome = try waypost.run(
        ["render", "--source", Self.pack, "--zoom", "1", "--size", "64x64", "-o", picture] + words)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: picture))
    }
    let refused = try waypost.run(
      ["render", "--source", Self.pack, "--style", folder["none.json"], "-o", folder["x.png"]])
    #expect(refused.status != 0 && refused.errors.contains("none.json"))
  }

  /// Two names with as many characters have the same boxes where there is no font for them.
  @Test(
    .enabled(
      if: hasJapanese, "skipped: no font for Japanese is installed (`make test-packages` does it)"))
  func renderDrawsScriptsThatOnlyAFontOfTheSystemHas() throws {
    let folder = try TemporaryFolder()
    let waypost = try Program.built("waypost")
    var pictures: [Data] = []
    for language in ["ja", "zh"] {
      let path = folder["\(language).png"]
      let outcome = try waypost.run([
        "render", "--source", Self.world, "--center", "35.7,139.7", "--zoom", "6.5", "--size",
        "120x70", "--language", language, "-o", path,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      pictures.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(pictures[0] != pictures[1])
  }

  @Test func renderPaintsTheNightAsADisplayShowsIt() throws {
    let folder = try TemporaryFolder()
    let red = try folder.write(Self.style("#ff0000"), to: "red.json")
    let blue = try folder.write(Self.style("#0000ff"), to: "blue.json")
    let waypost = try Program.built("waypost")
    func picture(_ source: String, _ words: [String]) throws -> Data {
      let path = folder["\(words.joined().filter(\.isLetter)).png"]
      let outcome = try waypost.run(
        ["render", "--source", source, "--zoom", "3", "--size", "64x64", "-o", path] + words)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let night = ["--theme", "night"]
    let redDay = try picture(Self.pack, ["--style", red])
    let blueDay = try picture(Self.pack, ["--style", blue])
    // A style for the night replaces that of the day.
    let styles = ["--style", red, "--style-night", blue]
    let both = [try picture(Self.pack, styles), try picture(Self.pack, styles + night)]
    #expect(both == [redDay, blueDay])
    // Without one the colours become dark, as those of a raster map do; trailhead has its own.
    let dark = try picture(Self.pack, ["--style", red] + night)
    #expect(dark != redDay)
    for source in [Self.pack, DaemonProcess.tiles] {
      let day = try picture(source, [])
      let asked = try picture(source, ["--theme", "day"])
      let dark = try picture(source, night)
      #expect(asked == day)
      #expect(dark != day)
    }
    // Imagery is darkened instead; a red night has nothing but reds; each is another picture.
    let tiles = DaemonProcess.tiles
    let nights = [
      try picture(tiles, night), try picture(tiles, night + ["--night", "dim"]),
      try picture(tiles, night + ["--night", "keep"]), try picture(tiles, ["--theme", "red"]),
      try picture(tiles, ["--theme", "red", "--night", "dim"]),
    ]
    #expect(Set(nights).count == nights.count)
    // Where there are tiles; the ground without any is dark at night.
    let place = ["--center", "30,10"]
    let kept = try picture(tiles, place + night + ["--night", "keep"])
    let day = try picture(tiles, place)
    #expect(kept == day)
    for words in [["--theme", "auto"], ["--night", "dark"], ["--style-night", blue]] {
      let outcome = try waypost.run(["render", "--source", Self.pack] + words)
      #expect(outcome.status == 64)
    }
  }
}
