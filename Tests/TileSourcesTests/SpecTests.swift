import Testing
import TileSources

@Test(arguments: [
  (SourceSpec.Location.path("/maps/topo.mbtiles"), "topo", "mbtiles"),
  (.path("/maps/v1.2 beta.PMTILES"), "v1.2 beta", "pmtiles"),
  (.path("/maps/world/"), "world", "directory"),
  (.path("/maps/.hidden"), ".hidden", "directory"), (.path("/"), "map", "directory"),
  (.paths(["/m/valley.pmtiles", "/m/canton.mbtiles"]), "valley", "packs"),
  (.url("file:///srv/tiles/Tile-{z}-{x}-{y}.png"), "tiles", "template"),
  (.provider("/run/waypost/fetch.sock"), "fetch", "provider"),
])
func aSourceWithoutANameIsNamedAfterItsFile(
  location: SourceSpec.Location, name: String, kind: String
) {
  #expect(SourceSpec.defaultName(for: location) == name)
  #expect(SourceSpec(name: name, location: location).kindGuess == kind)
}

@Test(
  arguments: [
    ([0x50, 0x4b, 3, 4], "a.zip", "is a ZIP archive: unpack it"),
    ([0, 0, 0, 4, 0, 0, 1, 0, 0], "a", "is a GEMF archive: convert it to MBTiles"),
    ([0, 0, 0, 4], "a.gemf", "is a GEMF archive"), ([0x1f, 0x8b, 8], "a.mbtiles", "is compressed"),
    ([0x28, 0xb5, 0x2f, 0xfd], "a", "is compressed"),
    (pictureStart, "a.png", "is a single PNG picture"),
    (Array("version https://git-lfs.github.com".utf8), "a", "git lfs pull"),
    ([1, 2, 3], "a", "is neither an MBTiles nor a PMTiles file nor a folder of tiles"),
    ([1, 2, 3], "a.mbtiles", "is not an SQLite database"),
    ([1], "a.pmtiles", "does not begin like a PMTiles"),
    ([], "a.pmtiles", "is empty: 0 bytes"),
    (
      Array("SQLite format 3\0".utf8), "a",
      "is not an SQLite database, so not MBTiles: is it cut off?"
    ),
    (
      Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52) + Array("GPKG".utf8), "a",
      "is a GeoPackage"
    ),
  ] as [([UInt8], String, String)])
func whatIsNoMapIsRefusedByWhatItIs(bytes: [UInt8], name: String, reason: String) throws {
  let scratch = try Scratch()
  let path = try scratch.write(bytes, to: name)
  #expect(refusal(path).hasPrefix(path + ": "))
  #expect(refusal(path).contains(reason))
}

@Test func aPackIsToldByItsBytesAndNotByItsName() throws {
  let scratch = try Scratch()
  let swapped = try scratch.write(try bytes(of: fixture("byte_png.pmtiles")), to: "a.mbtiles")
  #expect(try source(swapped).info.kind == "pmtiles")
}

@Test func bundledBytesOpenWithoutAFile() throws {
  let pack = try bytes(of: fixture("byte_png.pmtiles"))
  let copy = UnsafeMutableRawPointer.allocate(byteCount: pack.count, alignment: 8)
  defer { copy.deallocate() }
  copy.copyMemory(from: pack, byteCount: pack.count)
  let section = StaticBytes(name: "bundled", start: copy, count: pack.count)
  let map = try SourceSpec(name: "b", location: .memory(section)).open()
  #expect(try map.tile(at: tile(9, 88, 204)) != nil)
  let cut = StaticBytes(name: "bundled", start: copy, count: 100)
  let error = thrown(SourceError.self) {
    try SourceSpec(name: "b", location: .memory(cut)).open()
  }
  #expect(error?.file == "bundled")
}

@Test func whatTheConfigurationSaysCountsMoreThanThePack() throws {
  var spec = SourceSpec(name: "p", location: .path(fixture("byte_png.pmtiles")))
  spec.minZoom = 3
  spec.maxZoom = 10
  spec.attribution = "mine"
  let info = try spec.open().info
  #expect((info.minZoom, info.maxZoom, info.attribution) == (3, 10, "mine"))
}
