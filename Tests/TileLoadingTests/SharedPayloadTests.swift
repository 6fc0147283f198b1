import Glibc
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import TileLoading

/// Notes what it paints, and waits with the first tile until all are queued.
private final class NotingPainter: TilePainter {
  let tiles = Mutex<[TileID]>([])
  let mayGoOn = Mutex(false)
  let done = Mutex(0)

  var needsPayload: Bool { true }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    tiles.withLock { $0.append(tile) }
    while !mayGoOn.withLock({ $0 }) { sched_yield() }
    return .nothing
  }
}

/// Tiles that are painted from those of the level above.
private final class SharingSource: DrawnSource {
  private struct Painter: TilePainter {
    var needsPayload: Bool { true }
    var sharesPayloads: Bool { true }
    func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
      -> PaintOutcome
    {
      .nothing
    }
  }

  let info = SourceInfo(kind: "sharing", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter = Painter()
  private let control: SourceControl
  init(_ control: SourceControl) { self.control = control }
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    control.read(id)
    return .payload(TilePayload([1]))
  }
}

/// Tiles that are painted from one payload.
@Suite struct SharedPayloadTests {
  private func request(
    _ x: Int, _ y: Int, source: Int = 0, standing: TileStanding = .needed
  ) -> TileLoader.Request {
    let id = tile(5, x, y)
    return TileLoader.Request(
      key: TileKey(source: source, tile: id), tile: id, levels: 0, edge: 16, standing: standing)
  }

  private func order(
    _ requests: [TileLoader.Request], sharing: Set<Int> = [0], begun: Set<TileKey> = []
  ) -> [TileLoader.Request] {
    var wants = LoaderWants()
    wants.set(requests, for: .main, begun: begun) { sharing.contains($0) }
    var order: [TileLoader.Request] = []
    wants.forEach {
      order.append($0)
      return true
    } askAgain: { _ in
      true
    }
    return order
  }

  @Test func requestsForOnePayloadFollowTheFirstOfThem() {
    let (a, b, c, d) = (request(2, 2), request(4, 2), request(3, 3), request(5, 2))
    let e = request(2, 3)
    #expect(order([a, b, c, d, e]) == [a, c, e, b, d])
  }

  @Test func whatIsPaintedFromAPayloadThatIsReadComesFirst() {
    // The first of the second payload's tiles, which was the nearest, is painted.
    let (a, b, c, d) = (request(2, 2), request(4, 2), request(3, 3), request(5, 2))
    let begun: Set = [TileKey(source: 0, tile: tile(4, 2, 1))]
    #expect(order([a, b, c, d], begun: begun) == [b, d, a, c])
    let ahead = request(5, 2, standing: .ahead)
    #expect(order([a, c, ahead], begun: begun) == [a, c, ahead])
  }

  /// The columns of the tiles that are read if, while that at column 2 is read and the one at 4 is
  /// queued, others are wanted instead.
  private func read(then columns: [Int]) -> [Int] {
    let (rig, control) = (Rig(), SourceControl())
    rig.loader?.setSource(0, name: "sharing") { .success(SharingSource(control)) }
    rig.loader?.open(0)
    #expect(rig.run { $0.opened == [0] })
    control.hold(tile(5, 2, 2))
    rig.want(request(2, 2), request(4, 2))
    #expect(control.waitForRead(of: tile(5, 2, 2)))
    rig.loader?.want(columns.map { request($0, 2) })
    control.release()
    #expect(rig.runUntilIdle())
    return control.reads.map(\.x)
  }

  @Test func whatIsBeingReadBringsTheTilesBesideItFirst() {
    #expect(read(then: [8, 3]) == [2, 3, 8])
  }

  @Test func whatIsOnlyQueuedDoesNot() {
    #expect(read(then: [8, 5]) == [2, 8, 5])
  }

  @Test func requestsForPayloadsOfTheirOwnKeepTheirOrder() {
    let requests = [request(2, 2), request(4, 2), request(3, 3), request(5, 2)]
    #expect(order(requests, sharing: []) == requests)
  }

  @Test func noRequestOvertakesOneOfAnotherStanding() {
    let (a, b) = (request(2, 2), request(4, 2))
    let c = request(3, 3, standing: .ahead)
    #expect(order([a, b, c]) == [a, b, c])
  }

  @Test func theSamePlaceOfAnotherSourceIsAnotherPayload() {
    let (a, b, c) = (request(2, 2), request(4, 2), request(3, 3, source: 1))
    #expect(order([a, b, c], sharing: [0, 1]) == [a, b, c])
  }

  /// The order in which one thread paints tiles at these columns; the payloads are those of the
  /// tiles of the level above.
  private func painted(_ columns: [Int]) throws -> [Int] {
    let painter = NotingPainter()
    let page = Int(getpagesize())
    let mapped = mmap(nil, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let memory = TileMemory(pointer: try #require(mapped), bytes: page)
    defer { memory.unmap() }
    let pool = DecodePool(threads: 1) { _, _ in painter.done.withLock { $0 += 1 } }
    for x in columns {
      let request = request(x, 2)
      var payload = TilePayload([1])
      payload.origin = tile(4, x / 4, 1)
      var job = PaintJob(
        key: request.key, tile: request.tile, levels: 0, memory: memory, edge: 16,
        opaque: .xrgb8888, painter: painter, generation: 0)
      job.parts = [PaintJob.Part(payload: payload, column: 0, row: 0, tile: request.tile)]
      job.cancellation = PaintCancellation()
      pool.add(job)
      // The thread begins with the first.
      while painter.tiles.withLock(\.isEmpty) { sched_yield() }
    }
    painter.mayGoOn.withLock { $0 = true }
    while painter.done.withLock({ $0 }) < columns.count { sched_yield() }
    _ = pool.stop()
    return painter.tiles.withLock { $0.map(\.x) }
  }

  @Test func aThreadGoesOnWithThePayloadOfItsLastTile() throws {
    let order = try painted([0, 4, 1, 5, 2])
    #expect(order == [0, 1, 2, 4, 5])
  }

  @Test func afterFourTilesOtherPayloadsHaveTheirTurn() throws {
    let order = try painted([0, 8, 1, 2, 3, 0, 1])
    #expect(order == [0, 1, 2, 3, 8, 0, 1])
  }
}
