import Configuration
import Displays
import EventLoop
import Testing
import TileSources

@testable import Control
@testable import Daemon
@testable import Kiosk

/// The target `rpc` misses no method of the socket.
@Suite struct FuzzMethodTests {
  @Test func everyMethodThatTheDaemonServesIsFuzzed() throws {
    let loop = try EventLoop()
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.sources = [Bundled.sources[0]]
    configuration.state.path = nil
    let display = HeadlessDisplay(
      width: 320, height: 240, format: .xrgb8888, rotation: .none, loop: nil)
    let kiosk = try Kiosk(
      configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(display) },
      font: { Bundled.text($0) })
    defer { kiosk.close() }
    let service = ControlService(kiosk: kiosk) { $0(.success([])) }
    defer { service.close() }
    let (served, fuzzed) = (Set(service.routes.names), Set(ControlMessages.all.keys))
    #expect(!served.isEmpty)
    #expect(served.subtracting(fuzzed).isEmpty, "not in ControlMessages.all")
    #expect(fuzzed.subtracting(served).isEmpty, "not served by the daemon")
  }

  @Test func everyTableThatAMethodTakesIsChecked() {
    let takers = ControlMessages.all.filter { $0.value.takesTable }.keys
    #expect(Set(takers) == Set(ControlMessages.tables.keys))
  }
}
