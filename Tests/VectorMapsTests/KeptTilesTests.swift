import MapGeometry
import Testing
import TileSources
import VectorPainting

@testable import VectorMaps

/// Stands for a source.
private final class Owner {
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

@Suite struct KeptTilesTests {
  private let one = Owner()
  private let other = Owner()

  private func tile(_ x: Int) -> TileID { MadeMap.id(12, x, 7) }

  private func insert(_ kept: KeptTiles, _ x: Int, from owner: Owner, bytes: Int = 100) {
    let payload = TilePayload([UInt8](repeating: 1, count: bytes), format: .mvt)
    kept.insert(payload, of: tile(x), from: owner.id)
  }

  private func has(_ kept: KeptTiles, _ x: Int, from owner: Owner) -> Bool {
    kept.payload(of: tile(x), from: owner.id) != nil
  }

  @Test func aTileIsFoundBySourceAndAddress() {
    let kept = KeptTiles()
    insert(kept, 1, from: one)
    #expect(has(kept, 1, from: one))
    #expect(!has(kept, 1, from: other))
    #expect(!has(kept, 2, from: one))
  }

  @Test func theLimitsHoldForAllSourcesTogether() {
    let kept = KeptTiles()
    for x in 0..<6 {
      insert(kept, x, from: one)
      insert(kept, x, from: other)
    }
    #expect(kept.bytes == KeptTiles.most * 100)
    #expect(!has(kept, 1, from: one))
    #expect(has(kept, 2, from: one))
    // A tile as large as all may be together is kept alone.
    insert(kept, 9, from: other, bytes: KeptTiles.mostBytes)
    #expect(kept.bytes == KeptTiles.mostBytes)
    #expect(has(kept, 9, from: other))
  }

  @Test func theSameTileReadAgainReplacesTheFormer() {
    let kept = KeptTiles()
    insert(kept, 1, from: one, bytes: 100)
    insert(kept, 1, from: one, bytes: 60)
    #expect(kept.bytes == 60)
  }

  @Test func whatIsNotUsedBetweenTwoLooksIsFreed() {
    let kept = KeptTiles()
    insert(kept, 1, from: one)
    insert(kept, 2, from: one)
    kept.age()
    #expect(has(kept, 2, from: one))
    kept.age()
    #expect(!has(kept, 1, from: one))
    #expect(kept.bytes == 100)
    kept.age()
    #expect(kept.bytes == 0)
  }

  @Test func aTileWhoseQuartersWerePaintedIsNoLongerKept() throws {
    let kept = KeptTiles()
    let payload = TilePayload([UInt8](repeating: 1, count: 100), format: .mvt)
    kept.insert(payload, of: tile(1), from: one.id)
    insert(kept, 2, from: one)
    func finish(_ levels: Int, _ column: Int, _ row: Int) throws {
      let part = try #require(VectorTilePart(levels: levels, column: column, row: row))
      kept.finish(part, of: payload)
    }
    for _ in 0..<4 { try finish(1, 0, 0) }
    try finish(1, 1, 0)
    try finish(1, 0, 1)
    // A part of the deepest tile says nothing of the others.
    try finish(2, 3, 3)
    #expect(has(kept, 1, from: one))
    try finish(1, 1, 1)
    #expect(!has(kept, 1, from: one))
    #expect(has(kept, 2, from: one))
    #expect(kept.bytes == 100)
  }

  /// Opens a map and reads a tile of it. It is closed afterwards.
  private func readOnce(_ kept: KeptTiles) throws {
    let map = MadeMap()
    map.info.vectorLayers = ["earth", "roads", "places"]
    map.tiles = [MadeMap.id(3, 5, 2): MadeMap.tile("earth", "roads", "places")]
    let source = try map.painted(kept: kept)
    _ = try source.read(MadeMap.id(4, 11, 5))
    #expect(kept.bytes > 0)
  }

  @Test func aClosedSourceLeavesNothing() throws {
    let kept = KeptTiles()
    try readOnce(kept)
    #expect(kept.bytes == 0)
  }
}
