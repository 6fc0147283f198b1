import TestSupport
import Testing

@testable import Images
@testable import Pixels

private let expected = TestFile.table(
  TestData.fixtures + "/images/expected.tsv", heading: false)

@Suite struct ImageDecodeTests {
  @Test(arguments: expected)
  func pixelsAreTheOnesStored(row: [String]) throws {
    let picture = try Picture(TestFile.fixture(row[0]))
    #expect([picture.width, picture.height] == [Int(row[1]), Int(row[2])])
    #expect(sha256Hex(picture.rgba) == row[3], "\(row[0])")
  }

  @Test func tableOfFixturesIsThere() { #expect(expected.count >= 27) }

  @Test(arguments: expected)
  func premultipliedPixelsAreTheRoundedProducts(row: [String]) throws {
    let file = try TestFile.fixture(row[0])
    let straight = try Picture(file).rgba
    let premultiplied = try Picture(file, straight: false)
    let products = straight.enumerated().map { i, value in
      let alpha = Int(straight[i | 3])
      return i & 3 == 3 ? value : UInt8((Int(value) * alpha + 127) / 255)
    }
    #expect(premultiplied.rgba == products)
    #expect(
      premultiplied.isOpaque == products.indices.allSatisfy { $0 & 3 < 3 || products[$0] == 255 })
  }

  @Test func premultiplyIsRoundedForEveryValueAndAlpha() {
    for alpha in UInt32(0)...255 {
      for value in UInt32(0)...255 {
        let result = ImagePremultiply.pixel(alpha << 24 | value << 16 | value << 8 | (255 - value))
        let product = (value * alpha + 127) / 255
        let other = ((255 - value) * alpha + 127) / 255
        guard result == alpha << 24 | product << 16 | product << 8 | other else {
          Issue.record("\(value) * \(alpha)")
          return
        }
      }
    }
  }

