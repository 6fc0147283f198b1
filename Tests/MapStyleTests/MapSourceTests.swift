import TestSupport
import Testing

@testable import MapStyle

/// Styles of several sources: which one is the map.
@Suite struct MapSourceTests {
  /// A style with these sources, and layers of the form "id source source-layer".
  private func style(_ sources: String, _ layers: [String], more: String = "") throws -> MapStyle {
    let list = layers.map { text in
      let words = text.split(separator: " ")
      return """
        , {"id": "\(words[0])", "type": "fill", "source": "\(words[1])",
           "source-layer": "\(words[2])"}
        """
    }
    let ground = #"{"id": "ground", "type": "background"}"#
    let text = "{\"version\": 8, \"sources\": {\(sources)}, \"layers\": ["
    return try MapStyle(json: Array((text + ground + list.joined() + more + "]}").utf8))
  }

  private let two = #""m": {"type": "vector"}, "contours": {"type": "vector"}"#

  @Test func layersOfAnotherVectorSourceAreFindings() throws {
    let style = try style(two, ["land m landcover", "water m water", "high contours water"])
      .limited(toMap: "alps", with: ["landcover", "water"])
    #expect(style.layers.map(\.id) == ["ground", "land", "water"])
    let finding = try #require(style.findings.first)
    #expect(style.findings.count == 1 && finding.kind == .layer && finding.layer == "high")
    #expect(finding.reason.hasSuffix("its source \"contours\" is not the map, which is \"m\""))
  }

  @Test func theSourceWithTheMapsNameIsTheMap() throws {
    let layers = ["high contours water"]
    let one = try style(two, layers).limited(toMap: "m", with: ["water"])
    #expect(one.layers.map(\.id) == ["ground"] && one.findings.map(\.layer) == ["high"])
    let other = try style(two, layers).limited(toMap: "contours", with: ["water"])
    #expect(other.layers.map(\.id) == ["ground", "high"] && other.findings.isEmpty)
  }

  @Test func elseTheSourceIsTheMapOfWhichItHasMostLayers() throws {
    let layers = ["a contours contour", "b contours index", "c m water"]
    #expect(
      try style(two, layers).limited(toMap: "alps", with: ["water"]).layers.map(\.id)
        == ["ground", "c"])
    // Where nothing is known of the map, most layers of the style.
    #expect(
      try style(two, layers).limited(toMap: "alps", with: []).layers.map(\.id)
        == ["ground", "a", "b"])
    // Of two that are alike, the first.
    #expect(
      try style(two, ["a contours water", "b m water"])
        .limited(toMap: "alps", with: ["water"]).layers.map(\.id) == ["ground", "a"])
  }

  @Test func layersOfNoSourceAndOfOtherTypesAreFindings() throws {
    let sources = #""m": {"type": "vector"}, "g": {"type": "geojson"}"#
    let style = try style(sources, ["a m water", "b other water", "c g water"])
      .limited(toMap: "alps", with: ["water"])
    #expect(style.layers.map(\.id) == ["ground", "a"])
    #expect(
      style.findings.map(\.description) == [
        "layer \"b\": is not drawn: the style has no source \"other\"; the map is \"m\"",
        "layer \"c\": is not drawn: its source \"g\" has the type \"geojson\", not \"vector\"",
      ])
  }

  @Test func aStyleWithoutSourcesMayCallItsMapAnything() throws {
    let style = try style("", ["a m water", "b m land"]).limited(toMap: "alps", with: ["water"])
    #expect(style.layers.count == 3 && style.findings.isEmpty)
  }

  @Test func hiddenLayersAndPicturesOfOtherSourcesHaveNoFindings() throws {
    let more = """
      , {"id": "hidden", "type": "fill", "source": "contours", "source-layer": "water",
         "layout": {"visibility": "none"}}
      , {"id": "shade", "type": "raster", "source": "relief"}
      """
    let style = try style(two, ["a m water"], more: more)
      .limited(toMap: "alps", with: ["water"])
    #expect(style.layers.map(\.id) == ["ground", "a", "shade"] && style.findings.isEmpty)
  }

  @Test(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
  func stylesInUseAreDrawnButForTheContoursOfOne() throws {
    let folder = try #require(TestData.large) + "/vector/styles/"
    for name in RealStyleTests.names {
      let style = try MapStyle(json: StyleFile.bytes(folder + "\(name).json"))
      let limited = style.limited(toMap: "map", with: [])
      let left = name == "omt-terrain" ? 3 : 0
      #expect(limited.layers.count == style.layers.count - left, "\(name)")
      #expect(limited.findings.count == style.findings.count + left, "\(name)")
    }
  }
}
