import EventLoop
import Testing

@testable import TileServing

/// Memory goes back to the kernel when nothing is asked for, and no timer runs afterwards.
@Suite struct MemoryRestTests {
  @Test func memoryIsGivenBackOnceAfterTheLastQuestion() throws {
    let loop = try EventLoop()
    var (asked, given) = (0, 0)
    var askedSince = true
    let rest = MemoryRest(loop: loop, pause: 20_000_000) {
      given += 1
      #expect(!askedSince)
    }
    let timer = loop.timer { askedSince = false }
    for _ in 0..<5 {
      rest.worked()
      asked += 1
      timer.arm(after: 15_000_000)
      loop.runOnce(timeout: 5_000_000)
    }
    while given == 0 { loop.runOnce(timeout: 1_000_000_000) }
    // No timer is left that would wake it.
    #expect(!loop.runOnce(timeout: 100_000_000))
    #expect(given == 1 && asked == 5)
    rest.worked()
    while given == 1 { loop.runOnce(timeout: 1_000_000_000) }
  }

  @Test func nothingIsDoneWhereNothingWasAsked() throws {
    let loop = try EventLoop()
    let rest = MemoryRest(loop: loop, pause: 1_000_000) { Issue.record("it was given back") }
    #expect(!loop.runOnce(timeout: 50_000_000))
    withExtendedLifetime(rest) {}
  }
}
