import CDRM
import EventLoop
import Glibc
import MapGeometry
import Pixels

/// A connector of a DRM/KMS card in one mode.
///
/// Two buffers are drawn into in turn, so that the one on the screen is never touched. The page
/// flip's event tells when the other one is free, and paces the frames (`FlipPacer`). The mode is
/// set with the first frame, so that the screen goes straight from its previous contents to the
/// map.
final class DRMDisplay: Display {
  let kind = "drm"
  let hasBeat = true
  var showsEarlierPicture: Bool { card.hasInherited }
  let width: Int
  let height: Int
  let format: PixelFormat
  let rotation: MountingRotation
  let refreshRate: Double
  let mode: DisplayMode
  private(set) var isVisible = true
  private(set) var isLost = false
  private(set) var isReady = true
  var onReady: (() -> Void)?
  private(set) var frame = 0
  /// Whether a frame could not be shown since the last `resume`.
  var hasTrouble: Bool { trouble != nil }

  /// Called after a frame could not be shown. Nothing is shown until `resume`. Never called from
  /// within `present`.
  var onTrouble: ((DRMError) -> Void)?
  /// Called with each frame that sets the mode, once it is on the screen: the first one, and the
  /// first after `resume`.
  var onShown: (() -> Void)?
  let pipe: DRMPipe
  /// Whether a third buffer is in use because the driver's flips come late.
  var drawsAhead: Bool { buffers.count > 2 }

  private let card: DRMCard
  private let loop: EventLoop
  private let timing: drmModeModeInfo
  private(set) var buffers: [DRMBuffer]
  private var pacer: FlipPacer
  private var watch: Watch?
  private var beatTimer: LoopTimer?
  private var guardTimer: LoopTimer?
  private var troubleTimer: LoopTimer?
  private var trouble: DRMError?

  /// The states of the buffers, by their indices in `buffers`.
  private(set) var turns = BufferTurns()
  private var queuedDamage: [PixelRect] = []
  private var committedAt: UInt64 = 0
  /// When the next frame may begin, in nanoseconds of CLOCK_MONOTONIC.
  private var readyAt: UInt64 = 0
  /// The target of frames begun after `shutDown`. It has no rows, so nothing is written to it.
  private var nowhere: ScanoutBuffer {
    ScanoutBuffer(
      base: UnsafeMutableRawPointer(bitPattern: 64)!, rowBytes: 0, width: 0, height: 0,
      format: format)
  }
  /// When the queued frame began to wait, in nanoseconds of CLOCK_MONOTONIC.
  private var queuedAt: UInt64 = 0
  private var needsMode = true
  /// Whether the driver has set the mode, with a frame.
  private(set) var hasShown = false
  private var events = FlipTrust()
  private var canGrow = true
  private var token: UInt32

  /// A flip without an event for this long counts as lost, in nanoseconds.
  static let eventTimeout: UInt64 = 1_000_000_000
  /// How long a frame waits for a card that is busy with another commit, in nanoseconds.
  static let busyTimeout: UInt64 = 3_000_000_000

  /// Creates the buffers and tests whether the driver would set the mode. Nothing is shown yet.
  ///
  /// - Parameters:
  ///   - card: an open card, of which this process is master.
  ///   - connector: the connector to light.
  ///   - modeIndex: the mode's index among the connector's modes.
  ///   - asked: the pixel format; nil: the driver's preferred one.
  ///   - rotation: how the panel is mounted.
  ///   - atomic: false: use only the legacy calls.
  ///   - loop: the loop of this thread.
  /// - Throws: `DRMError` `noMemory` or `refused`; nothing is left behind.
  init(
    card: DRMCard, connector: DRMConnector, modeIndex: Int, format asked: PixelFormat?,
    rotation: MountingRotation, atomic: Bool, loop: EventLoop
  ) throws(DRMError) {
    let pipe = try DRMPipe(card: card, connector: connector, atomic: atomic)
    let mode = connector.info.modes[modeIndex]
    guard
      let format = ConnectorChoice.format(
        asked: asked, offered: pipe.formats, preferredDepth: card.preferredDepth)
    else {
      throw DRMError(.refused, "\(card.path): it takes neither XRGB8888 nor RGB565")
    }
    timing = connector.timings[modeIndex]
    buffers = [
      try DRMBuffer(card: card, width: mode.width, height: mode.height, format: format),
      try DRMBuffer(card: card, width: mode.width, height: mode.height, format: format),
    ]
    (self.card, self.pipe, self.loop, self.mode) = (card, pipe, loop, mode)
    (width, height, self.format, self.rotation) = (mode.width, mode.height, format, rotation)
    refreshRate = mode.refresh
    pacer = FlipPacer(refreshRate: mode.refresh)
    // Successive processes on one descriptor must not take each other's events.
    token = UInt32(truncatingIfNeeded: getpid()) << 16 | 1

    let code = pipe.setMode(timing, buffer: buffers[0], test: true)
    if code != 0 {
      for buffer in buffers { buffer.remove() }
      throw DRMError("mode \(mode) on", code: code, on: "\(card.path) \(connector.info.name)")
    }
    beatTimer = loop.timer { [weak self] in self?.updateReady() }
    guardTimer = loop.timer { [weak self] in self?.waitedTooLong() }
    troubleTimer = loop.timer { [weak self] in self?.tellTrouble() }
    do {
      watch = try loop.watch(card.device.descriptor, .readable) { [weak self] in
        self?.readEvents($0)
      }
    } catch {
      throw DRMError(.refused, "\(card.path): \(error)")
    }
  }

