import EventLoop
import Glibc
import Pixels
import Platform

/// The screen of a DRM/KMS card: finds the card and the connector, follows what is plugged in and
/// out, and waits for a card that someone else holds.
///
/// While nothing can be lit, `display` is one in memory of the last size, so that the kiosk runs
/// on. Nothing is polled: the kernel's device events say when to look again. Only while another
/// program holds the card, about whose end there is no event, it is asked for again by a clock:
/// every half second for 10 s (a boot splash may be leaving), then every 5 s, with a health entry.
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
  /// What is wrong at present: "display", "console".
  public private(set) var health: [String: String] = [:]
  /// The driver and how it is used, for the log: "virtio_gpu, atomic"; nil: nothing is lit.
  public var details: String? {
    lit.map {
      "\($0.pipe.connector.name) \($0.mode) \($0.format) by \(card?.driver ?? ""),"
        + " \($0.pipe.isAtomic ? "atomic" : "legacy")\($0.pipe.tellsDamage ? ", damage clips" : "")"
    }
  }

  /// Device events come in bursts, and a monitor needs a moment after it is plugged in:
  /// nanoseconds.
  static let debounce: UInt64 = 200_000_000
  /// How often, and after how many nanoseconds each time, a card that may not be opened is tried
  /// again.
  static let rightsTries = 8
  static let rightsRetry: UInt64 = 1_000_000_000
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
  private var scanTimer: LoopTimer?
  private var masterTimer: LoopTimer?
  private var masterWait = MasterWait()
  private var rightsTries = DRMScreen.rightsTries
  private var isOn = true
  private var isClosed = false
  private var tooLarge: DRMDisplay.TooLarge?

  /// Opens the display, or waits for one.
  ///
  /// - Parameters:
  ///   - request: the card, the connector and the mode that are wanted.
  ///   - loop: the loop of this thread.
  ///   - console: asks when to let the card go; nil: nobody asks.
  ///   - services: keeps the card over a restart; nil: nobody does. What it kept is taken over, so
  ///     ask for it before looking for its sockets (`ServiceManager.takeDescriptors`).
  ///   - atomic: false: by the legacy calls, even where the driver has atomic commits.
  /// - Returns: the screen, lit or waiting.
  /// - Throws: `SystemError` where the kernel's device events are unavailable.
  public static func open(
    _ request: DisplayRequest, loop: EventLoop, console: Console?, services: ServiceManager?,
    atomic: Bool
  ) throws(SystemError) -> DRMScreen {
    try open(
      request, loop: loop, console: console, services: services, atomic: atomic, cards: .kernel)
  }

  static func open(
    _ request: DisplayRequest, loop: EventLoop, console: Console?, services: ServiceManager?,
    atomic: Bool, cards: DRMCards
  ) throws(SystemError) -> DRMScreen {
    let screen = DRMScreen(request, loop, console, services, atomic, cards)
    screen.events = try DeviceEvents(loop: loop) { [weak screen] event in
      if event == nil || event?.subsystem == "drm" { screen?.devicesChanged() }
    }
    screen.start()
    return screen
  }

  /// A card or a monitor came or went: schedules a new look at the cards.
  func devicesChanged() {
    rightsTries = Self.rightsTries
    scanTimer?.arm(after: Self.debounce)
  }

  /// Whether there is a card at present that could show something, lit or not.
  public static func isPossible(_ request: DisplayRequest) -> Bool {
    let cards = DRMCards.kernel
    return cards.paths(request.device).contains { (try? cards.card(at: $0)) != nil }
  }

  private init(
    _ request: DisplayRequest, _ loop: EventLoop, _ console: Console?, _ services: ServiceManager?,
    _ atomic: Bool, _ cards: DRMCards
  ) {
    (self.request, self.loop, self.console) = (request, loop, console)
    (self.services, self.atomic, self.cards) = (services, atomic, cards)
    display = HeadlessDisplay(
      width: request.size.width, height: request.size.height, format: request.format ?? .xrgb8888,
      rotation: request.rotation, loop: loop)
    scanTimer = loop.timer { [weak self] in self?.scan() }
    masterTimer = loop.timer { [weak self] in self?.retryMaster() }
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
      // A copy that nobody uses would stay master.
      services?.remove(Self.storedName)
    }
    console?.isActive == false ? leave() : scan()
  }

  // MARK: Finding what to light

  /// Examines what is plugged in, and lights it, keeps it or releases it.
  private func scan() {
    guard !isClosed, console?.isActive != false else { return }
    var reasons: [String] = []
    var mayYetOpen = false
    if let card {
      do throws(DRMError) {
        if try light(card) { return }
        reasons.append("\(card.path): no monitor is connected")
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        reasons.append(error.description)
        if error.kind == .gone { letGo() }
      }
    }
    for path in cards.paths(request.device) where path != card?.path {
      do throws(DRMError) {
        let other = try cards.card(at: path)
        if try light(other) { return }
        reasons.append("\(path): no monitor is connected")
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        if error.kind == .cannotOpen { mayYetOpen = true }
        if error.kind != .notADisplay || request.device != nil { reasons.append(error.description) }
      }
    }
    darken()
    masterWait.end()
    masterTimer?.cancel()
    if mayYetOpen, rightsTries > 0 {
      // udev gives a new card to its group a moment after it came.
      rightsTries -= 1
      scanTimer?.arm(after: DRMScreen.rightsRetry)
    }
    if reasons.isEmpty { reasons = ["no display device: /dev/dri has no card with a connector"] }
    let wanted = request.connector.map { " (\($0) is wanted)" } ?? ""
    note("display", reasons.joined(separator: "; ") + wanted)
  }

  /// Lights the connector of `card` that is to be lit. False: it has none.
  private func light(_ card: DRMCard) throws(DRMError) -> Bool {
    let connectors = try card.connectors()
    guard
      let index = ConnectorChoice.choose(connectors.map(\.info), named: request.connector)
    else { return false }
    let chosen = connectors[index]
    if let lit, self.card === card, lit.pipe.connector == chosen.info { return true }
    try card.takeMaster()
    // The former display is freed first: there may not be memory for both.
    lit?.shutDown(keepPicture: false)
    lit = nil
    if self.card !== card { letGo() }
    let (made, remark) = try DRMDisplay.best(
      on: card, chosen, request: request, tooLarge: tooLarge, atomic: atomic, loop: loop)
    made.onTrouble = { [weak self] in self?.troubled($0) }
    if !isOn { made.setPower(false) }
    (self.card, lit, display) = (card, made, made)
    masterWait.end()
    masterTimer?.cancel()
    services?.store(card.device.descriptor, name: Self.storedName)
    note("display", remark)
    onDisplayChange?()
    return true
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
    if services?.stored.contains(Self.storedName) == true || card.isAdopted {
      services?.remove(Self.storedName)
    }
    card.close()
  }

  private func troubled(_ error: DRMError) {
    guard let lit, !isClosed else { return }
    switch error.kind {
    case .masterRefused: refused(error)
    case .noMemory:
      tooLarge = .init(connector: lit.pipe.connector, mode: lit.mode, error: error)
      darken()
      scanTimer?.arm(after: 0)
    case .gone:
      letGo()
      scan()
    default:
      // Not again at once: what the driver refused it would refuse again.
      note("display", error.description)
      masterTimer?.arm(after: MasterWait.slowRetry)
    }
  }

  // MARK: Another one's card

  private func refused(_ error: DRMError) {
    if lit == nil {
      darken()
      // What another process opened cannot become master again; the next try opens the card again.
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
        masterWait.end()
        note("display", nil)
        return lit.resume()
      } catch {
        if error.kind == .masterRefused { return refused(error) }
        letGo()
      }
    }
    scan()
  }

  /// Another terminal is to be shown: whoever is there needs the card.
  func leave() {
    masterTimer?.cancel()
    lit?.suspend()
    // A descriptor that another process opened can only be closed, here and at the manager's.
    if let card, !card.dropMaster() { letGo() }
  }

  func comeBack() {
    guard !isClosed else { return }
    if card == nil || lit == nil { return scan() }
    retryMaster()
    // Plugs may have moved meanwhile.
    scanTimer?.arm(after: Self.debounce)
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

  /// Lets the card go; the console stays with whoever made it. Where the service manager keeps the
  /// card, the last frame stays on the screen until a successor's first, or until the manager lets
  /// it go with the service; otherwise the kernel shows its console again.
  public func close() {
    if isClosed { return }
    isClosed = true
    events = nil
    scanTimer?.cancel()
    masterTimer?.cancel()
    lit?.shutDown(keepPicture: services?.stored.contains(Self.storedName) == true)
    card?.close()
    console?.forget(self)
  }
}
