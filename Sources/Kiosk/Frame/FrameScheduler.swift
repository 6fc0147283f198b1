import EventLoop
import MapScene

/// Owns the timing of frames: when one is due, whether it is frozen, and which calls wait for it.
final class FrameScheduler {
  /// How long to wait for a complete first picture, in nanoseconds.
  private var firstPicturePatience: UInt64 = 200_000_000
  /// The same while the screen still shows the picture of the process before this one.
  private var keptPicturePatience: UInt64 = 3_000_000_000
  /// How long to wait for the first source, in nanoseconds. A medium that does not answer must not
  /// keep the screen dark.
  private static let firstSourcePatience: UInt64 = 1_000_000_000

  private let loop: EventLoop
  private let outbox: Outbox
  /// Keeps the old picture on the screen until the new one is complete; nil: nothing is frozen.
  private(set) var freeze: FrameFreeze?
  private(set) var freezeTimer: LoopTimer?
  /// The longest time to freeze a picture while colours change, in nanoseconds.
  private(set) var freezeTime: UInt64 = 2_000_000_000
  /// The longest time to freeze it while the tiles of a painted map arrive one by one, in
  /// nanoseconds. Slow boards paint a view for several seconds.
  static let paintingPatience: UInt64 = 10_000_000_000
  /// How long to freeze the old map while a new one loads, in nanoseconds. It is usually complete
  /// by then, and the user sees a single change.
  private(set) var switchTime: UInt64 = 150_000_000
  /// Set if the same frame must also be drawn into the display's other buffer.
  private var drawsOthersNext: FrameFreeze?
  /// Whether the planned picture waits to be complete: until its tiles arrive, no frame is needed.
  private var awaitsTiles = false
  /// Whether nothing is drawn until the first source has said where it begins.
  private(set) var waitsForFirstSource = false
  private var firstSourceTimer: LoopTimer?
  /// When the wait for a complete first picture began; nil before it.
  private var firstPictureSince: UInt64?
  private var firstPictureTimer: LoopTimer?
  private var stepTimer: LoopTimer?
  private var holeTimer: LoopTimer?
  /// Fires when a tile of the base has waited for overlays for long enough.
  private(set) var overlayTimer: LoopTimer?
  /// Fires at the dot's next step if the dot moves less than a pixel per frame.
  private(set) var dotTimer: LoopTimer?
  private let settles: SettleList
  /// The frames of earlier displays.
  private var earlierFrames = 0
  private(set) var frameTimes = LatencyHistogram()
  private(set) var decodeTimes = LatencyHistogram()
  private(set) var inputTimes = LatencyHistogram()
  /// Steps of a movement that took longer than a refresh interval, or that began more than two
  /// intervals after the last one.
  private(set) var lateFrames = 0
  /// When the last step of a movement ended; nil: the last frame was not part of one.
  private var lastStep: UInt64?
  /// When the input arrived that the next frame responds to.
  private var inputAt: UInt64?

  init(loop: EventLoop, outbox: Outbox) {
    self.loop = loop
    self.outbox = outbox
    settles = SettleList(loop: loop)
    let wake = { [outbox] in outbox.add(.picture) }
    stepTimer = loop.timer(wake)
    dotTimer = loop.timer(wake)
    overlayTimer = loop.timer(wake)
    holeTimer = loop.timer { [outbox] in outbox.add(.holesDue) }
    firstPictureTimer = loop.timer(wake)
    freezeTimer = loop.timer { [weak self] in self?.freezeDue() }
    firstSourceTimer = loop.timer { [weak self] in self?.stopWaitingForSource() }
  }

  /// Sets how long pictures are frozen, for tests.
  func setTimes(freeze: UInt64? = nil, switch time: UInt64? = nil) {
    freezeTime = freeze ?? freezeTime
    switchTime = time ?? switchTime
  }

