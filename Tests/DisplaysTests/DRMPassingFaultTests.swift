import EventLoop
import Glibc
import Platform
import Testing

@testable import Displays

/// A mode that the driver refuses for a reason that passes: it is tried again, and lit later.
@Suite struct DRMPassingFaultTests: DRMCase {
  private final class Machine {
    let device = FakeDRM()
  }

  let loop: EventLoop
  private let machine = Machine()

  init() throws { loop = try EventLoop() }

  private func open(atomic: Bool = true) throws -> DRMScreen {
    let machine = machine
    let pauses = DRMScreen.Pauses(
      rights: 1_000_000, fault: 1_000_000, frame: 1_000_000, memory: 1_000_000)
    return try DRMScreen.open(
      DisplayRequest(), loop: loop, console: nil, services: nil, atomic: atomic,
      cards: DRMCards(
        paths: { _ in ["/dev/dri/card9"] },
        open: { (_: String) throws(SystemError) -> any DRMDevice in machine.device },
        adopt: { _ in nil }), pauses: pauses)
  }

  @Test(arguments: [EIO, EINTR, EAGAIN, EBUSY])
  func theSameModeIsTriedAgainBeforeASmallerOne(code: Int32) throws {
    machine.device.fail(.testCommit, code, times: 1)
    let screen = try open()
    #expect(screen.display.width == 64)
    #expect(screen.health.isEmpty)
    #expect(screen.details?.contains("atomic") == true)
    #expect(machine.device.handles.count == 2)
  }

  @Test func whatDoesNotPassIsNotTriedAgain() throws {
    machine.device.fail(.createDumb, EINVAL, times: 1)
    let screen = try open()
    #expect(screen.display.width == 32)
    let tests = machine.device.counts[.createDumb]
    runForAWhile()
    #expect(machine.device.counts[.createDumb] == tests)
    #expect(screen.display.width == 32)
  }

  /// Long enough for what would be tried again after a millisecond.
  private func runForAWhile() {
    let end = EventLoop.now() + 100_000_000
    while EventLoop.now() < end { loop.runOnce(timeout: 20_000_000) }
  }

  @Test(arguments: [FakeDRM.Call.createDumb, .mapDumb, .addFramebuffer, .createBlob, .testCommit])
  func aModeThatLackedMemoryIsLitOnceThereIsSome(_ call: FakeDRM.Call) throws {
    machine.device.fail(call, ENOMEM, times: 1)
    let screen = try open()
    #expect(screen.display.width == 32)
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
    run { screen.display.width == 64 }
    #expect(screen.display.width == 64 && screen.isConnected && screen.health.isEmpty)
    #expect(machine.device.handles.count == 2 && machine.device.blobs.isEmpty)
  }

  @Test func memoryIsLookedForEveryMinuteTenTimes() throws {
    #expect(DRMScreen.Pauses().memory == 60_000_000_000)
    machine.device.fail(.createDumb, ENOMEM, times: 1)
    let screen = try open()
    machine.device.fail(.createDumb, ENOMEM)
    let before = machine.device.counts[.createDumb] ?? 0
    run { (machine.device.counts[.createDumb] ?? 0) >= before + 10 }
    runForAWhile()
    #expect(machine.device.counts[.createDumb] == before + 10)
    #expect(screen.display.width == 32 && screen.isConnected)
  }

  @Test func aModeWhoseFirstFrameLackedMemoryIsTriedOnceMore() throws {
    let screen = try open()
    machine.device.fail(.modeCommit, ENOMEM, times: 2)
    var widths: [Int] = []
    screen.onDisplayChange = {
      if screen.display.kind == "drm" { widths.append(screen.display.width) }
    }
    show(on: screen)
    run { widths.count == 2 }
    #expect(widths == [32, 64])
    show(on: screen)
    run { widths.count == 3 }
    runForAWhile()
    #expect(widths == [32, 64, 32])
    show(on: screen)
    #expect(machine.device.isLit && screen.isConnected)
  }

  @Test func theOnlyModeIsTriedAgainAfterItsFirstFrameLackedMemory() throws {
    machine.device.hasOneMode = true
    let screen = try open()
    var changes = 0
    screen.onDisplayChange = { changes += 1 }
    machine.device.fail(.modeCommit, ENOMEM, times: 1)
    show(on: screen)
    run { changes >= 2 && screen.isConnected }
    show(on: screen)
    #expect(machine.device.isLit && screen.isConnected && screen.health.isEmpty)
    #expect(machine.device.handles.count == 2)
  }

  @Test func thePreferredModeIsLitWhenItIsPossibleAgain() throws {
    machine.device.fail(.testCommit, EIO, times: 2)
    let screen = try open()
    #expect(screen.display.width == 32)
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
    var changes = 0
    screen.onDisplayChange = { changes += 1 }
    // The first look finds it as it was.
    machine.device.fail(.testCommit, EIO, times: 1)
    let before = machine.device.counts[.testCommit] ?? 0
    run { (machine.device.counts[.testCommit] ?? 0) > before }
    #expect(screen.display.width == 32 && changes == 0)
    #expect(machine.device.handles.count == 2)
    run { screen.display.width == 64 }
    #expect(screen.display.width == 64 && changes == 1)
    #expect(screen.isConnected && screen.health.isEmpty)
    #expect(machine.device.handles.count == 2 && machine.device.blobs.isEmpty)
  }

