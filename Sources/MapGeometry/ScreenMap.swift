#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Converts places of the world to pixels of a view. What depends only on the view is computed
/// once.
public struct ScreenMap: Sendable {
  private let middle: WorldPoint
  private let world: Double
  private let cosine: Double
  private let sine: Double
  private let half: (x: Double, y: Double)
  private let origin: (x: Int, y: Int)?

  /// Creates the conversion to pixels of `view`.
  public init(_ view: Viewport) {
    middle = WebMercator.project(view.center)
    world = view.worldPixels
    let b = view.bearing * .pi / 180
    (cosine, sine) = (cos(b), sin(b))
    half = (Double(view.width) / 2, Double(view.height) / 2)
    origin = view.bearing == 0 ? view.origin : nil
  }

  /// The corner of view pixels nearest to `place`, on the copy of the world nearest to the centre.
  /// A place at the view's centre stays on the same pixel while the map moves under it.
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
