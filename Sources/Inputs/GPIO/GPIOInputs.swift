import CGPIOD
import Configuration
import EventLoop
import Platform

/// The buttons, chords and encoders on the machine's GPIO lines.
///
/// A line that is busy, missing or refused is reported by name, and the others work. It is tried
/// again whenever a GPIO chip comes, once more a second later (when udev has set the device's
/// group), and every `retryEvery` while it is busy or refused. A line that is active at the start
/// counts as pressed only after it was inactive. The kernel debounces where supported (libgpiod 2;
/// an event's time is then when the level became stable). Otherwise `Debouncer` does, and the time
/// is that of the first edge. Encoders are not debounced.
public final class GPIOInputs {
  /// Nanoseconds between retries of lines that are busy or refused.
  public static let retryEvery: UInt64 = 5_000_000_000
  /// Nanoseconds from the arrival of a chip to the second retry.
  static let retrySoon: UInt64 = 1_000_000_000

  /// An edge that was read, before it is sorted in with those of other lines.
  private struct Edge {
    var time: UInt64
    var from: GPIORequest
    var level: Bool
  }

  private let configuration: Configuration.Gpio
  private let plan: GPIOPlan
  private let loop: EventLoop
  private let onButton: (ButtonEvent) -> Void
  private let onHealth: (String, String?) -> Void
  private var machine: ButtonMachine<Int>
  /// One per encoder; nil until both of its lines are there.
  private var decoders: [QuadratureDecoder?]
  private var requested: [GPIORequest] = []
  /// What was reported as wrong, by the name of the matter.
  private var unhealthy: [String: String] = [:]
  private var edges: [Edge] = []
  private let buffer: UnsafeMutableBufferPointer<waypost_gpio_event>
  private var events: DeviceEvents?
  private var timer: LoopTimer?
  private var retry: LoopTimer?
  private var isClosed = false

  /// Requests the lines. Does nothing if none is configured.
  ///
  /// - Parameters:
  ///   - configuration: The lines and what they do.
  ///   - loop: The loop of this thread.
  ///   - onButton: Called on the loop with each event. An encoder's step is a press and a release.
  ///   - onHealth: Called with a matter ("gpio", "gpio 17") and what is wrong with it; nil: all is
  ///     well. Initial problems are reported during this call.
  public init(
    configuration: Configuration.Gpio, loop: EventLoop,
    onButton: @escaping (ButtonEvent) -> Void,
    onHealth: @escaping (_ what: String, _ detail: String?) -> Void
  ) {
    self.configuration = configuration
    plan = GPIOPlan(configuration)
    self.loop = loop
    self.onButton = onButton
    self.onHealth = onHealth
    machine = ButtonMachine(buttons: plan.buttons, chords: plan.chords)
    decoders = plan.encoders.map { _ in nil }
    buffer = .allocate(capacity: Int(WAYPOST_GPIO_READ_MAX))
    if plan.lines.isEmpty { return }
    timer = loop.timer { [weak self] in self?.serve() }
    retry = loop.timer { [weak self] in self?.takeLines() }
    do throws(SystemError) {
      events = try DeviceEvents(loop: loop) { [weak self] in self?.chipsChanged($0) }
    } catch {
      tell("gpio events", "chips that come later will not be seen: \(error)")
    }
    takeLines()
  }

  /// How many lines the configuration names.
  public var lineCount: Int { plan.lines.count }

  deinit {
    close()
    buffer.deallocate()
  }

  /// Releases what is still pressed, and the lines. Nothing is called afterwards.
  public func close() {
    if isClosed { return }
    let now = EventLoop.now()
    for one in requested { cancel(one, now) }
    isClosed = true
    timer?.cancel()
    retry?.cancel()
    events = nil
    requested = []
  }

  // MARK: Requesting lines

  private func takeLines() {
    let taken = requested.flatMap(\.ids)
    let missing = plan.lines.indices.filter { !taken.contains($0) }
    if isClosed || missing.isEmpty { return }
    let chips = GPIOChips(wanted: configuration.chip)
    var (whole, again): (GPIOError?, Bool) = (nil, false)
    for id in missing {
      let what = GPIOPlan.origin([plan.lines[id].line])
      do throws(GPIOError) {
        try take(id, chips)
        tell(what, nil)
      } catch {
        again = again || error.isWorthRetrying
        switch error {
        case .noChip, .closed, .interface:
          // These concern all lines, not just this one.
          whole = error
          tell(what, nil)
        default: tell(what, "\(error)")
        }
      }
    }
    tell("gpio", whole.map(\.description))
    if again { retry?.arm(after: Self.retryEvery) }
    startDecoders()
  }

  private func take(_ id: Int, _ chips: GPIOChips) throws(GPIOError) {
    let (chip, offset) = try chips.find(plan.lines[id].line)
    if let same = requested.first(where: { $0.line.chip.name == chip.name && $0.offset == offset })
    {
      same.ids.append(id)
      return
    }
    let period = plan.lines[id].isDebounced ? nanoseconds(configuration.debounce) : 0
    let bias =
      switch configuration.bias {
      case .asIs: WAYPOST_GPIO_BIAS_AS_IS
      case .disabled: WAYPOST_GPIO_BIAS_DISABLED
      case .pullUp: WAYPOST_GPIO_BIAS_PULL_UP
      case .pullDown: WAYPOST_GPIO_BIAS_PULL_DOWN
      }
    let line = try chip.request(
      offset, bias: bias, activeLow: configuration.active == .low,
      debounce: UInt32(clamping: period / 1000))
    let one = GPIORequest(line, offset: offset, id: id, period: line.isDebounced ? 0 : period)
    do throws(SystemError) {
      one.watch = try loop.watch(line.fd, .readable) { [weak self, weak one] ready in
        guard let self, let one else { return }
        self.serve()
        if ready.contains(.error) || ready.contains(.hangup) { self.lose(one) }
      }
    } catch {
      throw .failed(error)
    }
    requested.append(one)
  }

