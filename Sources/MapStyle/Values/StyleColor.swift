/// A colour of the style language: sRGB, not premultiplied, each channel 0 ... 1.
public struct StyleColor: Sendable, Hashable {
  /// Red, 0 ... 1.
  public var red: Double
  /// Green, 0 ... 1.
  public var green: Double
  /// Blue, 0 ... 1.
  public var blue: Double
  /// Opacity, 0 ... 1.
  public var alpha: Double

  /// Creates a colour of channels 0 ... 1, not premultiplied.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `0xAARRGGBB`, not premultiplied, with the opacity multiplied by `opacity`, 0 ... 1.
  public func word(opacity: Double = 1) -> UInt32 {
    // `max` in this order makes 0 of what is no number.
    func byte(_ value: Double) -> UInt32 { UInt32((min(max(0, value), 1) * 255).rounded()) }
    return byte(alpha * opacity) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}
