import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Few requests within a price, and estimates from samples.
@Suite struct RangePlanTests {
  @Test func smallGapsAreClosedFirst() {
    let pieces = [(0, 100), (110, 100), (250, 100), (351, 49)].map {
      JoinedSpans.Piece(offset: UInt64($0.0), length: UInt32($0.1))
    }
    // Gaps of 10, 40 and 1; 349 bytes are wanted.
    func spans(_ overfetch: Double) -> [Range<Int>] {
      JoinedSpans(pieces, overfetch: overfetch, limit: 1000).spans.map(\.pieces)
    }
    #expect(spans(0) == [0..<1, 1..<2, 2..<3, 3..<4])
    #expect(spans(0.01) == [0..<1, 1..<2, 2..<4])
    #expect(spans(0.04) == [0..<2, 2..<4])
    #expect(spans(0.2) == [0..<4])
    let all = JoinedSpans(pieces, overfetch: 0.2, limit: 1000)
    #expect(all.bytes == 400 && all.unlimited == 1)
  }

  @Test func requestsKeepToTheirLimitAndHaveAllPieces() {
    var random = SeededNumbers(5)
    for _ in 0..<50 {
      var pieces: [JoinedSpans.Piece] = []
      var offset: UInt64 = 0
      for _ in 0..<random.next(1..<200) {
        offset += random.next(0..<3) == 0 ? UInt64(random.next(0..<500)) : 0
        let length = UInt32(random.next(1..<300))
        pieces.append(JoinedSpans.Piece(offset: offset, length: length))
        offset += UInt64(length)
      }
      let wanted = pieces.reduce(0) { $0 + Int($1.length) }
      let joined = JoinedSpans(pieces, overfetch: 0.1, limit: 1000)
      #expect(joined.spans.flatMap { Array($0.pieces) } == Array(pieces.indices))
      #expect(Double(joined.bytes) <= Double(wanted) * 1.1)
      for span in joined.spans {
        #expect(span.span.count <= 1000)
        #expect(span.span.offset == pieces[span.pieces.lowerBound].offset)
        #expect(span.span.end == pieces[span.pieces.upperBound - 1].end)
      }
    }
  }

  @Test func aPlanCountsExactlyAndMeasuresASample() throws {
    let folder = try TemporaryFolder()
    let made = MadePyramid.tiles(zooms: 0...5).map {
      (id: $0.id, bytes: $0.bytes + [UInt8](repeating: 1, count: 1000))
    }
    try TilePacks.writeMBTiles(made, to: folder["a.mbtiles"])
    let source = try SourceSpec(name: "a", location: .path(folder["a.mbtiles"])).open()
    let tiles = try Region.world.tiles(zooms: 0...6)
    let plan = PackPlan(tiles, zooms: 0...6, sizes: try TileSizes(of: source, tiles: tiles))
    #expect(plan.sizes.isMeasured)
    #expect(plan.tiles == 5461)
    for level in plan.levels {
      let mean = Double(level.bytes) / Double(level.tiles)
      #expect(mean > 1000 && mean < 1120)
    }
    let unknown = PackPlan(tiles, zooms: 0...6, sizes: TileSizes())
    #expect(!unknown.sizes.isMeasured && unknown.bytes == unknown.tiles * 100_000)
  }

  @Test func aPlanOfMoreThanCanBeCountedIsToldAsTheMost() throws {
    let tiles = try Region.world.tiles(zooms: 22...24)
    let plan = PackPlan(tiles, zooms: 22...24, sizes: TileSizes())
    #expect(plan.levels[0].bytes == UInt64(1 << 44) * 100_000)
    #expect(plan.levels[1].bytes == UInt64(1 << 46) * 100_000)
    #expect(plan.levels[2].bytes == UInt64(Int64.max))
    #expect(plan.bytes == UInt64(Int64.max))
  }

  @Test func aSampleIsSpreadOverTheSet() throws {
    let tiles = try Region.world.tiles(zooms: 4...4)
    let sample = tiles.spread(zoom: 4, upTo: 16)
    #expect(sample.count == 16 && Set(sample.compactMap { $0.ancestor(2) }).count == 16)
    #expect(tiles.spread(zoom: 4, upTo: 1000).count == 256)
    #expect(Set(tiles.spread(zoom: 4, upTo: 1000)).count == 256)
    #expect(tiles.spread(zoom: 5, upTo: 10).isEmpty)
  }
}