  /// Sets how long to wait for a complete first picture, without and with an earlier process's
  /// picture on the screen, in nanoseconds, for tests.
  func setFirstPicture(patience: UInt64, kept: UInt64) {
    (firstPicturePatience, keptPicturePatience) = (patience, kept)
  }

  /// How many frames were presented, on this display and earlier ones.
  func presented(_ p: Pipeline) -> Int { earlierFrames + p.display.frame }

  /// Prepares for a display that replaces the one of `p`.
  func displayChanges(from p: Pipeline) {
    earlierFrames += p.display.frame
    freeze = nil
    drawsOthersNext = nil
    outbox.add(.picture)
  }

  // MARK: What is due

  /// Whether there is something to plan, and it can be drawn now or will not be visible anyway.
  func isDue(_ p: Pipeline) -> Bool {
    isChanged && !waitsForFirstSource && (p.display.isReady || !p.display.isVisible)
  }

  /// Whether something changed that is not planned yet.
  var isChanged: Bool { !outbox.changes.isDisjoint(with: .drawn) }

  /// The loader's threads delivered results; `isNews`: others than decoded tiles.
  func collected(isNews: Bool, _ p: Pipeline) {
    if isNews || !awaitsTiles || !p.loader.isNeeded { outbox.add(.picture) }
  }

  func decoded(nanoseconds: Int) { decodeTimes.add(nanoseconds: nanoseconds) }

  /// Records an input that arrived at `time`, to which the next frame responds.
  func answer(_ time: UInt64) { inputAt = time }

  /// The display can take the next frame. `dotDue` is when the dot needs one.
  func ready(_ moment: FrameMoment, _ p: Pipeline, dotDue due: UInt64?) {
    // After it was dark, the panel's contents are unknown.
    if moment.isMoving || !p.isCurrent { outbox.add(.picture) }
    if let due, due <= EventLoop.now() &+ 2_000_000 { outbox.add(.picture) }
  }

  /// After the frames of a wake-up, arms timers for the next step of a movement and of the dot.
  func awaitSteps(_ moment: FrameMoment, _ p: Pipeline, dotDue: UInt64?) {
    if !moment.isMoving {
      stepTimer?.cancel()
    } else if p.display.isReady, stepTimer?.isArmed != true {
      // A step of less than a pixel presents no frame, so no refresh of the display follows it.
      // Other wake-ups do not postpone the timer.
      stepTimer?.arm(after: UInt64(1e9 / max(p.display.refreshRate, 1)))
    }
    // If no frame will follow, stop timing the input.
    if !isChanged, !moment.isMoving, freeze == nil { inputAt = nil }
    guard let dotDue else {
      if dotTimer?.isArmed == true { dotTimer?.cancel() }
      return
    }
    // If a frame is on its way to the display, `ready` follows and checks again.
    if p.display.isReady { dotTimer?.arm(at: dotDue) }
  }

  /// Arms a timer for requesting the view's missing tiles again. It does not run if there are none,
  /// or while the panel is dark.
  func awaitHoles(_ p: Pipeline) {
    if !p.isDark, let due = p.loader.nextRetry {
      holeTimer?.arm(at: due)
    } else if holeTimer?.isArmed == true {
      holeTimer?.cancel()
    }
  }

  /// Arms a timer for the time `due` at which tiles of the base are shown without the overlays that
  /// they waited for; nil: none waits.
  func awaitOverlays(_ due: UInt64?) {
    if let due {
      overlayTimer?.arm(at: due)
    } else if overlayTimer?.isArmed == true {
      overlayTimer?.cancel()
    }
  }

  /// Stops the timers of steps: nothing moves any more.
  func cancelSteps() {
    stepTimer?.cancel()
    dotTimer?.cancel()
  }

  // MARK: The first picture

  /// Delays drawing until the first source is known, for at most a second.
  func waitForSource() {
    waitsForFirstSource = true
    firstSourceTimer?.arm(after: FrameScheduler.firstSourcePatience)
  }

