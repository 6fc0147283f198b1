import EventLoop

/// The screen of the best display that can be opened. It looks again when a display device appears,
/// so that the real driver replaces the boot framebuffer. Until there is a display, one in memory
/// stands in.
public final class AutoScreen: Screen {
  /// A way to open a screen. Earlier ones are better.
  public struct Opener {
    /// "drm", "fbdev".
    public var name: String
    /// The kernel's subsystem whose new devices it may open.
    public var subsystem: String
    /// Opens it, or says why it cannot be.
    public var open: () -> Result<any Screen, DisplayError>

    /// A way to open a screen, tried by calling `open`.
    public init(
      name: String, subsystem: String, open: @escaping () -> Result<any Screen, DisplayError>
    ) {
      self.name = name
      self.subsystem = subsystem
      self.open = open
    }
  }

  /// New devices are examined after this time, in nanoseconds: they appear in bursts, and udev sets
  /// their permissions a moment later.
  private static let settling: UInt64 = 300_000_000
  /// The time between tries while nothing can be opened, in nanoseconds: there is no event for a
  /// changed permission or a device that is no longer busy.
  private static let patience: UInt64 = 2_000_000_000

  private let openers: [Opener]
  private let standIn: any Display
  private var inner: (any Screen)?
  /// Which opener made `inner`.
  private var rank: Int
  private var events: DeviceEvents?
  private var timer: LoopTimer?
  private var isOn = true
  /// How often a better one is tried again after a device appeared: udev sets its permissions a
  /// moment later.
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
  /// Whether there is a display device, with or without a monitor.
  public var isOpen: Bool { inner != nil }
  /// Why there is none, or why the present one is unavailable; nil when there is one.
  public var refusal: String? { inner == nil ? reason : inner?.refusal }

  /// Opens the best screen there is at once.
  ///
  /// - Parameters:
  ///   - openers: the best first.
  ///   - standIn: what is drawn on while there is no device.
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
    // Whatever the one before said.
    if !isFirst { onHealth?("display", nil) }
    screen.onDisplayChange = { [unowned self] in onDisplayChange?() }
    screen.onHealth = onHealth
    if !isOn { screen.setPower(false) }
    if !isFirst { onDisplayChange?() }
  }

  /// See `Screen.setPower(_:)`; a later screen gets the same power state.
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
