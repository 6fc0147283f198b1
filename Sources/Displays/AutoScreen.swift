import EventLoop

/// The screen of the best display that can be opened. It looks again when a display device appears,
/// so that the real driver replaces the boot framebuffer. While there is no display, one in memory
/// stands in.
public final class AutoScreen: Screen {
  /// A way to open a screen. Earlier ones are better.
  public struct Opener {
    /// The opener's name in messages: "drm", "fbdev".
    public var name: String
    /// The kernel subsystem whose new devices it may be able to open: "drm", "graphics"; empty:
    /// none.
    public var subsystem: String
    /// Opens a screen, or says why that is impossible. May be called many times.
    public var open: () -> Result<any Screen, DisplayError>

    /// Creates an opener.
    public init(
      name: String, subsystem: String, open: @escaping () -> Result<any Screen, DisplayError>
    ) {
      self.name = name
      self.subsystem = subsystem
      self.open = open
    }
  }

  /// How long to wait before new devices are examined, in nanoseconds: they appear in bursts, and
  /// udev sets their permissions a moment later.
  private static let settling: UInt64 = 300_000_000
  /// The time between tries while nothing can be opened, in nanoseconds. There is no event for a
  /// changed permission or a device that is no longer busy.
  private static let patience: UInt64 = 2_000_000_000

  private let openers: [Opener]
  private let standIn: any Display
  private var inner: (any Screen)?
  /// The index of the opener that made `inner`; the number of openers if there is none.
  private var rank: Int
  private var events: DeviceEvents?
  private var timer: LoopTimer?
  private var isOn = true
  /// How many more times a better opener is tried after a device appeared: udev sets the
  /// permissions a moment later.
  private var triesLeft = 0
  private static let tries = 6
  private var reason: String?

  /// See `Screen.onDisplayChange`.
  public var onDisplayChange: (() -> Void)?
  /// See `Screen.onHealth`.
  public var onHealth: ((_ what: String, _ detail: String?) -> Void)? {
    didSet {
      inner?.onHealth = onHealth
      if inner == nil, let reason { onHealth?("display", reason) }
    }
  }

  /// See `Screen.display`.
  public var display: any Display { inner?.display ?? standIn }
  /// See `Screen.connector`.
  public var connector: String? { inner?.connector }
  /// See `Screen.isConnected`.
  public var isConnected: Bool { inner?.isConnected ?? false }
  /// See `Screen.awaited`. A device without a monitor awaits one.
  public var awaited: String? {
    if isConnected { return nil }
    let all = inner == nil ? openers[...] : openers[rank...rank]
    let names = all.filter { !$0.subsystem.isEmpty }.map(\.name)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
  /// Whether there is a display device, with or without a monitor.
  public var isOpen: Bool { inner != nil }
  /// Why no device is open, or why the open one is unavailable; nil if neither is the case.
  public var refusal: String? { inner == nil ? reason : inner?.refusal }

  /// Opens the best available screen before it returns.
  ///
  /// - Parameters:
  ///   - openers: the best one first.
  ///   - standIn: the display to draw to while there is no device.
  ///   - loop: the loop of this thread.
  public init(_ openers: [Opener], standIn: any Display, loop: EventLoop) {
    self.openers = openers
    self.standIn = standIn
    rank = openers.count
    timer = loop.timer { [unowned self] in look() }
    events = try? DeviceEvents(loop: loop) { [unowned self] event in
      guard let event else {
        triesLeft = AutoScreen.tries
        timer?.arm(after: AutoScreen.settling)
        return
      }
      guard event.action != "remove", let timer,
        openers[..<rank].contains(where: { $0.subsystem == event.subsystem })
      else { return }
      triesLeft = AutoScreen.tries
      timer.arm(after: AutoScreen.settling)
    }
    look()
  }

  /// Opens the best screen that is better than the present one.
  private func look() {
    var reasons: [String] = []
    for (i, opener) in openers[..<rank].enumerated() {
      switch opener.open() {
      case .success(let screen):
        take(screen, i)
        return
      case .failure(let error): reasons.append("\(opener.name): \(error)")
      }
    }
    if inner != nil {
      triesLeft -= 1
      if triesLeft > 0, rank > 0 { timer?.arm(after: AutoScreen.patience) }
      return
    }
    let text = reasons.joined(separator: "; ")
    if text != reason {
      reason = text
      onHealth?("display", text)
    }
    timer?.arm(after: AutoScreen.patience)
  }

  private func take(_ screen: any Screen, _ newRank: Int) {
    inner?.onDisplayChange = nil
    inner?.onHealth = nil
    inner?.close()
    let isFirst = inner == nil && reason == nil
    inner = screen
    rank = newRank
    reason = nil
    // Ends whatever problem the previous screen reported.
    if !isFirst { onHealth?("display", nil) }
    screen.onDisplayChange = { [unowned self] in onDisplayChange?() }
    screen.onHealth = onHealth
    if !isOn { screen.setPower(false) }
    if !isFirst { onDisplayChange?() }
  }

  /// See `Screen.setPower(_:)`. A screen that is opened later gets the same power state.
  public func setPower(_ on: Bool) {
    isOn = on
    inner?.setPower(on)
  }

  /// See `Screen.close()`.
  public func close() {
    timer?.cancel()
    events = nil
    inner?.close()
  }
}
