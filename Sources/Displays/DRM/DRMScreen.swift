import EventLoop
import Glibc
import Pixels
import Platform

/// The screen of a DRM/KMS card. Finds the card and the connector, follows monitors as they are
/// plugged in and out, and waits for a card that another program uses.
///
/// While nothing can be lit, `display` is one in memory of the last size, so that the kiosk goes on
/// running. Nothing is polled: the kernel's device events tell when to look again. The exception is
/// a card that another program uses, because no event tells when it stops: the card is tried every
/// half second for 10 s (a boot splash may be ending), then every 5 s with a health entry. A card
/// whose driver failed is tried again after a second, and every minute at last. So is a larger mode
/// that failed while a smaller one is lit (`AwaitedMode`).
public final class DRMScreen: Screen {
  /// See `Screen.display`.
  public private(set) var display: any Display
  /// See `Screen.onDisplayChange`.
  public var onDisplayChange: (() -> Void)?
  /// See `Screen.onHealth`.
  public var onHealth: ((_ what: String, _ detail: String?) -> Void)? {
    didSet { for (what, detail) in health { onHealth?(what, detail) } }
  }
  /// See `Screen.connector`.
  public var connector: String? { lit?.pipe.connector.name }
  /// See `Screen.isConnected`.
  public var isConnected: Bool { lit != nil }
  /// See `Screen.refusal`.
  public var refusal: String? { masterWait.refusal?.description }
  /// The current problems, by the part concerned: "display", "console".
  public private(set) var health: [String: String] = [:]
  /// The driver and how it is used, for the log: "virtio_gpu, atomic"; nil if nothing is lit.
  public var details: String? {
    lit.map {
      "\($0.pipe.connector.name) \($0.mode) \($0.format) by \(card?.driver ?? ""),"
        + " \($0.pipe.isAtomic ? "atomic" : "legacy")\($0.pipe.tellsDamage ? ", damage clips" : "")"
    }
  }

  /// How often a card that may not be opened is tried again, at intervals of `Pauses.rights`.
  static let rightsTries = 8
  private static let longest: UInt64 = 60_000_000_000
  /// The name under which the service manager keeps the card's descriptor.
  public static let storedName = "drm"

  private let request: DisplayRequest
  private let loop: EventLoop
  private let console: Console?
  private let services: ServiceManager?
  private let atomic: Bool
  private let cards: DRMCards
  private var events: DeviceEvents?
  private var card: DRMCard?
  private var lit: DRMDisplay?
  /// The lit connector as it was found, so that a look at another mode need not probe the monitor.
  private var socket: DRMConnector?
  private var scanTimer: LoopTimer?
  private var masterTimer: LoopTimer?
  private var masterWait = MasterWait()
  private var rightsTries = DRMScreen.rightsTries
  private var isOn = true
  private var isClosed = false
  private var tooLarge: DRMDisplay.TooLarge?
  /// A larger mode than the one that is lit, if it may be possible later.
  private var awaited: AwaitedMode?
  /// Whether the lit connector is to be lit anew, in a larger mode.
  private var isEnlarging = false
  /// Whether the lit mode took the place of a smaller one that worked.
  private var isEnlarged = false
  private let pauses: Pauses
  private var faultPause: UInt64
  /// When a frame failed for the last time.
  private var frameFailedAt: UInt64?
  /// Why the lit mode is not the wanted one; nil: it is.
  private var remark: String?
  /// When a mode was given up for the last time.
  private var gaveUpAt: UInt64?

  static func open(
    _ request: DisplayRequest, loop: EventLoop, console: Console?, services: ServiceManager?,
    atomic: Bool, cards: DRMCards, pauses: Pauses = Pauses()
  ) throws(SystemError) -> DRMScreen {
    let screen = DRMScreen(request, loop, console, services, atomic, cards, pauses)
    screen.events = try DeviceEvents(loop: loop) { [weak screen] event in
      if event == nil || event?.subsystem == "drm" { screen?.devicesChanged() }
    }
    screen.start()
    return screen
  }

  /// A card or a monitor came or went: schedules a new look at the cards.
  func devicesChanged() {
    rightsTries = Self.rightsTries
    faultPause = pauses.fault
    scanTimer?.arm(after: pauses.event)
  }

  private init(
    _ request: DisplayRequest, _ loop: EventLoop, _ console: Console?, _ services: ServiceManager?,
    _ atomic: Bool, _ cards: DRMCards, _ pauses: Pauses
  ) {
    (self.pauses, faultPause) = (pauses, pauses.fault)
    (self.request, self.loop, self.console) = (request, loop, console)
    (self.services, self.atomic, self.cards) = (services, atomic, cards)
    display = HeadlessDisplay(
      width: request.size.width, height: request.size.height, format: request.format ?? .xrgb8888,
      rotation: request.rotation, loop: loop)
    scanTimer = loop.timer { [weak self] in self?.scan() }
    masterTimer = loop.timer { [weak self] in self?.retryMaster() }
    awaited = AwaitedMode(loop: loop, first: pauses.fault, memory: pauses.memory) { [weak self] in
      self?.enlarge(to: $0)
    }
    console?.serve(
      self, onRelease: { [weak self] in self?.leave() },
      onAcquire: { [weak self] in self?.comeBack() })
    if let trouble = console?.trouble { health["console"] = trouble }
  }

