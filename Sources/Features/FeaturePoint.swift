/// A place on Web Mercator's unit square in 8 bytes: each axis in steps of 2^-32 of the world (9 mm
/// at the equator, a pixel of zoom 24).
public struct FeaturePoint: Equatable, Sendable {
  /// From longitude −180° eastwards; `max` is 180°.
  public var x: UInt32
  /// From latitude 85.0511° southwards; `max` is −85.0511°.
  public var y: UInt32

  /// Steps of the world.
  public static let steps = 4_294_967_295.0

  /// A place from steps of the world.
  @inlinable
  public init(x: UInt32, y: UInt32) {
    self.x = x
    self.y = y
  }

  /// A place from the unit square; what lies beyond is clamped to its edge, NaN becomes 0.
  public init(unitX: Double, unitY: Double) {
    x = FeaturePoint.fixed(unitX)
    y = FeaturePoint.fixed(unitY)
  }

  private static func fixed(_ value: Double) -> UInt32 {
    value > 0 ? UInt32((min(value, 1) * steps).rounded()) : 0
  }

  /// 0 ... 1.
  @inlinable public var unitX: Double { Double(x) / FeaturePoint.steps }
  /// 0 ... 1.
  @inlinable public var unitY: Double { Double(y) / FeaturePoint.steps }
}

/// A box on the unit square, edges included. Empty where `maxX < minX`.
public struct FeatureBox: Equatable, Sendable {
  /// The west edge, in steps of `FeaturePoint`.
  public var minX: UInt32
  /// The north edge, in steps of `FeaturePoint`.
  public var minY: UInt32
  /// The east edge, in steps of `FeaturePoint`.
  public var maxX: UInt32
  /// The south edge, in steps of `FeaturePoint`.
  public var maxY: UInt32

  /// A box from its edges, in steps of `FeaturePoint`.
  @inlinable
  public init(minX: UInt32, minY: UInt32, maxX: UInt32, maxY: UInt32) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The box that holds nothing.
  public static let empty = FeatureBox(minX: .max, minY: .max, maxX: 0, maxY: 0)

  /// Whether it holds nothing.
  @inlinable public var isEmpty: Bool { maxX < minX }

  /// Grows the box to hold `point`.
  @inlinable
  public mutating func include(_ point: FeaturePoint) {
    minX = min(minX, point.x)
    minY = min(minY, point.y)
    maxX = max(maxX, point.x)
    maxY = max(maxY, point.y)
  }

  /// Grows the box to hold `box`.
  @inlinable
  public mutating func include(_ box: FeatureBox) {
    minX = min(minX, box.minX)
    minY = min(minY, box.minY)
    maxX = max(maxX, box.maxX)
    maxY = max(maxY, box.maxY)
  }

  /// Whether both have a place in common, edges included.
  @inlinable
  public func overlaps(_ box: FeatureBox) -> Bool {
    minX <= box.maxX && box.minX <= maxX && minY <= box.maxY && box.minY <= maxY
  }
}
