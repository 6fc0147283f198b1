import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import TileSources

/// Packs that were made to exhaust whoever reads them: time, memory or stack.
@Suite(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct HostileFilesTests {
  private static let folder = (TestData.large ?? "") + "/hostile/"

  /// What each pack, or its first tile, is refused with.
  private static let refused: [(name: String, reason: String)] = [
    ("deep.mbtiles", "Expression tree is too large"),
    ("gz16m.mbtiles", "the tile unpacks to more than 16777216 bytes"),
    ("instr.mbtiles", "not authorized to use function: instr"),
    ("like.mbtiles", "string or blob too big"),
    ("like6000.mbtiles", "string or blob too big"),
    ("slow.mbtiles", "has a view that does more than look up tiles"),
    ("slow1.mbtiles", "has a view that does more than look up tiles"),
    ("sort.mbtiles", "not authorized to use function: randomblob"),
    ("sort2.mbtiles", "not authorized to use function: randomblob"),
    ("vblob.mbtiles", "not authorized to use function: zeroblob"),
    ("vblob16.mbtiles", "not authorized to use function: zeroblob"),
    ("views200.mbtiles", "has more than 16 views"),
    ("views1000.mbtiles", "has more than 16 views"),
    ("dbomb_br.pmtiles", "unpacks to more than 8388608 bytes"),
    ("dbomb_br16.pmtiles", "unpacks to more than 8388608 bytes"),
    ("dbomb_zst.pmtiles", "unpacks to more than 8388608 bytes"),
    ("leafloop.pmtiles", "has leaf directories more than 3 deep"),
    ("tbomb_br.pmtiles", "the tile unpacks to more than 16777216 bytes"),
    ("tbomb_zst.pmtiles", "the tile unpacks to more than 16777216 bytes"),
  ]

  /// Packs whose tile is within the limits, however odd the rest is.
  private static let harmless = [
    "bigdir.pmtiles", "tbomb_br16.pmtiles", "meta500.pmtiles", "meta1000.pmtiles",
    "meta2040.pmtiles", "metao500.pmtiles", "metao1000.pmtiles", "metao2040.pmtiles",
  ]

  /// What reading the first tile is refused with; "read" where it is not.
  private func outcome(_ name: String) -> String {
    let path = Self.folder + name
    do throws(SourceError) {
      let map = try source(path)
      return refusal(map, name == "gz16m.mbtiles" ? tile(1, 0, 0) : .world)
    } catch {
      return error.description
    }
  }

  @Test(arguments: refused.map(\.name))
  func aPackThatAsksForTooMuchIsRefused(_ name: String) throws {
    let reason = try #require(Self.refused.first { $0.name == name }?.reason)
    let outcome = outcome(name)
    #expect(outcome.contains(reason), "\(outcome)")
  }

  @Test(arguments: harmless)
  func whatIsOddAndWithinTheLimitsIsRead(_ name: String) {
    let outcome = outcome(name)
    #expect(outcome == "read")
  }

  @Test func everyPackOfTheFolderIsTried() throws {
    let all = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { $0.hasSuffix(".mbtiles") || $0.hasSuffix(".pmtiles") }
    #expect(all.sorted() == (Self.refused.map(\.name) + Self.harmless).sorted())
  }
}
