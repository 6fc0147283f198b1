import Foundation
import Platform
import TestSupport
import Testing
import TileFormats
import TileServing

/// A picture that broke off is told by its end.
@Suite struct PictureEndTests {
  private func picture(_ name: String) throws -> [UInt8] {
    try FileIO.read(TestData.fixtures + "/images/" + name, limit: 1 << 20)
  }

  @Test(arguments: [
    ("basn3p08.png", TileFormat.png), ("derived-progressive.jpg", .jpeg),
    ("derived-grey.jpg", .jpeg), ("small_31x13.webp", .webp),
  ])
  func aPictureIsWholeWithItsLastByteAndNotBefore(name: String, format: TileFormat) throws {
    let bytes = try picture(name)
    try #require(TileFormat(sniffing: bytes) == format)
    #expect(PictureEnd.isThere(bytes, format))
    #expect(PictureEnd.isThere(bytes + [0, 10], format))
    // The last byte of a WebP file may only fill up the length to an even number.
    for count in 0..<(bytes.count - 1) {
      #expect(!PictureEnd.isThere(Array(bytes[..<count]), format), "\(count) of \(bytes.count)")
    }
  }

  @Test func theEndOfAThumbnailIsNotThatOfTheFile() throws {
    let bytes = try picture("derived-grey.jpg")
    // An application segment (APP1) right after the beginning, as Exif has it.
    let thumbnail: [UInt8] = [0xff, 0xe1, 0, 6, 0xff, 0xd8, 0xff, 0xd9]
    let file = Array(bytes[..<2]) + thumbnail + Array(bytes[2...])
    #expect(PictureEnd.isThere(file, .jpeg))
    for count in [11, 200, file.count - 1] {
      #expect(!PictureEnd.isThere(Array(file.prefix(count)), .jpeg))
    }
  }

  @Test func whatHasNoEndOfItsOwnIsNotJudged() {
    for format in [TileFormat.mvt, .gzip, .zstd, .unknown] {
      #expect(PictureEnd.isThere([1], format))
    }
  }
}
