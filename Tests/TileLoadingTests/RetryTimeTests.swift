import MapGeometry
import Testing

@testable import TileLoading

/// When a tile is asked for again.
@Suite struct RetryTimeTests {
  private let a = tile(4, 3, 3)
  private let second: UInt64 = 1_000_000_000

  @Test func aTileThatIsMissingForEverIsAskedForLateNotTrapped() {
    #expect(RetryTime(Rig().request(a), afterMissing: .max, at: 0).due == (1 << 30) * second)
  }

  @Test func whatIsHastenedIsAskedForSoonAgainHoweverOftenItFailed() {
    var retry = RetryTime(Rig().request(a), promised: false, at: 0)
    for _ in 0..<9 { retry.postpone(from: 0) }
    #expect(retry.due == 300 * second)
    retry.hasten(to: 5)
    #expect(retry.due == 5)
    retry.postpone(from: 10)
    #expect(retry.due == 10 + second)
  }
}