  /// Ends that delay, although the first source may not be open yet.
  func stopWaitingForSource() {
    guard waitsForFirstSource else { return }
    waitsForFirstSource = false
    firstSourceTimer?.cancel()
    outbox.add(.picture)
  }

  /// Whether a display that shows nothing yet should wait for the complete picture. That usually
  /// arrives before the panel could show a second frame.
  private func waitsForFirstPicture(_ p: Pipeline) -> Bool {
    guard p.display.hasBeat, p.display.frame == 0, !p.scene.isWholePlan, !p.scene.isHeldBack else {
      return false
    }
    let now = EventLoop.now()
    let since = firstPictureSince ?? now
    firstPictureSince = since
    // An input is answered soon, whatever the screen shows.
    let end =
      since
      &+ (p.display.showsEarlierPicture && inputAt == nil
        ? keptPicturePatience : firstPicturePatience)
    if now < end { firstPictureTimer?.arm(at: end) }
    return now < end
  }

  // MARK: Drawing

  /// Draws the planned frame, unless it is frozen, and requests the tiles it lacks.
  ///
  /// `done` is the number of blocks that were done before planning, and `begun` the time when the
  /// frame began, on the loop's clock. Returns whether it was drawn.
  func draw(
    _ update: Scene.Update, in p: Pipeline, over sprites: [Sprite], _ moment: FrameMoment,
    done: Int, begun: UInt64
  ) -> Bool {
    awaitsTiles = false
    if isFrozen(update, p, sprites, moment) || waitsForFirstPicture(p) {
      awaitsTiles = !p.scene.isHeldBack
      p.loader.want(update.requests)
      lastStep = nil
      return false
    }
    noteGap(p, moment, begun: begun)
    defer { lastStep = moment.isMoving ? EventLoop.now() : nil }
    // Start loading before drawing if that evicts nothing the picture needs.
    let bytes = update.requests.reduce(0) { $0 + $1.edge * $1.edge * 4 }
    let early = p.cache.hasRoom(for: bytes)
    if early { p.loader.want(update.requests) }
    if let (nanoseconds, isRepeated) = p.draw(update, sprites: sprites) {
      if isRepeated { outbox.add(.picture) }
      note(nanoseconds, p, moment, begun: begun)
    }
    if p.scene.isHeldBack, p.scene.doneBlocks != done, !p.scene.isComplete {
      // Finished blocks make room for the next ones.
      outbox.add(.picture)
    }
    if !early { p.loader.want(update.requests) }
    drawOtherMemory(p, moment)
    return true
  }

  /// Counts a step of a movement as late if it began more than two refresh intervals after the last
  /// one: other work delayed the loop.
  private func noteGap(_ p: Pipeline, _ moment: FrameMoment, begun: UInt64) {
    guard moment.isMoving, let lastStep, begun > lastStep else { return }
    if Double(begun - lastStep) > 2e9 / p.display.refreshRate { lateFrames += 1 }
  }

  private func note(
    _ nanoseconds: Int, _ p: Pipeline, _ moment: FrameMoment, begun: UInt64
  ) {
    frameTimes.add(nanoseconds: nanoseconds)
    let now = EventLoop.now()
    if moment.isMoving || moment.dotMoves, Double(now - begun) > 1e9 / p.display.refreshRate {
      lateFrames += 1
    }
    if let inputAt, inputAt <= now { inputTimes.add(nanoseconds: Int(now - inputAt)) }
    // An animation's first step may be too small to see, so only a frame that differs counts as the
    // response.
    inputAt = nil
  }

  // MARK: Freezing frames

  /// Freezes the picture on the screen until the next one is complete, the view moves, or `time`
  /// nanoseconds have passed. If `whilePainting`, it lasts for another `time` whenever a tile came
  /// in the last one, up to `paintingPatience` in all or to the next input.
  func freeze(
    for time: UInt64, whilePainting: Bool = false, _ p: Pipeline, _ moment: FrameMoment
  ) {
    // Without a picture on the screen there is nothing to freeze.
    guard presented(p) > 0, p.isCurrent, !moment.isMoving, !waitsForFirstSource else { return }
    let now = EventLoop.now()
    let deadline = now &+ time
    freeze = FrameFreeze(view: moment.view, deadline: deadline)
    if whilePainting {
      freeze?.limit = now &+ FrameScheduler.paintingPatience
      freeze?.decoded = decodeTimes.count
    }
    freezeTimer?.arm(at: deadline)
    outbox.add(.picture)
  }

