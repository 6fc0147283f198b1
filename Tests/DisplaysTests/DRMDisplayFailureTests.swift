import CDRM
import EventLoop
import Glibc
import MapGeometry
import Platform
import Testing

@testable import Displays

/// What `DRMDisplay`, its buffers and its pipe do when the kernel refuses a call.
@Suite struct DRMDisplayFailureTests: DRMCase {
  let loop: EventLoop
  let device = FakeDRM()

  init() throws { loop = try EventLoop() }

  /// The error that `body` throws; nil: none.
  private func failure(_ body: () throws(DRMError) -> Void) -> DRMError? {
    do throws(DRMError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func display(atomic: Bool = true) throws(DRMError) -> DRMDisplay {
    let card = try DRMCard(device, path: "/dev/dri/card9", isAdopted: false)
    return try DRMDisplay(
      card: card, connector: card.connectors()[0], modeIndex: 0, format: nil, rotation: .none,
      atomic: atomic, loop: loop)
  }

  private func show(on display: DRMDisplay) {
    _ = display.begin()
    display.present(damage: [PixelRect(x: 0, y: 0, width: 8, height: 8)])
  }

  @Test func framesGoToTheScreenByTurns() throws {
    let display = try display()
    #expect(device.shown.isEmpty)
    show(on: display)
    run { display.isReady }
    #expect(device.isLit)
    show(on: display)
    #expect(!display.isReady)
    device.sendFlip()
    run { display.isReady }
    #expect(device.shown.count == 2)
    #expect(Set(device.shown) == device.framebuffers)
    #expect(display.begin().age == 2)
    #expect(device.blobs.isEmpty)
  }

  @Test(arguments: [FakeDRM.Call.createDumb, .addFramebuffer, .mapDumb], [0, 1])
  func memoryThatIsRefusedLeavesNothingBehind(_ call: FakeDRM.Call, after: Int) throws {
    device.fail(call, ENOMEM, after: after)
    let error = failure { () throws(DRMError) in _ = try display() }
    #expect(error?.kind == .noMemory)
    #expect(device.handles.isEmpty)
    #expect(device.framebuffers.isEmpty)
  }

  @Test func aDriverThatLiesAboutItsRowsIsNotDrawnTo() throws {
    device.padding = -4
    let error = failure { () throws(DRMError) in _ = try display() }
    #expect(error?.kind == .refused)
    #expect(device.handles.isEmpty)
  }

  @Test func aModeThatTheDriverWouldRefuseIsRefusedBeforeTheFirstFrame() throws {
    device.fail(.testCommit, EINVAL)
    let error = failure { () throws(DRMError) in _ = try display() }
    #expect(error?.kind == .refused)
    #expect(device.handles.isEmpty)
    #expect(device.shown.isEmpty)
  }

  @Test(arguments: [FakeDRM.Call.planes, .plane, .properties, .resources])
  func aConnectorThatNothingCanReachIsRefused(_ call: FakeDRM.Call) throws {
    let card = try DRMCard(device, path: "/dev/dri/card9", isAdopted: false)
    let connector = try card.connectors()[0]
    device.fail(call, EINVAL)
    let error = failure { () throws(DRMError) in
      _ = try DRMPipe(card: card, connector: connector, atomic: true)
    }
    #expect(error?.kind == .refused)
  }

  @Test func aDriverWithoutAtomicCommitsIsDrivenByTheOlderCalls() throws {
    device.fail(.setClientCapability, EOPNOTSUPP)
    let display = try display()
    #expect(!display.pipe.isAtomic)
    show(on: display)
    run { display.isReady }
    show(on: display)
    device.sendFlip()
    run { display.isReady }
    #expect(device.counts[.setCRTC] == 1)
    #expect(device.counts[.pageFlip] == 1)
    #expect(device.counts[.modeCommit] == nil)
  }

  @Test func anEncoderThatCannotBeReadLeavesTheFirstPossibleCRTC() throws {
    device.fail(.encoder, ENOENT)
    let display = try display()
    #expect(display.pipe.crtc == 40)
    show(on: display)
    run { display.isReady }
    #expect(device.counts[.encoder] ?? 0 > 0)
    #expect(device.isLit)
  }

  @Test func aPanelThatIgnoresItsPowerPropertyIsLitByTheOlderCallsAllTheSame() throws {
    device.fail(.setClientCapability, EOPNOTSUPP)
    device.fail(.setConnectorProperty, EINVAL)
    let display = try display()
    show(on: display)
    run { display.isReady }
    #expect(device.isLit && device.counts[.setConnectorProperty] == 1)
    // It cannot be turned off either, and shows black.
    display.setPower(false)
    #expect(display.isVisible)
    run { display.isReady }
    device.mend(.setConnectorProperty)
    display.setPower(false)
    #expect(!display.isVisible)
  }

  @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP])
  func aDriverThatCannotFlipSetsItsModeForEachFrame(_ code: Int32) throws {
    device.fail(.pageFlip, code)
    let display = try display(atomic: false)
    for _ in 0..<3 {
      show(on: display)
      run { display.isReady }
    }
    #expect(device.shown.count == 3)
    // Not asked a second time.
    #expect(device.counts[.pageFlip] == 1)
    #expect(device.counts[.dirty] == 2)
  }

  @Test func anOlderDriverThatRefusesTheModeIsToldOnceAndTriedWhenItIsResumed() throws {
    device.fail(.setCRTC, EINVAL)
    let display = try display(atomic: false)
    var troubles: [DRMError.Kind] = []
    display.onTrouble = { troubles.append($0.kind) }
    show(on: display)
    run { !troubles.isEmpty }
    #expect(troubles == [.refused])
    #expect(!device.isLit && !display.isVisible)
    device.mend(.setCRTC)
    display.resume()
    run { display.isReady }
    show(on: display)
    run { display.isReady }
    #expect(device.isLit && display.isVisible)
    #expect(troubles == [.refused])
  }

