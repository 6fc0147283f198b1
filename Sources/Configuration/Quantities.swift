import Platform

/// Durations, sizes in bytes and pixels, and display modes as the configuration writes them.
/// Every reader here gives nil for anything that is not exactly of its form.
public enum Quantities {
  /// Seconds of "600ms", "30s", "10m", "2h", "1d": digits, at most one point, a unit; at most a
  /// year.
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

  /// Bytes of "1000000", "512KiB", "48MiB", "48MB"; at most 1 TiB (see `ByteCount`).
  public static func bytes(_ text: String) -> Int? { ByteCount.parse(text) }

  /// Width and height of "1280x720", each 1 to 16384 pixels.
  public static func size(_ text: String) -> DisplaySize? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = natural(parts[0]), let height = natural(parts[1]),
      (1...16384).contains(width), (1...16384).contains(height)
    else { return nil }
    return DisplaySize(width: width, height: height)
  }

  /// "1280x720@60", "1280x720@59.94" or "1280x720".
  public static func mode(_ text: String) -> VideoMode? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let size = parts.first.flatMap({ size(String($0)) }) else { return nil }
    if parts.count == 1 { return VideoMode(size: size, refresh: nil) }
    guard let refresh = decimal(parts[1]), refresh >= 1, refresh <= 1000 else { return nil }
    return VideoMode(size: size, refresh: refresh)
  }

  /// Digits alone, at most nine.
  static func natural(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 9,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Digits with at most one point between them, at most fifteen long.
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

/// A size in pixels.
public struct DisplaySize: Sendable, Hashable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size; nothing is checked.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// As the configuration writes it: "1280x720".
  public var description: String { "\(width)x\(height)" }
}

/// A display mode as it is asked for.
public struct VideoMode: Sendable, Hashable {
  /// Pixels.
  public var size: DisplaySize
  /// In Hz, as written; nil: any.
  public var refresh: Double?

  /// A mode of `size`; nil: any refresh rate.
  public init(size: DisplaySize, refresh: Double?) {
    self.size = size
    self.refresh = refresh
  }
}
