import TestSupport
import Testing

@testable import MapStyle

@Suite struct MapStyleReadingTests {
  private func mixed(_ options: StyleOptions = StyleOptions()) throws -> MapStyle {
    let bytes = try StyleFile.bytes(TestData.fixtures + "/styles/mixed.json")
    return try MapStyle(json: bytes, options: options)
  }

  @Test func aStyleIsRead() throws {
    let style = try mixed()
    #expect(style.name == "Mixed")
    #expect(style.sprite == "sprites/base")
    #expect(style.sprites.map(\.id) == ["default", "extra"])
    #expect(style.sources["tiles"]?.type == "vector")
    let ids = style.layers.map(\.id)
    #expect(
      ids == [
        "background", "landcover", "building", "road", "road-casing", "labels", "dots", "relief",
      ])
    #expect(style.findings.map(\.layer) == ["building"])
    #expect(style.findings.map(\.kind) == [.property])
    let cover = style.layers[1]
    #expect(cover.isDrawn(at: 14.9))
    #expect(!cover.isDrawn(at: 15))
    #expect(!style.layers[6].isDrawn(at: 5))
    // From the layer that it refers to.
    #expect(style.layers[4].sourceLayer == "road")
    #expect(style.layers[4].filter?.keys == ["kind", "ref", "rank"])
  }

  @Test func theLanguageStandsInStrings() throws {
    let german = try mixed(StyleOptions(language: "de"))
    let names: [String: StyleValue] = [
      "name": .string("Köln"), "name:de": .string("Cologne"), "ele": .number(53),
    ]
    let context = Styles.context(names)
    guard case .symbol(let labels) = german.layers[5].kind else {
      Issue.record("no symbols")
      return
    }
    #expect(labels.textField.value(context).plain == "Cologne\n53")
    guard case .symbol(let local) = try mixed().layers[5].kind else {
      Issue.record("no symbols")
      return
    }
    #expect(local.textField.value(context).plain == "Köln\n53")
    #expect(local.textFont.value(context) == ["Noto Sans Bold"])
  }

  @Test(arguments: [("de-CH", "Züri"), ("de-AT", "Zürich"), ("fr-CH", "Turich"), ("de", "Zürich")])
  func aLanguageOfARegionFallsBackToTheLanguage(_ language: String, _ shown: String) throws {
    let names: [String: StyleValue] = [
      "name": .string("Turich"), "name:de": .string("Zürich"), "name:de-CH": .string("Züri"),
    ]
    let field = #""text-field": ["coalesce", ["get", "name:{language}"], ["get", "name"]]"#
    let (symbol, findings) = try Styles.symbol(field, options: StyleOptions(language: language))
    #expect(findings.isEmpty)
    #expect(symbol?.textField.value(Styles.context(names)).plain == shown)
  }

  @Test func layersThatCannotBeDrawnAreFindings() throws {
    let style = try Styles.style(
      layers: """
        {"id": "a", "type": "heatmap"}, {"type": "fill"}, {"id": "b", "type": "fill"},
        {"id": "b", "type": "line"}, 7, {"id": "c"}, {"id": "d", "type": "line"}
        """)
    #expect(style.layers.map(\.id) == ["b", "d"])
    #expect(style.findings.map(\.kind) == [.layerType, .layer, .layer, .layer, .layer])
    #expect(style.findings.map(\.layer) == ["a", "#1", "b", "#4", "c"])
    #expect(style.findings[0].description.hasPrefix("layer \"a\": "))
  }

  @Test func aLayerOfPicturesIsRead() throws {
    let style = try Styles.layer(
      "raster",
      paint: #"""
        "raster-opacity": {"stops": [[4, 0], [8, 1]]}, "raster-hue-rotate": 90,
        "raster-brightness-min": 0.1, "raster-brightness-max": 0.9, "raster-saturation": -0.5,
        "raster-contrast": 0.25, "raster-resampling": "nearest", "raster-fade-duration": 0
        """#)
    #expect(style.findings.isEmpty)
    guard case .raster(let raster)? = style.layers.first?.kind else {
      Issue.record("no layer of pictures")
      return
    }
    #expect(raster.opacity.value(StyleContext(zoom: 6)) == 0.5)
    #expect(raster.hueRotate.constant == 90 && raster.saturation.constant == -0.5)
    #expect(raster.brightnessMin.constant == 0.1 && raster.brightnessMax.constant == 0.9)
    #expect(raster.contrast.constant == 0.25 && raster.resampling.constant == .nearest)
    let plain = try Styles.layer("raster", paint: #""raster-resampling": "cubic""#)
    #expect(plain.findings.map(\.property) == ["raster-resampling"])
  }

  @Test func zoomsThatAreNoNumbersAreFindingsAndTheLayerIsDrawn() throws {
    let style = try Styles.style(
      layers: #"{"id": "a", "type": "line", "minzoom": "3", "maxzoom": [9], "source": "s"}"#)
    #expect(style.findings.map(\.property) == ["minzoom", "maxzoom"])
    #expect(style.findings.allSatisfy { $0.kind == .value && $0.layer == "a" })
    #expect(style.layers.first?.isDrawn(at: 0) == true)
  }

  @Test(arguments: [
    (#"{"type": "globe"}"#, true), (#"{"name": "albers"}"#, true), (#""globe""#, true),
    (#"{"type": "mercator"}"#, false), (#"{"name": "mercator"}"#, false), ("null", false),
  ])
  func onlyMercatorsProjectionIsDrawn(projection: String, isFinding: Bool) throws {
    let text = "{\"version\": 8, \"projection\": \(projection), \"layers\": []}"
    let style = try MapStyle(json: Array(text.utf8))
    #expect(style.findings.map(\.property) == (isFinding ? ["projection"] : []))
  }

  @Test func aFilterThatCannotBeUsedIsNamedInASentence() throws {
    let style = try Styles.layer("line", filter: #"["within", {}]"#)
    #expect(style.layers.isEmpty && style.findings.map(\.kind) == [.filter])
    let reason = try #require(style.findings.first?.reason)
    #expect(reason.hasPrefix("filter ") && reason.hasSuffix("; the layer is left out"))
  }

  @Test func aHiddenLayerHasNoFindings() throws {
    let style = try Styles.layer(
      "line", paint: #""line-gradient": 1, "line-width": "x""#, layout: #""visibility": "none""#)
    #expect(style.findings.isEmpty)
    #expect(style.layers.map(\.isVisible) == [false])
  }

  @Test func whatIsDrawnDifferentlyIsAFinding() throws {
    let style = try Styles.layer(
      "line", paint: #""line-pattern": "dots", "line-translate-anchor": "viewport""#)
    #expect(style.findings.compactMap(\.property) == ["line-translate-anchor"])
    #expect(style.findings.allSatisfy { $0.kind == .property })
  }

  @Test(arguments: [
    "", "{", "[]", "7", "{}", #"{"version": 7, "layers": []}"#, #"{"version": 8}"#,
    #"{"version": 8, "layers": {}}"#, #"{"version": 8, "layers": [], "x": 1e999}"#,
    "{\"version\": 8, \"layers\": [], \"x\": \"\u{1}\"}",
  ])
  func whatIsNoStyleIsRefused(text: String) {
    #expect(throws: StyleError.self) { try MapStyle(json: Array(text.utf8)) }
  }

  @Test func limitsAreChecked() {
    let open = String(repeating: "[", count: 300)
    let close = String(repeating: "]", count: 300)
    let many = Array(repeating: #"{"id": 1}"#, count: 1001).joined(separator: ",")
    let values = String(repeating: "[],", count: 300_000)
    for text in [
      "{\"version\": 8, \"layers\": \(open)\(close)}", "{\"version\": 8, \"layers\": [\(many)]}",
      "{\"version\": 8, \"layers\": [\(values)1]}",
      "{\"version\": 8, \"layers\": []}" + String(repeating: " ", count: 8 << 20),
    ] {
      #expect(throws: StyleError.self) { try MapStyle(json: Array(text.utf8)) }
    }
  }

  @Test func anExpressionThatGrowsIsRefused() throws {
    // Each variable is used twice in the next one: 2 to the 40th evaluations.
    var expression = #"["var", "a40"]"#
    for index in (1...40).reversed() {
      let last = #"["var", "a\#(index - 1)"]"#
      expression = #"["let", "a\#(index)", ["+", \#(last), \#(last)], \#(expression)]"#
    }
    expression = #"["let", "a0", ["get", "x"], \#(expression)]"#
    let (line, findings) = try Styles.line("\"line-width\": \(expression)")
    #expect(findings.map(\.property) == ["line-width"])
    #expect(line?.width.constant == 1)
  }

  @Test func textThatGrowsFails() throws {
    let long = String(repeating: "x", count: 1000)
    let parts = Array(repeating: #"["get", "a"]"#, count: 100).joined(separator: ", ")
    let (symbol, findings) = try Styles.symbol("\"text-field\": [\"concat\", \(parts)]")
    #expect(findings.isEmpty)
    #expect(symbol?.textField.value(Styles.context(["a": .string(long)])) == FormattedText(""))
  }

  @Test func listsAsTextAreBounded() throws {
    let items = Array(repeating: #"["get", "a"]"#, count: 200).joined(separator: ", ")
    let (symbol, findings) = try Styles.symbol(
      "\"text-field\": [\"to-string\", [\"semiliteral\", [\(items)]]]")
    #expect(findings.isEmpty)
    let long = Styles.context(["a": .string(String(repeating: "x", count: 1000))])
    #expect(symbol?.textField.value(long) == FormattedText(""))
    let short = Styles.context(["a": .string("x")])
    #expect(symbol?.textField.value(short).plain.hasPrefix("[\"x\",") == true)
  }

  @Test(arguments: [(60, true), (70, false)])
  func expressionsMayBeSixtyDeep(depth: Int, isRead: Bool) throws {
    var sum = #"["get", "x"]"#
    var filter = #"["==", "x", 1]"#
    for _ in 0..<depth {
      sum = "[\"+\", 1, \(sum)]"
      filter = "[\"all\", \(filter)]"
    }
    let (line, findings) = try Styles.line("\"line-width\": \(sum)")
    let context = Styles.context(["x": .number(1)])
    #expect(findings.isEmpty == isRead)
    #expect(line?.width.value(context) == (isRead ? Double(depth) + 1 : 1))
    let style = try Styles.layer("line", filter: filter)
    #expect(style.layers.isEmpty != isRead)
    if isRead { #expect(style.layers.first?.filter?.matches(context) == true) }
  }
}
