import TestSupport
import Testing
import TileFormats

@testable import Images
@testable import Pixels

private func sniff(_ bytes: [UInt8]) -> ImageFormat { bytes.withUnsafeBytes(ImageFormat.sniff) }
private func sniff(_ text: String) -> ImageFormat { sniff(Array(text.utf8)) }

@Suite struct ImageFormatTests {
  @Test(arguments: [
    ("basn2c08.png", ImageFormat.png), ("testorig.jpg", .jpeg), ("small_1x1.webp", .webp),
    ("git-lfs-pointer.png", .gitLFSPointer), ("valid-007.mvt", .mvt), ("xs1n0g01.png", .unknown),
    ("README.md", .text),
  ])
  func formatIsToldByContent(name: String, format: ImageFormat) throws {
    #expect(sniff(try TestFile.fixture(name)) == format)
  }

  @Test func signaturesOfWhatIsNotDrawnAreKnown() {
    #expect(sniff([]) == .empty)
    #expect(sniff("GIF89a....") == .gif)
    #expect(sniff([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]) == .tiff)
    #expect(sniff([0, 0, 0, 0x1c] + Array("ftypavif".utf8)) == .avif)
    #expect(sniff([0x1f, 0x8b, 8, 0]) == .gzip)
    #expect(sniff("\n {\"error\": \"no tile\"}") == .json)
    #expect(sniff("\u{feff}[1]") == .json)
    #expect(sniff("<!DOCTYPE html><title>404</title>") == .html)
    #expect(sniff("Tile not found, s\u{f6}rry\n") == .text)
    #expect(sniff([0xff, 0xd8]) == .unknown)
    #expect(sniff([0x41, 0x80, 0x80, 0x41]) == .unknown)
  }

  @Test func vectorTileMustBeFramedToItsLastByte() throws {
    let tile = try TestFile.fixture("valid-007.mvt")
    for count in 1..<tile.count { #expect(sniff(Array(tile.prefix(count))) != .mvt) }
    #expect(sniff(tile + [0x1a]) != .mvt)
    // A length of 2^63 and a varint without an end.
    #expect(sniff([0x1a] + Array(repeating: 0x80, count: 9) + [1]) != .mvt)
    #expect(sniff([0x1a] + Array(repeating: 0xff, count: 40)) != .mvt)
  }

  @Test(.enabled(if: TestData.large != nil, "large data set not at hand"))
  func realVectorTilesAreRecognised() throws {
    let files = TestFile.all(below: TestData.large! + "/vector/maplibre-demotiles-sparse-dir")
      .filter { $0.hasSuffix(".pbf") }
    #expect(files.count == 19)
    for file in files { #expect(sniff(try TestFile.bytes(file)) == .mvt, "\(file)") }
  }

  @Test(arguments: [
    ("git-lfs-pointer.png", "git lfs pull"), ("valid-007.mvt", "a vector tile (MVT)"),
    ("README.md", "plain text"), ("xs1n0g01.png", "neither PNG, JPEG nor WebP"),
    ("derived-animation.webp", "an animation"),
  ])
  func refusalSaysWhatTheBytesAre(name: String, part: String) throws {
    let file = try TestFile.fixture(name)
    // Swift 6.0's `#expect(throws:)` does not return the error.
    #expect {
      try file.withUnsafeBytes { _ = try TileDecoder().probe($0) }
    } throws: {
      ($0 as? ImageError)?.reason.contains(part) == true
    }
  }
}
