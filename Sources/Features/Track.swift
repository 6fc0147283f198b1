#if canImport(Glibc)
  import Glibc
#endif

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

/// The points of a track in segments without gaps; of all coloured tracks of a file one after the
/// other, because a list for each of many short segments would take more than their points.
struct TrackPoints {
  typealias Place = FeatureBuilder.Place

  private(set) var places: [Place] = []
  /// One for each point in metres, NaN where it is unknown; empty as long as none is known.
  private(set) var elevations: [Float] = []
  /// One for each point if tracks are coloured, otherwise empty: its elevation, or the speed from
  /// it to the next one; NaN if unknown.
  private(set) var values: [Float] = []
  /// The number of points when each segment ended.
  private(set) var ends: [Int32] = []
  private var last = TrackMeasure()

  /// The number of segments, without the one that has not ended.
  var segmentCount: Int { ends.count }

  /// Ends the segment, if it has points.
  mutating func endSegment() {
    let count = Int32(truncatingIfNeeded: places.count)
    if count > ends.last ?? 0 { ends.append(count) }
  }

  /// The points of a segment.
  func points(_ segment: Int) -> Range<Int> {
    (segment == 0 ? 0 : Int(ends[segment - 1]))..<Int(ends[segment])
  }

  /// The elevations of some points; empty if none is known.
  func elevations(_ points: Range<Int>) -> ArraySlice<Float> {
    elevations.isEmpty ? [] : elevations[points]
  }

  /// Adds a point with its elevation.
  mutating func append(_ place: Place, _ elevation: Float) {
    if elevations.isEmpty, !elevation.isNaN {
      elevations = [Float](repeating: .nan, count: places.count)
    }
    if !elevations.isEmpty || !elevation.isNaN { elevations.append(elevation) }
    places.append(place)
  }

  /// Records what was measured at the point added last.
  mutating func measure(_ measure: TrackMeasure, by key: FeatureOptions.ColorBy) {
    let index = places.count - 1
    if key == .elevation {
      values.append(measure.value)
    } else {
      if index > Int(ends.last ?? 0) { values[index - 1] = speed(to: index, measure) }
      values.append(.nan)
    }
    last = measure
  }

  /// The speed from the point before to the one at `index`.
  private func speed(to index: Int, _ measure: TrackMeasure) -> Float {
    if measure.value.isFinite { return measure.value }
    if last.value.isFinite { return last.value }
    guard measure.time > last.time else { return .nan }
    let metres = TrackPoints.distance(places[index - 1], places[index])
    return TrackMeasure.speed(metres / (measure.time - last.time))
  }

  /// The distance in metres between points that are close together.
  private static func distance(_ a: Place, _ b: Place) -> Double {
    let north = (b.lat - a.lat) * .pi / 180
    let middle = (a.lat + b.lat) / 2 * .pi / 180
    let east = (b.lon - a.lon) * .pi / 180 * cos(middle)
    return 6_378_137 * (north * north + east * east).squareRoot()
  }
}

/// A track to be coloured by its measurements.
struct ColouredTrack {
  /// Its segments in the points of all tracks.
  var segments: Range<Int32>
  /// The index of its style in a list of different ones.
  var style: Int32
  /// Where its label is in the text of all labels; 0 bytes: it has none.
  var labelStart: UInt32
  var labelLength: UInt16
  var card: [(key: Int, text: String)] = []
}

/// The coloured tracks of a file until all are known, compact.
struct ColouredTracks {
  var points = TrackPoints()
  private(set) var tracks: [ColouredTrack] = []
  private(set) var styles: [FeatureStyle] = []
  private var numbers = FeatureStyleTable()
  private var labels: [UInt8] = []
  private var cardBytes = 0

  /// Adds a track of the segments from `first` on.
  mutating func add(
    from first: Int, style: FeatureStyle, label: String?, card: [(key: Int, text: String)]
  ) {
    let text = label.map { FeatureText.cut($0) } ?? []
    let kept = card.filter { item in
      cardBytes += item.text.utf8.count + MemoryLayout<CardItem>.stride
      return cardBytes <= FeatureLimits.cards
    }
    tracks.append(
      ColouredTrack(
        segments: Int32(
          truncatingIfNeeded: first)..<Int32(truncatingIfNeeded: points.segmentCount),
        style: numbers.number(of: style, in: &styles),
        labelStart: UInt32(truncatingIfNeeded: labels.count),
        labelLength: UInt16(truncatingIfNeeded: text.count), card: kept))
    labels += text
  }

  /// The label of a track; nil: it has none.
  func label(_ track: ColouredTrack) -> String? {
    guard track.labelLength > 0 else { return nil }
    let start = Int(track.labelStart)
    return String(decoding: labels[start..<start + Int(track.labelLength)], as: UTF8.self)
  }
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
