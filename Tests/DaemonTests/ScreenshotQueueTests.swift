import Control
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Kiosk

/// Screenshots are made beside the loop, one at a time, for those who wait.
@Suite struct ScreenshotQueueTests {
  /// A server with the queue, on a loop that the test turns.
  private final class Bench {
    let folder: TemporaryFolder
    let loop: EventLoop
    private(set) var queue: ScreenshotQueue!
    private(set) var server: ControlServer!
    /// How many screenshots were asked for, and how many frames copied.
    private(set) var asked = 0
    private(set) var copies = 0
    let frame: FrameCopy
    private let door: Door

    /// Whether an encoding that has begun may go on.
    private final class Door: Sendable {
      let isOpen = Mutex(true)
      func pass() { while !isOpen.withLock({ $0 }) { sched_yield() } }
    }

    init(edge: Int = 64) throws {
      let door = Door()
      self.door = door
      folder = try TemporaryFolder()
      loop = try EventLoop()
      var random = SystemRandomNumberGenerator()
      // Noise: nothing that is soon compressed.
      let pixels = (0..<edge * edge).map { _ in UInt32.random(in: 0...0xff_ffff, using: &random) }
      frame = FrameCopy(width: edge, height: edge, frame: 7, pixels: pixels)
      queue = ScreenshotQueue(
        loop: loop,
        copy: { [unowned self] in
          copies += 1
          return frame
        },
        encode: { frame in
          door.pass()
          return frame.encode()
        })
      let routes = Routes()
      routes.onLater(Screenshot.self) { [unowned self] _, reply in
        asked += 1
        queue.add(reply)
      }
      routes.on(Version.self) { _ in VersionResult(version: "1") }
      server = try ControlServer(
        loop: loop, listener: ControlListener(path: folder["s"]), routes: routes)
    }

    /// Holds up all encodings until `release`.
    func hold() { door.isOpen.withLock { $0 = false } }
    func release() { door.isOpen.withLock { $0 = true } }

    func connect() -> LineSocket { LineSocket(folder["s"]) }

    /// Turns the loop until `done`; false if that takes two minutes.
    func run(until done: () -> Bool) -> Bool {
      let end = EventLoop.now() + 120_000_000_000
      while !done() {
        if EventLoop.now() > end { return false }
        loop.runOnce(timeout: 2_000_000)
      }
      return true
    }

    func line(_ client: LineSocket) throws -> String {
      var line: String?
      _ = run {
        line = client.takeLine()
        return line != nil || client.isAtEnd
      }
      return try #require(line)
    }
  }

  private let screenshot = #"{"jsonrpc":"2.0","id":1,"method":"screenshot"}"# + "\n"
  private let version = #"{"jsonrpc":"2.0","id":2,"method":"version"}"# + "\n"

  @Test func othersAreAnsweredWhileAScreenshotIsEncoded() throws {
    let bench = try Bench()
    bench.hold()
    defer { bench.release() }
    let slow = bench.connect()
    slow.send(screenshot + version)
    #expect(bench.run { bench.copies == 1 })
    let other = bench.connect()
    other.send(version)
    #expect(try bench.line(other).contains(#""id":2"#))
    #expect(slow.takeLine() == nil)
    bench.release()
    // A connection's answers keep their order.
    let picture = try bench.line(slow)
    #expect(picture.hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"width":64"#))
    #expect(try bench.line(slow).hasPrefix(#"{"jsonrpc":"2.0","id":2"#))
    bench.server.close()
  }

  @Test func thePictureIsTheFrame() throws {
    let bench = try Bench(edge: 5)
    let client = bench.connect()
    client.send(screenshot)
    let answer = try JSON.parse(try bench.line(client))
    let result = try ScreenshotResult(try #require(answer["result"]))
    #expect(result.frame == 7 && result.width == 5 && result.height == 5)
    #expect(try result.png() == bench.frame.png().png)
    #expect(bench.queue.bytes == 0)
  }

  @Test func howeverManyWaitOneFrameIsCopiedAtATime() throws {
    let bench = try Bench()
    bench.hold()
    defer { bench.release() }
    let clients = (0..<6).map { _ in bench.connect() }
    for client in clients { client.send(screenshot) }
    #expect(bench.run { bench.asked == 6 })
    #expect(bench.copies == 1)
    bench.release()
    for client in clients { #expect(try bench.line(client).contains(#""frame":7"#)) }
    #expect(bench.copies == 6)
    bench.server.close()
  }

  @Test func whatNobodyWaitsForIsNotMade() throws {
    let bench = try Bench()
    bench.hold()
    defer { bench.release() }
    let first = bench.connect()
    first.send(screenshot)
    #expect(bench.run { bench.asked == 1 })
    let gone = (0..<5).map { _ in bench.connect() }
    for client in gone { client.send(String(repeating: screenshot, count: 50)) }
    #expect(bench.run { bench.asked == 6 })
    for client in gone { client.hangUp() }
    #expect(bench.run { bench.server.stats.clients == 1 })
    bench.release()
    _ = try bench.line(first)
    #expect(bench.copies == 1)
    // A notification has no answer.
    first.send(#"{"jsonrpc":"2.0","method":"screenshot"}"# + "\n" + version)
    _ = try bench.line(first)
    #expect(bench.copies == 1)
    bench.server.close()
  }
}
