import MapGeometry
import Synchronization
import Testing
import TileSources

@testable import VectorMaps

/// A vector map passes on what its tiles' source tells.
@Suite struct TroubleTests {
  private final class Provider: TroubledSource {
    private let map = MadeMap()
    var info: SourceInfo { map.info }

    init() { map.tiles = [.world: MadeMap.tile("water", "roads")] }

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      try map.read(id, into: &buffer)
    }

    func contains(_ id: TileID) throws(TileError) -> Bool { try map.contains(id) }

    func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void) {
      action(SourceError(file: "provider", reason: "is full"))
      action(nil)
    }
  }

  @Test func theTroubleOfItsSourceIsTheMaps() throws {
    let spec = SourceSpec(name: "made", location: .path("made.pmtiles"))
    let map = try VectorMap.painted(Provider(), spec, scale: 1, kept: KeptTiles())
    let told = Mutex<[String?]>([])
    let source = try #require(map as? any TroubledSource)
    source.whenTroubled { error in told.withLock { $0.append(error?.description) } }
    #expect(told.withLock { $0 } == ["provider: is full", nil])
  }
}
