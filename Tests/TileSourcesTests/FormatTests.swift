import TestSupport
import Testing
import TileFormats

@Test(
  arguments: [
    (pictureStart, TileFormat.png), ([0xff, 0xd8, 0xff, 0xe0], .jpeg),
    (Array("RIFF\0\0\0\0WEBP".utf8), .webp), (Array("GIF89a".utf8), .gif),
    (Array("\0\0\0\u{1c}ftypavif".utf8), .avif), ([0x1a, 4, 0x0a, 1, 0x61, 0x78], .mvt),
    ([0x1a, 4, 0x78, 2, 0x0a, 0x00], .mvt), ([0x1a, 0xff, 0xff, 0xff, 0xff, 0xff], nil),
    ([0x1a, 0x80], nil), ([0x1a, 9, 0x0a, 1], nil), ([], nil), ([0x89], nil),
    (Array("RIFF".utf8), nil),
    (Array("<!doctype html>".utf8), nil),
  ] as [([UInt8], TileFormat?)])
func aTileIsToldByItsBytes(bytes: [UInt8], format: TileFormat?) {
  #expect(TileFormat(sniffing: bytes) == format)
}

@Test func thePixelsOfATileStandInItsHeader() throws {
  #expect(try source(fixture("byte_png.pmtiles")).info.tilePixels == 256)
  #expect(try source(fixture("byte_webp.pmtiles")).info.tilePixels == 256)
  #expect(try source(fixture("world_l1.mbtiles")).info.tilePixels == 256)
}

@Test func aHeaderThatIsCutOffHasNoSize() throws {
  for (file, id) in [
    ("byte_png.pmtiles", tile(9, 88, 204)), ("byte_webp.pmtiles", tile(11, 354, 818)),
    ("world_l1.mbtiles", .world),
  ] {
    let picture = try #require(try source(fixture(file)).tile(at: id))
    let whole = try #require(PictureSize(header: picture))
    for count in 0..<min(picture.count, 1000) {
      let cut = PictureSize(header: Array(picture[..<count]))
      #expect(cut == nil || cut == whole)
    }
  }
}
