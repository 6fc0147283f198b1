import TestSupport
import Testing
import TileFormats

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
