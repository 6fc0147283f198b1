import CBundled
import Images
import Testing

@Test func theBundledFontIsAWholeTrueTypeFile() {
  let font = UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size())
  #expect(font.count == 759_720)
  #expect(Array(font.prefix(4)) == [0, 1, 0, 0])
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
