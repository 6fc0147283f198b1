import Foundation
import TestSupport
import Testing
import TileFormats

private func sniff(_ bytes: [UInt8]) -> TileFormat { TileFormat(sniffing: bytes) }
private func sniff(_ text: String) -> TileFormat { sniff(Array(text.utf8)) }

private func fixture(_ name: String) throws -> [UInt8] {
  let folder = TestData.fixtures + "/images/"
  return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + name)))
}

@Suite struct TileFormatTests {
  @Test(arguments: [
    ("basn2c08.png", TileFormat.png), ("testorig.jpg", .jpeg), ("small_1x1.webp", .webp),
    ("git-lfs-pointer.png", .gitLFSPointer), ("valid-007.mvt", .mvt), ("xs1n0g01.png", .unknown),
    ("README.md", .text),
  ])
  func formatIsToldByContent(name: String, format: TileFormat) throws {
    #expect(sniff(try fixture(name)) == format)
  }

  @Test func signaturesOfWhatIsNotDrawnAreKnown() {
    #expect(sniff([]) == .empty)
    #expect(sniff("GIF89a....") == .gif)
    #expect(sniff("GIF87a") == .gif)
    #expect(sniff("GIF88a") == .text)
    #expect(sniff([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]) == .tiff)
    #expect(sniff([0x4d, 0x4d, 0, 0x2a]) == .tiff)
    #expect(sniff([0x49, 0x49, 0x2a]) == .text)
    #expect(sniff([0, 0, 0, 0x1c] + Array("ftypavif".utf8)) == .avif)
    #expect(sniff([0, 0, 0, 0x1c] + Array("ftypavis".utf8)) == .avif)
    #expect(sniff([0, 0, 0, 0x1c] + Array("ftypheic".utf8)) == .unknown)
    #expect(sniff([0x1f, 0x8b, 8, 0]) == .gzip)
    #expect(sniff([0x28, 0xb5, 0x2f, 0xfd, 0x20]) == .zstd)
    #expect(sniff([0x28, 0xb5, 0x2f]) == .unknown)
    #expect(sniff("\n {\"error\": \"no tile\"}") == .json)
    #expect(sniff("\u{feff}[1]") == .json)
    #expect(sniff("<!DOCTYPE html><title>404</title>") == .html)
    #expect(sniff("Tile not found, s\u{f6}rry\n") == .text)
    #expect(sniff(" \n") == .text)
    #expect(sniff("RIFF") == .text)
    #expect(sniff("RIFF\0\0\0\0WEBP") == .webp)
    #expect(sniff([0xff, 0xd8, 0xff]) == .jpeg)
    #expect(sniff([0xff, 0xd8]) == .unknown)
    #expect(sniff([0x89]) == .unknown)
    #expect(sniff([0x41, 0x80, 0x80, 0x41]) == .unknown)
  }

  @Test func vectorTileMustBeFramedToItsLastByte() throws {
    let tile = try fixture("valid-007.mvt")
    for count in 1..<tile.count { #expect(sniff(Array(tile.prefix(count))) != .mvt) }
    #expect(sniff(tile + [0x1a]) != .mvt)
    // A length of 2^63 and a varint without an end.
    #expect(sniff([0x1a] + Array(repeating: 0x80, count: 9) + [1]) != .mvt)
    #expect(sniff([0x1a] + Array(repeating: 0xff, count: 40)) != .mvt)
  }

  @Test func aLayerOfAVectorTileHasANameAndWholeFields() {
    #expect(sniff([0x1a, 5, 0x0a, 1, 0x61, 0x78, 2]) == .mvt)
    #expect(sniff([0x1a, 5, 0x78, 2, 0x0a, 1, 0x61]) == .mvt)
    // A version without its number, no name, a layer longer than the tile, a field that is no
    // layer.
    #expect(sniff([0x1a, 4, 0x0a, 1, 0x61, 0x78]) == .unknown)
    #expect(sniff([0x1a, 2, 0x78, 2]) == .unknown)
    #expect(sniff([0x1a, 9, 0x0a, 1]) == .unknown)
    #expect(sniff([0x12, 3, 0x0a, 1, 0x61]) == .unknown)
  }

  @Test func aFormatIsDrawnOrSaysWhyNot() {
    for format in TileFormat.allCases { #expect(format.isDrawn == (format.refusal == nil)) }
    #expect(TileFormat.allCases.filter(\.isDrawn) == [.png, .jpeg, .webp])
    #expect(TileFormat.mvt.isMapTile && !TileFormat.gzip.isMapTile && !TileFormat.html.isMapTile)
    #expect(!TileFormat.zstd.isMapTile)
  }

  @Test(.enabled(if: TestData.large != nil, "large data set not at hand"))
  func realVectorTilesAreRecognised() throws {
    let folder = try #require(TestData.large) + "/vector/maplibre-demotiles-sparse-dir"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".pbf") }
    #expect(files.count == 19)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
      #expect(sniff(bytes) == .mvt, "\(file)")
    }
  }
}
