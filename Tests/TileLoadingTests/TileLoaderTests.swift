import Foundation
import MapGeometry
import Pixels
import TestSupport
import Testing
import TileSources

@testable import TileLoading

@Suite struct TileLoaderTests {
  private static let red = flatPNG(0xE01020)
  private static let blue = flatPNG(0x1020E0)

  @Test func aTileThatIsAskedForAgainIsReadOnce() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in TileLoaderTests.red }
    let a = tile(3, 1, 2)
    control.hold(a)
    rig.want(rig.request(a), rig.request(a))
    #expect(control.waitForRead(of: a))
    for _ in 0..<5 { rig.want(rig.request(a), rig.request(a, levels: 0, .shown)) }
    #expect(rig.loader?.stats.inFlight == 1)
    control.release()
    #expect(rig.runUntilIdle())
    rig.want(rig.request(a))
    #expect(rig.loader?.isIdle == true)
    #expect(control.reads == [a] && rig.decoded == [TileKey(source: 0, tile: a)])
    #expect(rig.pixels(a) == [UInt32](repeating: 0xFFE0_1020, count: 256))
    #expect(rig.opened == [0])
  }

  @Test func aSourceThatIsNotSetIsAskedForWhenItIsOpened() {
    let rig = Rig()
    var asked: [Int] = []
    rig.loader?.provide = { [unowned rig] index in
      asked.append(index)
      rig.add(index) { _ in TileLoaderTests.red }
    }
    #expect(rig.loader?.has(2) == false)
    rig.loader?.open(2)
    rig.loader?.open(2)
    #expect(asked == [2] && rig.loader?.has(2) == true)
    rig.want(rig.request(tile(3, 1, 2), source: 2))
    #expect(rig.runUntilIdle())
    #expect(rig.opened == [2])
    #expect(rig.decoded == [TileKey(source: 2, tile: tile(3, 1, 2))])
  }

  @Test func memoryOfEncodedTilesComesBackUnlessItIsLarge() {
    let buffers = EncodedBuffers()
    func part(_ count: Int) -> PaintJob.Part {
      var buffer = buffers.take()
      buffer.set([UInt8](repeating: 1, count: count))
      return .init(payload: buffer.payload(), column: 0, row: 0, tile: .world)
    }
    func capacity() -> Int { buffers.take().capacity }
    var parts = [part(100_000), part(10_000)]
    buffers.giveBack(&parts)
    #expect(parts.isEmpty && (10_000..<20_000).contains(capacity()))
    #expect(capacity() == 0)
    // Of many parts a few are kept.
    parts = (0..<64).map { _ in part(1) }
    buffers.giveBack(&parts)
    #expect((1...8).contains((0..<64).filter { _ in capacity() > 0 }.count))
    // What something else still has is not used again.
    parts = [part(10_000)]
    let copy = parts[0]
    buffers.giveBack(&parts)
    #expect(capacity() == 0 && copy.payload.bytes.count == 10_000)
  }

  @Test func workThatHasNotBegunIsDroppedWhenTheViewMovesOn() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in TileLoaderTests.red }
    let (a, b, c, d) = (tile(3, 0, 0), tile(3, 1, 0), tile(3, 2, 0), tile(3, 3, 0))
    control.hold(a)
    rig.want(rig.request(a), rig.request(b), rig.request(c))
    #expect(control.waitForRead(of: a))
    rig.want(rig.request(d))
    #expect(rig.loader?.stats.inFlight == 2)
    control.release()
    #expect(rig.runUntilIdle())
    #expect(control.reads == [a, d])
    #expect(rig.entry(b) == nil && rig.entry(c) == nil && rig.entry(d) != nil)
    // Nothing is held for what was dropped.
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func whatIsNamedFirstIsReadFirstAlsoWhenTheOrderChanges() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in TileLoaderTests.red }
    let first = tile(5, 31, 31)
    let row = (0..<20).map { tile(5, $0, 3) }
    control.hold(first)
    rig.want(rig.request(first))
    #expect(control.waitForRead(of: first))
    rig.loader?.want(row.reversed().map { rig.request($0) })
    rig.loader?.want(row.map { rig.request($0) })
    control.release()
    #expect(rig.runUntilIdle())
    #expect(control.reads == [first] + row)
  }

  @Test func aSourceThatDoesNotAnswerHoldsUpNoOther() {
    let (rig, slow) = (Rig(), SourceControl())
    let a = tile(4, 3, 3)
    slow.hold(a)
    rig.add(0, slow) { _ in TileLoaderTests.red }
    rig.add(1) { _ in TileLoaderTests.blue }
    let others = (0..<16).map { tile(4, $0, 9) }
    rig.loader?.want([rig.request(a)] + others.map { rig.request($0, source: 1) })
    #expect(rig.run { $0.decoded.count == 16 })
    #expect(rig.entry(a) == nil && rig.loader?.isIdle == false)
    slow.release()
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil)
  }

  @Test func whatARemovedSourceStillGivesIsLetGo() {
    let (rig, control) = (Rig(), SourceControl())
    let (a, b) = (tile(4, 3, 3), tile(4, 4, 4))
    rig.add(0, control) { _ in TileLoaderTests.red }
    rig.want(rig.request(b))
    #expect(rig.runUntilIdle())
    control.hold(a)
    rig.want(rig.request(a), rig.request(tile(4, 5, 5)))
    #expect(control.waitForRead(of: a))
    rig.loader?.removeSource(0)
    #expect(rig.loader?.isIdle == true && rig.entry(b) == nil)
    // Another one takes its place, and gives another picture of the same tile.
    rig.add(0) { _ in TileLoaderTests.blue }
    rig.want(rig.request(a))
    #expect(rig.runUntilIdle())
    control.release()
    #expect(
      rig.run { rig in
        rig.cache.clear()
        return rig.cache.stats.bytes == 0
      })
    #expect(rig.decoded == [b, a].map { TileKey(source: 0, tile: $0) })
    #expect(control.reads == [b, a])
    rig.want(rig.request(a))
    #expect(rig.runUntilIdle())
    #expect(rig.pixels(a).first == 0xFF10_20E0)
  }

  @Test func aLoaderThatGoesLeavesNoMemoryBehind() {
    let (rig, control) = (Rig(threads: 2), SourceControl())
    let a = tile(4, 3, 3)
    control.hold(a)
    rig.add(0, control) { _ in TileLoaderTests.red }
    rig.add(1) { _ in TileLoaderTests.red }
    rig.loader?.want(
      [rig.request(a)] + (0..<16).map { rig.request(tile(4, $0, 0), source: $0 % 2) })
    #expect(control.waitForRead(of: a))
    rig.dropLoader()
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
    control.release()
  }

  @Test func whatIsMissingIsAskedForOnceUntilItIsForgotten() {
    let (rig, control) = (Rig(), SourceControl())
    let there = tile(2, 1, 1)
    let has: @Sendable (TileID) -> Bool = { $0 == there }
    rig.add(0, control, has: has) { $0 == there ? TileLoaderTests.red : nil }
    let a = tile(5, 8, 8)
    #expect(a.ancestor(atLevel: 2) == tile(2, 1, 1))
    let elsewhere = tile(5, 31, 0)
    rig.want(rig.request(a), rig.request(elsewhere))
    #expect(rig.runUntilIdle())
    #expect(rig.absent == [a, elsewhere].map { TileKey(source: 0, tile: $0) })
    // The deepest tile that covers the place is told.
    #expect(
      rig.missing.find(TileKey(source: 0, tile: a)) == .init(ancestorLevel: 2, failed: false))
    #expect(
      rig.missing.find(TileKey(source: 0, tile: elsewhere))
        == .init(ancestorLevel: nil, failed: false))
    for _ in 0..<3 { rig.want(rig.request(a), rig.request(elsewhere)) }
    #expect(rig.loader?.isIdle == true && control.reads == [a, elsewhere])
    rig.missing.forget(source: 0)
    rig.want(rig.request(a))
    #expect(rig.runUntilIdle())
    #expect(control.reads == [a, elsewhere, a])
    // A missing tile holds no memory.
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func aTransparentTileOnA565DisplayGetsFourBytesAPixel() throws {
    let (rig, control) = (Rig(opaque: .rgb565), SourceControl())
    let (a, b, c) = (tile(4, 0, 0), tile(4, 1, 0), tile(4, 2, 0))
    rig.add(0, control) { $0.x == 1 ? transparentPNG : TileLoaderTests.red }
    rig.want(rig.request(a))
    #expect(rig.runUntilIdle())
    let opaque = try #require(rig.entry(a))
    #expect(opaque.format == .rgb565 && opaque.bytes == 16 * 16 * 2)
    rig.want(rig.request(b))
    #expect(rig.runUntilIdle())
    let clear = try #require(rig.entry(b))
    #expect(clear.format == .argb8888 && clear.bytes == 16 * 16 * 4)
    // Premultiplied by 128/255.
    #expect(rig.pixels(b).allSatisfy { $0 == 0x8010_3060 })
    #expect(control.reads == [a, b, b])
    // From then on the source's buffers are large enough the first time.
    rig.want(rig.request(tile(4, 1, 1)), rig.request(c))
    #expect(rig.runUntilIdle())
    #expect(control.reads.count == 5 && rig.entry(c)?.format == .rgb565)
  }

  @Test func aBrokenTileIsAnErrorWithFileTileAndReason() {
    let (rig, control) = (Rig(), SourceControl())
    let (a, b, c) = (tile(4, 0, 0), tile(4, 1, 0), tile(4, 2, 0))
    rig.add(0, control) { id throws(TileError) in
      if id == b { throw TileError(file: "/media/card", tile: id, reason: "it is gone") }
      return id == a ? Array(TileLoaderTests.red.prefix(60)) : TileLoaderTests.red
    }
    rig.want(rig.request(a), rig.request(b), rig.request(c))
    #expect(rig.runUntilIdle())
    let errors = rig.tileErrors.sorted { $0.tile.x < $1.tile.x }
    #expect(errors.map(\.tile) == [a, b])
    #expect(errors.first?.file == "source 0" && errors.first?.reason.isEmpty == false)
    #expect(errors.last == TileError(file: "/media/card", tile: b, reason: "it is gone"))
    // The rest goes on, and what is broken is not tried again.
    #expect(rig.entry(c) != nil && rig.entry(a) == nil && rig.entry(b) == nil)
    for id in [a, b] {
      let known = rig.missing.find(TileKey(source: 0, tile: id))
      #expect(known == .init(ancestorLevel: 3, failed: true))
    }
    rig.want(rig.request(a), rig.request(b))
    #expect(rig.loader?.isIdle == true && control.reads.count == 3)
    #expect(rig.loader?.stats == .init(decodes: 1, decodeErrors: 2, inFlight: 0))
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func aSourceThatDoesNotOpenFailsWhatIsAskedOfIt() {
    let rig = Rig()
    let error = SourceError(file: "/maps/x.mbtiles", reason: "there is no such file")
    rig.loader?.setSource(0, name: "x") { .failure(error) }
    rig.loader?.open(0)
    #expect(rig.run { !$0.openErrors.isEmpty })
    let a = tile(2, 1, 1)
    rig.want(rig.request(a))
    #expect(rig.runUntilIdle())
    #expect(rig.openErrors == [error])
    #expect(rig.tileErrors == [TileError(file: error.file, tile: a, reason: error.reason)])
    rig.cache.clear()
    #expect(rig.cache.stats.bytes == 0)
  }

  @Test func whatCannotBeMadeOrHasNoSourceIsNotWaitedFor() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in TileLoaderTests.red }
    let a = tile(3, 1, 1)
    rig.want(
      rig.request(a, edge: 0), rig.request(a, edge: -1), rig.request(a, edge: .max),
      rig.request(a, edge: 4097), rig.request(a, levels: -1), rig.request(a, levels: 4),
      rig.request(a, levels: .max), rig.request(a, levels: 3, edge: 4),
      rig.request(a, source: 5))
    #expect(rig.loader?.isIdle == true)
    #expect(control.reads.isEmpty && rig.cache.stats.bytes == 0)
  }

  @Test func randomViewsKeepToTheLimit() {
    let rig = Rig(limit: 12 * 16 * 16 * 4, threads: 2)
    for source in 0..<3 {
      rig.add(source) { id throws(TileError) in
        switch (id.x + id.y) % 7 {
        case 0: return nil
        case 1: throw TileError(file: "f", tile: id, reason: "r")
        case 2: return transparentPNG
        default: return TileLoaderTests.red
        }
      }
    }
    var numbers = SeededNumbers(9)
    var over = 0
    for step in 0..<2000 {
      rig.cache.beginView()
      let (x, y) = (numbers.integer(0...50), numbers.integer(0...50))
      rig.loader?.want(
        (0..<9).map { n in
          rig.request(
            tile(6, x + n % 3, y + n / 3), source: numbers.integer(0...2),
            levels: numbers.integer(0...8) == 0 ? 1 : 0, n < 4 ? .needed : .ahead)
        })
      if step % 3 == 0 { rig.collect() }
      if step % 100 == 99 { #expect(rig.run { ($0.loader?.stats.inFlight ?? 0) == 0 }) }
      if step % 500 == 499 { rig.add(1) { _ in TileLoaderTests.blue } }
      if rig.cache.stats.bytes > rig.cache.limit { over += 1 }
    }
    #expect(over == 0)
    rig.want()
    #expect(rig.runUntilIdle())
    rig.loader?.removeSource(0)
    rig.loader?.removeSource(1)
    rig.loader?.removeSource(2)
    #expect(
      rig.run { rig in
        rig.cache.clear()
        return rig.cache.stats.bytes == 0
      })
    #expect(rig.decoded.count > 100 && rig.tileErrors.count > 10)
  }
}
