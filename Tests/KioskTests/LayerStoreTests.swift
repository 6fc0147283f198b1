import Testing

@testable import Kiosk

/// The numbers of the layers' tiles.
@Suite struct LayerStoreTests {
  /// To the scene it would be the layer that had the number before, whose picture would stay.
  @Test func aNumberThatIsTakenAgainBeforeTheSceneKnowsHasAllDrawnAgain() throws {
    let bench = try Bench([])
    try bench.settle()
    let store = bench.kiosk.book.overlays.store
    let index = try #require(store.takeIndex())
    #expect(!store.outbox.take(.emptied))
    store.giveBack(index)
    #expect(store.takeIndex() == index)
    #expect(store.outbox.take(.emptied))
    store.giveBack(index)
    _ = bench.kiosk.book.layersForScene()
    #expect(store.takeIndex() == index)
    #expect(!store.outbox.take(.emptied))
  }
}
