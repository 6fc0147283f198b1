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
  /// A file with more features than this has no further changes of colour.
  private static let mostStretches = 100_000
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

  /// Adds the tracks in the order of their paths: for each the casing of its whole length, which
  /// has its label, a feature for each stretch of one colour, and discs at its start and end.
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
    if high > low { builder.setRamp(FeatureRamp(key, least: low, most: high)) }
    /// The class of a value, with which the colour changes only once it is well beyond the last
    /// one's: noise would make a feature of every point.
    func number(_ value: Float, after last: Int) -> Int {
      guard value.isFinite, high > low else { return -1 }
      let place = (value - low) / (high - low) * Float(classes)
      guard place.isFinite else { return -1 }
      if last >= 0, abs(place - (Float(last) + 0.5)) < 0.75 { return last }
      return Int(min(max(place, 0), Float(classes - 1)))
    }
    for (track, values) in zip(tracks, values) {
      let isKnown = values.contains { $0.contains { number($0, after: -1) >= 0 } }
      var style = track.style
      // Where nothing is known, it is a line like others.
      if isKnown { style.lines = .casing }
      let casing = builder.built.features.count
      for segment in track.segments { try? builder.addLine(segment.places) }
      builder.endFeature(style: style, label: track.label, card: track.card)
      var meter = TrailMeter()
      for segment in track.segments { meter.add(segment.places, segment.elevations) }
      guard isKnown else {
        builder.addTrail(meter, from: casing)
        continue
      }
      for (segment, values) in zip(track.segments, values) {
        var first = 0
        var current = number(values.first ?? .nan, after: -1)
        for index in values.indices {
          let next = number(values[index], after: current)
          if next != current, builder.built.features.count < mostStretches {
            add(segment.places[first...index], current, track.style, to: &builder)
            (first, current) = (index, next)
          }
        }
        add(segment.places[first...], current, track.style, to: &builder)
      }
      builder.addTrail(meter, from: casing)
      guard let first = track.segments.first?.places.first,
        let last = track.segments.last?.places.last
      else { continue }
      addDisc(at: first, startColor, to: &builder)
      addDisc(at: last, endColor, to: &builder)
    }
  }

  /// The colours of the discs at a track's ends, 0xRRGGBB.
  static let startColor: UInt32 = 0x1E8E3E
  static let endColor: UInt32 = 0xC62828

  /// Adds a stretch of one class; −1: its values are not known.
  private static func add(
    _ places: ArraySlice<FeatureBuilder.Place>, _ number: Int, _ style: FeatureStyle,
    to builder: inout FeatureBuilder
  ) {
    var style = style
    style.lines = .ink
    if number >= 0 { style.stroke = color(number) }
    try? builder.addLine(Array(places))
    builder.endFeature(style: style, label: nil)
  }

  private static func addDisc(
    at place: FeatureBuilder.Place, _ color: UInt32, to builder: inout FeatureBuilder
  ) {
    var style = FeatureStyle()
    style.markerColor = color
    builder.addPoint(place)
    builder.endFeature(style: style, label: nil)
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
