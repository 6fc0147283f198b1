import TestSupport
import Testing

@testable import Images
@testable import Pixels

private let drawable = [
  "basn3p08.png", "basi6a08.png", "basn2c16.png", "tbbn3p08.png", "osm-3-4-2.png",
  "testorig.jpg", "testimgari.jpg", "derived-progressive.jpg", "derived-cmyk.jpg",
  "small_31x13.webp", "alpha_color_cache.webp",
]

@Suite struct ImageHostileTests {
  @Test(arguments: drawable)
  func fileThatEndsEarlyIsAlwaysAnError(name: String) throws {
    let file = try TestFile.fixture(name)
    let decoder = TileDecoder()
    // WebP files may be padded by a byte, which is no part of the picture.
    let last = name.hasSuffix(".webp") ? file.count - 2 : file.count - 1
    for count in Set((0...60).map { $0 * last / 60 } + [last, last - 1, last - 9, last - 12]) {
      let reason = decodeAllWays(Array(file.prefix(count)), decoder: decoder)
      #expect(reason != nil, "\(count) of \(file.count) bytes were drawn")
    }
  }

  @Test(arguments: drawable)
  func changedBytesAreSurvived(name: String) throws {
    let file = try TestFile.fixture(name)
    let decoder = TileDecoder()
    var random = Seeded(state: UInt64(file.count))
    var drawn = 0
    for _ in 0..<60 {
      var changed = file
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      if decodeAllWays(changed, decoder: decoder) == nil { drawn += 1 }
    }
    // Whatever came before, the whole file is drawn as ever.
    #expect(try Picture(file, decoder: decoder) == Picture(file))
    #expect(drawn < 60)
  }

  @Test func randomBytesBehindASignatureAreSurvived() throws {
    let decoder = TileDecoder()
    var random = Seeded(state: 4)
    for name in ["basn2c08.png", "testorig.jpg", "small_31x13.webp"] {
      for head in [3, 8, 12, 30, 40] {
        let start = try TestFile.fixture(name).prefix(head)
        for _ in 0..<20 {
          let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
          #expect(decodeAllWays(Array(start) + noise, decoder: decoder) != nil)
        }
      }
    }
  }

  @Test func sampleBeyondThePaletteIsOpaqueBlack() throws {
    // 2 x 1 pixels of 8 bits, samples 0 and 255, a palette of one colour.
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(name.utf8) + data
      return [0, 0, 0, UInt8(data.count)] + body + crc32(body)
    }
    let stored: [UInt8] = [0x78, 1, 1, 3, 0, 0xfc, 0xff, 0, 0, 255]  // deflate, not compressed
    let adler: [UInt8] = [1, 2, 1, 0]  // RFC 1950 §8.2: b = 1 + 1 + 256, a = 256
    let file =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, 8, 3, 0, 0, 0]) + chunk("PLTE", [10, 20, 30])
      + chunk("IDAT", stored + adler) + chunk("IEND", [])
    #expect(try Picture(file).pixels == [0xff0a_141e, 0xff00_0000])
  }

  /// Its 44 colours are more than 4 bits can name.
  @Test(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
  func aPaletteLongerThanItsDepthAllowsIsDrawn() throws {
    let file = try TestFile.bytes((TestData.large ?? "") + "/hostile/palette44_depth4.png")
    #expect(decodeAllWays(file, decoder: TileDecoder()) == nil)
  }

  @Test func progressiveFileOfEndlessScansIsRefused() throws {
    var file = try TestFile.fixture("derived-progressive.jpg")
    // The last scan, from its header to the end marker, over and over.
    let scan = file.indices.dropLast(1).last { file[$0] == 0xff && file[$0 + 1] == 0xda }!
    let last = Array(file[scan..<file.count - 2])
    file.removeLast(2)
    for _ in 0..<400 { file += last }
    file += [0xff, 0xd9]
    let reason = decodeAllWays(file, decoder: TileDecoder())
    #expect(reason == "JPEG: more than 100 scans")
  }
}
