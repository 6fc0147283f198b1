import MapGeometry
import Pixels
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// A source that promises its tiles and has them once its retry was fired.
private final class Provider: TileSource {
  let info = SourceInfo(kind: "provider", minZoom: 0, maxZoom: 24)
  private let control: SourceControl
  private let retry: TileRetry
  private let picture: [UInt8]
  init(_ control: SourceControl, _ retry: TileRetry, _ picture: [UInt8] = flatPNG(0x00FF00)) {
    (self.control, self.retry, self.picture) = (control, retry, picture)
  }
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    control.read(id)
    return retry.hasFired ? .payload(TilePayload(picture)) : .later(retry)
  }
  func contains(_ id: TileID) throws(TileError) -> Bool { true }
}

private let second: UInt64 = 1_000_000_000

@Suite struct PromisedTileTests {
  private let a = tile(4, 3, 3)

  private func rig(_ control: SourceControl, _ retry: TileRetry) -> Rig {
    let rig = Rig()
    rig.loader?.setSource(0, name: "p") { .success(Provider(control, retry)) }
    rig.plan([a])
    #expect(rig.run { !$0.awaited.isEmpty && $0.loader?.isIdle == true })
    return rig
  }

  @Test func aTileThatComesLaterIsNeitherMissingNorFailedAndHoldsNoMemory() {
    let control = SourceControl()
    let rig = rig(control, TileRetry())
    #expect(rig.absent == [] && rig.tileErrors == [])
    #expect(
      rig.missing.find(TileKey(source: 0, tile: a))
        == .init(ancestorLevel: nil, failed: false, isAwaited: true))
    for _ in 0..<3 { rig.plan([a]) }
    #expect(rig.loader?.isIdle == true && control.reads == [a])
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func aTileThatComesLaterIsAskedForWhenItsSourceTells() {
    let (control, retry) = (SourceControl(), TileRetry())
    let rig = rig(control, retry)
    rig.plan([a])
    retry.fire()
    #expect(rig.run { $0.entry(a) != nil })
    #expect(control.reads == [a, a] && rig.missing.count == 0 && rig.loader?.nextRetry == nil)
    #expect(rig.returned == [] && rig.recovered == [])
  }

  /// Planning takes back what no thread has begun, and no plan requests a hole.
  @Test func whatAPlanTakesBackIsAskedForAllTheSame() {
    let (control, retry) = (SourceControl(), TileRetry())
    let tiles = (0..<6).map { tile(4, $0, 3) }
    let rig = Rig()
    rig.loader?.setSource(0, name: "p") { .success(Provider(control, retry)) }
    rig.plan(tiles)
    #expect(rig.run { $0.awaited.count == 6 && $0.loader?.isIdle == true })
    for tile in tiles { control.hold(tile) }
    retry.fire()
    #expect(rig.run { $0.awaited.count == 12 })
    #expect(control.waitForReads(7))
    rig.plan(tiles)
    control.release()
    #expect(rig.run { $0.decoded.count == 6 })
  }

  @Test func whatAViewLeftBeforeItWasAskedForAgainIsAskedForWhenItComesBack() {
    let (control, retry) = (SourceControl(), TileRetry())
    let tiles = (0..<12).map { tile(4, $0, 3) }
    let rig = Rig()
    rig.loader?.setSource(0, name: "p") { .success(Provider(control, retry)) }
    rig.plan(tiles)
    #expect(rig.run { $0.awaited.count == 12 && $0.loader?.isIdle == true })
    for tile in tiles { control.hold(tile) }
    retry.fire()
    #expect(rig.run { $0.awaited.count == 24 })
    #expect(control.waitForReads(13))
    rig.plan([tiles[0]])
    rig.plan(tiles)
    control.release()
    #expect(rig.run { $0.decoded.count == 12 })
  }

  /// Its buffer is too small at first.
  @Test func aTransparentTileThatWasPromisedIsThereAtOnceAlsoOnADisplayOf16Bits() {
    let (control, retry) = (SourceControl(), TileRetry())
    let rig = Rig(opaque: .rgb565)
    rig.loader?.setSource(0, name: "p") { .success(Provider(control, retry, transparentPNG)) }
    rig.plan([a])
    #expect(rig.run { $0.awaited.count == 1 && $0.loader?.isIdle == true })
    rig.plan([a])
    retry.fire()
    #expect(rig.run { $0.entry(a) != nil })
  }

