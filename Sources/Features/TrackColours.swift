#if canImport(Glibc)
  import Glibc
#endif

/// The colours of tracks that are coloured by a value.
public enum TrackRamp {
  /// From the least value to the most, 0xRRGGBB.
  public static var colors: [UInt32] { (0..<TrackColours.classes).map { TrackColours.color($0) } }
}

/// Colours tracks by speed or elevation, from blue (low) over green and yellow to red (high).
///
/// The scale goes from the 5th to the 95th percentile of the file, so that a single outlier does
/// not leave one colour for everything else.
enum TrackColours {
  private static let ramp: [(UInt32, UInt32, UInt32)] = [
    (0x2C, 0x5F, 0xD1), (0x12, 0x9F, 0xB3), (0x3F, 0xA3, 0x4D), (0xF0, 0xB4, 0x29),
    (0xD7, 0x26, 0x3D),
  ]
  /// The number of different colours.
  static let classes = 16

  /// The colour of a class, 0 ..< `classes`, as 0xRRGGBB.
  static func color(_ number: Int) -> UInt32 {
    let place = Double(number) / Double(classes - 1) * Double(ramp.count - 1)
    let low = min(Int(place), ramp.count - 2)
    let part = place - Double(low)
    func mix(_ a: UInt32, _ b: UInt32) -> UInt32 {
      UInt32((Double(a) * (1 - part) + Double(b) * part).rounded())
    }
    let (a, b) = (ramp[low], ramp[low + 1])
    return mix(a.0, b.0) << 16 | mix(a.1, b.1) << 8 | mix(a.2, b.2)
  }

  /// Adds the tracks, split into features of one colour each.
  static func add(
    _ tracks: [ColouredTrack], by key: FeatureOptions.ColorBy, to builder: inout FeatureBuilder
  ) {
    let values = tracks.map { $0.segments.map { key == .speed ? speeds($0) : elevations($0) } }
    var known: [Float] = []
    for track in values {
      for segment in track { known += segment.lazy.filter(\.isFinite) }
    }
    known.sort()
    let low = known.isEmpty ? 0 : known[known.count / 20]
    let high = known.isEmpty ? 0 : known[known.count - 1 - known.count / 20]
    func number(_ value: Float) -> Int {
      guard value.isFinite, high > low else { return -1 }
      let place = (value - low) / (high - low) * Float(classes)
      guard place.isFinite else { return -1 }
      return Int(min(max(place, 0), Float(classes - 1)))
    }
    for (track, values) in zip(tracks, values) {
      let first = builder.built.features.count
      // The lines of each class. A line continues the previous one.
      var lines = [[[FeatureBuilder.Place]]](repeating: [], count: classes + 1)
      for (segment, values) in zip(track.segments, values) {
        let places = segment.places
        if places.count == 1 { lines[0].append([places[0]]) }
        var line: [FeatureBuilder.Place] = []
        var current = -2
        for index in places.indices.dropLast() {
          let next = number(values[index])
          if next != current {
            if !line.isEmpty { lines[current + 1].append(line) }
            line = [places[index]]
            current = next
          }
          line.append(places[index + 1])
        }
        if !line.isEmpty { lines[current + 1].append(line) }
      }
      var label = track.label
      var card = track.card
      for (index, lines) in lines.enumerated() where !lines.isEmpty {
        var style = track.style
        if index > 0 { style.stroke = color(index - 1) }
        for line in lines { try? builder.addLine(line) }
        builder.endFeature(style: style, label: label, card: card)
        (label, card) = (nil, [])
      }
      var meter = TrailMeter()
      for segment in track.segments { meter.add(segment.places, segment.elevations) }
      builder.addTrail(meter, from: first)
    }
  }

  /// The elevation between each point and the next, in metres; NaN if unknown.
  private static func elevations(_ segment: TrackSegment) -> [Float] {
    zip(segment.measures, segment.measures.dropFirst()).map { a, b in (a.value + b.value) / 2 }
  }

  /// The speed between each point and the next, in metres per second, averaged over five points;
  /// NaN if unknown.
  private static func speeds(_ segment: TrackSegment) -> [Float] {
    let (places, measures) = (segment.places, segment.measures)
    let raw = places.indices.dropLast().map { index -> Float in
      let (a, b) = (measures[index], measures[index + 1])
      if b.value.isFinite { return b.value }
      if a.value.isFinite { return a.value }
      guard b.time > a.time else { return .nan }
      let metres = distance(places[index], places[index + 1])
      return TrackMeasure.speed(metres / (b.time - a.time))
    }
    return raw.indices.map { index in
      guard raw[index].isFinite else { return .nan }
      var (sum, count) = (Float(0), Float(0))
      for near in max(0, index - 2)...min(raw.count - 1, index + 2) where raw[near].isFinite {
        sum += raw[near]
        count += 1
      }
      return sum / count
    }
  }

  /// The distance in metres between points that are close together.
  private static func distance(_ a: FeatureBuilder.Place, _ b: FeatureBuilder.Place) -> Double {
    let north = (b.lat - a.lat) * .pi / 180
    let middle = (a.lat + b.lat) / 2 * .pi / 180
    let east = (b.lon - a.lon) * .pi / 180 * cos(middle)
    return 6_378_137 * (north * north + east * east).squareRoot()
  }
}
