#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where on the screen places of the world are: what is worked out once a view, for many places.
public struct ScreenMap: Sendable {
  private let middle: WorldPoint
  private let world: Double
  private let cosine: Double
  private let sine: Double
  private let half: (x: Double, y: Double)
  private let origin: (x: Int, y: Int)?

  public init(_ view: Viewport) {
    middle = WebMercator.project(view.center)
    world = view.worldPixels
    let b = view.bearing * .pi / 180
    (cosine, sine) = (cos(b), sin(b))
    half = (Double(view.width) / 2, Double(view.height) / 2)
    origin = view.bearing == 0 ? view.origin : nil
  }

  /// The corner of view pixels nearest to `place`: of the world's copies, of the one nearest to the
  /// centre. What the view's centre is on does not tremble by a pixel while the map moves under it.
  public func pixel(_ place: WorldPoint) -> (x: Int, y: Int) {
    var dx = place.x - middle.x
    dx -= dx.rounded()
    if let origin {
      let x = Int(flooring: (middle.x + dx) * world + 0.5)
      let y = Int(flooring: place.y * world + 0.5)
      return (x &- origin.x, y &- origin.y)
    }
    let x = dx * world
    let y = (place.y - middle.y) * world
    let right = x * cosine + y * sine + half.x
    let down = y * cosine - x * sine + half.y
    return (Int(flooring: right + 0.5), Int(flooring: down + 0.5))
  }
}