  @Test func opaqueTileIsDrawnInTheDisplaysFormat() throws {
    let file = try TestFile.fixture("osm-3-4-2.png")
    let straight = try Picture(file)
    var wide = [UInt32](repeating: 0, count: 256 * 256)
    var narrow = [UInt16](repeating: 0, count: 256 * 256)
    let decoder = TileDecoder()
    try file.withUnsafeBytes { bytes in
      let first = try wide.withUnsafeMutableBytes {
        try decoder.decode(bytes, edge: 256, opaque: .xrgb8888, into: $0)
      }
      let second = try narrow.withUnsafeMutableBytes {
        try decoder.decode(bytes, edge: 256, opaque: .rgb565, into: $0)
      }
      #expect(first == .drawn(.xrgb8888))
      #expect(second == .drawn(.rgb565))
    }
    let isStraight = wide == straight.pixels
    #expect(isStraight)
    let dithered = wide.enumerated().map { i, pixel in
      RGB565Dither.pack(pixel, x: i % 256, y: i / 256)
    }
    let isDithered = narrow == dithered
    #expect(isDithered)
    wide.withUnsafeMutableBytes { convertOpaqueTile($0, edge: 256, to: .rgb565) }
    let isConverted =
      wide.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self).prefix(65536)) } == dithered
    #expect(isConverted)
  }

  @Test(arguments: [TilePixelFormat.xrgb8888, .rgb565])
  func transparentTileAsksForRoomAndGetsIt(opaque: TilePixelFormat) throws {
    let file = try TestFile.fixture("basn6a16.png")
    var target = [UInt32](repeating: 0, count: 32 * 32)
    try file.withUnsafeBytes { bytes in
      try target.withUnsafeMutableBytes { room in
        let narrow = UnsafeMutableRawBufferPointer(rebasing: room.prefix(32 * 32 * 2))
        if opaque == .rgb565 {
          let outcome = try TileDecoder().decode(bytes, edge: 32, opaque: opaque, into: narrow)
          #expect(outcome == .needsAlphaRoom)
        }
        let outcome = try TileDecoder().decode(bytes, edge: 32, opaque: opaque, into: room)
        #expect(outcome == .drawn(.argb8888))
      }
    }
    let whole = try Picture(file, straight: false)
    let isSame = target == whole.pixels
    #expect(isSame)
  }

  @Test func rowsOfATileInAPictureLeaveWhatLiesBeside() throws {
    let file = try TestFile.fixture("basn2c08.png")
    var target = [UInt32](repeating: 7, count: 40 * 32)
    let opaque = try file.withUnsafeBytes { bytes in
      try target.withUnsafeMutableBytes {
        try TileDecoder().decodeARGB(bytes, edge: 32, into: $0.baseAddress!, rowBytes: 160)
      }
    }
    #expect(opaque)
    let whole = try Picture(file)
    for y in 0..<32 {
      #expect(Array(target[y * 40..<y * 40 + 32]) == Array(whole.pixels[y * 32..<y * 32 + 32]))
      #expect(target[y * 40 + 32..<y * 40 + 40].allSatisfy { $0 == 7 })
    }
  }

  @Test func targetTooSmallIsAnError() throws {
    let file = try TestFile.fixture("basn2c08.png")
    var target = [UInt32](repeating: 0, count: 31 * 32)
    #expect(throws: ImageError.self) {
      try file.withUnsafeBytes { bytes in
        try target.withUnsafeMutableBytes {
          _ = try TileDecoder().decode(bytes, edge: 32, opaque: .xrgb8888, into: $0)
        }
      }
    }
  }

  @Test(arguments: [
    ("xcsn0g01.png", "CRC error"), ("xhdn0g08.png", "CRC error"), ("xd0n2c08.png", "PNG: "),
    ("null_height.jpg", "JPEG: "), ("max_size.jpg", "JPEG: "),
    ("missing-frame-image-1410.jpg", "JPEG: "), ("xcrn0g04.png", "not an image"),
  ])
  func brokenFileIsAnErrorWithAReason(name: String, part: String) throws {
    let reason = decodeAllWays(try TestFile.fixture(name), decoder: TileDecoder())
    #expect(reason?.contains(part) == true, "\(reason ?? "drawn")")
  }

  @Test func pictureOverTheLimitIsRefusedBeforeItsPixels() throws {
    // The header says 2049 x 1 and 1 x 2^31 - 1; no data follow.
    for (size, part) in [
      ([0, 0, 8, 1, 0, 0, 0, 1], "2049x1 px"), ([0, 0, 0, 1, 0x7f, 255, 255, 255], "at most 2048"),
    ] as [([UInt8], String)] {
      let header: [UInt8] = Array("IHDR".utf8) + size + [8, 6, 0, 0, 0]
      let data = Array("IDAT".utf8)
      var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
      for part in [header, crc32(header), [0, 0, 0, 0], data, crc32(data)] { file += part }
      let reason = decodeAllWays(file, decoder: TileDecoder())
      #expect(reason?.contains(part) == true, "\(reason ?? "drawn")")
    }
  }

  @Test func cmykShowsItsColours() throws {
    let colours = try Picture(TestFile.fixture("derived-rgb.jpg"))
    let inks = try Picture(TestFile.fixture("derived-cmyk.jpg"))
    let apart = zip(colours.rgba, inks.rgba).map { abs(Int($0) - Int($1)) }
    #expect(apart.reduce(0, +) / apart.count <= 6)
  }
}

/// A PNG chunk's checksum, big endian (PNG 3rd edition, annex D).
func crc32(_ bytes: [UInt8]) -> [UInt8] {
  var crc: UInt32 = 0xffff_ffff
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? 0xedb8_8320 ^ (crc >> 1) : crc >> 1 }
  }
  crc = ~crc
  return (0..<4).map { UInt8(crc >> (24 - 8 * $0) & 255) }
}
