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
/// The scale of elevations goes from the file's lowest to its highest, as a card states them, but
/// not to outliers. That of speeds goes from the 5th to the 95th percentile. Otherwise a single
/// wrong value would leave one colour for everything else.
enum TrackColours {
  private static let ramp: [(UInt32, UInt32, UInt32)] = [
    (0x2C, 0x5F, 0xD1), (0x12, 0x9F, 0xB3), (0x3F, 0xA3, 0x4D), (0xF0, 0xB4, 0x29),
    (0xD7, 0x26, 0x3D),
  ]
  /// Beyond this many features of a file, tracks no longer change their colour.
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
    _ all: ColouredTracks, by key: FeatureOptions.ColorBy, to builder: inout FeatureBuilder
  ) {
    let points = all.points
    var known: [Float] = []
    for segment in 0..<points.segmentCount {
      for value in values(points, segment, key) where value.isFinite { known.append(value) }
    }
    known.sort()
    let scale = Scale(known, key == .elevation ? points.elevations : [])
    known = []
    if scale.high > scale.low {
      builder.setRamp(FeatureRamp(key, least: scale.low, most: scale.high))
    }
    for track in all.tracks {
      let segments = Int(track.segments.lowerBound)..<Int(track.segments.upperBound)
      let isKnown = segments.contains { segment in
        values(points, segment, key).contains { scale.number($0, after: -1) >= 0 }
      }
      let own = all.styles[Int(track.style)]
      var style = own
      // Where nothing is known, it is a line like others.
      if isKnown { style.lines = .casing }
      let casing = builder.built.features.count
      for segment in segments { try? builder.addLine(points.places[points.points(segment)]) }
      builder.endFeature(style: style, label: all.label(track), card: track.card)
      var meter = TrailMeter()
      for segment in segments {
        let range = points.points(segment)
        meter.add(points.places[range], points.elevations(range))
      }
      if isKnown {
        for segment in segments { addStretches(points, segment, key, scale, own, to: &builder) }
      }
      builder.addTrail(meter, from: casing)
      guard isKnown, !segments.isEmpty else { continue }
      addDisc(
        .start, at: points.places[points.points(segments.lowerBound).lowerBound], to: &builder)
      addDisc(
        .finish, at: points.places[points.points(segments.upperBound - 1).upperBound - 1],
        to: &builder)
    }
  }

  /// Adds a feature for each stretch of one colour of a segment.
  private static func addStretches(
    _ points: TrackPoints, _ segment: Int, _ key: FeatureOptions.ColorBy, _ scale: Scale,
    _ style: FeatureStyle, to builder: inout FeatureBuilder
  ) {
    let range = points.points(segment)
    let steps = values(points, segment, key)
    var first = range.lowerBound
    var current = scale.number(steps.first ?? .nan, after: -1)
    for (offset, value) in steps.enumerated() {
      let next = scale.number(value, after: current)
      if next != current, builder.built.features.count < mostStretches {
        let index = range.lowerBound + offset
        add(points.places[first...index], current, style, to: &builder)
        (first, current) = (index, next)
      }
    }
    add(points.places[first..<range.upperBound], current, style, to: &builder)
  }

  /// The values of the first and the last colour.
  private struct Scale {
    let low: Float
    let high: Float

    /// - Parameters:
    ///   - known: The values that are coloured, the least first.
    ///   - all: What the scale is to reach beyond their percentiles, NaN where it is unknown. What
    ///     is farther from them than they are from each other is an outlier.
    init(_ known: [Float], _ all: [Float]) {
      guard !known.isEmpty else {
        (low, high) = (0, 0)
        return
      }
      let low = known[known.count / 20]
      let high = known[known.count - 1 - known.count / 20]
      var (least, most) = (low, high)
      for value in all where value.isFinite {
        least = min(least, value)
        most = max(most, value)
      }
      let span = high - low
      self.low = low - least <= span ? least : low
      self.high = most - high <= span ? most : high
    }

    /// The class of a value; −1: it is not known. The colour changes only if the value is well
    /// outside the last class, because noise would otherwise make every point a feature.
    func number(_ value: Float, after last: Int) -> Int {
      guard value.isFinite, high > low else { return -1 }
      let place = (value - low) / (high - low) * Float(classes)
      guard place.isFinite else { return -1 }
      if last >= 0, abs(place - (Float(last) + 0.5)) < 0.75 { return last }
      return Int(min(max(place, 0), Float(classes - 1)))
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
    try? builder.addLine(places)
    builder.endFeature(style: style, label: nil)
  }

  private static func addDisc(
    _ end: FeatureStyle.TrackEnd, at place: FeatureBuilder.Place, to builder: inout FeatureBuilder
  ) {
    var style = FeatureStyle()
    style.markerColor = end == .start ? startColor : endColor
    style.trackEnd = end
    builder.addPoint(place)
    builder.endFeature(style: style, label: nil)
  }

  /// The value between each point of a segment and the next: the elevation in metres, or the speed
  /// in metres per second, averaged over five points; NaN if unknown.
  private static func values(
    _ points: TrackPoints, _ segment: Int, _ key: FeatureOptions.ColorBy
  ) -> some Collection<Float> {
    let range = points.points(segment)
    let all = points.values
    let steps = range.lowerBound..<range.upperBound - 1
    return steps.lazy.map { index -> Float in
      if key == .elevation { return (all[index] + all[index + 1]) / 2 }
      guard all[index].isFinite else { return .nan }
      var (sum, count) = (Float(0), Float(0))
      let near = max(steps.lowerBound, index - 2)...min(steps.upperBound - 1, index + 2)
      for other in near where all[other].isFinite {
        sum += all[other]
        count += 1
      }
      return sum / count
    }
  }
}
