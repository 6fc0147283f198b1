import CEvdev
import Configuration
import EventLoop
import Glibc
import Pixels

/// An open input device. Reads the kernel's events and sorts them into keys, detents and fingers.
final class EvdevDevice {
  /// The events of one wake-up, and the keys that are down.
  struct Output {
    var keys = KeyMachine()
    var buttons: [ButtonEvent] = []
    var touches: [TouchEvent] = []

    /// Advances the keys that are down to `time`.
    mutating func advance(to time: UInt64) { keys.advance(to: time, into: &buttons) }
  }

  /// Why a device cannot be opened.
  enum Failure: Error {
    /// Permission denied: errno EACCES or EPERM.
    case forbidden
    /// There is no such file, or no device behind it.
    case absent
    /// It is not an input device, or has no use here.
    case useless
    case other(Int32)
  }

  /// The most events read per wake-up; the rest follows with the next one.
  private static let batch = 512
  /// The most detents in one event; no hand turns faster.
  private static let mostDetents = 16

  let number: Int
  let use: DeviceUse
  /// The name that the device reports.
  let name: String
  /// Why the device could not be grabbed; nil: it was, or was not to be.
  private(set) var grabError: Int32?
  private let fd: Int32
  private let device: OpaquePointer
  private let map: KeyMap
  /// Whether its times are of CLOCK_MONOTONIC.
  private let hasClock: Bool
  private let turn: MountingRotation?
  private var mapping: TouchMapping?
  private var recognizer = TouchRecognizer()
  private var fingersChanged = false
  /// The id of the finger on a single-touch screen, different for each touch.
  private var singleID: Int32 = 0
  private var singleIsDown = false
  private var isOpen = true

  init(
    path: String, number: Int, map: KeyMap, grab: Bool, space: TouchSpace, turn: MountingRotation?
  ) throws(Failure) {
    let fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if fd < 0 { throw Failure(errno) }
    var opened: OpaquePointer?
    let result = libevdev_new_from_fd(fd, &opened)
    guard result == 0, let device = opened else {
      Glibc.close(fd)
      throw Failure(-result)
    }
    let use = DeviceUse(of: device, keys: map)
    if !use.isAny {
      libevdev_free(device)
      Glibc.close(fd)
      throw Failure.useless
    }
    (self.fd, self.device, self.number, self.map, self.use) = (fd, device, number, map, use)
    self.turn = turn
    name = libevdev_get_name(device).map { String(cString: $0) } ?? ""
    hasClock = libevdev_set_clock_id(device, CLOCK_MONOTONIC) == 0
    if grab { self.grab() }
    setSpace(space)
  }

  deinit { close() }

  /// The descriptor to watch.
  var descriptor: Int32 { fd }

  /// Closes the device, which also ends the grab. May be called more than once.
  func close() {
    guard isOpen else { return }
    isOpen = false
    libevdev_free(device)
    Glibc.close(fd)
  }

  /// Takes the device away from all other programs (EVIOCGRAB). While that fails, each read tries
  /// again: an event that arrives here shows that no other program has the grab any more.
  private func grab() {
    let result = libevdev_grab(device, LIBEVDEV_GRAB)
    grabError = result < 0 ? -result : nil
  }

  /// Sets how the touch screen maps to the view. A gesture under way continues.
  func setSpace(_ space: TouchSpace) {
    func axis(_ code: Int32) -> TouchMapping.Axis {
      TouchMapping.Axis(
        minimum: libevdev_get_abs_minimum(device, UInt32(code)),
        maximum: libevdev_get_abs_maximum(device, UInt32(code)))
    }
    let new: TouchMapping
    switch use.touch {
    case nil: return
    case .slots:
      new = TouchMapping(
        x: axis(ABS_MT_POSITION_X), y: axis(ABS_MT_POSITION_Y), space: space, rotation: turn)
    case .single:
      new = TouchMapping(x: axis(ABS_X), y: axis(ABS_Y), space: space, rotation: turn)
    }
    if new == mapping { return }
    mapping = new
    recognizer.restart(from: contacts(new))
  }

  /// When to call `advance` for a resting finger, in nanoseconds of CLOCK_MONOTONIC; nil: never.
  var deadline: UInt64? { recognizer.deadline }

  /// Reports a finger that is held, if it is due at `time`.
  func advance(to time: UInt64, into output: inout Output) {
    recognizer.advance(to: time, into: &output.touches)
  }

  /// Releases its keys and ends its gesture, because the device is gone.
  func letGo(time: UInt64, into output: inout Output) {
    output.keys.releaseAll(of: number, time: time, into: &output.buttons)
    recognizer.cancel(into: &output.touches)
  }

  /// The result of reading.
  enum Reading {
    case done
    /// There is more to read, although the descriptor may not become readable again.
    case more
    case gone
  }