  @Test func aMonitorThatGoesIsNotLitForALargerMode() throws {
    machine.device.fail(.testCommit, EIO, times: 2)
    let screen = try open()
    machine.device.isPlugged = false
    screen.devicesChanged()
    run { !screen.isConnected }
    #expect(!screen.isConnected)
    machine.device.isPlugged = true
    screen.devicesChanged()
    run { screen.isConnected }
    #expect(screen.display.width == 64)
  }

  @Test func aLargerModeWhoseFirstFrameIsRefusedGivesWayToTheSmallerOne() throws {
    machine.device.fail(.testCommit, EIO, times: 2)
    let screen = try open()
    show(on: screen)
    #expect(screen.display.width == 32 && machine.device.isLit)
    run { screen.display.width == 64 }
    machine.device.fail(.modeCommit, EINVAL, times: 1)
    show(on: screen)
    run { screen.display.width == 32 }
    #expect(screen.display.width == 32 && screen.isConnected)
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
    let before = machine.device.shown.count
    show(on: screen)
    #expect(machine.device.shown.count > before)
  }

  @Test func aLargerModeIsTriedAgainOnceTheCardIsNoLongerAnotherOnes() throws {
    machine.device.fail(.testCommit, EIO, times: 2)
    let screen = try open()
    machine.device.master = false
    machine.device.fail(.setMaster, EACCES, times: 2)
    run { screen.display.width == 64 }
    #expect(screen.display.width == 64 && screen.isConnected)
    #expect(machine.device.counts[.setMaster] ?? 0 >= 4)
  }

  @Test func aLookAtALargerModeDoesNotProbeTheMonitor() throws {
    machine.device.fail(.testCommit, EIO, times: 2)
    let screen = try open()
    #expect(screen.display.width == 32)
    machine.device.fail(.testCommit, EIO, times: 3)
    let (probes, tests) = (
      machine.device.counts[.connector] ?? 0, machine.device.counts[.testCommit] ?? 0
    )
    run { (machine.device.counts[.testCommit] ?? 0) >= tests + 3 }
    #expect(machine.device.counts[.connector] == probes)
    #expect(screen.display.width == 32)
  }

  // MARK: What is reported

  @Test func theReasonForASmallerModeOutlastsAFrameThatFailed() throws {
    machine.device.fail(.createDumb, ENOMEM, times: 1)
    let screen = try open()
    machine.device.fail(.createDumb, ENOMEM)
    machine.device.fail(.modeCommit, EIO, times: 1)
    show(on: screen)
    run { screen.health["display"]?.contains("showing a frame") == true }
    run { screen.display.isReady }
    show(on: screen)
    #expect(screen.display.width == 32)
    #expect(screen.health["display"]?.contains("64x32@60 is not possible") == true)
  }

  @Test func aFaultEndsWithAFrameThatIsShownAndNotWithTheNextTry() throws {
    let screen = try open()
    var told: [String?] = []
    screen.onHealth = { told.append($1) }
    machine.device.fail(.modeCommit, EIO, times: 1)
    show(on: screen)
    run { told.count == 1 && screen.display.isReady }
    #expect(told.count == 1 && told.first??.contains("showing a frame") == true)
    show(on: screen)
    #expect(told.count == 2 && told.last == .some(nil))
  }

  @Test func whileThePanelIsOffAFaultEndsWithTheNextTry() throws {
    let screen = try open()
    show(on: screen)
    machine.device.fail(.modeCommit, EIO, times: 1)
    screen.setPower(false)
    screen.setPower(true)
    show(on: screen)
    run { screen.health["display"] != nil }
    screen.setPower(false)
    run { screen.health["display"] == nil }
    #expect(screen.health.isEmpty)
  }

  @Test func aPanelThatCanNeitherBeTurnedOffNorBeBlackIsReportedOnce() throws {
    let screen = try open()
    show(on: screen)
    var told: [String?] = []
    screen.onHealth = { told.append($1) }
    machine.device.fail(.modeCommit, EIO)
    screen.setPower(false)
    run { told.count == 1 }
    let before = machine.device.counts[.modeCommit] ?? 0
    // The next try: off, and then black.
    run { (machine.device.counts[.modeCommit] ?? 0) >= before + 2 }
    runForAWhile()
    #expect((machine.device.counts[.modeCommit] ?? 0) >= before + 2)
    #expect(told.count == 1 && told.first??.contains("showing a frame") == true)
    machine.device.mend(.modeCommit)
    run { screen.health.isEmpty }
    #expect(screen.health.isEmpty)
  }

  @Test func aCardIsRefusedUntilAFrameIsShown() throws {
    let screen = try open()
    machine.device.fail(.modeCommit, EACCES, times: 1)
    show(on: screen)
    run { screen.refusal != nil }
    run { screen.display.isReady }
    // The time until it is reported goes on.
    #expect(screen.refusal != nil)
    show(on: screen)
    #expect(screen.refusal == nil)
  }
}
