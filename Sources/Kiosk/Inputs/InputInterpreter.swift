import Configuration
import EventLoop
import Glibc
import Inputs

/// Owns buttons, keys, dials and touch screens. Translates their events into actions, held pans and
/// zooms, and presses that only wake.
final class InputInterpreter {
  /// Nanoseconds between two levels while a zoom button is held.
  static let zoomRepeat: UInt64 = 400_000_000

  /// The origin of what a finger does on a slot of the legend.
  static let slot = "legend"

  static let pans: Set<Action> = [.panLeft, .panRight, .panUp, .panDown]

  /// What a button's event requests.
  enum ButtonCommand: Equatable {
    /// `nothing`: no effect. `used`: a press ended, so somebody is at the kiosk.
    case nothing
    case used
    case wake
    /// Perform the action once.
    case perform(Action)
    /// The set of held directions changed.
    case drive
    /// Zoom by a level, and repeat while the button is held.
    case zoom
  }

  /// What a finger's event requests. Positions and distances are in points.
  enum TouchCommand {
    case nothing
    case wake
    case stop
    case move(dx: Double, dy: Double)
    /// Zoom by `levels` about (x, y), moved by (dx, dy).
    case pinch(levels: Double, x: Double, y: Double, dx: Double, dy: Double)
    case tap(x: Double, y: Double)
    /// A finger rests at (x, y).
    case hold(x: Double, y: Double)
    case zoomIn(x: Double, y: Double)
    /// Zoom to a whole level about (x, y).
    case round(x: Double, y: Double)
    case fling(vx: Double, vy: Double)
    case lift
    /// The finger that was held on something left.
    case letGo
  }

  /// The state of the touch under way.
  private struct Touch {
    var isDown = false
    /// Where two fingers zoomed last, in points; nil: they did not.
    var pinchedAt: (x: Double, y: Double)?
    /// Whether it was held on something, and moves nothing any more.
    var isSpent = false
  }

  /// The touch that woke the screen, or during which it fell asleep. A tap is reported after its
  /// end, so it lasts until the next one begins.
  private enum WakingTouch { case none, down, over }

  private let loop: EventLoop
  private let outbox: Outbox
  private var gpio: GPIOInputs?
  private var evdev: EvdevInputs?
  /// The configuration the devices were opened with; nil: they are closed.
  private var opened: (gpio: Configuration.Gpio, input: Configuration.Input)?
  /// The matters of devices with problems in the health.
  private var matters: Set<String> = []
  /// Buttons whose press only woke the screen. They are ignored until released.
  private var wakingOrigins: Set<String> = []
  /// Buttons that are down.
  private var downOrigins: Set<String> = []
  private var wakingTouch = WakingTouch.none
  private var touch = Touch()
  /// The actions of held pan buttons, by origin.
  private var heldPans: [String: Action] = [:]
  /// The actions of held zoom buttons, by origin.
  private var heldZooms: [String: Action] = [:]
  private var repeatTimer: LoopTimer?

  init(loop: EventLoop, outbox: Outbox) {
    self.loop = loop
    self.outbox = outbox
    repeatTimer = loop.timer { [outbox] in outbox.add(.zoomRepeat) }
  }

  // MARK: Buttons

  /// What `event` requests. While the screen `isAsleep`, the first press only wakes it. While a
  /// held button moves the view (`isDriven`), a second direction changes its course without
  /// stopping it.
  func interpret(_ event: ButtonEvent, isAsleep: Bool, isDriven: Bool) -> ButtonCommand {
    if event.phase == .release {
      downOrigins.remove(event.origin)
      if wakingOrigins.remove(event.origin) != nil { return .nothing }
      heldZooms[event.origin] = nil
      return heldPans.removeValue(forKey: event.origin) == nil ? .used : .drive
    }
    downOrigins.insert(event.origin)
    if wakingOrigins.contains(event.origin) { return .nothing }
    if isAsleep {
      wakingOrigins.insert(event.origin)
      return .wake
    }
    let isPan = InputInterpreter.pans.contains(event.action)
    if event.phase == .press, !(isDriven && isPan) { return .perform(event.action) }
    if isPan {
      heldPans[event.origin] = event.action
      return .drive
    }
    if event.action == .zoomIn || event.action == .zoomOut {
      heldZooms[event.origin] = event.action
      return .zoom
    }
    return .perform(event.action)
  }

