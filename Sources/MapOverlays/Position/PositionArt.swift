import Glibc
import MapGeometry
import MapScene
import Pixels

/// The pictures of the position: the dot with its arrow, the accuracy circle and the breadcrumbs.
///
/// Each is drawn once per size and look, anti-aliased, from signed distances to its edges.
public final class PositionArt {
  /// The properties that determine how the position looks.
  public struct Look: Hashable, Sendable {
    /// Whether no fixes arrive any more, so that everything is grey.
    public var isLost = false
    /// Pixels per point.
    public var unit = 1.0

    /// Creates a look.
    ///
    /// - Parameters:
    ///   - isLost: Whether fixes have stopped coming.
    ///   - unit: Pixels per point.
    public init(isLost: Bool = false, unit: Double = 1) {
      self.isLost = isLost
      self.unit = unit
    }
  }

  /// Degrees between two of the arrow's pictures.
  public static let arrowStep = 4
  /// The dot's radius with its ring, in points; legible from across a room.
  public static let dotRadius = 13.0
  /// The width of the ring around the dot, in points.
  static let ringWidth = 3.0
  /// The distance in points from the dot's centre to the chevron's tip.
  public static let arrowReach = 29.0
  /// The largest radius in points at which the accuracy circle is a filled area. Larger ones are
  /// dotted lines.
  public static let largestArea = 120.0
  /// The most pictures of the dot to keep.
  private static let capacity = 24

  private struct Key: Hashable {
    var look: Look
    /// The direction in `arrowStep`s; nil: no arrow.
    var step: Int?
  }

  /// The colours. Setting others drops all pictures.
  public var theme = PictureTheme.day {
    didSet {
      guard theme != oldValue else { return }
      dots = [:]
      circle = nil
      crumb = nil
      rim = nil
    }
  }

  private var dots: [Key: SpriteImage] = [:]
  private var circle: (radius: Int, look: Look, image: SpriteImage)?
  private var crumb: (look: Look, image: SpriteImage)?
  private var rim: (look: Look, image: SpriteImage)?

  /// Creates an empty collection of pictures, which are drawn on first use.
  public init() {}

  /// Bytes of all pictures.
  public var bytes: Int {
    dots.values.reduce(0) { $0 + $1.bytes } + (circle?.image.bytes ?? 0)
      + (crumb?.image.bytes ?? 0) + (rim?.image.bytes ?? 0)
  }

  /// The dot, centred on the picture's middle.
  ///
  /// - Parameters:
  ///   - look: How the position looks.
  ///   - angle: Where the arrow points on the screen, in degrees clockwise from up; nil: no arrow.
  /// - Returns: The picture.
  public func dot(_ look: Look, angle: Double?) -> SpriteImage {
    let steps = 360 / PositionArt.arrowStep
    let step = angle.map {
      (Int(($0 / Double(PositionArt.arrowStep)).rounded()) % steps + steps) % steps
    }
    let key = Key(look: look, step: step)
    if let known = dots[key] { return known }
    if dots.count >= PositionArt.capacity { dots = [:] }
    let image = drawDot(look, step.map { Double($0 * PositionArt.arrowStep) })
    dots[key] = image
    return image
  }

  /// How far the arrow reaches below the dot's centre, in points; negative: it ends above it.
  ///
  /// - Parameter angle: Where it points on the screen, in degrees clockwise from up.
  /// - Returns: The distance, with the ring around the arrow.
  public static func arrowDepth(_ angle: Double) -> Double {
    let (up, aside) = (cos(angle * .pi / 180), abs(sin(angle * .pi / 180)))
    let (tip, wing) = (-arrowReach * up, -(arrowReach - 10) * up + 8 * aside)
    return max(tip, wing) + 2
  }

  /// The accuracy circle as a disc with a rim, centred on the picture's middle.
  ///
  /// - Parameters:
  ///   - look: How the position looks.
  ///   - radius: The radius in pixels.
  /// - Returns: The picture.
  public func circle(_ look: Look, radius: Int) -> SpriteImage {
    if let circle, circle.radius == radius, circle.look == look { return circle.image }
    let color = color(look)
    let area = color & 0xFF_FFFF | 0x2E00_0000
    let line = color & 0xFF_FFFF | 0x9000_0000
    let r = Double(radius)
    let width = 1.5 * look.unit
    let image = picture(half: r + 2) { x, y, brush in
      let d = (x * x + y * y).squareRoot() - r
      brush.cover(area, d)
      brush.cover(line, max(d, -d - width))
    }
    circle = (radius, look, image)
    return image
  }

  /// A dot of the dotted line around a large accuracy circle.
  ///
  /// - Parameter look: How the position looks.
  /// - Returns: The picture.
  public func rim(_ look: Look) -> SpriteImage {
    if let rim, rim.look == look { return rim.image }
    let color = color(look) & 0xFF_FFFF | 0xB000_0000
    let image = picture(half: 2.5 * look.unit) { x, y, brush in
      brush.cover(color, (x * x + y * y).squareRoot() - 1.75 * look.unit)
    }
    rim = (look, image)
    return image
  }

