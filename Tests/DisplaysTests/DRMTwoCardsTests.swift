import EventLoop
import Glibc
import Platform
import Testing

@testable import Displays

/// Two cards alike, with the same connectors and modes.
@Suite struct DRMTwoCardsTests: DRMCase {
  private final class Machine {
    var plugged: Set<String> = []
    var devices: [String: FakeDRM] = [:]
    var hasOneMode = false
  }

  private static let paths = ["/dev/dri/card8", "/dev/dri/card9"]

  let loop: EventLoop
  private let machine = Machine()

  init() throws { loop = try EventLoop() }

  private func open() throws -> DRMScreen {
    let machine = machine
    return try DRMScreen.open(
      DisplayRequest(), loop: loop, console: nil, services: nil, atomic: true,
      cards: DRMCards(
        paths: { _ in Self.paths },
        open: { (path: String) throws(SystemError) -> any DRMDevice in
          let device = FakeDRM()
          device.isPlugged = machine.plugged.contains(path)
          device.hasOneMode = machine.hasOneMode
          machine.devices[path] = device
          return device
        },
        adopt: { _ in nil }),
      pauses: DRMScreen.Pauses(event: 1_000_000, rights: 1_000_000, fault: 1_000_000))
  }

  @Test func whatOneCardLackedMemoryForIsTriedOnAnother() throws {
    machine.plugged = [Self.paths[0]]
    let screen = try open()
    machine.devices[Self.paths[0]]?.fail(.modeCommit, ENOSPC, times: 1)
    show(on: screen)
    run { screen.display.width == 32 }
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
    // The monitor is plugged into the other card.
    machine.plugged = [Self.paths[1]]
    machine.devices[Self.paths[0]]?.isPlugged = false
    screen.devicesChanged()
    run { machine.devices[Self.paths[1]] != nil && screen.isConnected }
    #expect(screen.display.width == 64)
    #expect(screen.health.isEmpty)
  }

  @Test func aCardThatIsOpenedAgainIsNotLeftDarkForWhatItLacked() throws {
    machine.plugged = [Self.paths[0]]
    machine.hasOneMode = true
    let screen = try open()
    let first = try #require(machine.devices[Self.paths[0]])
    first.fail(.modeCommit, ENOSPC, times: 1)
    // Its only mode is given up, and then the card is taken away and is back at once.
    first.fail(.resources, ENODEV)
    show(on: screen)
    run { first.isClosed && screen.isConnected }
    #expect(screen.isConnected && screen.display.width == 64)
    #expect(machine.devices[Self.paths[0]] !== first)
    #expect(screen.health.isEmpty)
  }
}
