import EventLoop
import Foundation
import TestSupport
import Testing
import TileSources

@testable import TileServing

/// The sources of a service, and what a reload does to them.
@Suite struct SourceServiceTests {
  private let folder: TemporaryFolder
  private let loop: EventLoop
  private let fetcher = HeldFetcher()
  private let service: SourceService
  private let problems = Problems()

  /// What is wrong, by its matter.
  private final class Problems {
    var present: [String: String] = [:]
  }

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
    service = SourceService(
      folder: folder.path, loop: loop, fetcher: fetcher, log: { _, _ in },
      problem: { [problems] in problems.present[$0] = $1 })
  }

  /// Runs the loop until `isTrue`, for 30 seconds at most.
  private func run(until isTrue: () -> Bool) -> Bool {
    let end = EventLoop.now() + 30_000_000_000
    while !isTrue() {
      if EventLoop.now() > end { return false }
      loop.runOnce(timeout: 10_000_000)
    }
    return true
  }

  private func isAtEnd(_ client: LineSocket) -> Bool {
    while client.takeLine() != nil {}
    return client.isAtEnd
  }

  @Test func onlyAChangeOfWhatTheServiceUsesEndsASource() {
    var spec = SourceSpec(name: "map", location: .url("http://x/{z}/{x}/{y}.png"))
    service.serve([spec])
    let client = LineSocket(folder["map.sock"])
    (spec.opacity, spec.fallback, spec.tileSize) = (0.5, "other", 512)
    (spec.role, spec.level, spec.filters) = (.overlay, .aboveLabels, ["grayscale"])
    service.serve([spec])
    client.send("get 1 3 1 2 1\n")
    #expect(run { fetcher.asked.count == 1 })
    #expect(!isAtEnd(client))
    spec.headers = ["X-Key": "new"]
    service.serve([spec])
    #expect(run { isAtEnd(client) })
    service.end()
  }

  @Test func whatGoesWrongWithTheLastWriteIsAProblem() throws {
    let media = folder["media"]
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
    var spec = SourceSpec(name: "map", location: .url("http://x/{z}/{x}/{y}.png"))
    spec.store = media + "/store.mbtiles"
    service.serve([spec])
    let client = LineSocket(folder["map.sock"])
    client.send("get 1 3 1 2 1\n")
    #expect(run { fetcher.asked.count == 1 })
    fetcher.answer(SourceCase.tile("one"))
    #expect(run { client.takeLine() == "tile 1 4" })
    #expect(problems.present.isEmpty)
    // The tile is to be written within ten seconds, and the medium goes.
    try FileManager.default.removeItem(atPath: media)
    service.end()
    let problem = problems.present["source map"]
    #expect(problem?.contains("tiles are shown but not kept") == true)
  }

  @Test func aSourceThatIsNoLongerServedHasNoProblem() throws {
    var spec = SourceSpec(name: "map", location: .url("http://x/{z}/{x}/{y}.png"))
    spec.store = "/proc/store.mbtiles"
    service.serve([spec])
    let client = LineSocket(folder["map.sock"])
    client.send("get 1 3 1 2 1\n")
    #expect(run { problems.present["source map"] != nil })
    service.serve([])
    #expect(problems.present["source map"] == nil)
  }

  @Test func anyNumberOfServersHasABoundedNumberOfQueues() {
    // Half of them are in trouble, and half of them are asked at present.
    for number in 0..<2000 {
      let address = "http://\(number).example/a.png"
      let question = FetchQuestion(address: address, headers: [])
      service.queue(for: address).ask(question, isBehind: false) { _ in }
      if number < 1000 { fetcher.answer(.unreachable("no route")) }
      #expect(service.queueCount <= 257)
    }
    #expect(fetcher.asked.count >= 1256)
  }
}
