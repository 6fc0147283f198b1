import MapGeometry
import Testing
import TileSources
import VectorPainting

@testable import VectorMaps

@Suite struct VectorMapSourceTests {
  private let layers = MadeMap.tile("earth", "roads", "places")

  private func map() -> MadeMap {
    let map = MadeMap()
    map.info.vectorLayers = ["earth", "roads", "places"]
    map.tiles = [.world: layers, MadeMap.id(1, 1, 0): layers, MadeMap.id(3, 5, 2): layers]
    return map
  }

  private func origin(_ source: any TileSource, _ z: Int, _ x: Int, _ y: Int) throws -> TileID? {
    guard case .payload(let payload) = try source.read(MadeMap.id(z, x, y)) else { return nil }
    #expect(payload.format == .mvt)
    return payload.origin
  }

  @Test func aTileIsAQuarterOfTheVectorTileAbove() throws {
    let source = try map().painted()
    #expect(try origin(source, 0, 0, 0) == .world)
    #expect(try origin(source, 1, 1, 1) == .world)
    #expect(try origin(source, 2, 3, 1) == MadeMap.id(1, 1, 0))
    #expect(try origin(source, 4, 11, 5) == MadeMap.id(3, 5, 2))
  }

  @Test func beyondTheDeepestLevelAndWhereOneIsMissingAnAncestorIsGiven() throws {
    let source = try map().painted()
    // Level 3 is the deepest.
    #expect(try origin(source, 24, 5 << 21, 2 << 21) == MadeMap.id(3, 5, 2))
    // There is no tile 2/2/1 and no 3/7/0.
    #expect(try origin(source, 3, 5, 2) == MadeMap.id(1, 1, 0))
    #expect(try origin(source, 9, 7 << 6, 0) == MadeMap.id(1, 1, 0))
    #expect(source.info.tileLevels == 0...3 + SourceInfo.mostDrawnBeyond)
  }

  @Test func fourLevelsAboveAMissingVectorTileIsAMapOfThePlaceAndFiveAreNot() throws {
    let map = map()
    map.info.maxZoom = 9
    map.tiles = [.world: layers, MadeMap.id(4, 0, 0): layers]
    let source = try map.painted()
    #expect(try origin(source, 9, 0, 0) == MadeMap.id(4, 0, 0))
    #expect(try origin(source, 10, 0, 0) == nil)
    // Beyond the deepest level, what counts is how far above that it is.
    #expect(try origin(source, 20, 0, 0) == nil)
    map.tiles[MadeMap.id(5, 0, 0)] = layers
    #expect(try origin(source, 20, 0, 0) == MadeMap.id(5, 0, 0))
  }

  @Test func noTileStandsInThatHasNoPartSoDeep() throws {
    let map = map()
    map.tiles = [MadeMap.id(1, 0, 0): layers]
    let source = try map.painted()
    let deepest = VectorTilePart.mostLevels
    #expect(source.info.tileLevels.upperBound == 3 + deepest)
    // Level 3 is the deepest; its tile is missing.
    #expect(try origin(source, 1 + deepest, 0, 0) == MadeMap.id(1, 0, 0))
    #expect(try origin(source, 2 + deepest, 0, 0) == nil)
  }

  @Test func whatIsAboveTheShallowestLevelIsMissing() throws {
    let map = map()
    map.info.minZoom = 2
    map.tiles[.world] = nil
    let source = try map.painted()
    #expect(source.info.tileLevels == 3...3 + SourceInfo.mostDrawnBeyond)
    #expect(try origin(source, 2, 0, 0) == nil)
    #expect(try origin(source, 4, 0, 0) == nil)
  }

  @Test func theTilesOfOneVectorTileReadItOnce() throws {
    let map = map()
    let source = try map.painted()
    for x in 10...11 {
      for y in 4...5 { #expect(try origin(source, 4, x, y) == MadeMap.id(3, 5, 2)) }
    }
    #expect(map.asked == [MadeMap.id(3, 5, 2)])
  }

  @Test func anEmptyTileIsATile() throws {
    let map = map()
    map.tiles[MadeMap.id(2, 0, 0)] = []
    let source = try map.painted()
    #expect(try origin(source, 3, 1, 1) == MadeMap.id(2, 0, 0))
  }

  @Test func aPromisedTileIsWaitedForAndNotReplaced() throws {
    let map = map()
    map.promised = [MadeMap.id(3, 5, 2)]
    let source = try map.painted()
    guard case .later = try source.read(MadeMap.id(4, 11, 5)) else {
      Issue.record("it is not waited for")
      return
    }
  }

  @Test func aPictureAmongVectorTilesIsATileErrorWithItsAddress() throws {
    let map = map()
    map.tiles[MadeMap.id(3, 5, 2)] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let source = try map.painted()
    #expect {
      _ = try source.read(MadeMap.id(4, 11, 5))
    } throws: {
      guard let error = $0 as? TileError else { return false }
      return error.tile == MadeMap.id(4, 11, 5) && error.reason.contains("3/5/2")
        && error.reason.contains("PNG")
    }
  }
}
