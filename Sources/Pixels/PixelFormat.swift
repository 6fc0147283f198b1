/// The pixel formats of displays (DRM fourcc names, little endian).
public enum PixelFormat: String, Sendable, CaseIterable {
  /// 32 bits: B, G, R, unused.
  case xrgb8888
  /// 16 bits: 5 red (high), 6 green, 5 blue.
  case rgb565

  /// Bytes per pixel.
  @inlinable public var bytes: Int { self == .xrgb8888 ? 4 : 2 }

  // Without these two operators, Swift 6.0 compares the raw values, and retains and releases two
  // strings for each row of pixels.

  /// Whether both are the same format.
  @inlinable
  public static func == (a: PixelFormat, b: PixelFormat) -> Bool {
    switch (a, b) {
    case (.xrgb8888, .xrgb8888), (.rgb565, .rgb565): true
    default: false
    }
  }

  /// Whether they are different formats.
  @inlinable
  public static func != (a: PixelFormat, b: PixelFormat) -> Bool { !(a == b) }
}

/// The pixel formats of decoded tiles.
public enum TilePixelFormat: UInt8, Sendable {
  /// Opaque, as an xrgb8888 display has it; the unused byte is 255.
  case xrgb8888
  /// Premultiplied, with alpha: B, G, R, A in memory (`0xAARRGGBB` as a native 32-bit number).
  case argb8888
  /// Opaque, dithered from 8 bits per channel with a pattern anchored to the tile.
  case rgb565

  /// Bytes per pixel.
  @inlinable public var bytes: Int { self == .rgb565 ? 2 : 4 }

  /// The opaque tile format that a display of `format` copies without conversion.
  @inlinable
  public init(opaqueFor format: PixelFormat) {
    self = format == .xrgb8888 ? .xrgb8888 : .rgb565
  }
}
