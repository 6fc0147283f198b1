import EventLoop
import Foundation
import Testing

@testable import Kiosk

/// Work on the files of many media.
@Suite struct MediaWorkersTests {
  private func run(_ loop: EventLoop, until isDone: () -> Bool) {
    while !isDone(), loop.runOnce(timeout: 10_000_000_000) {}
  }

  /// Tests beside this one open descriptors too, but not hundreds.
  @Test func workersThatGoGiveTheirDescriptorsBack() throws {
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let loop = try EventLoop()
    let workers = MediaWorkers("test", loop: loop, capacity: 1)
    let before = try descriptors()
    var results: [Int] = []
    for n in 0..<600 {
      let isTaken = workers.post(on: "medium \(n)", { n }, then: { results.append($0) })
      #expect(isTaken)
      run(loop) { results.count == n + 1 }
    }
    #expect(results == Array(0..<600))
    #expect(try descriptors() < before + 300)
  }

  @Test func whereEveryMediumHangsNothingMoreIsTaken() throws {
    let loop = try EventLoop()
    let workers = MediaWorkers("test", loop: loop, capacity: 1)
    let gate = DispatchSemaphore(value: 0)
    var done = 0
    for n in 0..<MediaWorkers.limit {
      let isTaken = workers.post(on: "medium \(n)", { gate.wait() }, then: { done += 1 })
      #expect(isTaken)
    }
    let isTaken = workers.post(on: "another", {}, then: { done += 1 })
    #expect(!isTaken)
    for _ in 0..<MediaWorkers.limit { gate.signal() }
    run(loop) { done == MediaWorkers.limit }
    let isTakenNow = workers.post(on: "another", {}, then: { done += 1 })
    #expect(isTakenNow)
    run(loop) { done == MediaWorkers.limit + 1 }
    #expect(done == MediaWorkers.limit + 1)
  }
}
