import EventLoop
import Foundation
import Glibc
import Testing
import TileSources

@testable import TileServing

/// Programs that read nothing cannot have the service take ever more memory.
@Suite struct UnsentAnswersTests {
  /// A connection whose program reads only when it is told to.
  private final class Program {
    let connection: TileConnection
    let fd: Int32
    var isEnded = false

    init(_ loop: EventLoop, _ unsent: UnsentAnswers) throws {
      var ends: [Int32] = [0, 0]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
      fd = ends[1]
      connection = try #require(
        TileConnection(ends[0], greeting: "", loop: loop, unsent: unsent))
      connection.onEnd = { [unowned self] _ in isEnded = true }
    }

    deinit { close(fd) }

    func answer(_ count: Int) {
      connection.answer(1, .tile([UInt8](repeating: 7, count: count)))
    }

    func readAll() {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while read(fd, &bytes, bytes.count) > 0 {}
    }
  }

  @Test func theConnectionWithTheMostIsClosed() throws {
    let (loop, unsent) = (try EventLoop(), UnsentAnswers(limit: 8 << 20))
    let programs = try (0..<3).map { _ in try Program(loop, unsent) }
    for (program, mebibytes) in zip(programs, [1, 4, 2]) { program.answer(mebibytes << 20) }
    #expect(unsent.bytes > 5 << 20 && unsent.bytes < 8 << 20)
    #expect(programs.allSatisfy { !$0.isEnded })
    programs[0].answer(3 << 20 + 1 << 19)
    #expect(programs.map(\.isEnded) == [true, false, false])
    #expect(unsent.bytes < 8 << 20)
  }

  @Test func whatIsReadNoLongerCounts() throws {
    let (loop, unsent) = (try EventLoop(), UnsentAnswers(limit: 8 << 20))
    let program = try Program(loop, unsent)
    program.answer(4 << 20)
    #expect(unsent.bytes > 3 << 20)
    let end = EventLoop.now() + 30_000_000_000
    while unsent.bytes > 0, EventLoop.now() < end {
      program.readAll()
      loop.runOnce(timeout: 10_000_000)
    }
    #expect(unsent.bytes == 0 && !program.isEnded)
  }

  @Test func oneConnectionHasLessThanAllOfThem() throws {
    let (loop, unsent) = (try EventLoop(), UnsentAnswers())
    let program = try Program(loop, unsent)
    for _ in 0..<9 where !program.isEnded { program.answer(4 << 20) }
    #expect(program.isEnded && unsent.bytes == 0)
  }
}
