import EventLoop
import Glibc
import Platform
import Testing

@testable import Displays

/// What `DRMScreen` does when a card, its master or its connector cannot be had.
@Suite struct DRMScreenFailureTests: DRMCase {
  private final class Machine {
    var devices: [FakeDRM] = []
    /// Prepares each card that is opened.
    var prepare: (FakeDRM) -> Void = { _ in }
    var openFails: Int32 = 0
    var last: FakeDRM { devices[devices.count - 1] }
  }

  let loop: EventLoop
  private let machine = Machine()

  init() throws { loop = try EventLoop() }

  private func open(_ request: DisplayRequest = DisplayRequest()) throws -> DRMScreen {
    let machine = machine
    return try DRMScreen.open(
      request, loop: loop, console: nil, services: nil, atomic: true,
      cards: DRMCards(
        paths: { _ in ["/dev/dri/card9"] },
        open: { (path: String) throws(SystemError) -> any DRMDevice in
          if machine.openFails != 0 {
            throw SystemError("open", code: machine.openFails, on: path)
          }
          let device = FakeDRM()
          machine.prepare(device)
          machine.devices.append(device)
          return device
        },
        adopt: { _ in nil }))
  }

  @Test func theConnectorIsLit() throws {
    let screen = try open()
    #expect(screen.connector == "HDMI-A-1")
    #expect(screen.isConnected && screen.health.isEmpty && screen.refusal == nil)
    #expect(screen.display.width == 64)
    #expect(screen.details == "HDMI-A-1 64x32@60 xrgb8888 by fake, atomic, damage clips")
  }

  @Test func aCardThatAnotherProgramHoldsIsAskedForUntilItIsFree() throws {
    machine.prepare = { $0.fail(.setMaster, EACCES) }
    let screen = try open()
    #expect(!screen.isConnected)
    #expect(screen.refusal?.contains("another program holds the display") == true)
    // Told only if it lasts: a boot splash leaves by itself.
    #expect(screen.health.isEmpty)
    machine.prepare = { _ in }
    var changes = 0
    screen.onDisplayChange = { changes += 1 }
    run { screen.isConnected }
    #expect(screen.isConnected && screen.refusal == nil)
    #expect(changes == 1)
  }

  @Test func aMonitorThatIsUnpluggedGivesWayToMemoryAndComesBack() throws {
    let screen = try open()
    show(on: screen)
    var changes = 0
    screen.onDisplayChange = { changes += 1 }
    machine.last.isPlugged = false
    screen.devicesChanged()
    run { !screen.isConnected }
    #expect(screen.display.kind == "headless")
    // Of the same size, so that the kiosk need not lay its view out again.
    #expect(screen.display.width == 64 && screen.display.height == 32)
    #expect(screen.health["display"] == "/dev/dri/card9: no monitor is connected")
    #expect(machine.last.framebuffers.isEmpty)
    machine.last.isPlugged = true
    screen.devicesChanged()
    run { screen.isConnected }
    #expect(screen.health.isEmpty)
    #expect(changes == 2)
  }

  @Test func aConnectorThatGoesWithItsCardIsNoMonitor() throws {
    machine.prepare = { $0.fail(.connector, ENOENT) }
    let screen = try open()
    #expect(!screen.isConnected)
    #expect(screen.health["display"]?.contains("no monitor is connected") == true)
  }

  @Test func withoutMemoryTheNextSmallerModeIsLit() throws {
    // The second buffer of the large mode, and both of the small one succeed.
    machine.prepare = { $0.fail(.createDumb, ENOMEM, times: 1, after: 1) }
    let screen = try open()
    #expect(screen.isConnected)
    #expect(screen.display.width == 32)
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
    #expect(machine.last.handles.count == 2)
  }

  @Test func memoryThatRunsOutWithTheFirstFrameTakesASmallerMode() throws {
    let screen = try open()
    machine.last.fail(.modeCommit, ENOSPC, times: 1)
    show(on: screen)
    run { screen.display.width == 32 }
    #expect(screen.isConnected)
    #expect(screen.display.width == 32)
  }

  @Test func aDriverWhoseAtomicCommitsAreRefusedIsDrivenByTheOlderCalls() throws {
    machine.prepare = { $0.fail(.testCommit, EINVAL) }
    let screen = try open()
    #expect(screen.isConnected)
    #expect(screen.details?.contains("legacy") == true)
    #expect(screen.display.width == 64)
  }

  @Test func withoutFramebuffersTheReasonIsToldAndNothingIsLeft() throws {
    machine.prepare = { $0.fail(.addFramebuffer, EINVAL) }
    let screen = try open()
    #expect(!screen.isConnected)
    #expect(screen.health["display"]?.contains("addFramebuffer") == true)
    #expect(machine.last.handles.isEmpty)
  }

  @Test func aCardThatIsTakenAwayIsLookedForAgain() throws {
    let screen = try open()
    show(on: screen)
    run { screen.display.isReady }
    machine.last.fail(.flipCommit, ENODEV)
    show(on: screen)
    run { machine.devices.count == 2 }
    #expect(machine.devices[0].isClosed)
    #expect(screen.isConnected)
  }

  @Test func aCardThatMayNotBeOpenedSaysWhichGroupMay() throws {
    machine.openFails = EACCES
    let screen = try open()
    #expect(screen.health["display"]?.contains("group video") == true)
    // udev gives a new card to its group a moment after it came.
    machine.openFails = 0
    run { screen.isConnected }
    #expect(screen.isConnected)
  }

  @Test(arguments: [FakeDRM.Call.capability, .resources])
  func aCardThatCannotShowAnythingIsNotUsed(_ call: FakeDRM.Call) throws {
    machine.prepare = { $0.fail(call, EINVAL) }
    let screen = try open()
    #expect(!screen.isConnected)
    #expect(machine.last.isClosed)
  }

  @Test func aCardWhoseMasterCannotBeDroppedIsClosedForAnotherTerminal() throws {
    let screen = try open()
    show(on: screen)
    machine.last.fail(.dropMaster, EACCES)
    screen.leave()
    #expect(machine.last.isClosed && !screen.isConnected)
    screen.comeBack()
    run { screen.isConnected }
    #expect(machine.devices.count == 2)
    // One that can be dropped is kept.
    screen.leave()
    #expect(!machine.last.isClosed && !machine.last.master)
    screen.comeBack()
    run { machine.last.master }
    #expect(machine.devices.count == 2 && screen.isConnected)
  }

  @Test func closingLetsTheCardGo() throws {
    let screen = try open()
    show(on: screen)
    screen.close()
    #expect(machine.last.isClosed)
  }
}
