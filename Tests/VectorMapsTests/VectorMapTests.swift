import Foundation
import MapGeometry
import MapLabels
import MapStyle
import TestSupport
import Testing
import TileSources

@testable import VectorMaps

@Suite struct VectorMapTests {
  @Test(arguments: [
    (["earth", "roads", "places", "water"], VectorSchema.protomaps),
    (["transportation", "water", "place", "building"], .openMapTiles),
    (["street_labels"], .shortbread), (["streets", "water_polygons"], .shortbread),
    (["water", "admin", "country_label", "place_label"], .naturalEarth),
  ])
  func aSchemaIsRecognisedByItsLayers(layers: [String], schema: VectorSchema) throws {
    #expect(VectorSchema(layers: layers) == schema)
    let map = MadeMap()
    map.info.vectorLayers = layers
    let drawing = try #require(try map.painted().info.drawing)
    #expect(drawing.schema == schema && drawing.style == "trailhead" && drawing.language == nil)
  }

  @Test func layersThatAreNotStatedAreTakenFromTiles() throws {
    let map = MadeMap()
    map.tiles[.world] = MadeMap.tile("transportation", "water", "place")
    let drawing = try #require(try map.painted().info.drawing)
    #expect(drawing.schema == .openMapTiles && drawing.learned == nil)
    #expect(Set(drawing.layers) == ["transportation", "water", "place"])
  }

  @Test func whatTheFirstTileShowsIsKnownToThoseWhoAsk() throws {
    let drawing = try #require(try MadeMap().painted().info.drawing)
    #expect(drawing.schema == nil && drawing.learned?.schema == nil)
    let learned = LearnedLayers()
    let styles = try PaintedStyles(
      trailhead: nil, options: StyleOptions(), scale: 1, learned: learned)
    let tile = MadeMap.tile("transportation", "water", "place")
    #expect(tile.withUnsafeBytes { styles.painter(for: $0, isNight: false) } != nil)
    #expect(learned.schema == .openMapTiles)
    #expect(Set(learned.layers) == ["transportation", "water", "place"])
  }

