#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which pixels of the screen places of the world are in: what is worked out once a view, for many places.
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

  /// The view pixel that `place` is in: of the world's copies, the one nearest to the centre. At
  /// bearing 0 it is the very pixel that the map's is drawn on.
  public func pixel(_ place: WorldPoint) -> (x: Int, y: Int) {
    var dx = place.x - middle.x
    dx -= dx.rounded()
    if let origin {
      let x = Int(flooring: (middle.x + dx) * world)
      let y = Int(flooring: place.y * world)
      return (x &- origin.x, y &- origin.y)
    }
    let x = dx * world
    let y = (place.y - middle.y) * world
    let right = x * cosine + y * sine
    let down = y * cosine - x * sine
    return (Int(flooring: right + half.x), Int(flooring: down + half.y))
  }
}
