import EventLoop
import Glibc
import MapGeometry
import Platform
import TestSupport
import Testing
import TileSources

@testable import TileServing

/// Answers when a test says so.
final class HeldFetcher: ServerFetcher {
  private(set) var asked: [String] = []
  private var answers: [(FetchOutcome) -> Void] = []
  var open: Int { answers.count }

  func ask(_ question: FetchQuestion, _ answer: @escaping (FetchOutcome) -> Void) {
    asked.append(question.address)
    answers.append(answer)
  }

  func answer(_ outcome: FetchOutcome) {
    guard !answers.isEmpty else {
      Issue.record("nothing is asked")
      return
    }
    answers.removeFirst()(outcome)
  }
}

/// A source with a store, a program that asks it, and a server that answers when the test says so.
final class SourceCase {
  let folder: TemporaryFolder
  let loop: EventLoop
  let fetcher = HeldFetcher()
  var log: [String] = []
  /// What is wrong, by its matter.
  var problems: [String: String] = [:]
  var wall: Int64 = 1_000_000
  /// Seconds by which the monotonic clock is ahead.
  var later: UInt64 = 0
  private(set) var source: ServedSource?
  private var client: LineSocket?

  /// - Parameters:
  ///   - server: answers; nil: `fetcher`.
  ///   - folder: what an earlier case left; nil: a new one.
  ///   - change: makes the source another one.
  init(
    server: (any ServerFetcher)? = nil, in folder: TemporaryFolder? = nil,
    _ change: (inout SourceSpec) -> Void = { _ in }
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    loop = try EventLoop()
    var spec = SourceSpec(name: "map", location: .url("http://x/{z}/{x}/{y}.png"))
    spec.store = self.folder["store.mbtiles"]
    change(&spec)
    let clock = { [unowned self] in EventLoop.now() + later * 1_000_000_000 }
    let queue = HostQueue("http://x", fetcher: server ?? fetcher, clock: clock, problem: { _ in })
    source = try ServedSource(
      spec,
      ServiceContext(
        loop: loop, folder: self.folder.path, queueOf: { _ in queue }, clock: clock,
        wallClock: { [unowned self] in wall }, log: { [unowned self] in log.append($1) },
        problem: { [unowned self] in problems[$0] = $1 }))
    connect()
  }

  /// Has the program connect once more.
  func connect() { client = LineSocket(folder["map.sock"]) }

  /// Ends the source, with all written.
  func close() {
    source?.close()
    source?.finish(by: EventLoop.now() + 30_000_000_000)
    source = nil
  }

  /// Runs the loop until `isTrue`, for 30 seconds at most.
  ///
  /// - Returns: Whether it came to that.
  func run(until isTrue: () -> Bool) -> Bool {
    let end = EventLoop.now() + 30_000_000_000
    while !isTrue() {
      if EventLoop.now() > end { return false }
      loop.runOnce(timeout: 10_000_000)
    }
    return true
  }

  /// Runs the loop until there is nothing to do.
  func settle() { while loop.runOnce(timeout: 50_000_000) {} }

  func send(_ text: String) { client?.send(text) }

  /// The next line that the program is sent; nil: none in 30 seconds.
  func line() -> String? {
    var line: String?
    _ = run {
      line = client?.takeLine()
      return line != nil
    }
    return line
  }

  /// Asks for the tile, and gives the first line of the answer, or of one with bytes the bytes.
  func get(_ number: Int, _ tile: String) -> String? {
    send("get \(number) \(tile) 1\n")
    let first = line()
    return first?.hasPrefix("tile") == true ? line() : first
  }

  /// Takes the greeting.
  func greeting() -> [String] {
    var lines: [String] = []
    while let next = line(), !next.isEmpty { lines.append(next) }
    return lines
  }

  /// Has the tile asked for and stored, with a life of so many seconds.
  func store(_ tile: String, _ text: String, lifetime: Int) -> Bool {
    let count = fetcher.asked.count
    send("get 1 \(tile) 1\n")
    guard run(until: { fetcher.asked.count > count }) else { return false }
    fetcher.answer(SourceCase.tile(text, lifetime: lifetime))
    let isSent = line()?.hasPrefix("tile 1 ") == true && line() == text
    settle()
    return isSent
  }

  static func tile(_ text: String, lifetime: Int = 900) -> FetchOutcome {
    var terms = FetchOutcome.Terms()
    terms.lifetime = lifetime
    return .tile(Array("\(text)\n".utf8), terms)
  }
}