  @Test func ofUnknownLayersItIsSaidWhatWouldBeRight() throws {
    let map = MadeMap()
    map.info.vectorLayers = ["cities", "b", "c", "d", "e", "f", "g"]
    #expect {
      _ = try map.painted()
    } throws: {
      guard let error = $0 as? SourceError else { return false }
      return error.file == "made.pmtiles" && error.reason.contains("Shortbread")
        && error.reason.contains("cities, b, c, d, e, f, …")
        && error.reason.contains("style = \"mine.json\"")
    }
  }

  @Test func aMapThatNamesNobodyNamesWhomItsSchemaHasToName() throws {
    let map = MadeMap()
    map.info.vectorLayers = ["transportation", "water", "place", "building"]
    let credit = "© OpenMapTiles © OpenStreetMap contributors"
    #expect(try map.painted().info.attribution == credit)
    // What the source or the pack says counts, also if it is nothing.
    #expect(try map.painted { $0.attribution = "" }.info.attribution.isEmpty)
    map.info.attribution = "Jura park"
    #expect(try map.painted().info.attribution == "Jura park")
    let world = MadeMap()
    world.info.vectorLayers = ["water", "admin", "country_label", "place_label"]
    #expect(try world.painted().info.attribution.isEmpty)
  }

  @Test func picturesStayAsTheyAre() throws {
    let map = MadeMap()
    map.info.format = "png"
    let source = try map.painted { $0.style = .trailhead }
    #expect(source === map && source.info.drawing == nil)
    #expect(source.info.tileLevels == 0...3)
  }

  @Test func aStylesFileIsReadAndItsFindingsAreKept() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      {"version": 8, "sources": {"m": {"type": "vector"}}, "sprite": "https://a.example/s",
       "layers": [{"id": "sky", "type": "sky"},
        {"id": "land", "type": "background", "paint": {"background-color": "#fff"}}]}
      """, to: "style.json")
    let source = try MadeMap().painted {
      $0.style = .file(path)
      $0.language = "de"
    }
    #expect(source.info.drawing?.style == path && source.info.drawing?.language == "de")
    let findings = VectorMap.findings(of: source).map(\.description)
    #expect(findings.contains { $0.hasPrefix(path) && $0.contains("\"sky\"") })
    #expect(findings.contains { $0.contains("sprite") && $0.contains("is not fetched") })
  }

  @Test func layersOfOtherSourcesAreFindingsAndNotDrawn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      {"version": 8, "sources": {"m": {"type": "vector"}, "contours": {"type": "vector"}},
       "layers": [
        {"id": "sea", "type": "fill", "source": "m", "source-layer": "water"},
        {"id": "high", "type": "fill", "source": "contours", "source-layer": "water"},
        {"id": "far", "type": "fill", "source": "other", "source-layer": "water"}]}
      """, to: "style.json")
    let map = MadeMap()
    map.info.vectorLayers = ["water"]
    let source = try map.painted { $0.style = .file(path) }
    #expect(VectorMap.findings(of: source).map(\.finding.layer) == ["high", "far"])
    let styles = try #require((source as? VectorMapSource)?.painter as? PartPainter).styles
    let tile = MadeMap.tile("water")
    let painter = tile.withUnsafeBytes { styles.painter(for: $0, isNight: false) }
    #expect(painter?.painter.style.layers.map(\.id) == ["sea"])
  }

  @Test(arguments: [
    ("bundled://trailhead", false), ("bundled://trailhead/day", false),
    ("bundled://trailhead/night", true),
  ])
  func theBundledSheetMayBeUsedByAnyStyle(name: String, isNight: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.style(sprite: "\"\(name)\""), to: "style.json")
    let source = try MadeMap().painted { $0.style = .file(path) }
    let painter = try #require((source as? VectorMapSource)?.painter as? PartPainter)
    let icons = painter.labelIcons(isNight: false)
    let own = SpriteImages.trailhead(isNight: isNight, scale: 1).icons
    #expect(!icons.names.isEmpty && icons.names == own.names)
    let icon = try #require(own.names.sorted().first)
    #expect(icons.icon(icon)?.pixels == own.icon(icon)?.pixels)
    #expect(VectorMap.findings(of: source).isEmpty)
    #expect(source.info.drawing?.files == [])
  }

  @Test func sheetsThatAreTooLargeTogetherAreLeftOutWithoutTheOthers() throws {
    let folder = try TemporaryFolder()
    var entries: [String] = []
    for n in 0..<3 {
      // 2000 icons of 32 x 32: 8.6 MB in memory. The first sheet has a quarter of them.
      let count = n == 0 ? 500 : 1900
      let icons = (0..<count).map { "\"i\($0)\":{\"x\":0,\"y\":0,\"width\":32,\"height\":32}" }
      _ = try folder.write("{" + icons.joined(separator: ",") + "}", to: "s\(n).json")
      try Data(PlainPNG.tile(UInt64(n), edge: 32)).write(
        to: URL(fileURLWithPath: folder["s\(n).png"]))
      entries.append("{\"id\":\"s\(n)\",\"url\":\"s\(n)\"}")
    }
    let sprites = "[" + entries.joined(separator: ",") + "]"
    let path = try folder.write(Self.style(sprite: sprites), to: "style.json")
    var told: [[String]] = []
    var spec = SourceSpec(name: "made", location: .path("made.pmtiles"))
    spec.style = .file(path)
    let source = try VectorMap.painted(MadeMap(), spec, scale: 1, kept: KeptTiles()) {
      told.append($0)
    }
    let painter = try #require((source as? VectorMapSource)?.painter as? PartPainter)
    let icons = painter.labelIcons(isNight: false)
    #expect(icons.icon("s0:i499") != nil && icons.icon("s1:i0") == nil)
    #expect(VectorMap.findings(of: source).contains { $0.description.contains("left out") })
    #expect(told.count == 1 && told.first == source.info.drawing?.files)
    #expect(told.first?.count == 6)
  }

  private static func style(sprite: String) -> String {
    """
    {"version": 8, "sources": {"m": {"type": "vector"}}, "sprite": \(sprite),
     "layers": [{"id": "land", "type": "background", "paint": {"background-color": "#fff"}}]}
    """
  }

  @Test(arguments: ["", "{", "[1]", "{\"version\": 8}", "\u{0}"])
  func aBrokenStyleIsAnErrorThatNamesTheFile(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "style.json")
    #expect {
      _ = try MadeMap().painted { $0.style = .file(path) }
    } throws: {
      ($0 as? SourceError)?.file == path
    }
  }

  @Test func aMissingStyleMayComeLater() throws {
    let folder = try TemporaryFolder()
    #expect {
      _ = try MadeMap().painted { $0.style = .file(folder["none.json"]) }
    } throws: {
      ($0 as? SourceError)?.isTransient == true
    }
  }
}
