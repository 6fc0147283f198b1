import Configuration
import Displays
import EventLoop
import Glibc
import Inputs
import MapGeometry

/// What the touch under way has done.
struct TouchState {
  var isDown = false
  /// Two fingers zoomed; where they were last, in points.
  var pinchedAt: (x: Double, y: Double)?
}

/// Buttons, keys, dials and touches.
extension Kiosk {
  /// How long a held zoom button takes from one level to the next, in nanoseconds.
  static let zoomRepeat: UInt64 = 400_000_000

  // MARK: Buttons

  /// Does what a button, key or dial asks for. The first press while asleep only wakes.
  public func handle(_ event: ButtonEvent) {
    onEvent?(.button(event))
    if event.phase == .release {
      downOrigins.remove(event.origin)
      if wakingOrigins.remove(event.origin) != nil { return }
      return release(event)
    }
    downOrigins.insert(event.origin)
    if wakingOrigins.contains(event.origin) { return }
    if isAsleep {
      wakingOrigins.insert(event.origin)
      used()
      wake()
      return
    }
    switch event.phase {
    case .press:
      inputAt = event.time
      if view.isDriven, Kiosk.pans.contains(event.action) {
        // A second direction beside the first: the way bends and does not stop.
        hold(event)
      } else if let reason = perform(event.action) {
        onLog?(.notice, "\(event.origin): \(reason)")
      }
    case .hold: hold(event)
    case .release: break
    }
  }

  static let pans: Set<Action> = [.panLeft, .panRight, .panUp, .panDown]

  private func hold(_ event: ButtonEvent) {
    used()
    inputAt = event.time
    switch event.action {
    case .panLeft, .panRight, .panUp, .panDown:
      heldPans[event.origin] = event.action
      drive()
    case .zoomIn, .zoomOut:
      heldZooms[event.origin] = event.action
      repeatZooms()
    default:
      if let reason = perform(event.action) { onLog?(.notice, "\(event.origin): \(reason)") }
    }
  }

  private func release(_ event: ButtonEvent) {
    if heldPans.removeValue(forKey: event.origin) != nil {
      inputAt = event.time
      drive()
    }
    heldZooms[event.origin] = nil
    used()
  }

  /// Moves the view as the held buttons together say; opposite ones cancel each other.
  private func drive() {
    let (x, y) = heldDirection
    let wasDriven = view.isDriven
    waitsForFirstSource = false
    if (x, y) != (0, 0), isFollowing { stopFollowing() }
    view.setDrive(x: x, y: y, now: EventLoop.now())
    changed()
    if wasDriven, !view.isDriven { stateChanged() }
  }

  private var heldDirection: (x: Double, y: Double) {
    var (x, y) = (0.0, 0.0)
    for action in Set(heldPans.values) {
      switch action {
      case .panLeft: x -= 1
      case .panRight: x += 1
      case .panUp: y -= 1
      case .panDown: y += 1
      default: break
      }
    }
    return (x, y)
  }

  /// Goes on panning for the buttons that are held, once another movement is over.
  func resumeDrive() {
    if heldPans.isEmpty || view.isMoving || heldDirection == (0, 0) { return }
    drive()
  }

  /// Whether a button is held or a finger down: the kiosk is being used.
  var isHeld: Bool { !heldPans.isEmpty || !heldZooms.isEmpty || touch.isDown }

  /// One level on for the zoom buttons that are held, and again after a while.
  func repeatZooms() {
    guard let action = heldZooms.values.first else { return }
    _ = perform(action)
    repeatTimer?.arm(after: Kiosk.zoomRepeat)
  }

  /// Lets go of what is held.
  func endHolds() {
    heldZooms = [:]
    if !heldPans.isEmpty {
      heldPans = [:]
      drive()
    }
  }

  // MARK: Touch

