import Platform

/// Durations, sizes in bytes and pixels, and display modes as the configuration writes them.
/// Every function returns nil for text that is not exactly of its form.
public enum Quantities {
  /// Seconds of "600ms", "30s", "10m", "2h" or "1d": digits with at most one decimal point, then a
  /// unit. At most 366 days.
  public static func duration(_ text: String) -> Double? {
    let units: [(String, Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]
    for (unit, seconds) in units where text.hasSuffix(unit) {
      guard let count = decimal(text.dropLast(unit.count)) else { continue }
      let value = unit == "ms" ? count / 1000 : count * seconds
      return value <= 366 * 86_400 ? value : nil
    }
    return nil
  }

  /// Bytes of "1000000", "512KiB", "48MiB" or "48MB"; at most 1 TiB (see `ByteCount`).
  public static func bytes(_ text: String) -> Int? { ByteCount.parse(text) }

  /// Width and height of "1280x720", each 1 to 16384 pixels.
  public static func size(_ text: String) -> DisplaySize? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = natural(parts[0]), let height = natural(parts[1]),
      (1...16384).contains(width), (1...16384).contains(height)
    else { return nil }
    return DisplaySize(width: width, height: height)
  }

  /// The mode "1280x720@60", "1280x720@59.94" or "1280x720"; the rate is 1 to 1000 Hz.
  public static func mode(_ text: String) -> VideoMode? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let size = parts.first.flatMap({ size(String($0)) }) else { return nil }
    if parts.count == 1 { return VideoMode(size: size, refresh: nil) }
    guard let refresh = decimal(parts[1]), refresh >= 1, refresh <= 1000 else { return nil }
    return VideoMode(size: size, refresh: refresh)
  }

  /// A number of one to nine digits.
  static func natural(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 9,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Digits with at most one decimal point between them, at most fifteen characters.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 15, (1...2).contains(parts.count),
      parts.allSatisfy({ part in
        !part.isEmpty
          && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      })
    else { return nil }
    return Double(text)
  }
}

/// A width and a height in pixels.
public struct DisplaySize: Sendable, Hashable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size. The numbers are not checked.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The spelling in the configuration: "1280x720".
  public var description: String { "\(width)x\(height)" }
}

/// A display mode as the configuration requests it.
public struct VideoMode: Sendable, Hashable {
  /// The size in pixels.
  public var size: DisplaySize
  /// The refresh rate in Hz as written; nil: the preferred mode of the size.
  public var refresh: Double?

  /// Creates a mode. The numbers are not checked.
  public init(size: DisplaySize, refresh: Double?) {
    self.size = size
    self.refresh = refresh
  }
}