  @Test func anOlderDriverThatWillNotHearOfDamageShowsItsFramesAllTheSame() throws {
    device.fail(.pageFlip, EINVAL)
    device.fail(.dirty, EINVAL)
    let display = try display(atomic: false)
    var trouble: DRMError?
    display.onTrouble = { trouble = $0 }
    for _ in 0..<3 {
      show(on: display)
      run { display.isReady }
    }
    #expect(device.shown.count == 3)
    #expect(device.counts[.dirty] == 2 && trouble == nil)
  }

  @Test func aBusyCommitIsTriedAgain() throws {
    let display = try display()
    var trouble: DRMError?
    display.onTrouble = { trouble = $0 }
    show(on: display)
    run { display.isReady }
    device.fail(.flipCommit, EBUSY, times: 2)
    show(on: display)
    run { device.tokens.count == 1 }
    device.sendFlip()
    run { display.isReady }
    #expect(device.counts[.flipCommit] == 3)
    #expect(trouble == nil)
    #expect(device.blobs.isEmpty)
  }

  @Test(arguments: [
    (EACCES, DRMError.Kind.masterRefused), (EPERM, .masterRefused), (ENODEV, .gone),
    (ENOMEM, .noMemory), (EINVAL, .refused),
  ])
  func aRefusedFrameIsToldOnceAndHidesTheDisplay(_ code: Int32, _ kind: DRMError.Kind) throws {
    let display = try display()
    var troubles: [DRMError.Kind] = []
    display.onTrouble = { troubles.append($0.kind) }
    show(on: display)
    run { display.isReady }
    device.fail(.flipCommit, code, times: 1)
    show(on: display)
    // Not from within `present`.
    #expect(troubles.isEmpty)
    #expect(!display.isVisible && display.isLost)
    run { !troubles.isEmpty }
    #expect(troubles == [kind])
    // Nothing is shown until it is resumed, and then from the mode on.
    show(on: display)
    #expect(device.counts[.flipCommit] == 1)
    display.resume()
    run { display.isReady }
    #expect(display.begin().age == 0)
    show(on: display)
    #expect(device.counts[.modeCommit] == 2)
  }

  @Test func flipsWhoseEventsNeverComeAreTakenForDoneAndThenDoneWithout() throws {
    let display = try display()
    show(on: display)
    run { display.isReady }
    for _ in 0..<3 {
      show(on: display)
      run { display.isReady }
    }
    #expect(device.counts[.flipCommit] == 3)
    // From here on the mode is set instead, and no event awaited.
    show(on: display)
    run { display.isReady }
    #expect(device.counts[.flipCommit] == 3)
    #expect(device.counts[.modeCommit] == 2)
  }

  @Test func anEventThatComesTooLateIsNotTakenForALaterFlips() throws {
    let display = try display()
    show(on: display)
    run { display.isReady }
    show(on: display)
    display.suspend()
    device.sendFlip()
    display.resume()
    loop.runOnce(timeout: 0)
    show(on: display)
    run { display.isReady }
    #expect(device.counts[.modeCommit] == 2)
  }

  @Test func aCardThatIsTakenAwayIsGone() throws {
    let display = try display()
    var trouble: DRMError?
    display.onTrouble = { trouble = $0 }
    show(on: display)
    run { display.isReady }
    show(on: display)
    device.fail(.readEvents, ENODEV)
    device.sendFlip()
    run { trouble != nil }
    #expect(trouble?.kind == .gone)
  }

  @Test func damageThatCannotBeToldIsLeftOut() throws {
    let display = try display()
    show(on: display)
    run { display.isReady }
    device.fail(.createBlob, ENOMEM)
    show(on: display)
    device.sendFlip()
    run { display.isReady }
    #expect(device.shown.count == 2)
  }

  @Test func aPanelThatCannotBeTurnedOffIsNotLeftWithAStillMap() throws {
    let display = try display()
    let whole = PixelRect(x: 0, y: 0, width: display.width, height: display.height)
    var isBlack: Bool {
      display.buffers.contains { $0.target.words(of: whole)?.first.pointee == 0xFF00_0000 }
    }
    show(on: display)
    run { display.isReady }
    #expect(device.shown.count == 1 && !isBlack)
    device.fail(.modeCommit, EINVAL, times: 1)
    display.setPower(false)
    #expect(display.isVisible)
    run { display.isReady }
    #expect(device.shown.count == 2 && isBlack)
    #expect(display.begin().age == 0)
    // Nor does it keep what another program showed meanwhile.
    display.suspend()
    device.fail(.modeCommit, EINVAL, times: 1)
    display.resume()
    run { display.isReady }
    #expect(device.shown.count == 3)
    display.setPower(false)
    #expect(!display.isVisible && !device.isLit)
  }

  @Test func aScreenshotThatCannotBeMappedFails() throws {
    let display = try display()
    show(on: display)
    run { display.isReady }
    #expect(display.readFrame { _, _ in })
    device.fail(.mapDumb, ENOMEM)
    #expect(!display.readFrame { _, _ in })
  }

  @Test func shuttingDownGivesEverythingBack() throws {
    let display = try display()
    show(on: display)
    display.shutDown(keepPicture: false)
    #expect(device.handles.isEmpty && device.framebuffers.isEmpty)
    #expect(display.begin().target.height == 0)
  }
}
