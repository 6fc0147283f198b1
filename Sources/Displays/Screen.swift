/// The screen as the kiosk knows it: a display now, and another one once a monitor is plugged in,
/// changed or removed. Belongs to the loop's thread.
public protocol Screen: AnyObject {
  /// The display to draw to; one in memory while there is no monitor.
  var display: any Display { get }
  /// Called after `display` changed. The previous one must not be used any more.
  var onDisplayChange: (() -> Void)? { get set }
  /// Called when a part of the screen ("display", "console") fails, with what is wrong, and with
  /// nil when it works again. Setting it reports the current problems.
  var onHealth: ((_ what: String, _ detail: String?) -> Void)? { get set }
  /// The lit connector, "HDMI-A-1"; nil if there is none, or for displays without connectors.
  var connector: String? { get }
  /// Whether `display` reaches a panel.
  var isConnected: Bool { get }
  /// The kinds of devices that are awaited while the picture is drawn in memory, "drm" or
  /// "drm, fbdev"; nil if a panel shows it, or if memory is what was asked for.
  var awaited: String? { get }
  /// Why the device is unavailable, because another program uses it; nil if it is available, with
  /// or without a monitor.
  var refusal: String? { get }
  /// Turns the panel on or off. While off, `display.isVisible` is false and nothing is drawn.
  func setPower(_ on: Bool)
  /// Restores the console and the mode. Nothing may be drawn afterwards.
  func close()
}

extension Screen {
  /// Nil: nothing is awaited.
  public var awaited: String? { nil }
  /// Nil: always available.
  public var refusal: String? { nil }
}

/// A screen whose display never changes.
public final class FixedScreen: Screen {
  /// The display, always the same.
  public let display: any Display
  /// Never called.
  public var onDisplayChange: (() -> Void)?
  /// Never called.
  public var onHealth: ((_ what: String, _ detail: String?) -> Void)?
  /// Always nil: it has no connectors.
  public let connector: String? = nil
  /// Whether the display reaches a panel.
  public let isConnected: Bool
  private let power: ((Bool) -> Void)?

  /// Creates a screen for `display`, whose owner closes it.
  ///
  /// - Parameters:
  ///   - display: the display.
  ///   - isConnected: whether the display reaches a panel.
  ///   - power: turns the display on or off; nil if it cannot be.
  public init(_ display: any Display, isConnected: Bool = false, power: ((Bool) -> Void)? = nil) {
    self.display = display
    self.isConnected = isConnected
    self.power = power
  }

  /// Turns the display on or off, if that is possible.
  public func setPower(_ on: Bool) { power?(on) }
  /// Does nothing: the display belongs to its creator.
  public func close() {}
}
