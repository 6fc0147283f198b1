import EventLoop
import MapGeometry
import Testing

@testable import Kiosk

/// How long the first picture waits to be complete.
@Suite struct FirstPictureTests {
  private static let never: UInt64 = 600_000_000_000

  /// A kiosk whose tiles are held back, on a panel with a beat that shows the picture of an earlier
  /// process or not, and the time to wait in both cases.
  private func bench(
    isKept: Bool, patience: UInt64 = 0, keptPatience: UInt64 = 0
  ) throws -> (Bench, Hold) {
    let spec = MosaicTests.spec(MosaicTests.small)
    let bench = try Bench([spec], width: 320, height: 200)
    bench.display.hasBeat = true
    bench.display.showsEarlierPicture = isKept
    bench.kiosk.frames.setFirstPicture(patience: patience, kept: keptPatience)
    let hold = bench.hold(spec)
    hold.hold { _ in true }
    return (bench, hold)
  }

  @Test func withoutAnEarlierPictureAnIncompleteOneFollowsSoon() throws {
    let (bench, hold) = try bench(
      isKept: false, patience: 20_000_000, keptPatience: FirstPictureTests.never)
    defer { hold.release() }
    bench.drain()
    #expect(bench.run { bench.display.frame > 0 })
    #expect(!bench.kiosk.pipeline.scene.isComplete)
  }

  @Test func anEarlierPictureStaysUntilTheNewOneIsComplete() throws {
    let (bench, hold) = try bench(isKept: true, keptPatience: FirstPictureTests.never)
    // One tile after another: none of them ends the wait but the last.
    while !bench.kiosk.pipeline.scene.isComplete {
      #expect(bench.display.frame == 0)
      guard bench.releaseOne(hold) != nil else { break }
      bench.drain()
    }
    hold.release()
    #expect(bench.run { bench.display.frame > 0 })
    #expect(bench.kiosk.pipeline.scene.isComplete)
  }

  @Test func itDoesNotStayForEver() throws {
    let (bench, hold) = try bench(
      isKept: true, patience: FirstPictureTests.never, keptPatience: 20_000_000)
    defer { hold.release() }
    bench.drain()
    #expect(bench.run { bench.display.frame > 0 })
    #expect(!bench.kiosk.pipeline.scene.isComplete)
  }

  @Test func anInputIsAnsweredSooner() throws {
    let (bench, hold) = try bench(isKept: true, keptPatience: FirstPictureTests.never)
    defer { hold.release() }
    bench.drain()
    #expect(bench.display.frame == 0)
    bench.kiosk.frames.answer(EventLoop.now())
    bench.kiosk.outbox.add(.picture)
    bench.drain()
    #expect(bench.display.frame == 1)
  }
}