  /// Moves the view as fingers do. The touch that wakes the screen does nothing else.
  public func handle(_ event: TouchEvent) {
    if isAsleep {
      switch event {
      case .began:
        isWakingTouch = true
        used()
        wake()
      case .ended: isWakingTouch = false
      default: break
      }
      return
    }
    if isWakingTouch {
      if case .ended = event { isWakingTouch = false }
      return
    }
    used()
    inputAt = EventLoop.now()
    let goal = view.goal
    switch event {
    case .began:
      touch = TouchState(isDown: true)
      if view.isMoving {
        view.stop()
        changed()
      }
    case .moved(let dx, let dy):
      go(to: view.current.panned(dx: -dx, dy: -dy), animate: false)
    case .pinched(let factor, let x, let y, let dx, let dy):
      let limits = view.limits
      let zoom = min(max(goal.zoom + Kiosk.levels(factor), limits.minZoom), limits.maxZoom)
      touch.pinchedAt = (x, y)
      if isFollowing {
        // What is followed stays in the middle.
        self.zoom(by: zoom - goal.zoom, about: nil, animate: false)
        break
      }
      go(to: goal.zoomed(to: zoom, keeping: x, y).panned(dx: -dx, dy: -dy), animate: false)
    case .tapped(let x, let y): tapMarker(x: x, y: y)
    case .doubleTapped(let x, let y):
      let zoom = min((goal.zoom + 1 + 1e-9).rounded(.down), view.limits.maxZoom)
      self.zoom(by: zoom - goal.zoom, about: (x, y), animate: true)
    case .ended(let vx, let vy):
      if let at = touch.pinchedAt {
        // Come to rest on a whole zoom, where a pixel of the tile is a pixel of the screen.
        let zoom = goal.zoom.rounded()
        if zoom != goal.zoom, zoom >= view.limits.minZoom, zoom <= view.limits.maxZoom {
          self.zoom(by: zoom - goal.zoom, about: at, animate: true)
        }
      } else if vx != 0 || vy != 0 {
        view.fling(vx: -vx, vy: -vy, now: EventLoop.now())
        changed()
      }
      touch = TouchState()
      stateChanged()
    }
  }

  /// Zoom levels for a growth by `factor`.
  static func levels(_ factor: Double) -> Double {
    factor.isFinite && factor > 0 ? log2(factor) : 0
  }

  // MARK: Devices

  /// Takes the configured buttons, keys and touch screens; what is wrong with them is in the health.
  public func openInputs() {
    closeInputs()
    gpio = GPIOInputs(
      configuration: configuration.gpio, loop: loop,
      onButton: { [weak self] in self?.handle($0) },
      onHealth: { [weak self] in self?.inputHealth($0, $1) })
    let input = wantedInput
    evdev = EvdevInputs(
      configuration: input, space: touchSpace, loop: loop,
      onButton: { [weak self] in self?.handle($0) }, onTouch: { [weak self] in self?.handle($0) },
      onHealth: { [weak self] in self?.inputHealth($0, $1) })
    opened = (configuration.gpio, input)
    let unknown = EvdevInputs.unknownKeys(in: input)
    if let first = unknown.first {
      inputHealth(
        "input.key",
        "no key is called \(unknown.map(\.key).joined(separator: ", ")); perhaps \(first.nearest)")
    }
  }

  /// `[input]`, with keyboards where there is a screen: without one they may be someone's who works
  /// at the machine.
  private var wantedInput: Configuration.Input {
    var input = configuration.input
    input.evdev = input.evdev ?? !(screen is FixedScreen)
    return input
  }

  private func inputHealth(_ what: String, _ detail: String?) {
    if let detail { onLog?(.warning, "\(what): \(detail)") }
    reportHealth(what, .warning, detail)
  }

  /// Takes what changed in the configuration's `[gpio]` and `[input]`.
  func applyInputs() {
    guard let opened else { return }
    if opened.gpio != configuration.gpio || opened.input != wantedInput { openInputs() }
  }

  func closeInputs() {
    gpio?.close()
    evdev?.close()
    (gpio, evdev, opened) = (nil, nil, nil)
    endHolds()
    downOrigins = []
    wakingOrigins = []
    isWakingTouch = false
    touch = TouchState()
    for entry in health.entries where entry.what.hasPrefix("input") || entry.what.hasPrefix("gpio")
    {
      reportHealth(entry.what, .warning, nil)
    }
  }

  /// What lies between a touch screen and the view.
  var touchSpace: TouchSpace {
    let display = pipeline.display
    return TouchSpace(
      panelWidth: display.width, panelHeight: display.height, scale: pipeline.scale,
      rotation: display.rotation)
  }
}
