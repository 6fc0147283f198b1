/// What was measured at a point of a recorded track.
struct TrackMeasure {
  /// The elevation in metres, or the speed in metres per second if the file has it; NaN: none.
  var value = Float.nan
  /// The time in seconds since 1970 (UTC); NaN: none.
  var time = Double.nan

  /// An elevation that exists on Earth; NaN for any other.
  static func elevation(_ metres: Double?) -> Float {
    guard let metres, abs(metres) <= 1e6 else { return .nan }
    return Float(metres)
  }

  /// A plausible speed in metres per second; NaN for any other.
  static func speed(_ speed: Double?) -> Float {
    guard let speed, speed >= 0, speed <= 1e5 else { return .nan }
    return Float(speed)
  }
}

/// Points recorded without a gap.
struct TrackSegment {
  var places: [FeatureBuilder.Place] = []
  /// One for each point if the track is coloured; otherwise empty.
  var measures: [TrackMeasure] = []
  /// One for each point in metres, NaN where it is unknown; empty as long as none is known.
  var elevations: [Float] = []

  /// Adds a point with its elevation.
  mutating func append(_ place: FeatureBuilder.Place, _ elevation: Float) {
    if elevations.isEmpty, !elevation.isNaN {
      elevations = [Float](repeating: .nan, count: places.count)
    }
    if !elevations.isEmpty || !elevation.isNaN { elevations.append(elevation) }
    places.append(place)
  }
}

/// A track to be coloured by its measurements.
struct ColouredTrack {
  var segments: [TrackSegment]
  var style: FeatureStyle
  var label: String?
  var card: [(key: Int, text: String)] = []
}

/// Times in GPX files: ISO 8601, "2012-04-30T19:40:00.000Z" or with an offset.
enum ISOTime {
  /// Seconds since 1970 (UTC); nil if the text is not a time.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8.drop { $0 <= 32 })
    guard bytes.count >= 19 else { return nil }
    func digits(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for byte in bytes[start..<start + count] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    guard let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2),
      let hour = digits(11, 2), let minute = digits(14, 2), let second = digits(17, 2),
      (1...12).contains(month)
    else { return nil }
    // Days since 1970 of the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level
    // date algorithms", days_from_civil).
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    var seconds = Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    var at = 19
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      var scale = 0.1
      at += 1
      while at < bytes.count, bytes[at] >= 48, bytes[at] <= 57 {
        // No clock is more precise than a billionth of a second.
        if scale > 1e-10 { seconds += Double(bytes[at] - 48) * scale }
        scale /= 10
        at += 1
      }
    }
    if at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-"),
      let hours = digits(at + 1, 2), let minutes = digits(at + 4, 2)
    {
      let offset = Double(hours * 3_600 + minutes * 60)
      seconds -= bytes[at] == UInt8(ascii: "+") ? offset : -offset
    }
    return seconds
  }
}
