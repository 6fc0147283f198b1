import MapGeometry
import Testing
import TileSources

private func filled(
  _ text: String, _ id: TileID, scheme: SourceSpec.Scheme = .xyz, scale: Int = 1,
  subdomains: [String] = []
) throws -> String {
  try URLTemplate(text, scheme: scheme, subdomains: subdomains, scale: scale).filled(for: id)
}

@Test(arguments: [
  ("/t/{z}/{x}/{y}.png", "/t/3/5/1.png"), ("/t/{z}/{x}/{-y}.png", "/t/3/5/6.png"),
  ("/t/Tile-{z}-{x}-{y}.png", "/t/Tile-3-5-1.png"), ("/q/{quadkey}.png", "/q/103.png"),
  ("/q/{q}.png", "/q/103.png"), ("/t/{z}/{x}/{y}{r}.png", "/t/3/5/1.png"),
  ("/t/{z}/{x}/{y}{ratio}.{scale}", "/t/3/5/1.1"), ("/{a-c}/{z}/{x}/{y}", "/a/3/5/1"),
  ("/{0-3}/{z}/{x}/{y}", "/2/3/5/1"), ("/{switch:u,v,w,x}/{z}/{x}/{y}", "/w/3/5/1"),
  ("/{s}/{z}/{x}/{y}", "/one/3/5/1"), ("/{z}/{z}{x}{y}", "/3/351"),
])
func everyPlaceholderStandsForItsPart(text: String, address: String) throws {
  #expect(try filled(text, tile(3, 5, 1), subdomains: ["one", "two"]) == address)
}

@Test func theScaleIsThatOfTheDisplay() throws {
  let text = "/{z}/{x}/{y}{r}{ratio}-{scale}"
  #expect(try filled(text, .world, scale: 2) == "/0/0/0@2x@2x-2")
  #expect(try filled(text, .world, scale: 3) == "/0/0/0@3x@3x-3")
  #expect(try filled("/{z}/{x}/{y}", tile(2, 0, 1), scheme: .tms) == "/2/0/2")
  #expect(try filled("/t{quadkey}.png", .world) == "/t.png")
}

@Test(arguments: [
  ("/{z}/{x}/{Y}.png", "unknown placeholder {Y}: known are {z} {x} {y} {-y}"),
  ("/{z}/{x}/{}", "unknown placeholder {}"), ("/{z}/{x}/{y}/{c-a}", "{c-a}"),
  ("/{z}/{x}/{y}/{switch:}", "{switch:}"), ("/{z}/{x}/{y}/{a-9}", "{a-9}"),
  ("/{z}/{x}/{bbox-epsg-3857}", "{bbox-epsg-3857}"), ("/{z}/{x}.png", "has no {y}"),
  ("/tiles/world.png", "has no {z} and no {x} and no {y}"), ("/{z}/{x}/{y", "without its '}'"),
  ("/{s}/{z}/{x}/{y}", "{s} needs subdomains"),
])
func aTemplateThatCannotWorkIsRefused(text: String, reason: String) {
  let error = thrown(SourceError.self) { try URLTemplate(text) }
  #expect(error?.reason.contains(reason) == true)
  #expect(error?.file == text)
}

@Test func rowsAreTurnedAroundOnceAndNeverTwice() {
  let error = thrown(SourceError.self) { try URLTemplate("/{z}/{x}/{-y}", scheme: .tms) }
  #expect(error?.reason.contains("both turn the rows around") == true)
}

@Test func filesAreReadByPathAndByFileURL() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart, to: "a b%/Tile-2-1-3.png")
  let folder = scratch.path
  for text in [
    "\(folder)/a b%/Tile-{z}-{x}-{y}.png", "file://\(folder)/a%20b%25/Tile-{z}-{x}-{y}.png",
    "FILE://localhost\(folder)/a%20b%25/Tile-{z}-{x}-{y}.png",
    "file://\(folder)/a%20b%25/Tile-{z}-{x}-%7By%7D.png",
  ] {
    guard text.hasSuffix("{y}.png") else {
      // An encoded brace is a brace of the name and no placeholder.
      #expect(throws: SourceError.self) { try SourceSpec(name: "t", location: .url(text)).open() }
      continue
    }
    let map = try SourceSpec(name: "t", location: .url(text)).open()
    #expect(try map.tile(at: tile(2, 1, 3)) == pictureStart)
    #expect(try map.contains(tile(2, 1, 3)) && !map.contains(tile(2, 0, 0)))
    #expect(try map.tile(at: tile(2, 0, 0)) == nil)
    #expect((map.info.kind, map.info.minZoom, map.info.maxZoom) == ("template", 0, 22))
  }
}

@Test func levelsThatTheConfigurationLeavesOutAreNotAskedFor() throws {
  let scratch = try Scratch()
  for z in 0...3 { _ = try scratch.write(pictureStart, to: "\(z)-0-0") }
  var spec = SourceSpec(name: "t", location: .url(scratch + "{z}-{x}-{y}"))
  spec.minZoom = 1
  spec.maxZoom = 2
  spec.attribution = "<b>me</b>"
  let map = try spec.open()
  let held = try (0...3).map { try map.contains(tile($0, 0, 0)) }
  #expect(held == [false, true, true, false])
  #expect((map.info.minZoom, map.info.maxZoom, map.info.attribution) == (1, 2, "me"))
}

@Test(arguments: [
  ("http://a/{z}/{x}/{y}", "waypost-fetch is not running, or has not read this source"),
  ("HTTPS://a/{z}/{x}/{y}", "waypost-fetch is not running, or has not read this source"),
  ("ftp://a/{z}/{x}/{y}", "a URL of a kind that is not known"),
  ("tiles/{z}/{x}/{y}", "does not begin with '/'"),
  ("file://tiles/{z}/{x}/{y}", "file:// wants an absolute path"),
  ("file:///a%zz/{z}/{x}/{y}", "a '%' that no two"),
  ("file:///a%00/{z}/{x}/{y}", "a '%' that no two"),
  ("/no/such/folder/{z}/{x}/{y}", "there is no folder /no/such/folder"),
])
func urlsThatThisVersionCannotReadAreRefused(url: String, reason: String) {
  let error = thrown(SourceError.self) {
    try SourceSpec(name: "t", location: .url(url)).open()
  }
  #expect(error?.reason.contains(reason) == true)
}
