#if canImport(Glibc)
  import Glibc
#endif

/// Measures a line while it is read: its length, its climbs and its profile, in bounded memory.
///
/// The figures are those of gpxpy's `length_2d` and `get_uphill_downhill`: elevations that are
/// missing are left out, each one is smoothed with its neighbours in the file (0.3, 0.4, 0.3; the
/// first and the last stay as they are), and all steps up, and all steps down, are added.
struct TrailMeter {
  typealias Place = FeatureBuilder.Place

  /// The most points of a profile, which is more than a card has columns.
  static let mostKnots = 512
  /// The elevations that are taken, in metres. Others are marks for "unknown", or nonsense.
  static let elevations = -5_000.0...20_000.0

  private struct Bucket {
    var index: Int
    var distance: Double
    var elevation: Double
    var count: Double
  }

  private(set) var length = 0.0
  private(set) var ascent = 0.0
  private(set) var descent = 0.0
  private(set) var lowest = Double.infinity
  private(set) var highest = -Double.infinity
  private var buckets: [Bucket] = []
  /// The length of a bucket in metres; it doubles whenever there are too many.
  private var width = 1.0

  // The elevations of the current line.
  private var count = 0
  private var before = 0.0
  private var current = 0.0
  private var smooth = 0.0

  var hasElevations: Bool { lowest <= highest }

  /// An elevation from a file; NaN for what cannot be one.
  static func elevation(_ metres: Double?) -> Float {
    guard let metres, elevations.contains(metres) else { return .nan }
    return Float(metres)
  }

  /// Adds a line, or a part of one: the gap before it does not count.
  ///
  /// - Parameters:
  ///   - places: The line's places.
  ///   - elevations: One for each place, NaN where it is unknown; empty: there are none.
  mutating func add(_ places: ArraySlice<Place>, _ elevations: ArraySlice<Float>) {
    var last: Place?
    count = 0
    var index = elevations.startIndex
    for place in places {
      if let last { length += TrailMeter.distance(last, place) }
      last = place
      if index < elevations.endIndex, !elevations[index].isNaN { take(Double(elevations[index])) }
      index += 1
    }
    if count >= 2 { climb(to: current) }
  }

  private mutating func take(_ elevation: Double) {
    lowest = min(lowest, elevation)
    highest = max(highest, elevation)
    if count == 0 {
      smooth = elevation
    } else if count >= 2 {
      climb(to: 0.3 * before + 0.4 * current + 0.3 * elevation)
    }
    (before, current) = (current, elevation)
    count += 1
    keep(elevation)
  }

  private mutating func climb(to next: Double) {
    if next > smooth { ascent += next - smooth } else { descent += smooth - next }
    smooth = next
  }

  private mutating func keep(_ elevation: Double) {
    var index = Int(min(length / width, 1e15))
    while index >= TrailMeter.mostKnots {
      width *= 2
      merge()
      index = Int(min(length / width, 1e15))
    }
    if let last = buckets.indices.last, buckets[last].index == index {
      buckets[last].distance += length
      buckets[last].elevation += elevation
      buckets[last].count += 1
    } else {
      buckets.append(Bucket(index: index, distance: length, elevation: elevation, count: 1))
    }
  }

  /// Makes one bucket of each two.
  private mutating func merge() {
    var kept = 0
    for position in buckets.indices {
      var bucket = buckets[position]
      bucket.index >>= 1
      if kept > 0, buckets[kept - 1].index == bucket.index {
        buckets[kept - 1].distance += bucket.distance
        buckets[kept - 1].elevation += bucket.elevation
        buckets[kept - 1].count += bucket.count
      } else {
        buckets[kept] = bucket
        kept += 1
      }
    }
    buckets.removeLast(buckets.count - kept)
  }

  /// The points of the profile.
  var knots: [TrailKnot] {
    guard hasElevations else { return [] }
    let span = highest - lowest
    func part(_ value: Double, of whole: Double) -> UInt16 {
      whole > 0 ? UInt16((min(max(value / whole, 0), 1) * 65_535).rounded()) : 0
    }
    return buckets.map { bucket in
      TrailKnot(
        distance: part(bucket.distance / bucket.count, of: length),
        elevation: part(bucket.elevation / bucket.count - lowest, of: span))
    }
  }

  /// The metres between two places on a sphere of the equator's radius.
  static func distance(_ a: Place, _ b: Place) -> Double {
    let (lat, lon) = (abs(a.lat - b.lat), abs(a.lon - b.lon))
    let degree = Double.pi / 180
    if lat <= 0.2, lon <= 0.2 {
      let east = lon * cos(a.lat * degree)
      return (lat * lat + east * east).squareRoot() * degree * 6_378_137
    }
    let (south, west) = (sin(lat * degree / 2), sin(lon * degree / 2))
    let half = south * south + west * west * cos(a.lat * degree) * cos(b.lat * degree)
    return 2 * 6_378_137 * asin(min(half, 1).squareRoot())
  }
}
