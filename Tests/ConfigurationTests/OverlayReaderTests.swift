import Configuration
import Testing

private func overlay(_ keys: [(String, ConfigValue.Content)], geoJSON: String? = nil) -> (
  Configuration.Overlay?, [String]
) {
  let origin = ConfigValue.Origin(file: "overlay.add", directory: nil)
  let entries = keys.map { key, content in
    ConfigValue.Entry(key: key, line: 2, value: ConfigValue(content, origin: origin))
  }
  let (overlay, findings) = parseOverlay(
    ConfigValue(.table(entries), origin: origin), baseDirectory: nil, geoJSON: geoJSON)
  return (overlay, findings.map(\.text))
}

@Test func anOverlaysKeysAreReadAndItsNameIsTheFiles() {
  let (trails, findings) = overlay([
    ("path", .string("/maps/trails.gpx")), ("stroke", .string("#c0392b")),
    ("stroke_width", .integer(3)), ("fill", .string("#2a8f3c55")), ("label", .string("name")),
    ("color_by", .string("speed")), ("min_zoom", .double(8.5)),
  ])
  #expect(findings == [])
  #expect(trails?.name == "trails" && trails?.content == .file("/maps/trails.gpx"))
  #expect(trails?.level == .aboveRoads && trails?.minZoom == 8.5)
  #expect(trails?.stroke?.word == 0xffc0_392b && trails?.fill?.word == 0x552a_8f3c)
  #expect(trails?.strokeWidth == 3 && trails?.label == "name" && trails?.colorBy == .speed)
}

@Test func aLinesCasingAndDashesAreReadByNameAndByValue() {
  let origin = ConfigValue.Origin(file: "test", directory: nil)
  func list(_ numbers: [Double]) -> ConfigValue.Content {
    .array(numbers.map { ConfigValue(.double($0), origin: origin) })
  }
  func trails(_ key: String, _ value: ConfigValue.Content) -> Configuration.Overlay? {
    overlay([("path", .string("/t.gpx")), (key, value)]).0
  }
  let plain = trails("name", .string("t"))
  #expect(plain?.casing == .auto && plain?.dash == [] && plain?.attribution == nil)
  #expect(trails("casing", .string("none"))?.casing == Configuration.Overlay.Casing.none)
  #expect(trails("casing", .string("auto"))?.casing == .auto)
  let colored = trails("casing", .string("#ffffffd9"))?.casing
  #expect(colored?.description == "#ffffffd9")
  #expect(trails("dash", list([8, 5]))?.dash == [8, 5])
  #expect(trails("dash", .string("boundary"))?.dash == [10, 4, 2, 4])
  #expect(trails("dash", .string("none"))?.dash == [])
  #expect(trails("attribution", .string("© Park"))?.attribution == "© Park")
  for (key, value) in [
    ("casing", .string("white")), ("casing", .integer(3)), ("dash", .string("dotted")),
    ("dash", list([-1, 2])), ("dash", list([0, 0])), ("dash", list([.nan, 2])),
    ("dash", list([1e9, 2])), ("dash", list(Array(repeating: 3, count: 9))), ("dash", .integer(4)),
  ] as [(String, ConfigValue.Content)] {
    let (found, findings) = overlay([("path", .string("/t.gpx")), (key, value)])
    #expect(findings.count == 1, "\(key)")
    #expect(found == nil || found?.casing == .auto && found?.dash == [])
  }
}

@Test func theGridLiesAboveLabelsAndNeedsNoName() {
  let (grid, findings) = overlay([("kind", .string("grid"))])
  #expect(findings == [] && grid?.name == "grid" && grid?.level == .aboveLabels)
}

@Test func featuresThatComeWithTheTableNeedANameAndNoPath() {
  let (inline, findings) = overlay([("name", .string("here"))], geoJSON: "{}")
  #expect(findings == [] && inline?.content == .geoJSON("{}"))
  #expect(overlay([], geoJSON: "{}").1 == ["overlay: name is missing; only a file gives its own"])
}

@Test func aRelativePathIsRefusedWhereThereIsNoFolderToStartFrom() {
  let (none, findings) = overlay([("path", .string("a.gpx"))])
  #expect(none == nil && findings.count == 1)
}

@Test func thereAreSoManyOverlaysAndNoMore() {
  let table = { (n: Int) in "[[overlay]]\nkind = \"grid\"\nname = \"o\(n)\"\n" }
  let most = (0..<Configuration.Overlay.maxCount).map(table).joined()
  #expect(load(most).configuration?.overlays.count == Configuration.Overlay.maxCount)
  let more = load(most + table(99) + table(100))
  #expect(more.configuration == nil)
  #expect(more.findings.map(\.line) == [3 * Configuration.Overlay.maxCount + 1])
}

@Test func aFilterThatIsNoMosaicIsAStepOfColours() {
  #expect(Filter("tint:#2040ff33")?.colors == .tint(0x3320_40ff))
  #expect(Filter("brightness:0.6")?.colors == .brightness(0.6))
  #expect(Filter("grayscale")?.colors == .grayscale && Filter("invert")?.colors == .invert)
  #expect(Filter("mosaic:0.2")?.colors == nil)
}

@Test func aListOfFiltersHasAnEnd() {
  let list = { (n: Int) in
    "[theme]\nnight = [" + Array(repeating: "\"invert\"", count: n).joined(separator: ",") + "]"
  }
  #expect(load(list(Filter.maxCount)).configuration != nil)
  #expect(load(list(Filter.maxCount + 1)).configuration == nil)
}
