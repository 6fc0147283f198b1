#if canImport(Glibc)
  import Glibc
#endif

/// Colours tracks by speed or elevation: from blue (little) over green and yellow to red (much).
///
/// The scale goes from the 5th to the 95th of a hundred parts of all that the file holds, so that a
/// jump of the receiver does not make everything else one colour.
enum TrackColours {
  private static let ramp: [(UInt32, UInt32, UInt32)] = [
    (0x2C, 0x5F, 0xD1), (0x12, 0x9F, 0xB3), (0x3F, 0xA3, 0x4D), (0xF0, 0xB4, 0x29),
    (0xD7, 0x26, 0x3D),
  ]
  /// Different colours.
  static let classes = 16

  /// 0xRRGGBB of a class, 0 ..< `classes`.
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

  /// Adds the tracks, cut into features of one colour each.
  static func add(
    _ tracks: [ColouredTrack], by key: FeatureOptions.ColorBy, to builder: inout FeatureBuilder
  ) {
    let values = tracks.map { $0.segments.map { key == .speed ? speeds($0) : elevations($0) } }
    let known = values.joined().joined().compactMap { $0 }.sorted()
    let low = known.isEmpty ? 0 : known[known.count / 20]
    let high = known.isEmpty ? 0 : known[known.count - 1 - known.count / 20]
    func number(_ value: Double?) -> Int {
      guard let value, high > low else { return -1 }
      let place = (value - low) / (high - low) * Double(classes)
      return min(max(Int(min(max(place, 0), 1e3)), 0), classes - 1)
    }
    for (track, values) in zip(tracks, values) {
      // Lines of one class, each going on from the one before.
      var lines = [[[FeatureBuilder.Place]]](repeating: [], count: classes + 1)
      for (segment, values) in zip(track.segments, values) {
        let points = segment.points
        if points.count == 1 { lines[0].append([points[0].place]) }
        var line: [FeatureBuilder.Place] = []
        var current = -2
        for index in points.indices.dropLast() {
          let next = number(values[index])
          if next != current {
            if !line.isEmpty { lines[current + 1].append(line) }
            line = [points[index].place]
            current = next
          }
          line.append(points[index + 1].place)
        }
        if !line.isEmpty { lines[current + 1].append(line) }
      }
      var label = track.label
      for (index, lines) in lines.enumerated() where !lines.isEmpty {
        var style = track.style
        if index > 0 { style.stroke = color(index - 1) }
        for line in lines { try? builder.addLine(line) }
        builder.endFeature(style: style, label: label)
        label = nil
      }
    }
  }

  /// Between each point and the next, in metres.
  private static func elevations(_ segment: TrackSegment) -> [Double?] {
    zip(segment.points, segment.points.dropFirst()).map { a, b in
      guard let a = a.elevation, let b = b.elevation else { return nil }
      return (a + b) / 2
    }
  }

  /// Between each point and the next, in metres a second, over five of them.
  private static func speeds(_ segment: TrackSegment) -> [Double?] {
    let raw = zip(segment.points, segment.points.dropFirst()).map { a, b -> Double? in
      if let speed = b.speed ?? a.speed { return speed }
      guard let from = a.time, let to = b.time, to > from else { return nil }
      let north = (b.place.lat - a.place.lat) * .pi / 180
      let middle = (a.place.lat + b.place.lat) / 2 * .pi / 180
      let east = (b.place.lon - a.place.lon) * .pi / 180 * cos(middle)
      return 6_378_137 * (north * north + east * east).squareRoot() / (to - from)
    }
    return raw.indices.map { index in
      guard raw[index] != nil else { return nil }
      let near = raw[max(0, index - 2)...min(raw.count - 1, index + 2)].compactMap { $0 }
      return near.reduce(0, +) / Double(near.count)
    }
  }
}
