import TestSupport
import Testing

@testable import Images
@testable import Pixels

/// PNGs that are inflated at once are drawn exactly as libpng draws them, and refused where it
/// refuses.
@Suite struct DeflatedPNGTests {
  /// Draws with libpng alone and with what is quicker; true where the quicker one took it.
  @discardableResult
  private func compare(_ file: [UInt8], _ what: String) -> Bool {
    #expect(PNGFile.readersAgree(on: file), "\(what)")
    return file.withUnsafeBytes { DeflatedPNG($0, memory: DeflatedPNG.Memory()) != nil }
  }

  static let kinds: [(type: UInt8, depth: Int)] = [
    (0, 1), (0, 2), (0, 4), (0, 8), (3, 1), (3, 2), (3, 4), (3, 8), (2, 8), (4, 8), (6, 8),
  ]

  @Test(arguments: Self.kinds)
  func everyFilterIsUndoneAsLibpngUndoesIt(kind: (type: UInt8, depth: Int)) {
    for filter: UInt8 in 0...4 {
      let same = PNGFile.noise(type: kind.type, depth: kind.depth) { _ in filter }
      #expect(compare(same, "\(kind), filter \(filter)"))
    }
    let mixed = PNGFile.noise(type: kind.type, depth: kind.depth) { UInt8($0 * 7 % 5) }
    #expect(compare(mixed, "\(kind), mixed"))
    for size in [(1, 1), (2, 3), (3, 1), (256, 256)] {
      let other = PNGFile.noise(type: kind.type, depth: kind.depth, width: size.0, height: size.1) {
        UInt8(($0 + 3) % 5)
      }
      #expect(compare(other, "\(kind), \(size)"))
    }
    #expect(
      compare(PNGFile.noise(type: kind.type, depth: kind.depth, parts: 5) { _ in 4 }, "in parts"))
  }

  @Test func transparentPalettesAreDrawnAsLibpngDrawsThem() {
    for depth in [1, 2, 4, 8] {
      #expect(
        compare(PNGFile.noise(type: 3, depth: depth, transparency: true) { _ in 1 }, "\(depth)"))
    }
  }

  @Test func whatIsNotPlainAndWholeIsLeftToLibpng() throws {
    #expect(!compare(PNGFile.noise(type: 2, depth: 8) { $0 == 9 ? 5 : 0 }, "an unknown filter"))
    #expect(!compare(PNGFile.noise(type: 2, depth: 16) { _ in 0 }, "16 bits"))
    let whole = PNGFile.noise(type: 3, depth: 8) { _ in 2 }
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

  @Test func theTransparentGreyIsTakenAtThePicturesDepth() throws {
    for depth in [1, 2, 4, 8] {
      let most = (1 << depth) - 1
      // Every sample from 0 on, over and over.
      var row: [UInt8] = [0]
      for byte in 0..<2 * depth {
        var samples = 0
        for place in 0..<8 / depth {
          samples = samples << depth | (byte * 8 / depth + place) & most
        }
        row.append(UInt8(samples))
      }
      // The chunk has 16 bits; only those of the depth count (PNG 3rd edition, section 11.3.2.1).
      for clear in [1, most, most + 1, 0x0500 + most, 0xFFFF] {
        let file = PNGFile.bytes([
          PNGFile.header(16, 2, depth: depth, type: 0),
          .init("tRNS", [UInt8(clear >> 8), UInt8(clear & 255)]),
          .init("IDAT", PNGFile.stored(row + row)), .init("IEND", []),
        ])
        compare(file, "depth \(depth)")
        let picture = try Picture(file)
        for x in 0..<16 {
          let isClear = x & most == clear & most
          #expect(
            picture.pixels[x] >> 24 == (isClear ? 0 : 255), "depth \(depth), \(clear), x \(x)")
        }
      }
    }
  }

  @Test func aPaletteLongerThanItsDepthAllowsIsReadAsLibpngReadsIt() {
    for depth in [1, 2, 4] {
      let most = 1 << depth
      for (colours, alphas) in [
        (most, 0), (most, most), (most + 1, 0), (most + 1, most), (most + 1, most + 1),
        (3 * most, 2 * most), (256, 256),
      ] {
        let what = "depth \(depth), \(colours) colours, \(alphas) of them with an alpha"
        let file = PNGFile.indexed(depth: depth, colours: colours, alphas: alphas)
        #expect(compare(file, what) == (colours <= most), "\(what)")
      }
    }
    // A transparency without an entry is none.
    compare(PNGFile.indexed(depth: 4, colours: 16, alphas: 0, hasTransparency: true), "empty")
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
