import Glibc
import MapGeometry
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// Paints from payloads that tiles share, and waits with the first tile.
private final class WaitingPainter: TilePainter {
  let tiles = Mutex<[TileID]>([])
  let mayGoOn = Mutex(false)

  var needsPayload: Bool { true }
  var mayTakeLong: Bool { true }
  var sharesPayloads: Bool { true }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    tiles.withLock { $0.append(tile) }
    while !mayGoOn.withLock({ $0 }) { sched_yield() }
    guard target.clearedCanvas() != nil else { return .needsAlphaRoom }
    return .painted(.argb8888)
  }
}

/// Gives each tile the payload of the tile above it.
private final class SharingSource: DrawnSource {
  let info = SourceInfo(kind: "sharing", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter
  private let control: SourceControl

  init(_ painter: WaitingPainter, _ control: SourceControl) {
    (self.painter, self.control) = (painter, control)
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    control.read(id)
    var payload = TilePayload([1])
    payload.origin = id.ancestor(1)
    return .payload(payload)
  }
}

/// What becomes of drawings that wait for a thread when the view asks anew.
@Suite struct KeptDrawingTests {
  private let painter = WaitingPainter()
  private let control = SourceControl()
  private let tiles = [tile(5, 4, 4), tile(5, 5, 4), tile(5, 4, 5), tile(5, 5, 5)]

  /// A loader whose source is open.
  private func openRig(threads: Int = 1) -> Rig {
    let rig = Rig(threads: threads)
    rig.loader?.setSource(0, name: "sharing") { [painter, control] in
      .success(SharingSource(painter, control))
    }
    rig.loader?.open(0)
    #expect(rig.run { !$0.opened.isEmpty })
    return rig
  }

  /// A loader whose one thread paints the first of these tiles; the others wait for it.
  private func rig(_ tiles: [TileID], _ standing: TileStanding = .needed) -> Rig {
    let rig = openRig()
    rig.loader?.want(tiles.map { rig.request($0, standing) })
    // One source is read in order, so those before the last are queued once that is read.
    #expect(control.waitForReads(tiles.count))
    while painter.tiles.withLock(\.isEmpty) { sched_yield() }
    return rig
  }

  @Test func whatIsHandedOutNextAgainIsNotReadAgain() {
    let rig = rig(tiles)
    for _ in 0..<3 { rig.loader?.want(tiles.map { rig.request($0) }) }
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    #expect(control.reads == tiles)
    #expect(tiles.allSatisfy { rig.entry($0) != nil })
  }

  @Test func whatIsNeededAsUrgentlyAsOthersIsNotReadAgain() {
    let queued = [tile(5, 4, 4), tile(5, 8, 4), tile(5, 12, 4)]
    let rig = rig(queued)
    // Those beside the first come with it, and are as many as are under way at once.
    let others = tiles.dropFirst() + [tile(5, 8, 20)]
    rig.loader?.want((queued.prefix(1) + others + queued.dropFirst()).map { rig.request($0) })
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    #expect(control.reads.filter { queued.contains($0) } == queued)
    #expect(others.allSatisfy { rig.entry($0) != nil })
  }

  @Test func whatIsLessUrgentThanOthersWaitsForThem() {
    let ahead = [tile(5, 4, 4), tile(5, 8, 4), tile(5, 12, 4)]
    let rig = rig(ahead, .ahead)
    let needed = (0..<6).map { tile(5, $0 * 2, 20) }
    rig.loader?.want(needed.map { rig.request($0) } + ahead.map { rig.request($0, .ahead) })
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    let painted = painter.tiles.withLock { $0 }
    // The last one may have been on its way to the queue.
    #expect(painted.filter { $0 != ahead[2] } == [ahead[0]] + needed + [ahead[1]])
  }

  @Test func threadsPaintAheadOnceTheViewNeedsLessThanHalfOfThem() {
    let rig = openRig(threads: 4)
    let tiles = [tile(5, 4, 4), tile(5, 8, 4), tile(5, 12, 4)]
    rig.want(rig.request(tiles[0]), rig.request(tiles[1], .ahead))
    #expect(rig.loader?.stats.inFlight == 2)
    rig.want(rig.request(tiles[0]), rig.request(tiles[2]), rig.request(tiles[1], .ahead))
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
  }

  @Test func tilesOfPayloadsOfTheirOwnHoldNothingBack() {
    let rig = openRig()
    let slow = SourceControl()
    rig.add(1, slow) { _ in flatPNG(0x00FF00) }
    slow.hold(tile(5, 4, 4))
    rig.want(rig.request(tile(5, 4, 4), source: 1), rig.request(tile(5, 4, 4), .ahead))
    #expect(rig.loader?.stats.inFlight == 2)
    painter.mayGoOn.withLock { $0 = true }
    slow.release()
    #expect(rig.runUntilIdle())
  }

  @Test func nothingIsReadAheadWhileTheViewNeedsOthers() {
    let rig = openRig()
    let (needed, ahead) = (tile(5, 4, 4), tile(5, 8, 4))
    rig.want(rig.request(needed), rig.request(ahead, .ahead))
    #expect(rig.loader?.stats.inFlight == 1)
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    #expect(control.reads == [needed, ahead])
    #expect(rig.entry(ahead) != nil)
  }

  @Test func whatNobodyWantsAnyMoreIsNotPainted() {
    let rig = rig(tiles)
    let other = tile(5, 9, 9)
    rig.want(rig.request(tiles[0]), rig.request(other))
    painter.mayGoOn.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    #expect(rig.entry(other) != nil)
    let painted = painter.tiles.withLock { $0 }
    // The last one may have been on its way to the queue.
    #expect(painted.contains(other) && Set(painted).isDisjoint(with: tiles[1...2]))
  }
}
