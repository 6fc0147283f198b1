import Foundation
import TestSupport
import Testing
import TileFormats

@Suite struct PictureSizeTests {
  private static let pictures = [
    ("basn2c08.png", 32, 32), ("osm-3-4-2.png", 256, 256), ("testorig.jpg", 227, 149),
    ("small_31x13.webp", 31, 13), ("lossless_vec_1_0.webp", 16, 16),
    ("alpha_filter_1.webp", 16, 16),
  ]

  private static func bytes(_ name: String) throws -> [UInt8] {
    let path = TestData.fixtures + "/images/" + name
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: pictures)
  func thePixelsOfAPictureStandInItsHeader(name: String, width: Int, height: Int) throws {
    let size = try #require(PictureSize(header: try Self.bytes(name)))
    #expect(size.width == width && size.height == height)
  }

  @Test(arguments: pictures.map(\.0))
  func aHeaderThatIsCutOffHasNoSize(name: String) throws {
    let picture = try Self.bytes(name)
    let whole = try #require(PictureSize(header: picture))
    for count in 0..<min(picture.count, 1000) {
      let cut = PictureSize(header: Array(picture[..<count]))
      #expect(cut == nil || cut == whole)
    }
  }

  @Test func aPNGThatDoesNotBeginWithItsHeaderHasNoSize() throws {
    var picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    picture += Array("IHDR".utf8)
    picture += [0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0]
    #expect(PictureSize(header: picture)?.width == 2)
    // A chunk that readers skip; the header may come after it.
    picture[12] = UInt8(ascii: "i")
    #expect(PictureSize(header: picture) == nil)
  }
}