  /// The combined direction of the held buttons; each part is −1, 0 or 1 in screen axes. Opposite
  /// directions cancel.
  var direction: (x: Double, y: Double) {
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

  /// Whether held buttons move the view.
  var isDriving: Bool { !heldPans.isEmpty && direction != (0, 0) }

  /// The held zoom action, if any. Arms the timer that repeats it.
  func nextZoom() -> Action? {
    guard let action = heldZooms.values.first else { return nil }
    repeatTimer?.arm(after: InputInterpreter.zoomRepeat)
    return action
  }

  /// Whether a button is held or a finger is down, so that the kiosk is in use.
  var isHeld: Bool { !heldPans.isEmpty || !heldZooms.isEmpty || touch.isDown }

  /// Ends held pans and zooms. Returns whether pans were held.
  func endHolds() -> Bool {
    heldZooms = [:]
    defer { heldPans = [:] }
    return !heldPans.isEmpty
  }

  /// Ignores buttons that are down until they are released, because the screen goes dark.
  func ignoreWhatIsDown() {
    wakingOrigins.formUnion(downOrigins)
    wakingTouch = touch.isDown ? .down : .none
  }

  // MARK: Touch

  /// What `event` requests. The touch that wakes the screen does nothing else, nor does its tap.
  func interpret(_ event: TouchEvent, isAsleep: Bool) -> TouchCommand {
    if isAsleep {
      switch event {
      case .began:
        wakingTouch = .down
        return .wake
      case .ended: endWakingTouch()
      default: break
      }
      return .nothing
    }
    if wakingTouch == .over, case .began = event { wakingTouch = .none }
    if wakingTouch != .none {
      if case .ended = event { endWakingTouch() }
      return .nothing
    }
    if touch.isSpent {
      guard case .ended = event else { return .nothing }
      touch = Touch()
      return .letGo
    }
    switch event {
    case .began:
      touch = Touch(isDown: true)
      return .stop
    case .moved(let dx, let dy): return .move(dx: dx, dy: dy)
    case .pinched(let factor, let x, let y, let dx, let dy):
      touch.pinchedAt = (x, y)
      return .pinch(levels: InputInterpreter.levels(factor), x: x, y: y, dx: dx, dy: dy)
    case .held(let x, let y): return .hold(x: x, y: y)
    case .tapped(let x, let y): return .tap(x: x, y: y)
    case .doubleTapped(let x, let y): return .zoomIn(x: x, y: y)
    case .ended(let vx, let vy):
      defer { touch = Touch() }
      if let at = touch.pinchedAt { return .round(x: at.x, y: at.y) }
      return vx != 0 || vy != 0 ? .fling(vx: vx, vy: vy) : .lift
    }
  }

  private func endWakingTouch() {
    wakingTouch = .over
    touch = Touch()
    downOrigins.remove(InputInterpreter.slot)
    wakingOrigins.remove(InputInterpreter.slot)
  }

  /// The finger that is down was held on something: until it leaves, it moves nothing.
  func spendTouch() { touch.isSpent = true }

  /// The zoom levels that scaling by `factor` adds.
  static func levels(_ factor: Double) -> Double {
    factor.isFinite && factor > 0 ? log2(factor) : 0
  }

  // MARK: Devices

  /// Whether `wanted` differs from what the devices were opened with.
  func differs(from wanted: (gpio: Configuration.Gpio, input: Configuration.Input)) -> Bool {
    guard let opened else { return true }
    return opened != wanted
  }

  /// Closes the present devices, opens buttons, keys and touch screens, and notes their problems.
  func open(
    _ wanted: (gpio: Configuration.Gpio, input: Configuration.Input), space: TouchSpace,
    onButton: @escaping (ButtonEvent) -> Void, onTouch: @escaping (TouchEvent) -> Void
  ) {
    close()
    gpio = GPIOInputs(
      configuration: wanted.gpio, loop: loop, onButton: onButton,
      onHealth: { [weak self] in self?.note($0, $1) })
    evdev = EvdevInputs(
      configuration: wanted.input, space: space, loop: loop, onButton: onButton, onTouch: onTouch,
      onHealth: { [weak self] in self?.note($0, $1) })
    opened = wanted
    let unknown = EvdevInputs.unknownKeys(in: wanted.input)
    if let first = unknown.first {
      note(
        "input.key",
        "no key is called \(unknown.map(\.key).joined(separator: ", ")); perhaps \(first.nearest)")
    }
  }

  /// How many GPIO lines are configured, and how many input devices are open.
  var counts: (gpioLines: Int, devices: Int) { (gpio?.lineCount ?? 0, evdev?.deviceCount ?? 0) }

  /// Whether devices were opened.
  var isOpen: Bool { opened != nil }

  /// Sets how touch coordinates map to the view.
  func setSpace(_ space: TouchSpace) { evdev?.space = space }

  /// Closes the devices.
  func close() {
    gpio?.close()
    evdev?.close()
    (gpio, evdev, opened) = (nil, nil, nil)
    repeatTimer?.cancel()
    downOrigins = []
    wakingOrigins = []
    wakingTouch = .none
    touch = Touch()
    for matter in matters { outbox.note(matter, .warning, nil) }
    matters = []
  }

  private func note(_ what: String, _ detail: String?) {
    if detail == nil { matters.remove(what) } else { matters.insert(what) }
    outbox.note(what, .warning, detail)
  }
}
