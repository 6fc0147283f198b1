import MapGeometry
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
    #expect(try map.painted().info.drawing?.schema == .openMapTiles)
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
