import Foundation
import MapGeometry
import Pixels
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// Draws as long as it is not told to give up.
private final class Endless: TilePainter {
  private let begun = Mutex(0)
  private let ended = Mutex(0)
  private let mayEnd = Mutex(false)

  var needsPayload: Bool { false }
  var beginnings: Int { begun.withLock { $0 } }
  var endings: Int { ended.withLock { $0 } }
  func letEnd() { mayEnd.withLock { $0 = true } }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    begun.withLock { $0 += 1 }
    defer { ended.withLock { $0 += 1 } }
    guard target.clearedCanvas() != nil else { return .needsAlphaRoom }
    while !mayEnd.withLock({ $0 }) {
      if target.isCancelled { return .cancelled }
      sched_yield()
    }
    return .painted(.argb8888)
  }
}

private final class EndlessSource: DrawnSource {
  let info = SourceInfo(kind: "endless", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter
  init(_ painter: Endless) { self.painter = painter }
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    .nothing
  }
}

@Suite struct DecodePoolTests {
  /// A rig whose source 1 draws without end on all threads, and whose source 0 is read.
  private func busyRig(threads: Int, _ endless: Endless) -> Rig {
    let rig = Rig(threads: threads)
    rig.loader?.setSource(1, name: "overlay") { .success(EndlessSource(endless)) }
    rig.loader?.open(1)
    #expect(rig.run { $0.opened == [1] })
    rig.add(0) { _ in flatPNG(0x00FF00) }
    rig.loader?.want((0..<4).map { rig.request(tile(3, $0, 0), source: 1) })
    while endless.beginnings < threads { sched_yield() }
    return rig
  }

  @Test(arguments: [1, 2, 4])
  func tilesThatAreDrawnNeverKeepTheMapAway(threads: Int) {
    let endless = Endless()
    let rig = busyRig(threads: threads, endless)
    let drawn = (0..<4).map { rig.request(tile(3, $0, 0), source: 1) }
    let base = (0..<8).map { rig.request(tile(3, $0, 1)) }
    rig.loader?.want(base + drawn)
    #expect(rig.run { rig in base.allSatisfy { rig.entry($0.tile) != nil } })
    #expect(rig.entry(tile(3, 0, 0), source: 1) == nil)
    // What gave way is drawn again.
    endless.letEnd()
    rig.loader?.want(base + drawn)
    #expect(rig.runUntilIdle())
    #expect((0..<4).allSatisfy { rig.entry(tile(3, $0, 0), source: 1) != nil })
  }

  @Test func aSourceThatIsTakenOutIsDrawnNoLonger() {
    let endless = Endless()
    let rig = busyRig(threads: 2, endless)
    rig.loader?.removeSource(1)
    while endless.endings < endless.beginnings { sched_yield() }
    #expect(endless.beginnings == 2)
    #expect(
      rig.run { rig in
        rig.cache.clear()
        return rig.cache.stats.bytes == 0
      })
  }

  @Test func whatTheViewNoLongerWantsIsGivenUpAfterAWhile() {
    let endless = Endless()
    let rig = busyRig(threads: 2, endless)
    rig.want(rig.request(tile(3, 1, 1)))
    #expect(rig.runUntilIdle())
    #expect(endless.endings == endless.beginnings)
  }

  @Test func aLoaderThatGoesEndsWhatIsBeingDrawn() {
    let endless = Endless()
    let rig = busyRig(threads: 2, endless)
    rig.dropLoader()
    while endless.endings < 2 { sched_yield() }
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }
}

@Suite struct ReaderThreadsTests {
  @Test func manySourcesShareAFewThreads() {
    let rig = Rig(limit: 64 << 20, threads: 2)
    for source in 0..<400 { rig.add(source) { _ in flatPNG(0x00FF00) } }
    rig.loader?.want((0..<400).map { rig.request(.world, source: $0) })
    #expect(rig.runUntilIdle())
    #expect(rig.decoded.count == 400)
    let threads = rig.loader?.readerThreads
    #expect(threads?.count ?? .max <= ReaderThreads.limit && threads?.waiting == 0)
    // Those that nobody needs end.
    while rig.loader?.readerThreads.count ?? 0 > ReaderThreads.resting { sched_yield() }
  }

  @Test func sourcesThatHangTakeNoMoreThanTheirThreadsAndOthersWaitForOne() {
    let (rig, slow) = (Rig(limit: 64 << 20, threads: 2), SourceControl())
    let limit = ReaderThreads.limit
    slow.hold(.world)
    for source in 0..<limit + 3 { rig.add(source, slow) { _ in flatPNG(0x00FF00) } }
    rig.loader?.want((0..<limit + 3).map { rig.request(.world, source: $0) })
    while slow.reads.count < limit { sched_yield() }
    #expect(rig.loader?.readerThreads.count == limit)
    #expect(rig.loader?.readerThreads.waiting == 3)
    slow.release()
    #expect(rig.runUntilIdle())
    #expect(rig.decoded.count == limit + 3)
  }

  /// What is below /proc lies on another medium than what is not.
  @Test func aMediumThatHangsTakesItsShareOfTheThreadsAndNoMore() {
    let (rig, slow) = (Rig(limit: 64 << 20, threads: 2), SourceControl())
    let share = ReaderThreads.share
    slow.hold(.world)
    for source in 0..<ReaderThreads.limit {
      rig.add(source, slow, on: "/proc/\(source)") { _ in flatPNG(0x00FF00) }
    }
    let good = ReaderThreads.limit
    rig.add(good, on: "/nowhere/a") { _ in flatPNG(0x0000FF) }
    rig.loader?.want((0...good).map { rig.request(.world, source: $0) })
    let end = Date(timeIntervalSinceNow: 60)
    while rig.decoded.isEmpty, Date() < end { rig.collect() }
    #expect(rig.decoded.map(\.source) == [good])
    while slow.reads.count < share { sched_yield() }
    #expect(slow.reads.count == share)
    #expect(rig.loader?.readerThreads.waiting == ReaderThreads.limit - share)
    slow.release()
    #expect(rig.runUntilIdle())
    #expect(rig.decoded.count == ReaderThreads.limit + 1)
  }

  @Test func aSourceIsLetGoOnAThreadOfTheReaders() {
    final class Watched: TileSource {
      let info = SourceInfo(kind: "watched")
      let gone: @Sendable (String) -> Void
      init(_ gone: @escaping @Sendable (String) -> Void) { self.gone = gone }
      func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
        .payload(TilePayload(flatPNG(0xFF)))
      }
      deinit {
        gone((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "")
      }
    }
    let rig = Rig()
    let gone = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { name in gone.withLock { $0.append(name) } }
    rig.loader?.setSource(0, name: "w") { .success(Watched(note)) }
    rig.want(rig.request(.world))
    #expect(rig.runUntilIdle())
    rig.loader?.removeSource(0)
    while gone.withLock({ $0.isEmpty }) { sched_yield() }
    #expect(gone.withLock { $0.allSatisfy { $0.hasPrefix("reader-") } })
  }
}
