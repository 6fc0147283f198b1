import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import TileSources

/// A pack is whole if all bytes are there that its header promises, and nobody is writing it.
@Suite struct PackWholenessTests {
  enum Format: String, CaseIterable {
    case mbtiles, pmtiles
  }

  /// Writes a pack of a few tiles; its bytes.
  private func pack(_ format: Format, _ path: String) throws -> Data {
    let tiles = try TilePacks.tiles(of: TestData.fixtures + "/tiles/osm")
    switch format {
    case .mbtiles: try TilePacks.writeMBTiles(tiles, to: path)
    case .pmtiles: try TilePacks.writePMTiles(tiles, to: path)
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Why the pack is not whole; nil: it is.
  private func reason(_ path: String) -> String? {
    do throws(PackFault) {
      try PackWholeness.check(path: path, trust: .anywhere)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: Format.allCases) func aPackIsWholeToItsLastByte(_ format: Format) throws {
    let folder = try TemporaryFolder()
    let path = folder["a.\(format)"]
    let whole = try pack(format, path)
    #expect(reason(path) == nil)
    for count in [0, 1, 60, 100, 126, 127, 511, whole.count / 2, whole.count - 1] {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(reason(path) != nil, "\(count) of \(whole.count) bytes")
    }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(reason(path) == nil)
  }

  @Test func whatIsCutOffIsToldWithItsSizes() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.pmtiles"]
    let whole = try pack(.pmtiles, path)
    try whole.dropLast().write(to: URL(fileURLWithPath: path))
    let told = try #require(reason(path))
    let expected = "is not whole: it has \(whole.count - 1) bytes of at least \(whole.count)."
    #expect(told.hasPrefix(expected))
  }

  /// As tilemaker 3.0 writes it: 0 minus the offset.
  @Test func aLengthBelowZeroSaysNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.pmtiles"]
    var whole = try pack(.pmtiles, path)
    let offset = whole[56..<64].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    withUnsafeBytes(of: (0 &- offset).littleEndian) { whole.replaceSubrange(64..<72, with: $0) }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(reason(path) == nil)
  }

  @Test func aJournalBesideItMeansThatItIsBeingWritten() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    _ = try pack(.mbtiles, path)
    let journal = URL(fileURLWithPath: path + "-journal")
    // What is left where the journal is kept: empty, or its header wiped.
    for bytes in [Data(), Data(repeating: 0, count: 512)] {
      try bytes.write(to: journal)
      #expect(reason(path) == nil)
    }
    try Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [UInt8](repeating: 0, count: 504))
      .write(to: journal)
    #expect(reason(path)?.contains("-journal") == true)
  }
}
