import CEvdev
import Configuration
import EventLoop
import Glibc
import Pixels
import Platform

/// Keyboards, `gpio-keys`, dials and touch screens: every usable /dev/input/event*, as they are
/// plugged in and out.
///
/// Uses libevdev, which knows the kernel's protocol and recovers from lost events. libinput would
/// add libwacom and GLib, for pointers and gestures that a map does not need.
///
/// Use it on the loop's thread. It calls nothing before the loop runs, and nothing after `close`.
public final class EvdevInputs {
  /// The most devices open at once.
  public static let mostDevices = 64

  /// How touch screens relate to the view. A gesture under way continues after a change.
  public var space: TouchSpace {
    didSet {
      guard space != oldValue else { return }
      for entry in devices.values { entry.device.setSpace(space) }
    }
  }

  private let configuration: Configuration.Input
  private let folder = "/dev/input"
  private let map: KeyMap
  private let loop: EventLoop
  private let onButton: (ButtonEvent) -> Void
  private let onTouch: (TouchEvent) -> Void
  private let onHealth: (_ what: String, _ detail: String?) -> Void
  private var devices: [Int: (device: EvdevDevice, watch: Watch)] = [:]
  private var hotplug: DeviceEvents?
  private var retries = OpeningRetries()
  private var problems = DeviceProblems()
  private var toldHealth: String?
  /// Devices with more to read than one wake-up takes.
  private var unread: Set<Int> = []
  private var output = EvdevDevice.Output()
  /// The events being delivered. Separate, because a handler may change `output` meanwhile.
  private var handedOver = EvdevDevice.Output()
  private var timer: LoopTimer?
  private var isClosed = false

  /// Opens the devices, unless `configuration.evdev` is false. Devices that cannot be used are
  /// reported to `onHealth`; the others work.
  ///
  /// - Parameters:
  ///   - configuration: What keys do; whether to grab devices (EVIOCGRAB), above all from the
  ///     console; how touch screens are turned if not like the display.
  ///   - space: How touch screens relate to the view.
  ///   - loop: The loop of this thread.
  ///   - onButton: Called with keys ("KEY_LEFT") and with a dial's detents ("REL_DIAL", a press and
  ///     a release each).
  ///   - onTouch: Called with gestures; one movement per wake-up.
  ///   - onHealth: Called with "input" and what is wrong with the devices; nil: all are well.
  public init(
    configuration: Configuration.Input, space: TouchSpace, loop: EventLoop,
    onButton: @escaping (ButtonEvent) -> Void, onTouch: @escaping (TouchEvent) -> Void,
    onHealth: @escaping (_ what: String, _ detail: String?) -> Void
  ) {
    (self.configuration, self.space, self.loop) = (configuration, space, loop)
    (self.onButton, self.onTouch, self.onHealth) = (onButton, onTouch, onHealth)
    map = KeyMap(configuration)
    guard configuration.evdev != false else { return }
    // libevdev would write every device's faults to stderr.
    waypost_evdev_log_nothing()
    timer = loop.timer { [weak self] in self?.timePassed() }
    do {
      // Before `scan`, so that a device plugged in meanwhile is not missed. Seeing it twice is
      // harmless.
      hotplug = try DeviceEvents(loop: loop) { [weak self] event in self?.deviceChanged(event) }
    } catch {
      problems.general.append("devices that are plugged in later are not seen: \(error)")
    }
    scan()
    // Report initial problems from the loop, not from `init`.
    if problems.text != nil { timer?.arm(at: 0) } else { schedule() }
  }

  /// How many devices are open.
  public var deviceCount: Int { devices.count }

  deinit { close() }

  /// Closes all devices and ends their grabs. Nothing is called afterwards.
  public func close() {
    isClosed = true
    hotplug = nil
    timer?.cancel()
    timer = nil
    for entry in devices.values {
      entry.watch.cancel()
      entry.device.close()
    }
    devices = [:]
    unread = []
  }

  /// The most unknown keys to report.
  static let mostUnknownKeys = 32

  /// The `[[input.key]]` names that are not keys, each with the nearest known name. At most
  /// `mostUnknownKeys`, because each is compared with all known names.
  public static func unknownKeys(
    in configuration: Configuration.Input
  ) -> [(key: String, nearest: String)] {
    let unknown = configuration.keys.lazy.map(\.key).filter { KeyMap.code(of: $0) == nil }
      .prefix(mostUnknownKeys)
    if unknown.isEmpty { return [] }
    let names = KeyMap.names
    return unknown.map { ($0, NearestName.closest(to: $0, in: names) ?? "KEY_HOME") }
  }

  // MARK: Devices come and go

  private func scan() {
    guard let names = try? Directory.names(in: folder) else { return }
    let found = Set(names.compactMap { Self.number(of: $0) })
    for number in problems.devices.keys where !found.contains(number) { forget(number) }
    for number in found.sorted() where devices[number] == nil { open(number) }
  }

