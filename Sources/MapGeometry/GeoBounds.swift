/// A box `[west, south, east, north]` in degrees. `west > east` means that it crosses the dateline.
public struct GeoBounds: Hashable, Sendable {
  /// Longitude of the west edge in degrees; may lie beyond ±180.
  public var west: Double
  /// Latitude of the south edge in degrees.
  public var south: Double
  /// Longitude of the east edge in degrees; may lie beyond ±180.
  public var east: Double
  /// Latitude of the north edge in degrees.
  public var north: Double

  /// Creates a box from its edges in degrees. Nothing is checked or wrapped.
  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The whole world of Web Mercator.
  public static let world = GeoBounds(
    west: -180, south: -WebMercator.maxLatitude, east: 180, north: WebMercator.maxLatitude)

  /// The edges in degrees: west, south, east, north.
  public var array: [Double] { [west, south, east, north] }

  /// The width in degrees, 0 to 360; across the dateline where `west > east`.
  public var longitudeSpan: Double {
    if east >= west { return min(east - west, 360) }
    // One turn, or more if the longitudes are that far apart.
    let turn = east.truncatingRemainder(dividingBy: 360) - west.truncatingRemainder(dividingBy: 360)
    let span = turn.truncatingRemainder(dividingBy: 360) + 360
    return span >= 360 ? span - 360 : span
  }

  /// The box's middle on the map (its middle row on the screen, not its mean latitude).
  public var center: GeoPoint {
    let top = WebMercator.project(GeoPoint(lat: north, lon: west))
    let bottom = WebMercator.project(GeoPoint(lat: south, lon: west))
    return WebMercator.unproject(
      WorldPoint(x: top.x + longitudeSpan / 720, y: (top.y + bottom.y) / 2))
  }

  /// Whether `point` is in the box, edges included.
  public func contains(_ point: GeoPoint) -> Bool {
    guard point.lat >= south, point.lat <= north else { return false }
    if longitudeSpan >= 360 { return true }
    let fromWest = WebMercator.wrapLongitude(point.lon) - WebMercator.wrapLongitude(west)
    return (fromWest < 0 ? fromWest + 360 : fromWest) <= longitudeSpan
  }

  /// The box that `tile` covers.
  public init(_ tile: TileID) {
    let count = Double(1 << tile.z)
    let northWest = WebMercator.unproject(
      WorldPoint(x: Double(tile.x) / count, y: Double(tile.y) / count))
    let south = WebMercator.unproject(WorldPoint(x: 0, y: Double(tile.y + 1) / count)).lat
    self.init(
      west: northWest.lon, south: south, east: Double(tile.x + 1) / count * 360 - 180,
      north: northWest.lat)
  }
}
