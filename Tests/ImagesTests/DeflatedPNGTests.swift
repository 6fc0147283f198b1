import TestSupport
import Testing

@testable import Images
@testable import Pixels

/// PNGs that are inflated at once are drawn exactly as libpng draws them, and refused where it refuses.
@Suite struct DeflatedPNGTests {
  private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var crc: UInt32 = 0xffff_ffff
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return big(UInt32(data.count)) + body + big(~crc)
  }

  private func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) }
  }

  /// A zlib stream that stores what it holds.
  private func stored(_ data: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65535) {
      let part = data[start..<min(start + 65535, data.count)]
      let count = UInt16(part.count)
      out.append(start + 65535 >= data.count ? 1 : 0)
      out +=
        [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + part
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return out + big(b << 16 | a)
  }

  /// A picture of noise; row `y` has the filter that `filter` gives it.
  private func file(
    type: UInt8, depth: Int, width: Int = 37, height: Int = 23, transparency: Bool = false,
    parts: Int = 1, filter: (Int) -> UInt8
  ) -> [UInt8] {
    var random = Seeded(state: UInt64(type) * 100 + UInt64(depth))
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(type)] ?? 1
    let rowBytes = (width * channels * depth + 7) / 8
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(filter(y))
      for _ in 0..<rowBytes { rows.append(UInt8.random(in: 0...255, using: &random)) }
    }
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += chunk(
      "IHDR", big(UInt32(width)) + big(UInt32(height)) + [UInt8(depth), type, 0, 0, 0])
    if type == 3 {
      let colours = 1 << depth
      file += chunk(
        "PLTE", (0..<colours * 3).map { _ in UInt8.random(in: 0...255, using: &random) })
      if transparency {
        file += chunk("tRNS", (0..<(colours + 1) / 2).map { UInt8(($0 * 37) & 255) })
      }
    }
    file += chunk("tEXt", Array("Comment\0none".utf8))
    let data = stored(rows)
    let size = (data.count + parts - 1) / parts
    for start in stride(from: 0, to: data.count, by: size) {
      file += chunk("IDAT", Array(data[start..<min(start + size, data.count)]))
    }
    return file + chunk("IEND", [])
  }

  /// Draws with libpng alone and with what is quicker; true where the quicker one took it.
  @discardableResult
  private func compare(_ file: [UInt8], _ what: String) -> Bool {
    let (slow, quick) = (TileDecoder(), TileDecoder())
    slow.usesLibPNGAlone = true
    for straight in [true, false] {
      let expected = try? Picture(file, straight: straight, decoder: slow)
      let drawn = try? Picture(file, straight: straight, decoder: quick)
      #expect(drawn == expected, "\(what)")
    }
    return file.withUnsafeBytes { DeflatedPNG($0, memory: DeflatedPNG.Memory()) != nil }
  }

  static let kinds: [(type: UInt8, depth: Int)] = [
    (0, 1), (0, 2), (0, 4), (0, 8), (3, 1), (3, 2), (3, 4), (3, 8), (2, 8), (4, 8), (6, 8),
  ]

  @Test(arguments: Self.kinds)
  func everyFilterIsUndoneAsLibpngUndoesIt(kind: (type: UInt8, depth: Int)) {
    for filter: UInt8 in 0...4 {
      let same = file(type: kind.type, depth: kind.depth) { _ in filter }
      #expect(compare(same, "\(kind), filter \(filter)"))
    }
    let mixed = file(type: kind.type, depth: kind.depth) { UInt8($0 * 7 % 5) }
    #expect(compare(mixed, "\(kind), mixed"))
    for size in [(1, 1), (2, 3), (3, 1), (256, 256)] {
      let other = file(type: kind.type, depth: kind.depth, width: size.0, height: size.1) {
        UInt8(($0 + 3) % 5)
      }
      #expect(compare(other, "\(kind), \(size)"))
    }
    #expect(compare(file(type: kind.type, depth: kind.depth, parts: 5) { _ in 4 }, "in parts"))
  }

  @Test func transparentPalettesAreDrawnAsLibpngDrawsThem() {
    for depth in [1, 2, 4, 8] {
      #expect(compare(file(type: 3, depth: depth, transparency: true) { _ in 1 }, "\(depth)"))
    }
  }

  @Test func whatIsNotPlainAndWholeIsLeftToLibpng() throws {
    #expect(!compare(file(type: 2, depth: 8) { $0 == 9 ? 5 : 0 }, "an unknown filter"))
    #expect(!compare(file(type: 2, depth: 16) { _ in 0 }, "16 bits"))
    let whole = file(type: 3, depth: 8) { _ in 2 }
    #expect(compare(whole, "whole"))
    #expect(!compare(whole.dropLast(12), "no end"))
    #expect(!compare(try TestFile.fixture("basi6a08.png"), "interlaced"))
    // One bit of any checked chunk changed, wherever.
    for at in stride(from: 8, to: whole.count, by: 3) {
      var changed = whole
      changed[at] ^= 4
      compare(changed, "byte \(at) changed")
    }
  }

  @Test func filesOfTheProjectAreDrawnAlike() throws {
    var quick = 0
    for path in TestFile.all(below: TestData.fixtures + "/images") where path.hasSuffix(".png") {
      quick += compare(try TestFile.bytes(path), path) ? 1 : 0
    }
    #expect(quick > 3)
  }

  @Test(.enabled(if: TestData.large != nil, "large data set not at hand"))
  func filesOfTheDataSetAreDrawnAlike() throws {
    var quick = 0
    for folder in [
      "/png", "/raster-dirs/osm-standard-z3-5/3", "/raster-dirs/partial-regional-z0-5-rgba",
    ] {
      for path in TestFile.all(below: TestData.large! + folder) where path.hasSuffix(".png") {
        quick += compare(try TestFile.bytes(path), path) ? 1 : 0
      }
    }
    #expect(quick > 100)
  }
}
