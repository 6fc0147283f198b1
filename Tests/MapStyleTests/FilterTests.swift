import Testing

@testable import MapStyle

@Suite struct FilterTests {
  private func matches(
    _ filter: String, _ properties: [String: StyleValue] = [:],
    geometry: StyleGeometry = .polygon, zoom: Double = 10
  ) throws -> Bool? {
    let style = try Styles.layer("fill", filter: filter)
    return style.layers.first?.filter?.matches(
      Styles.context(zoom: zoom, properties, geometry: geometry))
  }

  @Test(arguments: [
    (#"["==", "class", "wood"]"#, true), (#"["!=", "class", "wood"]"#, false),
    (#"["==", "missing", "wood"]"#, false), (#"["!=", "missing", "wood"]"#, true),
    (#"["has", "class"]"#, true), (#"["!has", "class"]"#, false), (#"["!has", "missing"]"#, true),
    (#"["in", "class", "grass", "wood"]"#, true), (#"["in", "class"]"#, false),
    (#"["!in", "class", "grass", "wood"]"#, false), (#"["!in", "missing", "wood"]"#, true),
    (#"["<", "rank", 5]"#, true), (#"[">", "rank", "2"]"#, false), (#"["<", "missing", 5]"#, false),
    (#"[">=", "rank", 3]"#, true), (#"["==", "$type", "Polygon"]"#, true),
    (#"["in", "$type", "Point", "LineString"]"#, false), (#"["==", "$id", 7]"#, false),
    (#"["all"]"#, true), (#"["any"]"#, false), (#"["none"]"#, true),
    (#"["all", ["==", "class", "wood"], ["==", "rank", 3]]"#, true),
    (#"["any", ["==", "class", "grass"], ["==", "rank", 3]]"#, true),
    (#"["none", ["==", "class", "grass"], ["==", "rank", 3]]"#, false),
    (#"["==", "rank", "3"]"#, false),
  ])
  func olderFiltersAreEvaluated(filter: String, expected: Bool) throws {
    let isMatch = try matches(filter, ["class": .string("wood"), "rank": .number(3)])
    #expect(isMatch == expected)
  }

  @Test(arguments: [
    (#"["==", ["get", "class"], "wood"]"#, true),
    (#"["in", ["get", "class"], ["literal", ["wood", "grass"]]]"#, true),
    (#"["!", ["has", "class"]]"#, false), (#"["==", ["geometry-type"], "Polygon"]"#, true),
    (#"["match", ["get", "class"], ["wood"], true, false]"#, true),
    (#"["all", [">", ["zoom"], 9], ["<", ["zoom"], ["get", "rank"]]]"#, false),
    (#"["<", ["get", "class"], 5]"#, false), (#"["get", "class"]"#, false), ("true", true),
    (#"["step", ["zoom"], false, 8, true]"#, true),
  ])
  func expressionsAreFilters(filter: String, expected: Bool) throws {
    let isMatch = try matches(filter, ["class": .string("wood"), "rank": .number(3)])
    #expect(isMatch == expected)
  }

  @Test func whatAFilterReadsIsKnown() throws {
    let older = try Styles.layer(
      "fill", filter: #"["all", ["==", "$type", "Polygon"], ["in", "class", "a"], ["has", "b"]]"#)
    let filter = older.layers.first?.filter
    #expect(filter?.keys == ["class", "b"])
    #expect(filter?.readsGeometry == true)
    #expect(filter?.readsID == false)
    #expect(filter?.dependsOnZoom == false)
    let newer = try Styles.layer(
      "fill", filter: #"["all", [">", ["zoom"], 3], ["==", ["id"], 3], ["has", ["get", "key"]]]"#)
    let reads = newer.layers.first?.filter?.reads
    #expect(reads?.zoom == true)
    #expect(reads?.id == true)
    #expect(reads?.keys == ["key"])
    #expect(reads?.allKeys == true)
  }

  @Test(arguments: [
    #"["within", {"type": "Polygon", "coordinates": []}]"#, #"["==", 3, 4, 5, 6]"#, #"{"a": 1}"#,
    #"["all", ["blah", "a", 1]]"#, "3", "[]", #"["has", 3]"#, #"["concat", "a"]"#,
  ])
  func aLayerWhoseFilterCannotBeUsedIsLeftOut(filter: String) throws {
    let style = try Styles.layer("fill", filter: filter)
    #expect(style.layers.isEmpty)
    #expect(style.findings.map(\.kind) == [.filter])
    #expect(style.findings.first?.layer == "it")
  }
}
