/// The sizes and distances of everything over the map, in points.
public enum HudStyle {
  /// The size of text to be read at arm's length, in points.
  public static let body = 16.0
  /// The size of cards' titles, in points.
  public static let title = 20.0
  /// The size of the attribution, in points.
  public static let fine = 12.0
  /// The height of a line of text.
  ///
  /// - Parameter size: The text's size in points.
  /// - Returns: The height in points.
  public static func line(_ size: Double) -> Double {
    switch size {
    case ...12: size + 4
    case ...20: size + 6
    default: (size * 1.3).rounded()
    }
  }
  /// The height of a row of the buttons' legend, in points.
  public static let legendRow = 56.0
  /// The radius of a plate's corners, in points.
  public static let radius = 10.0
  /// The space left and right of a plate's words, in points.
  public static let padX = 12.0
  /// The space above and below a plate's words, in points.
  public static let padY = 8.0
  /// The distance from the screen's edge to a plate, in points.
  public static let margin = 12.0
  /// The distance between plates, in points.
  public static let gap = 8.0
  /// A screen is small whose shorter side has fewer points of the HUD.
  static let smallScreen = 420.0
  /// The width of the halo around words on the map, in points.
  public static let halo = 2.5

  /// The colours of a plate: 0xAARRGGBB, not premultiplied.
  public struct Plate: Sendable, Equatable {
    /// The background's colour.
    public var field: UInt32
    /// The border's colour.
    public var border: UInt32
    /// The text's colour.
    public var ink: UInt32
  }
}
