import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite struct WakerTests {
  @Test func wakesFromManyThreadsAllArriveAndAreJoined() throws {
    let loop = try EventLoop()
    let done = Counter()
    var handled = 0
    var seen = 0
    let waker = try loop.waker {
      handled += 1
      seen = done.value.load(ordering: .acquiring)
      if seen == 4 * 1000 { loop.stop() }
    }
    let threads = (0..<4).map { _ in
      JoinedThread {
        for _ in 0..<1000 {
          done.value.add(1, ordering: .acquiringAndReleasing)
          waker.wake()
        }
      }
    }
    loop.run()
    for thread in threads { thread.join() }
    #expect(seen == 4000)
    #expect(handled >= 1 && handled <= 4000)
  }

  @Test func wakesBeforeTheLoopLooksAreOne() throws {
    let loop = try EventLoop()
    var handled = 0
    let waker = try loop.waker { handled += 1 }
    for _ in 0..<10 { waker.wake() }
    loop.runOnce(timeout: patience)
    #expect(!loop.runOnce(timeout: 0))
    #expect(handled == 1)
  }

  @Test func aWakeDuringTheHandlerIsANewOne() throws {
    let loop = try EventLoop()
    var handled = 0
    var waker: Waker?
    waker = try loop.waker {
      handled += 1
      if handled == 1 { waker?.wake() }
    }
    waker?.wake()
    loop.runOnce(timeout: patience)
    #expect(loop.runOnce(timeout: patience))
    #expect(!loop.runOnce(timeout: 0))
    #expect(handled == 2)
    waker = nil
  }

  @Test func aWakerMayOutliveItsLoop() throws {
    var loop: EventLoop? = try EventLoop()
    let waker = try #require(loop).waker {}
    loop = nil
    waker.wake()
    #expect(fcntl(waker.fd, F_GETFD) >= 0)
  }

  @Test func signalsAreToldByNumber() throws {
    let loop = try EventLoop()
    var told: [Int32] = []
    try loop.signals([SIGUSR1, SIGUSR2]) { told.append($0) }
    // To this thread alone: other threads of the test process do not block them.
    pthread_kill(pthread_self(), SIGUSR2)
    pthread_kill(pthread_self(), SIGUSR1)
    while told.count < 2 && loop.runOnce(timeout: patience) {}
    #expect(told.sorted() == [SIGUSR1, SIGUSR2].sorted())
  }

  @Test func aSignalThatDoesNotExistIsRefused() throws {
    let loop = try EventLoop()
    #expect(throws: SystemError("sigaddset", code: EINVAL, on: "signal 4000")) {
      try loop.signals([4000]) { _ in }
    }
  }

  @Test func stopBeforeRunReturnsAtOnce() throws {
    let loop = try EventLoop()
    loop.stop()
    loop.run()
    var drawn = 0
    loop.beforeSleep = {
      drawn += 1
      loop.stop()
    }
    loop.run()
    #expect(drawn == 1)
    loop.beforeSleep = nil
  }
}

final class Counter: Sendable {
  let value = Atomic<Int>(0)
}
