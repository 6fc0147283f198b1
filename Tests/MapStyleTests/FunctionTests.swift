import Testing

@testable import MapStyle

@Suite struct FunctionTests {
  @Test func stopsOverTheZoomAreInterpolated() throws {
    let (line, findings) = try Styles.line(#""line-width": {"base": 2, "stops": [[5, 1], [7, 4]]}"#)
    #expect(findings.isEmpty)
    let width = line?.width
    #expect(width?.value(StyleContext(zoom: 3)) == 1)
    #expect(width?.value(StyleContext(zoom: 6)) == 2)
    #expect(width?.value(StyleContext(zoom: 9)) == 4)
    #expect(width?.dependsOnZoom == true)
    #expect(width?.dependsOnFeature == false)
    #expect(width?.constant == nil)
  }

  @Test func stopsOfListsAndWordsAreSteps() throws {
    let (line, findings) = try Styles.line(#""line-dasharray": {"stops": [[5, [1, 2]], [7, [3]]]}"#)
    #expect(findings.isEmpty)
    #expect(line?.dashes.value(StyleContext(zoom: 6.9)) == [1, 2])
    #expect(line?.dashes.value(StyleContext(zoom: 7)) == [3])
  }

  @Test func stopsOfZoomAndPropertyAreInterpolatedTwice() throws {
    let stops =
      #"[[{"zoom": 0, "value": 0}, 0], [{"zoom": 0, "value": 10}, 10], "#
      + #"[{"zoom": 10, "value": 0}, 20], [{"zoom": 10, "value": 10}, 40]]"#
    let (line, findings) = try Styles.line(
      #""line-width": {"property": "rank", "stops": \#(stops)}"#)
    #expect(findings.isEmpty)
    let context = Styles.context(zoom: 5, ["rank": .number(5)])
    #expect(line?.width.value(context) == 17.5)
    #expect(line?.width.keys == ["rank"])
  }

  @Test func tokensStandForProperties() throws {
    let (symbol, findings) = try Styles.symbol(
      #""text-field": "{name} ({ref}) {", "icon-image": {"stops": [[3, "{class}_11"]]}"#)
    #expect(findings.isEmpty)
    let context = Styles.context(["name": .string("Main Street"), "class": .string("road")])
    #expect(symbol?.textField.value(context).plain == "Main Street () {")
    #expect(symbol?.iconImage.value(context) == "road_11")
    #expect(symbol?.textField.keys == ["name", "ref"])
  }

  @Test func aFailingExpressionGivesTheDefault() throws {
    let (line, findings) = try Styles.line(
      #""line-width": ["number", ["get", "w"]], "line-color": ["get", "c"], "#
        + #""line-opacity": ["/", 1, ["get", "zero"]]"#)
    #expect(findings.isEmpty)
    let context = Styles.context(["c": .string("no colour"), "zero": .number(0)])
    #expect(line?.width.value(context) == 1)
    #expect(line?.color.value(context) == .black)
    // No value is infinite.
    #expect(line?.opacity.value(context) == 1)
  }

  @Test func whatCannotBeUsedIsAFindingAndHasItsDefault() throws {
    let (line, findings) = try Styles.line(
      #""line-width": "wide", "line-color": "greenish", "line-translate": [1], "#
        + #""line-gradient": ["literal", []], "line-opacity": ["distance", {}], "#
        + #""line-offset": {"stops": []}, "line-color-transition": {}, "line-blur": null"#)
    let properties = findings.filter { $0.kind == .value }.compactMap(\.property)
    #expect(
      Set(properties)
        == ["line-width", "line-color", "line-translate", "line-opacity", "line-offset"])
    #expect(findings.filter { $0.kind == .property }.map(\.property) == ["line-gradient"])
    #expect(findings.allSatisfy { $0.layer == "it" })
    #expect(line?.width.constant == 1)
    #expect(line?.width.isSet == false)
  }

  @Test func constantsAreKnownWithoutAContext() throws {
    let (fill, _) = try Styles.fill(
      #""fill-color": ["rgba", 255, 0, 0, 1], "fill-opacity": ["/", 1, 4]"#)
    #expect(fill?.color.constant?.word() == 0xffff_0000)
    #expect(fill?.opacity.constant == 0.25)
    #expect(fill?.outlineColor.isSet == false)
  }

  @Test func imagesInATextAreAFinding() throws {
    let (_, none) = try Styles.symbol(#""text-field": ["format", ["get", "name"], {}]"#)
    #expect(none.isEmpty)
    let (symbol, findings) = try Styles.symbol(
      #""text-field": ["format", ["image", "road"], {}, ["get", "name"], {}]"#)
    #expect(symbol != nil)
    #expect(findings.map(\.property) == ["text-field"])
    #expect(findings.first?.reason.contains("images") == true)
  }
}
