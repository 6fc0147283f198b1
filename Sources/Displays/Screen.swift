/// The screen as the kiosk knows it: a display now, and another one when a monitor is plugged in,
/// changed or taken away. Belongs to the loop's thread.
public protocol Screen: AnyObject {
  /// What to draw on: a display in memory while there is no monitor.
  var display: any Display { get }
  /// Called after `display` changed. The previous one must not be used any more.
  var onDisplayChange: (() -> Void)? { get set }
  /// Called when part of the screen fails or recovers: which part ("display", "console"), and what
  /// is wrong; nil once it works again. Setting it reports the current problems.
  var onHealth: ((_ what: String, _ detail: String?) -> Void)? { get set }
  /// The connector that is lit ("HDMI-A-1"); nil: none, or a display that has no connectors.
  var connector: String? { get }
  /// Whether `display` reaches a panel.
  var isConnected: Bool { get }
  /// Why the device is unavailable: another program holds it. Nil: it is available, with or without
  /// a monitor.
  var refusal: String? { get }
  /// Turns the panel on or off. While off, `display.isVisible` is false and nothing is drawn.
  func setPower(_ on: Bool)
  /// Restores the console and the mode. Nothing may be drawn afterwards.
  func close()
}

extension Screen {
  /// Nothing stands in the way.
  public var refusal: String? { nil }
}

/// The screen whose display never changes.
public final class FixedScreen: Screen {
  /// The display, always the same.
  public let display: any Display
  /// Never called.
  public var onDisplayChange: (() -> Void)?
  /// Never called.
  public var onHealth: ((_ what: String, _ detail: String?) -> Void)?
  /// It has no connectors.
  public let connector: String? = nil
  /// Whether the display reaches a panel.
  public let isConnected: Bool
  private let power: ((Bool) -> Void)?

  /// A screen for `display`.
  ///
  /// - Parameters:
  ///   - display: the display.
  ///   - isConnected: whether it reaches a panel.
  ///   - power: turns the display on or off; nil where it cannot be.
  public init(_ display: any Display, isConnected: Bool = false, power: ((Bool) -> Void)? = nil) {
    self.display = display
    self.isConnected = isConnected
    self.power = power
  }

  /// Turns the display on or off where it can be.
  public func setPower(_ on: Bool) { power?(on) }
  /// Nothing: the display belongs to whoever made it.
  public func close() {}
}
