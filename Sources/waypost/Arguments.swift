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

/// `LAT,LON` in degrees.
struct LatLon: ExpressibleByArgument {
  let lat: Double
  let lon: Double

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let lat = Number.parse(parts[0]), let lon = Number.parse(parts[1])
    else { return nil }
    self.lat = lat
    self.lon = lon
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