  private func start() {
    for fd in ServiceManager.takeDescriptors(named: Self.storedName) {
      do throws(DRMError) {
        let kept = try cards.card(adopting: fd)
        if card == nil, request.device == nil || request.device == kept.path {
          card = kept
          continue
        }
      } catch {
        // Not worth logging: the card is opened in the usual way.
      }
      // A copy that nobody uses would stay DRM master.
      services?.remove(Self.storedName)
    }
    console?.isActive == false ? leave() : scan()
  }

  // MARK: Finding what to light

  /// Examines what is plugged in, and lights, keeps or releases it.
  private func scan() {
    guard !isClosed, console?.isActive != false else { return }
    var reasons: [String] = []
    // Whether a card may yet open, and whether one failed.
    var (mayYetOpen, hasFailed) = (false, false)
    if let card {
      do throws(DRMError) {
        if try light(card) { return }
        reasons.append("\(card.path): no monitor is connected")
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        reasons.append(error.description)
        hasFailed = true
        if error.kind == .gone { letGo() }
        // Nothing smaller is lit, so it is tried again all the same.
        if error.kind == .noMemory, tooLarge?.card == card.path { tooLarge = nil }
      }
    }
    for path in cards.paths(request.device) where path != card?.path {
      do throws(DRMError) {
        let other = try cards.card(at: path)
        if try light(other) { return }
        reasons.append("\(path): no monitor is connected")
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        let isOther = error.kind == .cannotOpen || error.kind == .notADisplay
        (mayYetOpen, hasFailed) = (mayYetOpen || isOther, hasFailed || !isOther)
        if error.kind == .noMemory, tooLarge?.card == path { tooLarge = nil }
        if error.kind != .notADisplay || request.device != nil { reasons.append(error.description) }
      }
    }
    darken()
    masterWait.end()
    masterTimer?.cancel()
    if hasFailed {
      // No event tells when a driver that failed would succeed.
      scanTimer?.arm(after: faultPause)
      faultPause = min(2 * faultPause, DRMScreen.longest)
    } else if mayYetOpen, rightsTries > 0 {
      // udev sets a new card's permissions a moment after it appears.
      rightsTries -= 1
      scanTimer?.arm(after: pauses.rights)
    }
    if reasons.isEmpty { reasons = ["no display device: /dev/dri has no card with a connector"] }
    let wanted = request.connector.map { " (\($0) is wanted)" } ?? ""
    note("display", reasons.joined(separator: "; ") + wanted)
  }

  /// Lights the connector of `card`. Returns false if it has none that can be lit.
  private func light(_ card: DRMCard) throws(DRMError) -> Bool {
    let connectors = try card.connectors()
    guard
      let index = ConnectorChoice.choose(connectors.map(\.info), named: request.connector)
    else {
      if let failure = card.probeFailure { throw DRMError(failure, on: card.path) }
      return false
    }
    let chosen = connectors[index]
    if let lit, self.card === card, lit.pipe.connector == chosen.info, !isEnlarging { return true }
    let smaller = isEnlarging ? lit?.mode : nil
    isEnlarging = false
    try card.takeMaster()
    // The previous display is freed first, because there may not be memory for both.
    lit?.shutDown(keepPicture: false)
    lit = nil
    if self.card !== card { letGo() }
    let (made, remark, larger) = try DRMDisplay.best(
      on: card, chosen, request: request, tooLarge: tooLarge, atomic: atomic, loop: loop)
    awaited?.wait(for: larger)
    made.onTrouble = { [weak self] in self?.troubled($0) }
    made.onShown = { [weak self] in self?.wentWell() }
    if !isOn { made.setPower(false) }
    (self.card, lit, display, socket) = (card, made, made, chosen)
    self.remark = remark
    isEnlarged = smaller.map { $0 != made.mode } ?? false
    masterTimer?.cancel()
    // Not where each first frame fails: the pauses would stay short.
    if gaveUpAt.map({ EventLoop.now() &- $0 > 2 * DRMScreen.longest }) ?? true {
      faultPause = pauses.fault
    }
    services?.store(card.device.descriptor, name: Self.storedName)
    wentWell()
    onDisplayChange?()
    return true
  }

