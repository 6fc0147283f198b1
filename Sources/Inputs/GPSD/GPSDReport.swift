import CJansson
import Glibc
import MapGeometry

/// One line of gpsd's protocol, as far as Waypost uses it (gpsd_json(5)).
enum GPSDReport: Equatable {
  /// The server's VERSION, with its `release`.
  case version(String)
  /// A device's fix (TPV); nil: it has none (mode 0 or 1).
  case position(device: String, fix: Fix?)
  /// A TPV without a place, because the device's data are incomplete.
  case partial
  /// The server reports an error.
  case error(String)
  /// Satellites, devices and everything else.
  case other

  /// Parses a line. Nil: it is not JSON, or not an object with a `class`.
  init?(line: UnsafeRawBufferPointer) {
    var error = json_error_t()
    let start = line.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let root = json_loadb(start, line.count, 0, &error) else { return nil }
    defer { json_decref(root) }
    guard let kind = Self.text(root, "class") else { return nil }
    switch kind {
    case "VERSION": self = .version(Self.text(root, "release") ?? "")
    case "TPV": self = Self.position(root)
    case "ERROR": self = .error(Self.text(root, "message") ?? "")
    default: self = .other
    }
  }

  private static func position(_ root: UnsafeMutablePointer<json_t>) -> GPSDReport {
    let device = text(root, "device") ?? ""
    guard let number = number(root, "mode"), number >= 2 else {
      return .position(device: device, fix: nil)
    }
    guard let lat = Self.number(root, "lat", -90...90),
      let lon = Self.number(root, "lon", -540...540)
    else { return .partial }
    var fix = Fix(
      place: GeoPoint(lat: lat, lon: WebMercator.wrapLongitude(lon)),
      mode: number >= 3 ? .spatial : .flat)
    fix.accuracy = accuracy(root)
    fix.heading = Self.number(root, "track", 0...360).map { Viewport.wrapBearing($0) }
    fix.speed = Self.number(root, "speed", 0...100_000)
    fix.altitude = altitude(root)
    fix.time = text(root, "time").flatMap { UTCTime.seconds($0) }
    return .position(device: device, fix: fix)
  }

  /// The accuracy in metres: `eph`, or `epx` and `epy` combined.
  private static func accuracy(_ root: UnsafeMutablePointer<json_t>) -> Double? {
    let range = 0.001...40_000_000.0
    if let eph = number(root, "eph", range) { return eph }
    guard let x = number(root, "epx", range), let y = number(root, "epy", range) else { return nil }
    return (x * x + y * y).squareRoot()
  }

  /// The altitude in metres: `altMSL`, which servers before 3.20 call `alt`.
  private static func altitude(_ root: UnsafeMutablePointer<json_t>) -> Double? {
    let range = -100_000.0...100_000_000
    return number(root, "altMSL", range) ?? number(root, "alt", range)
  }

  private static func number(
    _ root: UnsafeMutablePointer<json_t>, _ key: String, _ range: ClosedRange<Double>? = nil
  ) -> Double? {
    guard let value = json_object_get(root, key) else { return nil }
    let type = value.pointee.type
    guard type == JSON_INTEGER || type == JSON_REAL else { return nil }
    let number = json_number_value(value)
    guard number.isFinite, range?.contains(number) ?? true else { return nil }
    return number
  }

  private static func text(_ root: UnsafeMutablePointer<json_t>, _ key: String) -> String? {
    guard let value = json_object_get(root, key), value.pointee.type == JSON_STRING,
      let bytes = json_string_value(value)
    else { return nil }
    // Names are short, so cut off longer texts.
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: min(json_string_length(value), 256)),
      as: UTF8.self)
  }
}

/// Parses times as gpsd writes them: ISO 8601 in UTC, "2026-11-21T08:06:01.000Z".
enum UTCTime {
  /// Seconds since 1970; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 32, bytes.last == UInt8(ascii: "Z") else { return nil }
    func digits(_ range: Range<Int>) -> Int? {
      var value = 0
      for i in range {
        guard (48...57).contains(bytes[i]) else { return nil }
        value = value * 10 + Int(bytes[i] - 48)
      }
      return value
    }
    for (at, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    where bytes[at] != mark.utf8.first {
      return nil
    }
    guard let year = digits(0..<4), year >= 1970, let month = digits(5..<7),
      (1...12).contains(month),
      let day = digits(8..<10), (1...31).contains(day), let hour = digits(11..<13), hour < 24,
      let minute = digits(14..<16), minute < 60, let second = digits(17..<19), second <= 60
    else { return nil }
    var fraction = 0.0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), let part = digits(20..<bytes.count - 1) else {
        return nil
      }
      fraction = Double(part) / pow(10, Double(bytes.count - 21))
    }
    // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March.
    let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second) + fraction
  }
}
