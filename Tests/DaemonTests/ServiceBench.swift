import Configuration
import Control
import Displays
import EventLoop
import Kiosk
import MapGeometry
import Platform
import TestSupport
import TileSources

@testable import Daemon

/// A kiosk with the daemon's routes on a socket, on a loop that the test turns.
final class ServiceBench {
  let folder: TemporaryFolder
  let loop: EventLoop
  let kiosk: Kiosk
  let service: ControlService

  /// `patience`: how long a call waits for a source to open, in seconds.
  init(patience: Double) throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.sources = [Bundled.sources[0]]
    configuration.state.path = nil
    let display = HeadlessDisplay(
      width: 320, height: 240, format: .xrgb8888, rotation: .none, loop: nil)
    kiosk = try Kiosk(
      configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(display) },
      font: { Bundled.text($0) })
    service = try ControlService(kiosk: kiosk, patience: patience) { $0(.success([])) }
    try service.serve(on: ControlListener(path: folder["s"]))
  }

  deinit {
    service.close()
    kiosk.close()
  }

  func connect() -> LineSocket { LineSocket(folder["s"]) }

  /// Turns the loop until `done`; false if that takes two minutes.
  func run(until done: () -> Bool) -> Bool {
    let end = EventLoop.now() + 120_000_000_000
    while !done() {
      if EventLoop.now() > end { return false }
      loop.runOnce(timeout: 10_000_000)
    }
    return true
  }

  /// The next line of `client`; nil if none comes.
  func line(_ client: LineSocket) throws -> JSON? {
    var line: String?
    _ = run {
      line = client.takeLine()
      return line != nil || client.isAtEnd
    }
    return try line.map { try JSON.parse($0) }
  }

  /// Sends a call without waiting for its answer.
  func send(_ client: LineSocket, _ method: String, _ params: JSON) {
    let call: JSON = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
    client.send(call.text + "\n")
  }

  /// Sends a call and waits for its answer.
  func ask(_ client: LineSocket, _ method: String, _ params: JSON = [:]) throws -> JSON? {
    send(client, method, params)
    return try line(client)
  }
}

/// A medium that hangs until it is let go.
final class HangingMedium: Sendable {
  private struct State {
    var isLetGo = false
    var hanging = 0
  }
  private let state = Gate(State())

  func letGo() { state.lockedBroadcast { $0.isLetGo = true } }

  /// How many threads ever waited for it.
  var hanging: Int { state.locked { $0.hanging } }

  /// Comes back when it is let go.
  func wait() {
    state.locked { $0.hanging += 1 }
    state.wait { $0.isLetGo ? () : nil }
  }

  /// A source that opens when the medium is let go.
  func source() -> Result<any TileSource, SourceError> {
    wait()
    return .success(NoTiles())
  }
}

/// A source without tiles.
final class NoTiles: TileSource {
  let info = SourceInfo(kind: "none", format: "png", minZoom: 0, maxZoom: 6)

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead { .nothing }

  func contains(_ id: TileID) throws(TileError) -> Bool { false }
}