  /// The time of the freeze is over: prolongs it if tiles are being painted, else ends it.
  func freezeDue() {
    guard let freeze, let limit = freeze.limit, decodeTimes.count > freeze.decoded,
      freeze.deadline < limit
    else { return endFreeze() }
    let deadline = min(EventLoop.now() &+ freezeTime, limit)
    self.freeze?.decoded = decodeTimes.count
    self.freeze?.deadline = deadline
    freezeTimer?.arm(at: deadline)
  }

  /// Somebody uses the kiosk, and must see what it does: ends a freeze that may be long.
  func endLongFreeze() {
    if freeze?.limit != nil { endFreeze() }
  }

  /// Ends the freeze: the next frame is drawn even if incomplete.
  func endFreeze() {
    guard freeze != nil else { return }
    freeze = nil
    freezeTimer?.cancel()
    outbox.add(.picture)
  }

  /// Whether the frame just planned must not be shown yet. If the view needs more than the cache
  /// holds, draws its parts into a buffer that is not on the screen.
  private func isFrozen(
    _ update: Scene.Update, _ p: Pipeline, _ sprites: [Sprite], _ moment: FrameMoment
  ) -> Bool {
    guard let freeze else { return false }
    guard !moment.isMoving, moment.view == freeze.view, p.isCurrent, !p.scene.isWholePlan else {
      showNext(p, moment)
      return false
    }
    guard p.scene.isHeldBack else { return true }
    let done = p.scene.doneBlocks
    p.drawHidden(update, sprites: sprites, again: freeze.passes > 0)
    if p.scene.doneBlocks != done { outbox.add(.picture) }
    return true
  }

  private func showNext(_ p: Pipeline, _ moment: FrameMoment) {
    guard let freeze else { return }
    self.freeze = nil
    freezeTimer?.cancel()
    if p.isHiding, moment.view == freeze.view, freeze.passes + 1 < p.display.bufferCount {
      // Draw the display's other buffer in the same way, since its turn will come.
      drawsOthersNext = FrameFreeze(
        view: freeze.view, deadline: EventLoop.now() &+ freezeTime, passes: freeze.passes + 1)
    }
  }

  /// Continues with the display's other buffer, after the frozen picture was replaced.
  private func drawOtherMemory(_ p: Pipeline, _ moment: FrameMoment) {
    guard let next = drawsOthersNext else { return }
    drawsOthersNext = nil
    guard moment.view == next.view, !moment.isMoving else { return }
    freeze = next
    freezeTimer?.arm(at: next.deadline)
    p.scene.invalidate()
    outbox.add(.picture)
  }

  // MARK: Waiting for the complete picture

  /// Calls `done` once the picture is complete, or after `timeout` seconds.
  func settle(
    timeout: Double, isCancelled: @escaping () -> Bool, _ done: @escaping (SettleOutcome) -> Void
  ) {
    settles.add(timeout: timeout, isCancelled: isCancelled, done)
  }

  /// Whether a call waits for the complete picture.
  var isAwaited: Bool { !settles.isEmpty }

  /// Answers waiting calls if the picture is complete or their time is over.
  ///
  /// `isAtRest`: no movement is under way that will end.
  func checkSettles(_ p: Pipeline, isAtRest: Bool) {
    if settles.isEmpty { return }
    let isComplete = isAtRest && !isChanged && !waitsForFirstSource && p.scene.isComplete
    settles.answer(
      SettleOutcome(
        frame: presented(p), complete: isComplete, missing: p.scene.plan.missing),
      isChanged: isChanged)
  }
}
