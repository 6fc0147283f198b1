import CLinux
import Glibc
import Testing

@testable import EventLoop

/// Two ends of a pipe, closed with the value.
final class Pipe {
  let read: Int32
  let write: Int32
  private var isWriteOpen = true

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    (read, write) = (ends[0], ends[1])
  }

  deinit {
    close(read)
    closeWrite()
  }

  func put(_ byte: UInt8 = 1) {
    var byte = byte
    #expect(Glibc.write(write, &byte, 1) == 1)
  }

  @discardableResult func take() -> UInt8? {
    var byte: UInt8 = 0
    return Glibc.read(read, &byte, 1) == 1 ? byte : nil
  }

  func closeWrite() {
    if isWriteOpen { close(write) }
    isWriteOpen = false
  }
}

/// Long enough for anything that happens at all; waited out only by a failing test.
let patience: UInt64 = 10_000_000_000

@Suite struct WatchTests {
  @Test func readableIsToldAgainUntilItIsRead() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var told: [Interest] = []
    try loop.watch(pipe.read, .readable) { told.append($0) }
    #expect(!loop.runOnce(timeout: 0))
    pipe.put()
    #expect(loop.runOnce(timeout: patience))
    #expect(loop.runOnce(timeout: patience))
    pipe.take()
    #expect(!loop.runOnce(timeout: 0))
    #expect(told == [.readable, .readable])
  }

  @Test func interestCanBeChanged() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var told: [Interest] = []
    let watch = try loop.watch(ends[0], []) { told.append($0) }
    #expect(!loop.runOnce(timeout: 0))
    watch.interest = .writable
    loop.runOnce(timeout: patience)
    #expect(told == [.writable])
    watch.interest = .readable
    #expect(!loop.runOnce(timeout: 0))
    var byte: UInt8 = 7
    #expect(write(ends[1], &byte, 1) == 1)
    loop.runOnce(timeout: patience)
    watch.interest = [.readable, .writable]
    loop.runOnce(timeout: patience)
    #expect(told == [.writable, .readable, [.readable, .writable]])
  }

  @Test func aHangupIsToldWithoutBeingAskedFor() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var told: [Interest] = []
    try loop.watch(pipe.read, []) { told.append($0) }
    pipe.closeWrite()
    loop.runOnce(timeout: patience)
    #expect(told == [.hangup])
  }

  @Test func aPipeWithoutReaderIsAnError() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[1]) }
    var told: Interest = []
    try loop.watch(ends[1], []) { told = $0 }
    close(ends[0])
    loop.runOnce(timeout: patience)
    #expect(told == .error)
  }

  @Test func aCancelledWatchIsCalledNoMore() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var calls = 0
    var watch: Watch?
    watch = try loop.watch(pipe.read, .readable) { _ in
      calls += 1
      watch?.cancel()
      watch?.cancel()
    }
    pipe.put()
    #expect(watch?.isActive == true)
    loop.runOnce(timeout: patience)
    #expect(watch?.isActive == false)
    #expect(!loop.runOnce(timeout: 0))
    #expect(calls == 1)
  }

  @Test func aHandlerMayCancelAnotherWatchThatIsReadyInTheSameWakeUp() throws {
    let loop = try EventLoop()
    let pipes = (0..<8).map { _ in Pipe() }
    defer { withExtendedLifetime(pipes) {} }
    var watches: [Watch] = []
    var called: [Int] = []
    for (index, pipe) in pipes.enumerated() {
      watches.append(
        try loop.watch(pipe.read, .readable) { _ in
          called.append(index)
          for watch in watches { watch.cancel() }
        })
      pipe.put()
    }
    loop.runOnce(timeout: patience)
    #expect(called.count == 1)
  }

  @Test func anEventForACancelledWatchDoesNotReachANewOneOfTheSameNumber() throws {
    let loop = try EventLoop()
    // Two watches are ready; whichever comes first closes the other's descriptor and opens a new
    // pipe under its number, which has nothing to read.
    let first = Pipe()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let second = Pipe()
    first.put()
    second.put()
    var log: [String] = []
    var watches: [Watch] = []
    func reuse(_ other: Int, _ pipe: Pipe) {
      watches[other].cancel()
      #expect(dup2(ends[0], pipe.read) == pipe.read)
      do {
        try loop.watch(pipe.read, .readable) { _ in log.append("the new one") }
      } catch { log.append("\(error)") }
    }
    watches.append(
      try loop.watch(first.read, .readable) { _ in
        log.append("old")
        reuse(1, second)
      })
    watches.append(
      try loop.watch(second.read, .readable) { _ in
        log.append("old")
        reuse(0, first)
      })
    loop.runOnce(timeout: patience)
    #expect(log == ["old"])
    close(ends[0])
    close(ends[1])
  }

  @Test func cancellingLateDoesNotEndTheWatchThatTookTheNumberOver() throws {
    let loop = try EventLoop()
    let old = Pipe()
    let stale = try loop.watch(old.read, .readable) { _ in }
    let new = Pipe()
    // dup2 closes the old file first, and with that its place in the epoll.
    #expect(dup2(new.read, old.read) == old.read)
    var calls = 0
    try loop.watch(old.read, .readable) { _ in calls += 1 }
    stale.cancel()
    new.put()
    loop.runOnce(timeout: patience)
    #expect(calls == 1)
  }

  @Test func whatCannotBeWatchedIsRefusedByName() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    try loop.watch(pipe.read, .readable) { _ in }
    func code(_ fd: Int32) -> String {
      do {
        try loop.watch(fd, .readable) { _ in }
        return "watched"
      } catch {
        #expect(error.call == "epoll_ctl")
        return error.name
      }
    }
    #expect(code(-1) == "EBADF")
    #expect(code(pipe.read) == "EEXIST")
    let file = open("/proc/self/exe", O_RDONLY)
    #expect(code(file) == "EPERM")
    close(file)
  }

  @Test func moreReadyDescriptorsThanABatchAreAllServed() throws {
    let loop = try EventLoop()
    let pipes = (0..<200).map { _ in Pipe() }
    var seen = Set<Int32>()
    for pipe in pipes {
      try loop.watch(pipe.read, .readable) { _ in
        pipe.take()
        seen.insert(pipe.read)
      }
      pipe.put()
    }
    while seen.count < pipes.count && loop.runOnce(timeout: patience) {}
    #expect(seen.count == 200)
  }

  @Test func beforeSleepComesOnceAfterAllHandlersOfAWakeUp() throws {
    let loop = try EventLoop()
    let pipes = [Pipe(), Pipe()]
    var log: [String] = []
    for pipe in pipes {
      try loop.watch(pipe.read, .readable) { _ in
        pipe.take()
        log.append("handler")
      }
      pipe.put()
    }
    loop.beforeSleep = { log.append("sleep") }
    loop.runOnce(timeout: patience)
    #expect(log == ["handler", "handler", "sleep"])
    #expect(loop.wakeups == 1)
  }

  @Test func theLoopEndsItsWatchesWithItself() throws {
    let pipe = Pipe()
    var loop: EventLoop? = try EventLoop()
    let watch = try #require(loop).watch(pipe.read, .readable) { _ in }
    loop = nil
    #expect(!watch.isActive)
    watch.interest = .writable
    watch.cancel()
  }
}
