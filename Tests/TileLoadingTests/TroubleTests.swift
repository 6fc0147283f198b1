import MapGeometry
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// What a source tells while it is open.
@Suite struct TroubleTests {
  /// Whoever follows the source.
  private final class Follower: Sendable {
    let action = Mutex<(@Sendable (SourceError?) -> Void)?>(nil)

    func tell(_ error: SourceError?) { action.withLock { $0 }?(error) }
  }

  private final class Source: TroubledSource {
    let info = SourceInfo(kind: "troubled")
    private let follower: Follower

    init(_ follower: Follower) { self.follower = follower }

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      .nothing
    }

    func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void) {
      follower.action.withLock { $0 = action }
      action(SourceError(file: "store", reason: "is full"))
    }
  }

  @Test func theTroubleOfAnOpenSourceIsToldUntilItIsRemoved() throws {
    let rig = Rig()
    let follower = Follower()
    rig.loader?.setSource(3, name: "map") { .success(Source(follower)) }
    rig.loader?.open(3)
    #expect(rig.run { $0.troubles.count == 1 })
    #expect(rig.opened == [3])
    #expect(rig.troubles[0]?.description == "store: is full")
    follower.tell(nil)
    #expect(rig.run { $0.troubles.count == 2 })
    #expect(rig.troubles[1] == nil)
    rig.loader?.removeSource(3)
    follower.tell(SourceError(file: "store", reason: "is full again"))
    rig.collect()
    #expect(rig.troubles.count == 2)
  }
}
