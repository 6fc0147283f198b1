import CBundled
import Glibc
import Images
import Testing

@Test func theBundledFontIsAWholeTrueTypeFile() {
  let font = UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size())
  #expect(font.count == 759_720)
  #expect(Array(font.prefix(4)) == [0, 1, 0, 0])
}

/// Wherever the linker put it.
@Test func whatIsBundledIsGivenBackAndReadAgain() {
  let files = [
    UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()),
    UnsafeRawBufferPointer(start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size()),
    UnsafeRawBufferPointer(start: waypost_world_map_bytes(), count: waypost_world_map_size()),
    UnsafeRawBufferPointer(
      start: waypost_natural_earth_bytes(), count: waypost_natural_earth_size()),
  ]
  let before = files.map { Array($0) }
  let bytes = waypost_release_bundled()
  // All but the first and the last page of each.
  #expect(bytes > files.reduce(0) { $0 + $1.count - 2 * Int(getpagesize()) })
  #expect(files.map { Array($0) } == before)
}

@Test(arguments: ["world", "toner"])
func aBundledMapIsAWholePMTilesArchive(name: String) {
  let isWorld = name == "world"
  let archive = UnsafeRawBufferPointer(
    start: isWorld ? waypost_world_map_bytes() : waypost_toner_map_bytes(),
    count: isWorld ? waypost_world_map_size() : waypost_toner_map_size())
  #expect(archive.prefix(8).elementsEqual("PMTiles\u{3}".utf8))
  // PMTiles 3, section 3: offset and length of the tile data, tile type, zooms.
  let offset = archive.loadUnaligned(fromByteOffset: 56, as: UInt64.self)
  let length = archive.loadUnaligned(fromByteOffset: 64, as: UInt64.self)
  let end = Int(offset + length)
  #expect(end == archive.count)
  #expect(archive.loadUnaligned(fromByteOffset: 72, as: UInt64.self) == 85)
  let type: UInt8 = isWorld ? 3 : 2
  #expect(archive[99] == type)
  #expect(archive[100] == 0)
  #expect(archive[101] == 3)
}

@Test func theBundledFontsOfVectorMapsAreTrueTypeFiles() {
  let fonts = [
    UnsafeRawBufferPointer(start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size()),
    UnsafeRawBufferPointer(start: waypost_noto_italic_bytes(), count: waypost_noto_italic_size()),
    UnsafeRawBufferPointer(
      start: waypost_noto_semibold_bytes(), count: waypost_noto_semibold_size()),
  ]
  for font in fonts {
    #expect(Array(font.prefix(4)) == [0, 1, 0, 0])
    #expect(font.count < 125_000)
  }
}

@Test func theBundledVectorWorldHasEveryTileAndTakesAtMostThreeMegabytes() {
  let archive = UnsafeRawBufferPointer(
    start: waypost_natural_earth_bytes(), count: waypost_natural_earth_size())
  #expect(archive.count <= 3_000_000)
  #expect(archive.prefix(8).elementsEqual("PMTiles\u{3}".utf8))
  let offset = archive.loadUnaligned(fromByteOffset: 56, as: UInt64.self)
  let length = archive.loadUnaligned(fromByteOffset: 64, as: UInt64.self)
  let end = Int(offset + length)
  #expect(end == archive.count)
  #expect(archive.loadUnaligned(fromByteOffset: 72, as: UInt64.self) == 1365)
  #expect(archive[99] == 1)
  #expect(archive[100] == 0)
  #expect(archive[101] == 5)
}

@Test(
  arguments: ["protomaps", "openmaptiles", "shortbread", "naturalearth"], ["day", "night", "red"])
func aStyleIsBundledForEachSchemaAndTheme(schema: String, theme: String) {
  var size = 0
  let bytes = waypost_trailhead("\(schema)-\(theme).json", &size)
  #expect(bytes != nil)
  let style = String(decoding: UnsafeRawBufferPointer(start: bytes, count: size), as: UTF8.self)
  #expect(style.contains("\"waypost:schema\":\"\(schema)\""))
  #expect(style.contains("\"waypost:theme\":\"\(theme)\""))
}

@Test(arguments: ["sprite-day", "sprite-day@2x", "sprite-night", "sprite-night@2x"])
func aSpriteSheetIsBundledForEachThemeAndScale(name: String) throws {
  var size = 0
  let index = waypost_trailhead(name + ".json", &size)
  #expect(index != nil)
  let picture = waypost_trailhead(name + ".png", &size)
  #expect(size > 0 && size < 20_000)
  let bytes = Array(UnsafeRawBufferPointer(start: picture, count: size).prefix(8))
  #expect(bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
}

@Test func aFileThatTheStyleDoesNotHaveIsNotFound() {
  var size = 7
  #expect(waypost_trailhead("topo-day.json", &size) == nil)
  #expect(size == 0)
}
