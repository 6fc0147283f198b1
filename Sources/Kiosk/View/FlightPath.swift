import Glibc
import MapGeometry

/// The path from one view to another that is smooth and efficient: long ways zoom out and in (van
/// Wijk and Nuij, "Smooth and efficient zooming and panning", 2003).
///
/// All lengths are on the unit square.
struct FlightPath: Sendable, Equatable {
  /// How much the path zooms out: the paper's ρ, for which its users chose about 1.4.
  static let curvature = 1.42
  /// How fast it goes, in the paper's measure of path per second.
  static let speed = 1.0
  /// The shortest and the longest flight in seconds.
  static let seconds = (least: 0.8, most: 9.0)

  private let start: WorldPoint
  private let way: (x: Double, y: Double)
  /// The distance between the centres.
  private let distance: Double
  /// The width of the first view.
  private let firstWidth: Double
  private let lastZoom: Double
  private let firstZoom: Double
  private let r0: Double
  /// The path's length in the paper's measure.
  private let length: Double

  /// The path from the view `a` to `b`, which have the same size.
  init(from a: Viewport, to b: Viewport) {
    let (p, q) = (WebMercator.project(a.center), WebMercator.project(b.center))
    var dx = q.x - p.x
    // The shorter way around the world.
    dx -= dx.rounded()
    let dy = q.y - p.y
    let points = Double(max(a.width, a.height)) / Double(max(a.scale, 1))
    let w0 = points / WebMercator.worldSize(zoom: a.zoom)
    let w1 = points / WebMercator.worldSize(zoom: b.zoom)
    (start, way, firstWidth) = (p, (dx, dy), w0)
    (firstZoom, lastZoom) = (a.zoom, b.zoom)
    let u = (dx * dx + dy * dy).squareRoot()
    let rho = FlightPath.curvature
    if u < 1e-6 * max(w0, w1) {
      (distance, r0) = (0, 0)
      length = abs(log(w1 / w0)) / rho
      return
    }
    distance = u
    let square = rho * rho
    let b0 = (w1 * w1 - w0 * w0 + square * square * u * u) / (2 * w0 * square * u)
    let b1 = (w1 * w1 - w0 * w0 - square * square * u * u) / (2 * w1 * square * u)
    // ln(√(b² + 1) − b) without its cancellation.
    r0 = -asinh(b0)
    length = (-asinh(b1) - r0) / rho
  }

  static func == (a: FlightPath, b: FlightPath) -> Bool {
    a.start == b.start && a.way == b.way && a.firstZoom == b.firstZoom && a.lastZoom == b.lastZoom
  }

  /// How long it takes, in seconds; 0: nothing moves.
  var duration: Double {
    guard length > 1e-9, length.isFinite else { return 0 }
    return min(max(length / FlightPath.speed, FlightPath.seconds.least), FlightPath.seconds.most)
  }

  /// Centre and zoom at the fraction `t` of the path, 0 ... 1.
  func at(_ t: Double) -> (place: WorldPoint, zoom: Double) {
    let rho = FlightPath.curvature
    guard distance > 0 else {
      return (start, firstZoom + (lastZoom - firstZoom) * t)
    }
    let s = rho * length * t + r0
    let u = firstWidth / (rho * rho) * (cosh(r0) * tanh(s) - sinh(r0))
    let part = min(max(u / distance, 0), 1)
    let zoom = firstZoom - log2(cosh(r0) / cosh(s))
    return (WorldPoint(x: start.x + way.x * part, y: start.y + way.y * part), zoom)
  }
}