  deinit { shutDown(keepPicture: false) }

  var device: String? { card.path }
  var bufferCount: Int { buffers.count }
  var bytes: Int { buffers.reduce(0) { $0 + $1.size } }

  // MARK: Frames

  func begin() -> (target: ScanoutBuffer, age: Int) {
    guard !buffers.isEmpty else { return (nowhere, 0) }
    let free = turns.draw(of: buffers.count)
    let presented = buffers[free].presentedAt
    return (buffers[free].target, presented == 0 ? 0 : frame + 1 - presented)
  }

  func present(damage: [PixelRect]) {
    guard let drawn = turns.endDrawing() else { return }
    frame += 1
    isLost = false
    isReady = false
    buffers[drawn].presentedAt = frame
    guard isVisible else { return }
    turns.queue(drawn)
    queuedAt = EventLoop.now()
    queuedDamage.removeAll(keepingCapacity: true)
    queuedDamage.append(contentsOf: damage)
    if drawsAhead { readyAt = pacer.shown(at: queuedAt) }
    if turns.pending == nil { commit() }
    updateReady()
  }

  /// Submits the presented frame for scanout.
  private func commit() {
    guard let index = turns.queued else { return }
    let buffer = buffers[index]
    let now = EventLoop.now()
    var code: Int32
    if needsMode {
      code = pipe.setMode(timing, buffer: buffer, test: false)
      if code == 0 {
        needsMode = false
        hasShown = true
        card.dropInherited()
        arrived(at: now)
        onShown?()
      }
    } else if events.asks(at: now) {
      token = token & 0xffff_0000 | (token &+ 1) & 0xffff
      code = pipe.flip(to: buffer, damage: queuedDamage, token: token)
      if code == 0 {
        turns.commit()
        committedAt = now
        guardTimer?.arm(at: now + Self.eventTimeout)
      } else if !pipe.isAtomic, code == EINVAL || code == ENOSYS || code == EOPNOTSUPP {
        events.giveUp()
        commit()
        return
      }
    } else {
      code = pipe.show(buffer, timing: timing, damage: queuedDamage)
      if code == 0 { arrived(at: now) }
    }
    if code == EBUSY, now < queuedAt &+ Self.busyTimeout {
      // The kernel is still processing the previous commit, ours or another's: the frame waits.
      guardTimer?.arm(at: now + pacer.period / 2)
    } else if code != 0 {
      fail(DRMError("showing a frame on", code: code, on: "\(card.path) \(pipe.connector.name)"))
    }
  }

  /// Handles a frame that is on the screen without an event.
  private func arrived(at time: UInt64) {
    turns.show()
    if !drawsAhead { readyAt = pacer.shown(at: time) }
  }

  private func readEvents(_ ready: Interest) {
    var flipped: UInt64?
    let alive = FlipEvents.read(card.device) { token, time in
      if token == self.token, turns.pending != nil { flipped = time }
    }
    if let flipped { flipDone(at: flipped) }
    if !alive || ready.contains(.hangup) || ready.contains(.error) {
      watch?.cancel()
      fail(DRMError(.gone, "\(card.path): the device was taken away"))
    }
  }