  private func startDecoders() {
    for (at, encoder) in plan.encoders.enumerated() where decoders[at] == nil {
      if let first = level(encoder.first), let second = level(encoder.second) {
        decoders[at] = QuadratureDecoder(first: first, second: second)
      }
    }
  }

  private func level(_ id: Int) -> Bool? {
    requested.first { $0.ids.contains(id) }?.debouncer.level
  }

  private func chipsChanged(_ event: DeviceEvent?) {
    guard let event else { return takeLines() }
    guard event.subsystem == "gpio" else { return }
    if event.action == "remove" {
      for one in requested where one.line.chip.name == event.deviceName { lose(one) }
    } else if event.action == "add" {
      takeLines()
      if requested.flatMap(\.ids).count < plan.lines.count { retry?.arm(after: Self.retrySoon) }
    }
  }

  private func lose(_ one: GPIORequest) {
    guard let at = requested.firstIndex(where: { $0 === one }) else { return }
    requested.remove(at: at)
    edges.removeAll { $0.from === one }
    cancel(one, EventLoop.now())
    tell("gpio", GPIOError.gone(chip: one.line.chip.name).description)
    for id in one.ids {
      for (at, encoder) in plan.encoders.enumerated()
      where encoder.first == id || encoder.second == id {
        decoders[at] = nil
      }
    }
    arm()
  }

  private func cancel(_ one: GPIORequest, _ time: UInt64) {
    one.watch?.cancel()
    for id in one.ids { give(machine.cancel(id, at: time)) }
  }

  private func tell(_ what: String, _ detail: String?) {
    if unhealthy[what] == detail { return }
    unhealthy[what] = detail
    onHealth(what, detail)
  }

  // MARK: Events

  /// Reads all lines before handling any edge, so that edges which waited while the loop was busy
  /// are handled in the order in which they happened. Called for events and at deadlines.
  private func serve() {
    if isClosed { return }
    let now = EventLoop.now()
    for one in requested where !read(one, now) { lose(one) }
    if edges.count > 1 {
      // Sort by time; edges of one line stay in order.
      let order = edges.indices.sorted { (edges[$0].time, $0) < (edges[$1].time, $1) }
      for at in order { apply(edges[at]) }
    } else if let edge = edges.first {
      apply(edge)
    }
    edges.removeAll(keepingCapacity: true)
    for one in requested {
      guard let deadline = one.debouncer.deadline, deadline <= now else { continue }
      if let level = one.line.value, level != one.debouncer.latest {
        // An edge was lost. How long the level has been stable is unknown, so it counts from now.
        apply(Edge(time: now, from: one, level: level))
      } else if let change = one.debouncer.settle(at: now) {
        changed(one, change)
      }
    }
    give(machine.tick(now))
    arm()
  }

  private func arm() {
    guard !isClosed, let timer else { return }
    var deadline = machine.deadline
    for one in requested {
      if let next = one.debouncer.deadline { deadline = min(next, deadline ?? .max) }
    }
    if let deadline { timer.arm(at: deadline) } else { timer.cancel() }
  }

  /// Reads a line's events, at most four times so that a line that never rests does not starve the
  /// others. Returns false if the line is gone.
  private func read(_ one: GPIORequest, _ now: UInt64) -> Bool {
    guard let base = buffer.baseAddress else { return true }
    var (last, lost) = (one.debouncer.latest, false)
    for _ in 0..<4 {
      guard let count = one.line.read(base) else { return false }
      for event in buffer[0..<count] {
        lost =
          lost
          || event.sequence != 0 && one.sequence != 0
            && event.sequence != one.sequence &+ 1
        lost = lost || event.active == last
        (last, one.sequence) = (event.active, event.sequence)
        edges.append(
          Edge(time: Self.onLoopClock(event.time, now), from: one, level: event.active))
      }
      // libgpiod 1 queues this many events, and drops the newest when full.
      lost = lost || one.sequence == 0 && count == buffer.count
      if count < buffer.count { break }
    }
    if lost, let level = one.line.value, level != last {
      edges.append(Edge(time: now, from: one, level: level))
    }
    return true
  }

  /// The kernel's time if it is recent and of the loop's clock, else `now`. libgpiod 1 gives
  /// wall-clock times on Linux before 5.7.
  static func onLoopClock(_ time: UInt64, _ now: UInt64) -> UInt64 {
    time <= now && now - time < 60_000_000_000 ? time : now
  }

  private func apply(_ edge: Edge) {
    if let change = edge.from.debouncer.edge(to: edge.level, at: edge.time) {
      changed(edge.from, change)
    }
  }

  private func changed(_ one: GPIORequest, _ change: Debouncer.Change) {
    for id in one.ids {
      give(
        change.level ? machine.down(id, at: change.time) : machine.up(id, at: change.time))
      for (at, encoder) in plan.encoders.enumerated()
      where encoder.first == id || encoder.second == id {
        turn(at, encoder, change.time)
      }
    }
  }

  private func turn(_ at: Int, _ encoder: GPIOPlan.Encoder, _ time: UInt64) {
    guard let first = level(encoder.first), let second = level(encoder.second),
      let step = decoders[at]?.update(first: first, second: second)
    else { return }
    let action = step == .clockwise ? encoder.clockwise : encoder.counterclockwise
    give(
      [.press, .release].map {
        ButtonEvent(origin: encoder.origin, action: action, phase: $0, time: time)
      })
  }

  private func give(_ events: [ButtonEvent]) {
    for event in events where !isClosed { onButton(event) }
  }
}
