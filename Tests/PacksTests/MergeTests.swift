import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// Several packs become one.
struct MergeTests {
  private static func png() throws -> [UInt8] {
    try PackTest.bytes(of: TestData.fixtures + "/images/osm-3-4-2.png")
  }

  private func pack(
    _ path: String, _ stretches: [(UInt64, UInt64, [UInt8])], attribution: String = ""
  ) throws {
    let writer = try PMTilesWriter(target: path)
    for (first, count, bytes) in stretches { try PackTest.add(first, count, bytes, to: writer) }
    var description = PackDescription()
    if !attribution.isEmpty { description["attribution"] = .text(attribution) }
    _ = try writer.finish(description)
  }

  @Test func theFirstNamedWins() throws {
    let folder = try TemporaryFolder()
    let png = try MergeTests.png()
    let (a, b, c) = (png + [1], png + [2], png + [3])
    try pack(folder["a.pmtiles"], [(10, 5, a), (30, 1, a)])
    try pack(folder["b.pmtiles"], [(0, 20, b), (25, 10, b)])
    try pack(folder["c.pmtiles"], [(0, 40, c)])
    try PackTest.convert(
      [folder["a.pmtiles"], folder["b.pmtiles"], folder["c.pmtiles"]], to: folder["m.mbtiles"])
    let read = try PackTest.tiles(of: folder["m.mbtiles"])
    for number in 0..<40 as Range<UInt64> {
      let expected =
        (10..<15).contains(number) || number == 30
        ? a : number < 20 || (25..<35).contains(number) ? b : c
      #expect(read[number] == expected, "\(number)")
    }
    #expect(read.count == 40)
  }

  @Test func attributionsAreJoined() throws {
    let folder = try TemporaryFolder()
    let png = try MergeTests.png()
    try pack(folder["a.pmtiles"], [(0, 1, png)], attribution: "© A")
    try pack(folder["b.pmtiles"], [(1, 1, png)], attribution: "© B")
    try pack(folder["c.pmtiles"], [(2, 1, png)], attribution: "© A")
    try PackTest.convert(
      ["a", "b", "c"].map { folder[$0 + ".pmtiles"] }, to: folder["m.pmtiles"])
    let text = try PackReaders.open(folder["m.pmtiles"]).description.text("attribution")
    #expect(text == "© A | © B")
  }

  @Test func differentFormatsAreRefusedWithWhatWouldBeRight() throws {
    let folder = try TemporaryFolder()
    let other = PackTest.packs + "/point_polygon.mbtiles"
    let error = packError {
      try PackTest.convert([PackTest.osm, other], to: folder["m.pmtiles"])
    }
    #expect(error?.reason.contains("vector tiles") == true)
    #expect(error?.reason.contains("paths") == true)
    let names = try PackTest.names(in: folder.path)
    #expect(names.isEmpty)
  }

  @Test func differentTileSizesAreRefused() throws {
    let folder = try TemporaryFolder()
    let error = packError {
      try PackTest.convert(
        [PackTest.osm, TestData.fixtures + "/tiles/osm-2x"], to: folder["m.pmtiles"])
    }
    #expect(error?.reason.contains("512") == true)
  }

  @Test func aLongStretchOfEqualTilesCanBeStopped() throws {
    let folder = try TemporaryFolder()
    try pack(folder["sea.pmtiles"], [(HilbertID.start(ofLevel: 10), 1 << 20, MergeTests.png())])
    var heard: [UInt64] = []
    let writer = try MBTilesWriter(target: folder["m.mbtiles"])
    let error = packError {
      try PackCopy([folder["sea.pmtiles"]], to: .mbtiles).run(into: writer, what: "test") {
        heard.append($0.done)
        return heard.count < 3
      }
    }
    #expect(error == .stopped && heard == [65_536, 131_072, 196_608])
    let names = try PackTest.names(in: folder.path)
    #expect(names == ["sea.pmtiles"])
  }
}