  private func flipDone(at stated: UInt64) {
    let now = EventLoop.now()
    // Some drivers give the time of another clock, or none.
    let time = stated <= now && now - stated < 1_000_000_000 ? stated : now
    guardTimer?.cancel()
    turns.flip()
    events.came()
    if pacer.isLate(committed: committedAt, flipped: time), canGrow { grow() }
    if !drawsAhead { readyAt = pacer.flipped(at: time) }
    // A frame that was drawn ahead is committed after the one that is done.
    if turns.queued != nil { commit() }
    updateReady()
  }

  /// Adds a third buffer, so that a frame can be drawn while the driver is busy with the previous
  /// one.
  private func grow() {
    canGrow = false
    do throws(DRMError) {
      buffers.append(
        try DRMBuffer(card: card, width: width, height: height, format: format))
    } catch {
      // Two buffers suffice.
    }
  }

  /// Calls `onReady` once a buffer is free and the next frame may begin.
  private func updateReady() {
    guard isVisible, !isReady else { return }
    if turns.isFull(ahead: drawsAhead) { return }
    if readyAt > EventLoop.now() {
      beatTimer?.arm(at: readyAt)
      return
    }
    isReady = true
    onReady?()
  }

  // MARK: What goes wrong

  private func waitedTooLong() {
    if turns.pending != nil {
      // The event is lost, so the flip counts as done.
      let now = EventLoop.now()
      events.lost(at: now)
      turns.flip()
      if !drawsAhead { readyAt = pacer.shown(at: now) }
    }
    if turns.queued != nil { commit() }
    updateReady()
  }

  private func fail(_ error: DRMError) {
    guard trouble == nil else { return }
    trouble = error
    hide()
    // Called from the loop, not from within the caller's frame.
    troubleTimer?.arm(after: 0)
  }

  private func tellTrouble() {
    if let trouble { onTrouble?(trouble) }
  }

  // MARK: Visible or not

  private var isAsleep = false
  private var isAway = false
  /// Whether the panel should be off, but could not be turned off, and shows black.
  private var isBlack = false

  /// Shows nothing further, and forgets frames under way.
  private func hide() {
    isVisible = false
    isLost = frame > 0
    isReady = false
    turns.settle()
    token = token & 0xffff_0000 | (token &+ 1) & 0xffff
    beatTimer?.cancel()
    guardTimer?.cancel()
  }

  private func updateVisible() {
    let visible = !isAsleep && !isAway && trouble == nil && watch != nil
    if visible == isVisible { return }
    guard visible else { return hide() }
    isVisible = true
    needsMode = true
    // Another process may have used the screen, and the driver may have used the memory.
    for buffer in buffers { buffer.presentedAt = 0 }
    readyAt = 0
    updateReady()
  }

  /// Turns the panel off, or has the next frame turn it on.
  func setPower(_ on: Bool) {
    if on { isBlack = false }
    guard on == isAsleep else { return }
    isAsleep = !on
    updateVisible()
    turnOffIfAsleep()
  }

  /// Stops using the card while it belongs to another program.
  func suspend() {
    isAway = true
    updateVisible()
  }

  /// Uses the card again.
  func resume() {
    isAway = false
    trouble = nil
    if isBlack { isAsleep = true }
    updateVisible()
    turnOffIfAsleep()
  }

  private func turnOffIfAsleep() {
    guard isAsleep, !isAway, trouble == nil, watch != nil, pipe.turnOff() != 0 else { return }
    isAsleep = false
    updateVisible()
    blacken()
  }

  /// Shows a black frame on a panel that cannot be turned off: the map would stand still on it.
  private func blacken() {
    isBlack = true
    let whole = PixelRect(x: 0, y: 0, width: width, height: height)
    begin().target.fill(whole, color: 0)
    present(damage: [whole])
    // The next frame draws everything.
    for buffer in buffers { buffer.presentedAt = 0 }
    isLost = true
  }

  /// Ends all use of the card.
  ///
  /// - Parameter keepPicture: whether to leave the last frame on the screen for a successor that
  ///   has the card's descriptor. Otherwise the memory is freed and the kernel turns the screen
  ///   off.
  func shutDown(keepPicture: Bool) {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    troubleTimer?.cancel()
    updateVisible()
    hide()
    for buffer in buffers { keepPicture ? buffer.abandon() : buffer.remove() }
    // Unmapped at once: a mapping keeps the card's file open, and with it DRM master.
    buffers = []
    turns = BufferTurns()
  }
}