  /// The number in a device's name: 3 for "event3".
  private static func number(of name: some StringProtocol) -> Int? {
    guard name.hasPrefix("event"), name.utf8.count <= 10 else { return nil }
    let digits = name.dropFirst(5)
    return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int(digits) : nil
  }

  private func deviceChanged(_ event: DeviceEvent?) {
    if let event {
      guard event.subsystem == "input", event.deviceName.hasPrefix("input/"),
        let number = Self.number(of: event.deviceName.dropFirst(6))
      else { return }
      if event.action == "remove" {
        forget(number)
      } else {
        // An open one may be an earlier device of this number whose removal was not reported yet.
        if devices[number] != nil { read(number) }
        if devices[number] == nil {
          retries.forget(number)
          open(number)
        }
      }
    } else {
      scan()
    }
    deliver()
  }

  private func open(_ number: Int) {
    if devices.count >= Self.mostDevices {
      retries.forget(number)
      problems.devices[number] = .other("more than \(Self.mostDevices) devices: not used")
      return
    }
    do throws(EvdevDevice.Failure) {
      let device = try EvdevDevice(
        path: "\(folder)/event\(number)", number: number, map: map, grab: configuration.grab,
        space: space, turn: configuration.touchRotation.flatMap { MountingRotation(rawValue: $0) })
      retries.forget(number)
      watch(device)
    } catch {
      failed(number, error)
    }
  }

  private func watch(_ device: EvdevDevice) {
    let number = device.number
    do {
      let watch = try loop.watch(device.descriptor, .readable) { [weak self] _ in
        self?.read(number)
        self?.deliver()
      }
      devices[number] = (device, watch)
      problems.devices[number] = device.grabError.map(Self.grabProblem)
    } catch {
      device.close()
      problems.devices[number] = .other("\(error)")
    }
  }

  private func failed(_ number: Int, _ failure: EvdevDevice.Failure) {
    let isFinal: Bool
    if case .useless = failure {
      retries.forget(number)
      isFinal = true
    } else {
      isFinal = !retries.failed(number, now: EventLoop.now())
    }
    guard isFinal else { return }
    switch failure {
    case .absent, .useless: problems.devices[number] = nil
    case .forbidden: problems.devices[number] = .forbidden
    case .other(let code): problems.devices[number] = .other("\(SystemError("open", code: code))")
    }
  }

  private static func grabProblem(_ code: Int32) -> DeviceProblems.Problem {
    if code == EBUSY {
      return .other(
        "taken by another program, which gets its keys: end it, or set grab = false there")
    }
    return .other("its keys reach the console, too: \(SystemError("EVIOCGRAB", code: code))")
  }

  /// Forgets a device that is gone, after releasing its keys.
  private func forget(_ number: Int) {
    retries.forget(number)
    problems.devices[number] = nil
    unread.remove(number)
    guard let entry = devices.removeValue(forKey: number) else { return }
    entry.watch.cancel()
    entry.device.letGo(time: EventLoop.now(), into: &output)
    entry.device.close()
  }

  // MARK: Reading

  private func read(_ number: Int) {
    guard let device = devices[number]?.device else { return }
    unread.remove(number)
    let reading = device.read(into: &output)
    problems.devices[number] = device.grabError.map(Self.grabProblem)
    switch reading {
    case .done: break
    case .more: unread.insert(number)
    case .gone: forget(number)
    }
  }

  private func timePassed() {
    let now = EventLoop.now()
    // A finger that is due to be held may have left already.
    let touched = devices.filter { ($1.device.deadline ?? .max) <= now }.keys
    for number in unread.union(touched).sorted() { read(number) }
    for number in retries.due(at: now) { open(number) }
    output.advance(to: now)
    for number in touched { devices[number]?.device.advance(to: now, into: &output) }
    deliver()
  }

  /// Arms one timer for everything pending, or cancels it if nothing is.
  private func schedule() {
    guard let timer else { return }
    let held = devices.values.lazy.compactMap(\.device.deadline).min()
    let deadlines = [output.keys.deadline, held, retries.deadline, unread.isEmpty ? nil : 0]
    if let next = deadlines.lazy.compactMap({ $0 }).min() {
      timer.arm(at: next)
    } else {
      timer.cancel()
    }
  }

  private func deliver() {
    schedule()
    swap(&output.buttons, &handedOver.buttons)
    swap(&output.touches, &handedOver.touches)
    for event in handedOver.buttons where !isClosed { onButton(event) }
    for event in handedOver.touches where !isClosed { onTouch(event) }
    handedOver.buttons.removeAll(keepingCapacity: true)
    handedOver.touches.removeAll(keepingCapacity: true)
    problems.stuckKeys = output.keys.stuck
    let health = problems.text
    guard health != toldHealth, !isClosed else { return }
    toldHealth = health
    onHealth("input", health)
  }
}