  @Test func aTileThatFailedAndWasPromisedThenIsARecoveryWhenItComes() {
    let (control, retry, rig) = (SourceControl(), TileRetry(), Rig())
    rig.loader?.setSource(0, name: "s") {
      .success(Scripted(control, [.failed, .later, .tile], retry: retry))
    }
    rig.plan([a])
    #expect(rig.runUntilIdle())
    #expect(rig.tileErrors.count == 1)
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.run { $0.awaited == [TileKey(source: 0, tile: a)] && $0.loader?.isIdle == true })
    #expect(rig.recovered == [])
    retry.fire()
    #expect(rig.run { $0.entry(a) != nil })
    #expect(rig.recovered == [0] && rig.returned.count == 1)
  }

  @Test func aTileThatFailedIsStillARecoveryIfItWasPromisedAndOutOfViewMeanwhile() {
    let (control, retry, rig) = (SourceControl(), TileRetry(), Rig())
    rig.loader?.setSource(0, name: "s") {
      .success(Scripted(control, [.failed, .later, .tile], retry: retry))
    }
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.run { !$0.awaited.isEmpty && $0.loader?.isIdle == true })
    rig.plan([])
    retry.fire()
    #expect(rig.run { $0.awaited.count == 2 })
    #expect(rig.missing.hasFailures(source: 0))
    rig.plan([a])
    rig.loader?.retryDue()
    #expect(rig.run { $0.entry(a) != nil })
    #expect(rig.recovered == [0])
  }

  /// Else the health of a source without a network would name for ever what ended long ago.
  @Test(arguments: [false, true])
  func aPromiseEndsAFailureOnceTheSourceGivesOtherTilesAgain(isPromisedFirst: Bool) {
    let (control, retry, rig) = (SourceControl(), TileRetry(), Rig())
    rig.loader?.setSource(0, name: "s") {
      .success(
        Scripted(
          control, [.failed, .failed] + (isPromisedFirst ? [.later, .tile] : [.tile, .later]),
          retry: retry))
    }
    rig.plan([a, tile(4, 7, 7)])
    #expect(rig.runUntilIdle())
    #expect(rig.missing.hasFailures(source: 0) && rig.recovered == [])
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.run { $0.awaited.count == 1 && $0.decoded.count == 1 && $0.loader?.isIdle == true })
    #expect(rig.recovered == [0] && !rig.missing.hasFailures(source: 0))
    #expect(rig.missing.count == 1)
  }

  @Test func aFailureAfterAPromiseIsToldOnceAndWaitsTwiceAsLong() {
    let (control, retry, rig) = (SourceControl(), TileRetry(), Rig())
    rig.loader?.setSource(0, name: "s") {
      .success(Scripted(control, [.failed, .later, .failed], retry: retry))
    }
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.run { !$0.awaited.isEmpty && $0.loader?.isIdle == true })
    retry.fire()
    #expect(rig.run { $0.awaited.count == 2 } && rig.runUntilIdle())
    #expect(control.reads.count == 3)
    #expect(rig.tileErrors.count == 1)
    #expect(rig.loader?.nextRetry == rig.now + 2 * second)
  }

  @Test func aTileThatItsSourceMayGetLaterIsAskedForAgain() {
    let (control, rig) = (SourceControl(), Rig())
    rig.loader?.setSource(0, name: "s") {
      .success(Scripted(control, [.nothing, .tile], missingLifetime: 600))
    }
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.plan([a])
    rig.now += 599 * second
    rig.loader?.retryDue()
    #expect(rig.loader?.isIdle == true && control.reads.count == 1)
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil && rig.recovered == [] && rig.tileErrors == [])
  }

  @Test func aTileThatNobodyWantsAnyMoreIsNotAskedForWhenItsSourceTells() {
    let (control, retry) = (SourceControl(), TileRetry())
    let rig = rig(control, retry)
    rig.plan([])
    retry.fire()
    #expect(rig.run { $0.awaited.count == 2 })
    #expect(rig.loader?.isIdle == true && control.reads == [a] && rig.missing.count == 0)
  }

  @Test func aSourceThatNeverTellsKeepsOneNoteOfATileHoweverOftenItIsAsked() {
    let (control, retry) = (SourceControl(), TileRetry())
    let rig = rig(control, retry)
    for _ in 0..<20 {
      rig.plan([a])
      rig.now += 600 * second
      rig.loader?.retryDue()
      #expect(rig.runUntilIdle())
    }
    #expect(control.reads.count == 21)
    #expect(retry.waitingCount == 1)
    retry.fire()
    #expect(rig.run { $0.entry(a) != nil })
    #expect(retry.waitingCount == 0 && control.reads.count == 22)
  }

  @Test func aPromiseKeepsNoteOfSoManyTilesAtMost() throws {
    let (retry, owner) = (TileRetry(), SourceControl())
    let told = Mutex(0)
    for i in 0..<TileRetry.mostWaiting + 100 {
      let tile = try #require(TileID(z: 20, x: i, y: 0))
      retry.whenFired(for: TileRetry.Waiter(owner, tile)) { told.withLock { $0 += 1 } }
    }
    #expect(retry.waitingCount == TileRetry.mostWaiting)
    retry.fire()
    #expect(told.withLock { $0 } == TileRetry.mostWaiting)
    // What comes after it is told at once.
    retry.whenFired(for: TileRetry.Waiter(owner, a)) { told.withLock { $0 += 1 } }
    #expect(told.withLock { $0 } == TileRetry.mostWaiting + 1 && retry.waitingCount == 0)
  }

  @Test func aSourceThatForgetsToTellIsAskedAfterAWhile() {
    let (control, retry) = (SourceControl(), TileRetry())
    let rig = rig(control, retry)
    rig.plan([a])
    #expect(rig.loader?.nextRetry == rig.now + 30 * second)
    rig.now += 30 * second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(control.reads == [a, a])
    rig.plan([a])
    #expect(rig.loader?.nextRetry == rig.now + 60 * second)
  }
}

