import Glibc
import Testing

@testable import EventLoop

@Suite struct TimerTests {
  @Test func timersFireInTheOrderOfTheirDeadlinesAndNotBefore() throws {
    let loop = try EventLoop()
    var log: [Int] = []
    let start = EventLoop.now()
    let delays: [UInt64] = [30_000_000, 5_000_000, 20_000_000]
    let timers = delays.enumerated().map { index, delay in
      loop.timer {
        #expect(EventLoop.now() >= start + delay)
        log.append(index)
      }
    }
    for (timer, delay) in zip(timers, delays) { timer.arm(at: start + delay) }
    while log.count < 3 && loop.runOnce(timeout: patience) {}
    #expect(log == [1, 2, 0])
    #expect(timers.allSatisfy { !$0.isArmed })
  }

  @Test func armingAgainReplacesTheDeadline() throws {
    let loop = try EventLoop()
    var fired = 0
    let timer = loop.timer { fired += 1 }
    timer.arm(after: 3_600_000_000_000)
    timer.arm(after: 1_000_000)
    #expect(loop.runOnce(timeout: patience))
    timer.arm(after: 0)
    timer.arm(after: 3_600_000_000_000)
    #expect(!loop.runOnce(timeout: 3_000_000))
    #expect(fired == 1)
    #expect(timer.isArmed)
  }

  @Test(arguments: [0, 1, UInt64.max]) func extremeDeadlinesAreHandled(_ deadline: UInt64) throws {
    let loop = try EventLoop()
    var fired = false
    let timer = loop.timer { fired = true }
    timer.arm(at: deadline)
    loop.runOnce(timeout: deadline == .max ? 2_000_000 : patience)
    #expect(fired == (deadline != .max))
    timer.arm(after: .max)
    #expect(!loop.runOnce(timeout: 2_000_000))
  }

  @Test func aCancelledTimerDoesNotFireNorWakeTheLoop() throws {
    let loop = try EventLoop()
    var fired = 0
    let timer = loop.timer { fired += 1 }
    timer.arm(after: 1_000_000)
    timer.cancel()
    timer.cancel()
    #expect(!loop.runOnce(timeout: 5_000_000))
    // Cancelled after the timerfd was set: it is disarmed before the next sleep.
    let due = EventLoop.now() + 500_000_000
    timer.arm(at: due)
    loop.runOnce(timeout: 0)
    // On a machine that stood still for that long there is nothing to be cancelled.
    guard timer.isArmed else { return }
    timer.cancel()
    #expect(!loop.runOnce(timeout: due + 50_000_000 - min(due, EventLoop.now())))
    #expect(fired == 0)
  }

  @Test func aHandlerMayCancelATimerThatIsDueInTheSameWakeUp() throws {
    let loop = try EventLoop()
    var fired: [String] = []
    var second: LoopTimer?
    let first = loop.timer {
      fired.append("first")
      second?.cancel()
    }
    second = loop.timer { fired.append("second") }
    first.arm(at: 1)
    second?.arm(at: 2)
    loop.runOnce(timeout: patience)
    #expect(fired == ["first"])
    #expect(!loop.runOnce(timeout: 0))
  }

  @Test func aTimerThatArmsItselfForNowLetsDescriptorsHaveTheirTurn() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var timer: LoopTimer?
    var rounds = 0
    var heard = false
    timer = loop.timer {
      rounds += 1
      timer?.arm(at: 0)
    }
    try loop.watch(pipe.read, .readable) { _ in
      heard = true
      pipe.take()
    }
    timer?.arm(at: 0)
    pipe.put()
    for _ in 0..<3 { loop.runOnce(timeout: patience) }
    #expect(heard)
    #expect(rounds == 3)
    timer?.cancel()
    timer = nil
  }

  @Test func nothingArmedMeansNoWakeUp() throws {
    let loop = try EventLoop()
    let timer = loop.timer {}
    timer.arm(at: 0)
    loop.runOnce(timeout: patience)
    let before = loop.wakeups
    #expect(!loop.runOnce(timeout: 20_000_000))
    #expect(loop.wakeups == before + 1)  // the timeout's own
  }

  @Test func anArmedTimerIsKeptByTheLoop() throws {
    let loop = try EventLoop()
    var fired = false
    loop.timer { fired = true }.arm(at: 0)
    loop.runOnce(timeout: patience)
    #expect(fired)
  }
}