  /// Lights a larger mode, if it is possible by now.
  private func enlarge(to mode: DisplayMode) {
    // Without a picture, a look at the cards decides; an event tells of another monitor.
    guard !isClosed, let card, let lit, let socket else { return }
    guard console?.isActive != false,
      DRMDisplay.isPossible(mode, on: card, socket, request, atomic: lit.pipe.isAtomic),
      (try? card.takeMaster()) != nil
    else {
      awaited?.again()
      return
    }
    isEnlarging = true
    if tooLarge?.holds(mode, on: socket.info, of: card.path) == true { tooLarge = nil }
    awaited?.willTry()
    scan()
    isEnlarging = false
  }

  // MARK: Letting go

  /// Replaces a lost display by one in memory.
  private func darken() {
    guard let lost = display as? DRMDisplay else { return }
    lost.shutDown(keepPicture: false)
    lit = nil
    display = HeadlessDisplay(
      width: lost.width, height: lost.height, format: lost.format, rotation: lost.rotation,
      loop: loop)
    onDisplayChange?()
  }

  private func letGo() {
    guard let card else { return }
    self.card = nil
    lit?.shutDown(keepPicture: false)
    lit = nil
    if services?.holds(Self.storedName) == true || card.isAdopted {
      services?.remove(Self.storedName)
    }
    card.close()
  }

  private func troubled(_ error: DRMError) {
    guard let lit, !isClosed else { return }
    switch error.kind {
    case .masterRefused: refused(error)
    case .noMemory:
      giveUp(lit, error)
    case .gone:
      // Told even if the card is back at once.
      note("display", error.description)
      letGo()
      scanTimer?.arm(after: 0)
    case _ where isEnlarged && !lit.hasShown:
      // The smaller mode had a picture.
      giveUp(lit, error)
    default:
      // Not tried again at once: the driver would refuse again.
      note("display", error.description)
      let now = EventLoop.now()
      let isFirst = frameFailedAt.map { now &- $0 > DRMScreen.longest } ?? true
      frameFailedAt = now
      masterTimer?.arm(after: isFirst ? pauses.frame : MasterWait.slowRetry)
    }
  }

  /// Lights a smaller mode in place of the one of `lost`. That is tried again on this monitor if it
  /// lacked memory, but only once before it has shown a frame.
  private func giveUp(_ lost: DRMDisplay, _ error: DRMError) {
    gaveUpAt = EventLoop.now()
    tooLarge = .init(
      card: card?.path ?? "", connector: lost.pipe.connector, mode: lost.mode, error: error,
      mayPass: error.kind == .noMemory && (lost.hasShown || !isEnlarged))
    darken()
    scanTimer?.arm(after: 0)
  }

  /// What is lit works, as far as that is known.
  private func wentWell() {
    masterWait.end()
    note("display", remark)
  }

  // MARK: Another one's card

  private func refused(_ error: DRMError) {
    if lit == nil {
      darken()
      // A descriptor that another process opened cannot become master again; the next try opens the
      // card again.
      if card?.isAdopted == true { letGo() }
    }
    let (retry, isLong) = masterWait.refused(error, at: EventLoop.now())
    if isLong { note("display", error.description) }
    masterTimer?.arm(after: retry)
  }

  private func retryMaster() {
    guard !isClosed, console?.isActive != false else { return }
    if let lit, let card {
      do throws(DRMError) {
        try card.takeMaster()
        // The next frame tells whether it works. While the panel is off, none follows.
        let isHidden = isOn && !lit.isVisible
        lit.resume()
        if !isHidden, !lit.hasTrouble { wentWell() }
        return
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        letGo()
      }
    }
    scan()
  }

  /// Releases the card, because another terminal is about to be shown.
  func leave() {
    masterTimer?.cancel()
    lit?.suspend()
    // A descriptor that another process opened can only be closed, both here and at the manager.
    if let card, !card.dropMaster() { letGo() }
  }

  func comeBack() {
    guard !isClosed else { return }
    if card == nil || lit == nil { return scan() }
    retryMaster()
    // Monitors may have been plugged in or out meanwhile.
    scanTimer?.arm(after: pauses.event)
  }

  // MARK: The rest

  private func note(_ what: String, _ detail: String?) {
    if health[what] == detail { return }
    health[what] = detail
    onHealth?(what, detail)
  }

  /// See `Screen.setPower(_:)`.
  public func setPower(_ on: Bool) {
    isOn = on
    lit?.setPower(on)
  }

  /// Releases the card; the console stays with its owner. If the service manager keeps the card,
  /// the last frame stays on the screen until a successor's first one, or until the manager closes
  /// it with the service. Otherwise the kernel shows its console again.
  public func close() {
    if isClosed { return }
    isClosed = true
    events = nil
    scanTimer?.cancel()
    masterTimer?.cancel()
    let isKept = services?.stored.contains(Self.storedName) == true
    // Its descriptor may soon be another file.
    if !isKept, services?.holds(Self.storedName) == true { services?.remove(Self.storedName) }
    lit?.shutDown(keepPicture: isKept)
    card?.close()
    console?.forget(self)
  }
}
