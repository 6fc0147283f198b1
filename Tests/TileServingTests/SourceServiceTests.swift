import EventLoop
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

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
    service = SourceService(
      folder: folder.path, loop: loop, fetcher: fetcher, log: { _, _ in })
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