  /// Reads what is pending. After lost events, libevdev reports the changes, which then count as
  /// happening now.
  func read(into output: inout Output) -> Reading {
    guard isOpen else { return .gone }
    if grabError != nil { grab() }
    let now = EventLoop.now()
    let (normal, sync) = (LIBEVDEV_READ_FLAG_NORMAL.rawValue, LIBEVDEV_READ_FLAG_SYNC.rawValue)
    var flags = normal
    for _ in 0..<Self.batch {
      var event = input_event()
      let status = libevdev_next_event(device, flags, &event)
      switch status {
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
        handle(event, time: time(of: event, now), into: &output)
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        // The first of these is SYN_DROPPED itself, which carries no change.
        if flags == sync { handle(event, time: now, into: &output) }
        flags = sync
      case -EAGAIN where flags == sync: flags = normal
      case -EAGAIN: return .done
      case -EINTR: continue
      default: return .gone
      }
    }
    // Finish a resynchronisation now: the next call would begin without the flag and drop the rest.
    while flags == sync {
      var event = input_event()
      let status = libevdev_next_event(device, sync, &event)
      guard status == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) else { break }
      handle(event, time: now, into: &output)
    }
    return .more
  }

  /// The event's time in nanoseconds of CLOCK_MONOTONIC, never in the future.
  private func time(of event: input_event, _ now: UInt64) -> UInt64 {
    guard hasClock, event.time.tv_sec >= 0, event.time.tv_usec >= 0 else { return now }
    let time =
      UInt64(event.time.tv_sec) &* 1_000_000_000 &+ UInt64(event.time.tv_usec) &* 1000
    return min(time, now)
  }

  private func handle(_ event: input_event, time: UInt64, into output: inout Output) {
    switch Int32(event.type) {
    case EV_KEY:
      if use.touch == .single(event.code) { fingersChanged = true }
      key(event, time, into: &output)
    case EV_REL: turn(Int32(event.code), event.value, time, into: &output.buttons)
    case EV_ABS: fingersChanged = true
    case EV_SYN where Int32(event.code) == SYN_REPORT && fingersChanged:
      fingersChanged = false
      guard let mapping else { return }
      recognizer.report(contacts(mapping), time: time, into: &output.touches)
    default: break
    }
  }

  /// Ignores value 2, the kernel's key repeat: holds are timed here.
  private func key(_ event: input_event, _ time: UInt64, into output: inout Output) {
    let key = KeyMachine.Key(device: number, code: event.code)
    if event.value == 0 {
      output.keys.release(key, time: time, into: &output.buttons)
    } else if event.value == 1, let action = map.action(of: event.code) {
      output.keys.press(
        key, KeyMap.name(of: event.code), action, time: time, into: &output.buttons)
    }
  }

  /// Reports each detent as a press and a release. Clockwise, or away from the hand, zooms in.
  private func turn(
    _ code: Int32, _ value: Int32, _ time: UInt64, into buttons: inout [ButtonEvent]
  ) {
    guard use.dial, value != 0 else { return }
    let origin: String
    var (more, less) = (Action.zoomIn, Action.zoomOut)
    switch code {
    case REL_DIAL: origin = "REL_DIAL"
    case REL_WHEEL: origin = "REL_WHEEL"
    case REL_HWHEEL:
      origin = "REL_HWHEEL"
      (more, less) = (.panRight, .panLeft)
    case REL_X where DeviceUse.isAxisAlone(device): origin = "REL_X"
    default: return
    }
    let action = value > 0 ? more : less
    for _ in 0..<min(Int(value.magnitude), Self.mostDetents) {
      for phase in [ButtonEvent.Phase.press, .release] {
        buttons.append(ButtonEvent(origin: origin, action: action, phase: phase, time: time))
      }
    }
  }

  private func contacts(_ mapping: TouchMapping) -> [TouchContact] {
    switch use.touch {
    case nil: return []
    case .slots(let count):
      return (0..<UInt32(count)).compactMap { slot in
        let id = libevdev_get_slot_value(device, slot, UInt32(ABS_MT_TRACKING_ID))
        if id < 0 { return nil }
        let (x, y) = mapping.point(
          x: libevdev_get_slot_value(device, slot, UInt32(ABS_MT_POSITION_X)),
          y: libevdev_get_slot_value(device, slot, UInt32(ABS_MT_POSITION_Y)))
        return TouchContact(id: id, x: x, y: y)
      }
    case .single(let code):
      let isDown = libevdev_get_event_value(device, UInt32(EV_KEY), UInt32(code)) != 0
      if isDown != singleIsDown {
        singleIsDown = isDown
        singleID &+= 1
      }
      if !isDown { return [] }
      let (x, y) = mapping.point(
        x: libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(ABS_X)),
        y: libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(ABS_Y)))
      return [TouchContact(id: singleID, x: x, y: y)]
    }
  }
}

extension EvdevDevice.Failure {
  fileprivate init(_ code: Int32) {
    self =
      switch code {
      case EACCES, EPERM: .forbidden
      case ENOENT, ENODEV, ENXIO: .absent
      // The file is not a device, or the device does not support evdev's requests.
      case ENOTTY, EINVAL: .useless
      default: .other(code)
      }
  }
}
