import Glibc
import Platform
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Layers that could not be opened.
@Suite struct OpeningRetryTests {
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
    #expect(bench.run { bench.kiosk.sources.first?.info != nil })
    #expect(attempts.count.withLock { $0 } == 3)
    #expect(try bench.settle().missing == 0)
    #expect(bench.kiosk.health.entries.isEmpty)
    let entry = try #require(bench.kiosk.sources.first)
    #expect(entry.retry == nil)
  }

  @Test func whatDoesNotPassIsNotTriedAgain() throws {
    let (bench, attempts) = try bench(isTransient: false)
    #expect(bench.run { bench.kiosk.sources.first?.hasFailed == true })
    #expect(attempts.count.withLock { $0 } == 1)
    #expect(bench.kiosk.sources.first?.retry == nil)
  }

  @Test func whatIsTriedAgainIsNotWellBeforeItIsOpen() throws {
    let (bench, attempts) = try bench(isTransient: false)
    #expect(bench.run { bench.kiosk.sources.first?.hasFailed == true })
    func isTold() -> Bool { bench.kiosk.health.all.contains { $0.what == "source own" } }
    bench.kiosk.takeNotes()
    #expect(isTold())
    var tellings: [Bool] = []
    bench.kiosk.onEvent = { if case .health = $0 { tellings.append(isTold()) } }
    #expect(bench.kiosk.use("own"))
    bench.kiosk.takeNotes()
    // It is being opened, and its error is known meanwhile.
    #expect(bench.kiosk.sources.first?.isToBeOpened == true)
    #expect(bench.kiosk.sources.first?.error?.contains("no room at all") == true)
    #expect(isTold())
    #expect(bench.run { bench.kiosk.sources.first?.hasFailed == true })
    #expect(attempts.count.withLock { $0 } == 2)
    #expect(!tellings.contains(false))
    // Whatever has it tried again.
    bench.kiosk.clearCache()
    #expect(bench.run { bench.kiosk.sources.first?.info != nil })
    bench.kiosk.takeNotes()
    #expect(!isTold())
    #expect(bench.kiosk.sources.first?.error == nil)
  }

  /// Reads that fail so often for a reason that passes.
  private static func reads(failing attempts: Attempts, times: Int) -> FeatureReads {
    FeatureReads(bytes: { path, descriptor, size throws(FileError) in
      let count = attempts.count.withLock { count in
        count += 1
        return count
      }
      if count <= times {
        throw FileError(file: path, reason: "no room at all", isTransient: true)
      }
      return try FeatureReads().bytes(path, descriptor, size)
    })
  }

  @Test func anOverlayIsReadAgainWithoutACommandAndSoIsItsChangedFile() throws {
    let folder = try TemporaryFolder()
    let bench = try Bench([MosaicTests.spec(MosaicTests.small)], width: 320, height: 200)
    let point = #"{"type":"Point","coordinates":[0,0]}"#
    let path = try folder.write(point, to: "a.geojson")
    func entry() -> OverlayEntry? { bench.kiosk.book.overlays["a"] }
    for times in [1, 2] {
      let attempts = Attempts()
      var looks = FileLooks()
      looks.features = Self.reads(failing: attempts, times: times)
      bench.kiosk.book.files.looks = looks
      if times == 1 {
        _ = try bench.kiosk.addOverlay(["name": "a", "path": .string(path)], trusted: true)
      } else {
        try folder.write(point + " ", to: "b.geojson")
        #expect(rename(folder["b.geojson"], path) == 0)
      }
      #expect(bench.run { attempts.count.withLock { $0 } == times + 1 })
      #expect(bench.run { entry()?.info != nil && entry()?.error == nil })
      #expect(entry()?.retry == nil && entry()?.reopening == nil)
      #expect(bench.kiosk.health.entries.isEmpty)
    }
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
