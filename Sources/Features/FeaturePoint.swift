/// A point of Web Mercator's unit square in 8 bytes. A step of each axis is 2^-32 of the world: 9
/// mm at the equator, a pixel of 256-pixel tiles at zoom 24.
public struct FeaturePoint: Equatable, Sendable {
  /// Steps eastwards from longitude −180°; `UInt32.max` is 180°.
  public var x: UInt32
  /// Steps southwards from latitude 85.0511°; `UInt32.max` is −85.0511°.
  public var y: UInt32

  /// The number of steps across the world.
  public static let steps = 4_294_967_295.0

  /// Creates a point from steps.
  @inlinable
  public init(x: UInt32, y: UInt32) {
    self.x = x
    self.y = y
  }

  /// Creates a point from coordinates of the unit square. Values outside are clamped to its edges;
  /// NaN becomes 0.
  public init(unitX: Double, unitY: Double) {
    x = FeaturePoint.fixed(unitX)
    y = FeaturePoint.fixed(unitY)
  }

  private static func fixed(_ value: Double) -> UInt32 {
    value > 0 ? UInt32((min(value, 1) * steps).rounded()) : 0
  }

  /// The x coordinate on the unit square, 0 (west) to 1 (east).
  @inlinable public var unitX: Double { Double(x) / FeaturePoint.steps }
  /// The y coordinate on the unit square, 0 (north) to 1 (south).
  @inlinable public var unitY: Double { Double(y) / FeaturePoint.steps }
}

/// A box on the unit square, edges included. It is empty if `maxX < minX`.
public struct FeatureBox: Equatable, Sendable {
  /// The west edge, in steps of `FeaturePoint`.
  public var minX: UInt32
  /// The north edge, in steps of `FeaturePoint`.
  public var minY: UInt32
  /// The east edge, in steps of `FeaturePoint`.
  public var maxX: UInt32
  /// The south edge, in steps of `FeaturePoint`.
  public var maxY: UInt32

  /// Creates a box from its edges, in steps of `FeaturePoint`.
  @inlinable
  public init(minX: UInt32, minY: UInt32, maxX: UInt32, maxY: UInt32) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The empty box, which `include` can grow.
  public static let empty = FeatureBox(minX: .max, minY: .max, maxX: 0, maxY: 0)

  /// Whether the box contains no point.
  @inlinable public var isEmpty: Bool { maxX < minX }

  /// Grows the box to contain `point`.
  @inlinable
  public mutating func include(_ point: FeaturePoint) {
    minX = min(minX, point.x)
    minY = min(minY, point.y)
    maxX = max(maxX, point.x)
    maxY = max(maxY, point.y)
  }

  /// Grows the box to contain `box`.
  @inlinable
  public mutating func include(_ box: FeatureBox) {
    minX = min(minX, box.minX)
    minY = min(minY, box.minY)
    maxX = max(maxX, box.maxX)
    maxY = max(maxY, box.maxY)
  }

  /// Whether both boxes have a point in common, edges included.
  @inlinable
  public func overlaps(_ box: FeatureBox) -> Bool {
    minX <= box.maxX && box.minX <= maxX && minY <= box.maxY && box.minY <= maxY
  }
}
