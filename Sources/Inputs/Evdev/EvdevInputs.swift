import CEvdev
import Configuration
import EventLoop
import Glibc
import Pixels
import Platform

/// Keyboards, the kernel's own `gpio-keys`, dials and touch screens: every /dev/input/event* that
/// is one, as they come and go.
///
/// By libevdev, which knows the kernel's protocol and how to catch up after lost events. libinput
/// would bring libwacom and GLib along, for pointers and gestures that a map does not need.
///
/// Belongs to the loop's thread. Nothing is called before the loop runs, and nothing after `close`.
public final class EvdevInputs {
  /// Devices that are open at once.
  public static let mostDevices = 64

  /// What the touch screens lie on. Changed while a finger is down, the gesture goes on from there.
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
  /// Devices that had more to read than one wake-up takes.
  private var unread: Set<Int> = []
  private var output = EvdevDevice.Output()
  /// What is being handed over: a handler may change this object meanwhile.
  private var handedOver = EvdevDevice.Output()
  private var timer: LoopTimer?
  private var isClosed = false

  /// Opens what there is, unless `configuration.evdev` is false. A device that cannot be used is
  /// told to `onHealth`, and the others work.
  ///
  /// - Parameters:
  ///   - configuration: which keys do what; whether devices are taken away from everyone else
  ///     (EVIOCGRAB), the console above all; how touch screens are turned if not as the display is.
  ///   - space: what the touch screens lie on.
  ///   - loop: the loop of this thread.
  ///   - onButton: keys ("KEY_LEFT") and detents of a dial ("REL_DIAL": a press and a release).
  ///   - onTouch: gestures, one movement a wake-up.
  ///   - onHealth: what ("input") and what is wrong with it; nil: it is well again.
  public init(
    configuration: Configuration.Input, space: TouchSpace, loop: EventLoop,
    onButton: @escaping (ButtonEvent) -> Void, onTouch: @escaping (TouchEvent) -> Void,
    onHealth: @escaping (_ what: String, _ detail: String?) -> Void
  ) {
    (self.configuration, self.space, self.loop) = (configuration, space, loop)
    (self.onButton, self.onTouch, self.onHealth) = (onButton, onTouch, onHealth)
    map = KeyMap(configuration)
    guard configuration.evdev != false else { return }
    // It would write to stderr whatever a device does wrong.
    waypost_evdev_log_nothing()
    timer = loop.timer { [weak self] in self?.timePassed() }
    do {
      // Before looking at what there is: what comes in between is seen twice and not missed.
      hotplug = try DeviceEvents(loop: loop) { [weak self] event in self?.deviceChanged(event) }
    } catch {
      problems.general.append("devices that are plugged in later are not seen: \(error)")
    }
    scan()
    // What is wrong from the start is told by the loop, not from here.
    if problems.text != nil { timer?.arm(at: 0) } else { schedule() }
  }

  deinit { close() }

  /// Lets go of all devices; other programs get their keys again.
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

  /// The most unknown keys that are named.
  static let mostUnknownKeys = 32

  /// The `[[input.key]]` names that no key has, each with the name that is nearest to it; at most
  /// `mostUnknownKeys`, since each is compared with every name there is.
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

  /// 3 for "event3".
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
        // One that is open may be an earlier device of the same number, whose end was not told yet.
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

  /// It is gone: what is down comes up.
  private func forget(_ number: Int) {
    retries.forget(number)
    problems.devices[number] = nil
    unread.remove(number)
    guard let entry = devices.removeValue(forKey: number) else { return }
    entry.watch.cancel()
    entry.device.letGo(time: EventLoop.now(), into: &output)
    entry.device.close()
  }

  // MARK: What they tell

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
    for number in unread.sorted() { read(number) }
    for number in retries.due(at: now) { open(number) }
    output.advance(to: now)
    deliver()
  }

  /// One timer for all that is pending; none while nothing is.
  private func schedule() {
    guard let timer else { return }
    let deadlines = [output.keys.deadline, retries.deadline, unread.isEmpty ? nil : 0]
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
