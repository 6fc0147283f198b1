#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The part of the world that a screen shows: a centre, a zoom, a bearing, and the screen's size.
///
/// Screen axes run right (x) and down (y) in **points**, after the bearing is applied; a point is
/// `scale` pixels. The centre is kept exactly as it was given; only drawing snaps to pixels.
public struct Viewport: Hashable, Sendable {
  /// The place at the centre of the screen.
  public var center: GeoPoint
  /// The zoom: the world is 256·2^zoom points wide.
  public var zoom: Double
  /// The compass direction that points up, in degrees, 0 ≤ bearing < 360.
  public var bearing: Double
  /// The view's width in pixels.
  public var width: Int
  /// The view's height in pixels.
  public var height: Int
  /// Pixels per point, 1 or more.
  public var scale: Int

  /// Creates a view. The bearing is wrapped; nothing else is checked.
  public init(
    center: GeoPoint, zoom: Double, bearing: Double = 0, width: Int, height: Int, scale: Int = 1
  ) {
    self.center = center
    self.zoom = zoom
    self.bearing = Viewport.wrapBearing(bearing)
    self.width = width
    self.height = height
    self.scale = scale
  }

  /// `degrees` changed by whole turns to 0 ≤ bearing < 360; 0 if it is not finite.
  public static func wrapBearing(_ degrees: Double) -> Double {
    if degrees > 0, degrees < 360 { return degrees }
    guard degrees.isFinite else { return 0 }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // A tiny turn to the left rounds to a whole turn; and 0 has no sign here.
    return turned >= 360 || turned == 0 ? 0 : turned
  }

  /// The world's edge in pixels at this zoom and scale.
  public var worldPixels: Double { WebMercator.worldSize(zoom: zoom) * Double(scale) }

  /// The world pixel under the view's centre, exactly.
  public var centerPixel: WorldPoint {
    let world = WebMercator.project(center)
    return WorldPoint(x: world.x * worldPixels, y: world.y * worldPixels)
  }

  /// The world pixel of the view's left column and top row at bearing 0:
  /// floor(c − size/2 + ½) on each axis, within ±2^53.
  public var origin: (x: Int, y: Int) {
    let center = centerPixel
    return (
      Int(flooring: center.x - Double(width) / 2 + 0.5),
      Int(flooring: center.y - Double(height) / 2 + 0.5)
    )
  }

  /// The screen vector (dx, dy) in points, converted to world axes (east, south) in points.
  public func worldVector(dx: Double, dy: Double) -> (x: Double, y: Double) {
    if bearing == 0 { return (dx, dy) }
    let b = bearing * .pi / 180
    return (dx * cos(b) - dy * sin(b), dx * sin(b) + dy * cos(b))
  }

  /// The place under the screen point (x, y), in points, on the unit square. Its x is not wrapped.
  public func world(x: Double, y: Double) -> WorldPoint {
    let offset = worldVector(
      dx: x - Double(width) / (2 * Double(scale)), dy: y - Double(height) / (2 * Double(scale)))
    let size = WebMercator.worldSize(zoom: zoom)
    let middle = WebMercator.project(center)
    return WorldPoint(x: middle.x + offset.x / size, y: middle.y + offset.y / size)
  }

  /// The screen point (in points) that shows `place`, on the copy of the world nearest to the
  /// centre.
  public func screen(_ place: GeoPoint) -> (x: Double, y: Double) {
    let middle = WebMercator.project(center)
    let target = WebMercator.project(place)
    let size = WebMercator.worldSize(zoom: zoom)
    var dx = target.x - middle.x
    dx -= dx.rounded()
    let (x, y) = (dx * size, (target.y - middle.y) * size)
    let b = bearing * .pi / 180
    return (
      x * cos(b) + y * sin(b) + Double(width) / (2 * Double(scale)),
      -x * sin(b) + y * cos(b) + Double(height) / (2 * Double(scale))
    )
  }

  /// Half the size in points of the axis-parallel world box that encloses the view.
  public var enclosingHalfSize: (x: Double, y: Double) {
    let (w, h) = (Double(width) / (2 * Double(scale)), Double(height) / (2 * Double(scale)))
    if bearing == 0 { return (w, h) }
    let b = bearing * .pi / 180
    return (abs(w * cos(b)) + abs(h * sin(b)), abs(w * sin(b)) + abs(h * cos(b)))
  }

