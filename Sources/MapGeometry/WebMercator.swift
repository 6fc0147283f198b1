#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place on Earth in degrees (WGS 84).
public struct GeoPoint: Hashable, Sendable {
  /// Latitude in degrees, positive northwards.
  public var lat: Double
  /// Longitude in degrees, positive eastwards.
  public var lon: Double

  /// Creates a place from degrees. Nothing is checked or wrapped.
  public init(lat: Double, lon: Double) {
    self.lat = lat
    self.lon = lon
  }
}

/// A place on Web Mercator's unit square: x from 0 at longitude −180° to 1 at 180°, y from 0 at
/// latitude 85.0511° to 1 at −85.0511°. x may be outside, because the world wraps.
public struct WorldPoint: Hashable, Sendable {
  /// From west to east, in widths of the world; 0 is longitude −180°.
  public var x: Double
  /// From north to south, in heights of the world; 0 is latitude 85.0511°.
  public var y: Double

  /// Creates a place from fractions of the world. Nothing is clamped.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The spherical Mercator projection of web maps (EPSG:3857; OGC 17-083r4, annex D.1).
public enum WebMercator {
  /// The latitude of the square world's upper edge in degrees: atan(sinh π).
  public static let maxLatitude = 85.051_128_779_806_59

  /// The world's edge at zoom 0 in points.
  public static let pointsAtZoom0 = 256.0

  /// Projects a place to the unit square. Latitudes beyond ±85.0511° are clamped to the edge.
  /// Longitudes are not wrapped, so 190° has x > 1.
  public static func project(_ point: GeoPoint) -> WorldPoint {
    let lat = min(max(point.lat, -maxLatitude), maxLatitude)
    let y: Double
    if lat == maxLatitude {
      y = 0
    } else if lat == -maxLatitude {
      y = 1
    } else {
      // Near the edges, the rounding of tan may lead past them.
      y = min(max(0.5 - asinh(tan(lat * .pi / 180)) / (2 * .pi), 0), 1)
    }
    return WorldPoint(x: (point.lon + 180) / 360, y: y)
  }

  /// The place on Earth of a point of the unit square. y is clamped to 0...1, the longitude is
  /// wrapped to −180 ≤ lon < 180.
  public static func unproject(_ point: WorldPoint) -> GeoPoint {
    let y = min(max(point.y, 0), 1)
    let lat =
      y == 0 ? maxLatitude : y == 1 ? -maxLatitude : atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
    return GeoPoint(lat: lat, lon: wrapLongitude(point.x * 360 - 180))
  }

  /// `lon` changed by whole turns to −180 ≤ lon < 180, without rounding; NaN if it is not finite.
  public static func wrapLongitude(_ lon: Double) -> Double {
    if lon >= -180, lon < 180 { return lon }
    let turned = lon.truncatingRemainder(dividingBy: 360)
    return turned >= 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }

  /// The width of the world in points at `zoom`, which may be fractional: 256·2^zoom.
  public static func worldSize(zoom: Double) -> Double { pointsAtZoom0 * exp2(zoom) }

  /// The tile of `level` (clamped to 0...24) that contains `point`. The world's lower edge belongs
  /// to the last row, its right edge to the first column. NaN counts as 0.
  public static func tile(at point: GeoPoint, level: Int) -> TileID {
    let world = project(point)
    let level = min(max(level, 0), TileID.maxLevel)
    let count = Double(1 << level)
    let column = Int(flooring: (world.x - world.x.rounded(.down)) * count)
    let row = Int(flooring: min(world.y * count, count - 1))
    return TileID(z: level, wrapping: column, row: row) ?? .world
  }

  /// The metres on the ground that a point covers at `lat` and `zoom`, on a sphere of radius
  /// 6,378,137 m.
  public static func metersPerPoint(lat: Double, zoom: Double) -> Double {
    2 * .pi * 6_378_137 * cos(lat * .pi / 180) / worldSize(zoom: zoom)
  }
}
