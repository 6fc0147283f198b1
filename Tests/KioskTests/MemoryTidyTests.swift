import EventLoop
import Testing

@testable import Kiosk

/// What painting keeps is freed once no tile has needed it for a while, and then no timer runs.
@Suite struct MemoryTidyTests {
  /// What is kept: it takes two looks until it is freed, as what was in use at the first counts.
  private final class Kept {
    var bytes = 1000
    var looks = 0
    /// How often memory was given back to the kernel.
    var returns = 0
  }

  private func tidy(_ loop: EventLoop, _ kept: Kept) -> MemoryTidy {
    MemoryTidy(
      loop: loop, pause: 1, bytes: { kept.bytes },
      freeUnused: {
        kept.looks += 1
        if kept.looks % 2 == 0 { kept.bytes = 0 }
      }, giveBack: { kept.returns += 1 })
  }

  private func run(_ loop: EventLoop, _ tidy: MemoryTidy) {
    let end = EventLoop.now() + 60_000_000_000
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

  @Test func memoryIsGivenBackAtTheEndOfTheWakeUpThatFreedTheLast() throws {
    let (loop, kept) = (try EventLoop(), Kept())
    let tidy = tidy(loop, kept)
    tidy.check(isPainted: true)
    run(loop, tidy)
    tidy.finish()
    #expect(kept.returns == 0)
    #expect(!tidy.takeRest())
    tidy.check(isPainted: true)
    run(loop, tidy)
    #expect(kept.returns == 0)
    let (isAtRest, isStill) = (tidy.takeRest(), tidy.takeRest())
    #expect(isAtRest && !isStill)
    tidy.finish()
    tidy.finish()
    #expect(kept.returns == 1)
    tidy.giveBackSoon()
    tidy.finish()
    #expect(kept.returns == 2)
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