  /// The box that encloses the view. Longitudes are −180 ≤ lon < 180, with `west > east` across the
  /// dateline; a view as wide as the world or wider gives −180 and 180.
  public var bounds: GeoBounds {
    let half = enclosingHalfSize
    let size = WebMercator.worldSize(zoom: zoom)
    let middle = WebMercator.project(center)
    let northWest = WebMercator.unproject(
      WorldPoint(x: middle.x - half.x / size, y: middle.y - half.y / size))
    let southEast = WebMercator.unproject(
      WorldPoint(x: middle.x + half.x / size, y: middle.y + half.y / size))
    // With a tolerance: west and east must not coincide for a view of the whole world.
    let whole = 2 * half.x >= size * (1 - 1e-12)
    return GeoBounds(
      west: whole ? -180 : northWest.lon, south: southEast.lat, east: whole ? 180 : southEast.lon,
      north: northWest.lat)
  }

  /// The view with its centre moved by the screen vector (dx, dy) in points. Latitude stops at the
  /// world's edge, longitude wraps.
  public func panned(dx: Double, dy: Double) -> Viewport {
    let offset = worldVector(dx: dx, dy: dy)
    let size = WebMercator.worldSize(zoom: zoom)
    let middle = WebMercator.project(center)
    var moved = self
    moved.center = WebMercator.unproject(
      WorldPoint(x: middle.x + offset.x / size, y: middle.y + offset.y / size))
    // An axis that did not move keeps its exact number.
    if offset.x == 0 { moved.center.lon = center.lon }
    if offset.y == 0 { moved.center.lat = center.lat }
    return moved
  }

  /// The view at `zoom` with the place under the screen point (x, y), in points, unmoved.
  public func zoomed(to zoom: Double, keeping x: Double, _ y: Double) -> Viewport {
    let fixed = world(x: x, y: y)
    var zoomed = self
    zoomed.zoom = zoom
    let offset = worldVector(
      dx: x - Double(width) / (2 * Double(scale)), dy: y - Double(height) / (2 * Double(scale)))
    if offset == (0, 0) { return zoomed }
    let size = WebMercator.worldSize(zoom: zoom)
    zoomed.center = WebMercator.unproject(
      WorldPoint(x: fixed.x - offset.x / size, y: fixed.y - offset.y / size))
    return zoomed
  }

  /// The view at this bearing that shows `box` as large as possible inside a margin of `padding`
  /// points. `maxZoom` limits the zoom of boxes without extent.
  public func fitting(_ box: GeoBounds, padding: Double, minZoom: Double, maxZoom: Double)
    -> Viewport
  {
    let top = WebMercator.project(GeoPoint(lat: box.north, lon: box.west)).y
    let bottom = WebMercator.project(GeoPoint(lat: box.south, lon: box.west)).y
    let (w, h) = (box.longitudeSpan / 360, bottom - top)
    let b = bearing * .pi / 180
    // The size of the box on the screen, in world units.
    let across = abs(w * cos(b)) + abs(h * sin(b))
    let down = abs(w * sin(b)) + abs(h * cos(b))
    let roomX = max(1, Double(width) / Double(scale) - 2 * padding)
    let roomY = max(1, Double(height) / Double(scale) - 2 * padding)
    var best = maxZoom
    if across > 0 { best = min(best, log2(roomX / (across * WebMercator.pointsAtZoom0))) }
    if down > 0 { best = min(best, log2(roomY / (down * WebMercator.pointsAtZoom0))) }
    var fitted = self
    fitted.center = box.center
    fitted.zoom = max(best, minZoom)
    return fitted
  }

  /// The view moved so that its edges stay inside `box`. On an axis where the box is smaller than
  /// the view, it is centred.
  public func kept(inside box: GeoBounds) -> Viewport {
    let half = enclosingHalfSize
    let size = WebMercator.worldSize(zoom: zoom)
    let (hx, hy) = (half.x / size, half.y / size)
    let middle = WebMercator.project(center)
    let northWest = WebMercator.project(GeoPoint(lat: box.north, lon: box.west))
    let bottom = WebMercator.project(GeoPoint(lat: box.south, lon: box.west)).y
    let span = box.longitudeSpan / 360
    var x = middle.x
    if span < 1 {
      // The copy of the box whose middle is nearest to the view's.
      let boxMiddle = northWest.x + span / 2
      var offset = middle.x - boxMiddle
      offset -= offset.rounded()
      let room = span / 2 - hx
      x = boxMiddle + (room <= 0 ? 0 : min(max(offset, -room), room))
      if room > 0, abs(offset) <= room { x = middle.x }
    }
    let y =
      bottom - northWest.y <= 2 * hy
      ? (bottom + northWest.y) / 2 : min(max(middle.y, northWest.y + hy), bottom - hy)
    if x == middle.x, y == middle.y { return self }
    var moved = self
    moved.center = WebMercator.unproject(WorldPoint(x: x, y: y))
    if x == middle.x { moved.center.lon = center.lon }
    if y == middle.y { moved.center.lat = center.lat }
    return moved
  }
}
