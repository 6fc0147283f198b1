import EventLoop
import Foundation
import Platform
import TestSupport
import Testing

/// Jobs beside the loop.
@Suite struct WorkerTests {
  @Test func resultsAreDeliveredOnTheLoopInTheOrderOfTheirJobs() throws {
    let loop = try EventLoop()
    let worker = Worker("order", loop: loop, capacity: 8)
    var told: [String] = []
    for n in 0..<4 {
      let isTaken = [
        worker.post({ n }, then: { told.append("\($0)") }),
        worker.post({ "after \(n)" }, then: { told.append($0) }),
      ]
      #expect(isTaken == [true, true])
    }
    #expect(told.isEmpty)
    while told.count < 8 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(told == ["0", "after 0", "1", "after 1", "2", "after 2", "3", "after 3"])
  }

  @Test func aDeliveryMayPostAnotherJobAndWaitForIt() throws {
    let loop = try EventLoop()
    let worker = Worker("again", loop: loop, capacity: 2)
    var told: [Int] = []
    let isTaken = worker.post(
      { 1 },
      then: {
        told.append($0)
        let isTaken = worker.post({ 2 }, then: { told.append($0) })
        #expect(isTaken)
        worker.finish(within: 60)
      })
    #expect(isTaken)
    while told.count < 2 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(told == [1, 2])
  }

  @Test func aWorkerThatHangsTakesOnlySoMuchMore() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder["hang"], 0o600) == 0)
    let hang = folder["hang"]
    let loop = try EventLoop()
    var done: [Bool] = []
    let worker = Worker("hang", loop: loop, capacity: 1)
    func post(_ job: @escaping @Sendable () -> Bool) -> Bool {
      worker.post(job, then: { done.append($0) })
    }
    let isPosted = post {
      // Without a writer it does not come back.
      let fd = open(hang, O_RDONLY)
      close(fd)
      return fd >= 0
    }
    #expect(isPosted)
    while !post({ true }) {}
    // One is under way, one waits, no other finds room; the loop goes on.
    let isTakenToo = post { true }
    #expect(!isTakenToo)
    loop.runOnce(timeout: 0)
    #expect(done.isEmpty && !worker.isIdle)
    let fd = open(hang, O_WRONLY)
    close(fd)
    while done.count < 2 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(worker.isIdle)
  }

  @Test func aWorkerWithoutAThreadTakesNothingAndTriesAgain() throws {
    let loop = try EventLoop()
    var hasRoom = false
    var done: [Int] = []
    let worker = Worker("none", loop: loop, capacity: 1) { name, body in
      hasRoom && startThread(named: name, body)
    }
    func post(_ n: Int) -> Bool { worker.post({ n }, then: { done.append($0) }) }
    #expect(!post(1))
    #expect(!post(2))
    #expect(worker.isIdle)
    hasRoom = true
    #expect(post(3))
    while done.isEmpty { loop.runOnce(timeout: 1_000_000_000) }
    #expect(done == [3])
  }
}
