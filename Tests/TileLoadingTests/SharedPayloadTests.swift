import Glibc
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import TileLoading

/// Notes the columns of what it paints, and waits with each tile until it may end.
private final class NotingPainter: TilePainter {
  let columns = Mutex<[Int]>([])
  /// The columns of the tiles that may end; nil: all.
  let mayEnd = Mutex<Set<Int>?>([])
  let done = Mutex(0)

  var needsPayload: Bool { true }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    columns.withLock { $0.append(tile.x) }
    while !mayEnd.withLock({ $0?.contains(tile.x) ?? true }) { sched_yield() }
    return .nothing
  }

  func letEnd(_ column: Int) { mayEnd.withLock { _ = $0?.insert(column) } }
  func waitForTiles(_ count: Int) { while columns.withLock({ $0.count < count }) { sched_yield() } }
  func waitForDone(_ count: Int) { while done.withLock({ $0 < count }) { sched_yield() } }
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

  /// Queues tiles at these columns, four of which share a payload, for a pool whose threads begin
  /// with the first of them; then lets `body` run.
  private func paint(
    _ columns: [Int], threads: Int, _ painter: NotingPainter, _ body: () -> Void
  ) throws {
    let page = Int(getpagesize())
    let mapped = mmap(nil, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let memory = TileMemory(pointer: try #require(mapped), bytes: page)
    defer { memory.unmap() }
    let pool = DecodePool(threads: threads) { _, _ in painter.done.withLock { $0 += 1 } }
    for (number, x) in columns.enumerated() {
      let request = request(x, 2)
      var payload = TilePayload([1])
      payload.origin = tile(4, x / 4, 1)
      var job = PaintJob(
        key: request.key, tile: request.tile, levels: 0, memory: memory, edge: 16,
        opaque: .xrgb8888, painter: painter, generation: 0)
      job.parts = [PaintJob.Part(payload: payload, column: 0, row: 0, tile: request.tile)]
      job.cancellation = PaintCancellation()
      pool.add(job)
      painter.waitForTiles(min(number + 1, threads))
    }
    body()
    painter.mayEnd.withLock { $0 = nil }
    painter.waitForDone(columns.count)
    _ = pool.stop()
  }

  /// The order in which one thread paints tiles at these columns.
  private func painted(_ columns: [Int]) throws -> [Int] {
    let painter = NotingPainter()
    try paint(columns, threads: 1, painter) {}
    return painter.columns.withLock { $0 }
  }

  @Test func aThreadGoesOnWithThePayloadOfItsLastTile() throws {
    let order = try painted([0, 4, 1, 5, 2])
    #expect(order == [0, 1, 2, 4, 5])
  }

  @Test func afterFourTilesOtherPayloadsHaveTheirTurn() throws {
    let order = try painted([0, 8, 1, 2, 3, 0, 1])
    #expect(order == [0, 1, 2, 3, 8, 0, 1])
  }

  @Test func aThreadHelpsWithAPayloadThatAnotherHasParsed() throws {
    let painter = NotingPainter()
    try paint([0, 4, 1, 8, 2], threads: 2, painter) {
      // The first thread has painted a tile of the first payload, and paints the next one.
      painter.letEnd(0)
      painter.waitForTiles(3)
      painter.letEnd(4)
      painter.waitForTiles(4)
    }
    #expect(painter.columns.withLock { $0.dropFirst(2) } == [1, 2, 8])
  }

  @Test func aThreadLeavesAPayloadToTheOneThatParsesIt() throws {
    let painter = NotingPainter()
    try paint([0, 4, 1, 8], threads: 2, painter) {
      painter.letEnd(4)
      painter.waitForTiles(3)
    }
    #expect(painter.columns.withLock { $0[2] } == 8)
  }
}
