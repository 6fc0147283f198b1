import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import TileLoading

private let second: UInt64 = 1_000_000_000

/// How long a failed tile speaks for its source once nobody looks at it.
struct OldFailureTests {
  private let a = tile(4, 1, 3)
  private let b = tile(4, 2, 3)

  /// Else a vehicle that drives on would be warned for ever of what ended behind it.
  /// `other`: another view began and ended, as when a map is replaced.
  @Test(arguments: [false, true])
  func aFailureThatNoViewShowsIsForgottenWithATileThatComesFiveMinutesLater(other: Bool) {
    let (rig, medium) = (Rig(), Medium())
    if other {
      rig.missing.beginView(.next)
      rig.missing.endView(.next)
    }
    rig.add(0, give: medium.read)
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    medium.putBack()
    rig.now += 300 * second - 1
    rig.plan([b])
    #expect(rig.runUntilIdle())
    #expect(rig.recovered == [] && rig.missing.hasFailures(source: 0))
    rig.now += 1
    rig.plan([tile(4, 7, 7)])
    #expect(rig.runUntilIdle())
    #expect(rig.recovered == [0] && !rig.missing.hasFailures(source: 0))
    // It is requested as any other.
    rig.plan([a])
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil && rig.recovered == [0])
  }

  @Test func aFailureThatAViewShowsIsKeptUntilItsTileComes() {
    let (rig, medium) = (Rig(), Medium())
    let a = a
    rig.add(0) { id throws(TileError) in id == a ? try medium.read(id) : flatPNG(0x10E020) }
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.now += 400 * second
    rig.plan([a, b])
    #expect(rig.runUntilIdle())
    #expect(rig.recovered == [] && rig.missing.hasFailures(source: 0))
    #expect(rig.forgotten == [0])
  }

  @Test func aRecoveryIsToldOnce() {
    let (rig, medium) = (Rig(), Medium())
    rig.add(0, give: medium.read)
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.plan([a])
    medium.putBack()
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    rig.now += 400 * second
    rig.plan([a, b])
    #expect(rig.runUntilIdle())
    #expect(rig.recovered == [0])
  }

  private let many = (0..<12).map { tile(4, $0, 5) }

  /// A view of `many` that all failed a second ago, from a medium that is still gone.
  private func rigOfManyFailed() -> (Rig, Medium, SourceControl) {
    let (rig, medium, control) = (Rig(), Medium(), SourceControl())
    rig.add(0, control, give: medium.read)
    medium.pull()
    rig.plan(many)
    #expect(rig.runUntilIdle())
    rig.plan(many)
    rig.now += second
    return (rig, medium, control)
  }

  /// Only some of the tiles are under way at once, and the view moves away from the last.
  @Test func aFailureThatNoViewShowsEndsOnceItsSourceIsBack() {
    let (rig, medium, control) = rigOfManyFailed()
    medium.putBack()
    // What the view found last is requested first.
    control.hold(many[10])
    rig.loader?.retryDue()
    #expect(rig.run { $0.decoded.count == 1 })
    let last = TileKey(source: 0, tile: many[0])
    #expect(rig.missing.hasFailed(last))
    rig.plan(Array(many[7...11]))
    #expect(!rig.missing.hasFailed(last))
    control.release()
    #expect(rig.run { $0.loader?.isIdle == true && $0.recovered == [0] })
    #expect(rig.decoded.count == 5)
  }

  @Test func aRetryThatDidNotBeginIsDueOnceAViewShowsItsTileAgain() {
    let (rig, _, _) = rigOfManyFailed()
    rig.loader?.retryDue()
    rig.plan([b])
    #expect(rig.runUntilIdle())
    rig.plan(many)
    #expect((rig.loader?.nextRetry ?? .max) <= rig.now)
    // What was not requested does not make the next wait longer.
    let key = TileKey(source: 0, tile: many[0])
    var retry = rig.missing.retry(of: key)
    retry?.postpone(from: rig.now)
    #expect(retry?.due == rig.now + 2 * second)
    #expect(rig.missing.hasFailures(source: 0) && rig.recovered == [])
  }
}
