import EventLoop
import Testing

@testable import Kiosk

/// What painting keeps is freed once no tile has needed it for a while, and then no timer runs.
@Suite struct MemoryTidyTests {
  /// What is kept: it takes two looks until it is freed, as what was in use at the first counts.
  private final class Kept {
    var bytes = 1000
    var looks = 0
  }

  private func tidy(_ loop: EventLoop, _ kept: Kept) -> MemoryTidy {
    MemoryTidy(
      loop: loop, pause: 1, bytes: { kept.bytes },
      freeUnused: {
        kept.looks += 1
        if kept.looks % 2 == 0 { kept.bytes = 0 }
      })
  }

  private func run(_ loop: EventLoop, _ tidy: MemoryTidy) {
    let end = EventLoop.now() + 10_000_000_000
    while tidy.isArmed, EventLoop.now() < end {
      loop.runOnce(timeout: 100_000_000)
    }
  }

  @Test func whatIsKeptIsFreedAtTheSecondLook() throws {
    let (loop, kept) = (try EventLoop(), Kept())
    let tidy = tidy(loop, kept)
    tidy.check(isPainted: true)
    #expect(tidy.isArmed)
    run(loop, tidy)
    #expect(kept.bytes == 1000 && kept.looks == 1)
    // The wake-up ends as any other does.
    tidy.check(isPainted: true)
    run(loop, tidy)
    #expect(kept.bytes == 0 && kept.looks == 2)
    tidy.check(isPainted: true)
    #expect(!tidy.isArmed)
  }

  @Test func whatWasLeftByAMapThatIsGoneIsFreedToo() throws {
    let (loop, kept) = (try EventLoop(), Kept())
    let tidy = tidy(loop, kept)
    tidy.check(isPainted: true)
    run(loop, tidy)
    tidy.check(isPainted: false)
    run(loop, tidy)
    #expect(kept.bytes == 0)
  }

  @Test func withoutAVectorMapNothingIsLookedAt() throws {
    let (loop, kept) = (try EventLoop(), Kept())
    let tidy = tidy(loop, kept)
    tidy.check(isPainted: false)
    #expect(!tidy.isArmed)
    kept.bytes = 0
    tidy.check(isPainted: true)
    #expect(!tidy.isArmed)
  }
}
