import ArgumentParser
import Control
import Platform

/// A finite number in decimal.
struct Number: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Self.parse(argument) else { return nil }
    self.value = value
  }

  static func parse(_ text: some StringProtocol) -> Double? {
    let plain = CommandWords.restore(String(text))
    // Double would also accept "nan", "inf" and hexadecimal numbers, which nobody means here.
    guard plain.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }) else { return nil }
    guard let value = Double(plain), value.isFinite else { return nil }
    return value
  }
}

/// `LAT,LON` in degrees. There may be spaces around both, as in what web maps copy.
struct LatLon {
  let lat: Double
  let lon: Double

  @Sendable static func parse(_ word: String) throws -> LatLon {
    let parts = CommandWords.restore(word).split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Number.parse($0.trimmed) }
    guard parts.count == 2, numbers.count == 2 else {
      throw ValidationError("it is LAT,LON in degrees, such as 46.02,7.75")
    }
    return LatLon(lat: numbers[0], lon: numbers[1])
  }
}

extension Substring {
  /// Without spaces at both ends.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Paths on the command line.
enum PathArgument {
  /// Refuses an empty path, which a shell makes of a variable that is not set.
  ///
  /// - Throws: `ValidationError` that says what `name` is.
  static func check(_ path: String?, _ name: String, _ meaning: String) throws {
    if path?.isEmpty == true { throw ValidationError("\(name): it is empty, but it is \(meaning)") }
  }
}

/// `WIDTHxHEIGHT` in pixels.
struct SizeArgument: ExpressibleByArgument {
  let width: Int
  let height: Int

  var defaultValueDescription: String { "\(width)x\(height)" }

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
      return nil
    }
    self.width = width
    self.height = height
  }
}

/// Bytes as in the configuration: `4194304`, `512KiB`, `48MiB`, `48MB`.
struct ByteSize {
  let bytes: Int

  @Sendable static func parse(_ word: String) throws -> ByteSize {
    guard let bytes = ByteCount.parse(CommandWords.restore(word)) else {
      throw ValidationError("it is bytes, such as 4194304, or has a unit, such as 48MiB or 48MB")
    }
    return ByteSize(bytes: bytes)
  }
}

extension PanDirection: ExpressibleByArgument {}
extension EventType: ExpressibleByArgument {}
