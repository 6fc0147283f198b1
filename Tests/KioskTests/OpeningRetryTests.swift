import Synchronization
import Testing
import TileSources

@testable import Kiosk

/// Layers that could not be opened.
@Suite(.timeLimit(.minutes(5))) struct OpeningRetryTests {
  private final class Attempts: Sendable {
    let count = Mutex(0)
  }

  /// Adds a source whose file can be opened at the third attempt.
  private func bench(isTransient: Bool) throws -> (Bench, Attempts) {
    let attempts = Attempts()
    let bench = try Bench([])
    bench.kiosk.addSource("own") {
      let count = attempts.count.withLock { count in
        count += 1
        return count
      }
      if count < 3 {
        return .failure(
          SourceError(file: "own", reason: "no room at all", isTransient: isTransient))
      }
      return .success(PlaceholderTests.PlainSource())
    }
    _ = bench.kiosk.use("own")
    return (bench, attempts)
  }

  @Test func whatCouldNotBeOpenedForAReasonThatPassesIsOpenedWithoutACommand() throws {
    let (bench, attempts) = try bench(isTransient: true)
    while bench.kiosk.sources.first?.info == nil { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(attempts.count.withLock { $0 } == 3)
    #expect(try bench.settle().missing == 0)
    #expect(bench.kiosk.health.entries.isEmpty)
    let entry = try #require(bench.kiosk.sources.first)
    #expect(entry.retry == nil)
  }

  @Test func whatDoesNotPassIsNotTriedAgain() throws {
    let (bench, attempts) = try bench(isTransient: false)
    while bench.kiosk.sources.first?.hasFailed != true {
      bench.loop.runOnce(timeout: 1_000_000_000)
    }
    #expect(attempts.count.withLock { $0 } == 1)
    #expect(bench.kiosk.sources.first?.retry == nil)
  }

  @Test func eachWaitIsTwiceTheLastUpToFiveMinutes() {
    var retry = OpeningRetry()
    var waits: [UInt64] = []
    for _ in 0..<11 {
      retry.fail(at: 0)
      let due = retry.due ?? 0
      waits.append(due / 1_000_000_000)
      let isEarly = retry.begin(at: due - 1)
      let isDue = retry.begin(at: due)
      #expect(!isEarly && isDue)
      #expect(retry.due == nil)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  }
}