@Suite struct RetryTests {
  private let a = tile(4, 3, 3)
  private let b = tile(4, 4, 3)

  @Test func aTileThatFailedForAReasonThatCanPassIsAskedForAgain() throws {
    let (rig, medium, control) = (Rig(), Medium(), SourceControl())
    rig.add(0, control, give: medium.read)
    medium.pull()
    rig.plan([a, b])
    #expect(rig.runUntilIdle())
    rig.plan([a, b])
    #expect(rig.loader?.isIdle == true && rig.tileErrors.count == 2)
    #expect(rig.missing.find(TileKey(source: 0, tile: a))?.failed == true)
    #expect(rig.loader?.nextRetry == rig.now + second)
    // Not before its time.
    rig.now += second - 1
    rig.loader?.retryDue()
    #expect(rig.loader?.isIdle == true)
    medium.putBack()
    rig.now += 1
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil && rig.entry(b) != nil)
    #expect(Set(rig.returned.compactMap(\.tile)) == [a, b] && rig.recovered == [0])
    #expect(rig.missing.count == 0 && rig.loader?.nextRetry == nil)
  }

  @Test func aTileThatGoesOnFailingIsAskedForMoreAndMoreSeldomAndToldOnce() throws {
    let (rig, medium, control) = (Rig(), Medium(), SourceControl())
    rig.add(0, control, give: medium.read)
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    var waits: [UInt64] = []
    for _ in 0..<12 {
      rig.plan([a])
      let due = try #require(rig.loader?.nextRetry)
      waits.append((due - rig.now) / second)
      rig.now = due
      rig.loader?.retryDue()
      #expect(rig.runUntilIdle())
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    #expect(control.reads.count == 13 && rig.tileErrors.count == 1)
    #expect(rig.failedAgain == Array(repeating: TileKey(source: 0, tile: a), count: 12))
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func nobodyAsksAgainForAHoleThatNoViewShows() {
    let (rig, medium, control) = (Rig(), Medium(), SourceControl())
    rig.add(0, control, give: medium.read)
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.plan([a])
    #expect(rig.loader?.nextRetry != nil)
    medium.putBack()
    rig.plan([b])
    #expect(rig.loader?.nextRetry == nil)
    #expect(rig.runUntilIdle())
    rig.now += 1000 * second
    rig.loader?.retryDue()
    #expect(rig.loader?.isIdle == true)
    #expect(control.reads == [a, b])
    // When the view comes back it is asked for at once.
    rig.plan([a])
    #expect(rig.loader?.nextRetry == rig.now - 999 * second)
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil && rig.recovered == [0])
  }

  @Test func whatAHealthySourceDoesNotHaveStaysKnown() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in nil }
    rig.plan([a])
    #expect(rig.runUntilIdle())
    rig.plan([a])
    #expect(rig.loader?.nextRetry == nil)
    rig.now += 10_000 * second
    rig.loader?.retryDue()
    #expect(rig.loader?.isIdle == true && control.reads == [a])
  }

  @Test func aTileThatIsBrokenAsItIsIsNotAskedForAgain() {
    let rig = Rig()
    let (a, b) = (a, b)
    rig.add(0) { id throws(TileError) in
      if id == b { throw TileError(file: "f", tile: id, reason: "cut off") }
      return [1, 2, 3]
    }
    rig.plan([a, b])
    #expect(rig.runUntilIdle())
    rig.plan([a, b])
    #expect(rig.tileErrors.count == 2 && rig.loader?.nextRetry == nil)
  }

  @Test func aSourceIsNotWellAgainWhileATileOfItIsBroken() {
    let (rig, medium) = (Rig(), Medium())
    let b = b
    rig.add(0) { id throws(TileError) in id == b ? [1, 2, 3] : try medium.read(id) }
    medium.pull()
    rig.plan([a, b])
    #expect(rig.runUntilIdle())
    rig.plan([a, b])
    medium.putBack()
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.returned.count == 1 && rig.recovered == [])
  }

  @Test func otherColoursLeaveAHoleToBeAskedForAgain() {
    let (rig, medium) = (Rig(), Medium())
    rig.add(0, give: medium.read)
    medium.pull()
    rig.plan([a])
    #expect(rig.runUntilIdle())
    medium.putBack()
    rig.loader?.recolor(0, to: 5, colors: TileColors([.colors([.invert])], source: "a"))
    _ = rig.missing.find(TileKey(source: 5, tile: a))
    rig.now += second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.pixels(a, source: 5).first == 0xFF1F_EFDF)
  }
}
