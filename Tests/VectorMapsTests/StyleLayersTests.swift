import MapStyle
import TestSupport
import Testing
import TileSources

@testable import VectorMaps

/// Whether a style is for the layers that a map has.
@Suite struct StyleLayersTests {
  private static func style(_ layers: [String], hidden: [String] = []) throws -> MapStyle {
    let all = layers.map { ($0, "visible") } + hidden.map { ($0, "none") }
    let list = all.map { layer, visibility in
      """
      {"id": "\(layer)", "type": "fill", "source": "m", "source-layer": "\(layer)",
       "layout": {"visibility": "\(visibility)"}}
      """
    }
    let ground = #"{"id": "ground", "type": "background"}"#
    let text = #"{"version": 8, "layers": ["# + ([ground] + list).joined(separator: ",") + "]}"
    return try MapStyle(json: Array(text.utf8))
  }

  @Test func aStyleOfWhichTheMapHasNothingIsAMisfit() throws {
    let layers = StyleLayers(map: ["earth", "roads", "places"], areStated: true)
    let style = try Self.style(["transportation", "park"])
    let reason = try #require(layers.misfit(of: style))
    #expect(reason.contains("none of its layers (transportation, park) is in the map"))
    #expect(reason.contains("which has earth, roads, places (Protomaps)"))
    #expect(layers.gap(of: style) == nil)
  }

  @Test func aStyleOfWhichTheMapHasSomethingNamesTheRestOnce() throws {
    let layers = StyleLayers(map: ["water", "roads"], areStated: true)
    let style = try Self.style(["water", "park", "park2"], hidden: ["gone"])
    #expect(layers.misfit(of: style) == nil)
    let gap = try #require(layers.gap(of: style))
    #expect(gap.reason == "the map has no layers park, park2; it has water, roads")
  }

  @Test func aStyleOfAnotherSchemaIsAMisfitThoughSomeNamesAreEqual() throws {
    let layers = StyleLayers(
      map: ["boundaries", "earth", "landuse", "places", "roads", "water"], areStated: true)
    let reason = try #require(
      layers.misfit(of: try Self.style(["water", "transportation", "place", "park"])))
    #expect(reason.hasPrefix("it is for maps of OpenMapTiles: its layers transportation, place"))
    // One style for both.
    let both = ["water", "transportation", "place", "earth", "roads", "places"]
    #expect(layers.misfit(of: try Self.style(both)) == nil)
  }

  @Test func layersOfAFewTilesAreNotAllThatAMapHas() throws {
    let layers = StyleLayers(map: ["water"], areStated: false)
    #expect(layers.gap(of: try Self.style(["water", "park"])) == nil)
    #expect(layers.misfit(of: try Self.style(["park"])) == nil)
  }

  @Test func nothingIsSaidWhereNothingIsKnownOrDrawn() throws {
    let unknown = StyleLayers(map: [], areStated: false)
    #expect(unknown.misfit(of: try Self.style(["park"])) == nil)
    let layers = StyleLayers(map: ["water"], areStated: true)
    #expect(layers.misfit(of: try Self.style([])) == nil)
    #expect(layers.misfit(of: try Self.style([], hidden: ["park"])) == nil)
  }

  @Test func longListsAreCut() throws {
    let layers = StyleLayers(map: (0..<100).map { "m\($0)" }, areStated: true)
    let style = try Self.style((0..<200).map { "s\($0)" })
    let reason = try #require(layers.misfit(of: style))
    #expect(reason.contains("s15, …") && reason.contains("m15, …") && !reason.contains("s16"))
  }

  @Test(
    .enabled(if: TestData.large != nil, "skipped: the data set is not there"),
    arguments: [
      ("omt-osm-bright.json", "perth-protomaps-v4-z0-15.pmtiles", true),
      ("protomaps-light.json", "perth-protomaps-v4-z0-15.pmtiles", false),
      ("omt-osm-bright.json", "paris-ruhr-openmaptiles-z0-14.mbtiles", false),
    ])
  func realStylesFitOnlyTheirOwnMaps(_ style: String, _ pack: String, _ isMisfit: Bool) throws {
    let folder = try #require(TestData.large) + "/vector"
    var spec = SourceSpec(name: "map", location: .path(folder + "/packs/" + pack))
    spec.style = .file(folder + "/styles/" + style)
    let source = try VectorMap.open(spec)
    let misfit = VectorMap.misfit(of: source)
    #expect((misfit != nil) == isMisfit)
    #expect(source.problems.contains { $0 == misfit } == isMisfit)
  }
}