  /// A dot of the track.
  ///
  /// - Parameter look: How the position looks.
  /// - Returns: The picture.
  public func crumb(_ look: Look) -> SpriteImage {
    if let crumb, crumb.look == look { return crumb.image }
    let s = look.unit
    let ring = theme.positionRing & 0xFF_FFFF | 0xE000_0000
    let core = theme.position
    let image = picture(half: 3.5 * s) { x, y, brush in
      let d = (x * x + y * y).squareRoot()
      brush.cover(ring, d - 3 * s)
      brush.cover(core, d - 2 * s)
    }
    crumb = (look, image)
    return image
  }

  private func color(_ look: Look) -> UInt32 { look.isLost ? theme.secondInk : theme.position }

  /// The dot with its ring and, apart from it, a chevron that points where the heading is. Of a
  /// lost fix the dot is a hollow ring.
  private func drawDot(_ look: Look, _ angle: Double?) -> SpriteImage {
    let s = look.unit
    let body = color(look)
    let ring = theme.positionRing
    // Separates the ring from a map of its colour.
    let rim = theme.kind == .day ? UInt32(0x6034_4955) : theme.shown(0x60FF_FFFF)
    let radius = PositionArt.dotRadius
    let inner = radius - PositionArt.ringWidth
    let a = (angle ?? 0) * .pi / 180
    let (up, right) = ((x: sin(a), y: -cos(a)), (x: cos(a), y: sin(a)))
    let reach = angle == nil ? radius : PositionArt.arrowReach
    return picture(half: (reach + 4) * s) { x, y, brush in
      let from = (x * x + y * y).squareRoot() / s
      let chevron =
        angle == nil
        ? Double.infinity
        : PositionArt.chevron(
          ahead: (x * up.x + y * up.y) / s, aside: abs(x * right.x + y * right.y) / s)
      let disc =
        look.isLost ? abs(from - inner + 2) - 2 - PositionArt.ringWidth : from - radius
      let filled = look.isLost ? abs(from - inner + 2) - 2 : from - inner
      // A soft shadow separates it from a map of any colour.
      let outer = min(disc, chevron - 2)
      if theme.shadow != nil, outer > 0, outer < 4 {
        brush.cover(0xFF00_0000, strength: 0.25 * (1 - outer / 4))
      }
      brush.cover(rim, (outer - 0.75) * s)
      brush.cover(ring, outer * s)
      brush.cover(body, min(filled, chevron) * s)
    }
  }

  /// The distance in points to the edge of the chevron, a triangle with a notch at its foot, from a
  /// point that lies so far ahead of the dot's centre and beside its axis.
  private static func chevron(ahead: Double, aside: Double) -> Double {
    let (tip, foot, notch, wing) = (arrowReach, arrowReach - 10, arrowReach - 7, 8.0)
    // The outer edge goes from the tip to the wing, the inner one from there to the notch.
    let outerLength = ((tip - foot) * (tip - foot) + wing * wing).squareRoot()
    let outer = ((ahead - tip) * wing + aside * (tip - foot)) / outerLength
    let innerLength = ((notch - foot) * (notch - foot) + wing * wing).squareRoot()
    let inner = ((notch - ahead) * wing - aside * (notch - foot)) / innerLength
    return max(outer, inner)
  }

  // MARK: Distance fields

  /// The colour of one pixel, built up layer by layer.
  struct Brush {
    /// Premultiplied, 0 ... 1.
    var (a, r, g, b) = (0.0, 0.0, 0.0, 0.0)

    /// Paints where `distance` is negative. It is measured in pixels from the pixel's centre to the
    /// shape's edge.
    mutating func cover(_ color: UInt32, _ distance: Double) {
      cover(color, strength: min(max(0.5 - distance, 0), 1))
    }

    mutating func cover(_ color: UInt32, strength: Double) {
      if strength <= 0 { return }
      let alpha = Double(color >> 24) / 255 * strength
      a = alpha + a * (1 - alpha)
      r = Double(color >> 16 & 255) / 255 * alpha + r * (1 - alpha)
      g = Double(color >> 8 & 255) / 255 * alpha + g * (1 - alpha)
      b = Double(color & 255) / 255 * alpha + b * (1 - alpha)
    }

    var word: UInt32 {
      func byte(_ v: Double) -> UInt32 { UInt32(min(max(v, 0), 1) * 255 + 0.5) }
      return byte(a) << 24 | byte(r) << 16 | byte(g) << 8 | byte(b)
    }
  }

  /// A square picture with coordinates relative to its middle pixel.
  private func picture(half: Double, _ paint: (Double, Double, inout Brush) -> Void) -> SpriteImage
  {
    let middle = Int(half.rounded(.up))
    let side = 2 * middle + 1
    return SpriteImage(width: side, height: side) { words, stride in
      for y in 0..<side {
        for x in 0..<side {
          var brush = Brush()
          paint(Double(x - middle), Double(y - middle), &brush)
          words[y * stride + x] = brush.word
        }
      }
    }
  }
}
