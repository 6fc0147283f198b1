/// A rectangle of whole pixels: columns `x ..< maxX`, rows `y ..< maxY`.
public struct PixelRect: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns; with 0 or less the rectangle is empty.
  public var width: Int
  /// The number of rows; with 0 or less the rectangle is empty.
  public var height: Int

  /// Creates a rectangle from its upper left corner and its size, in pixels.
  @inlinable
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The column after the last one, clamped to `Int`'s range.
  @inlinable public var maxX: Int { x.addingClamped(width) }
  /// The row after the last one, clamped to `Int`'s range.
  @inlinable public var maxY: Int { y.addingClamped(height) }
  /// Whether it covers no pixel.
  @inlinable public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The pixels that both cover; empty if there are none.
  @inlinable
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX).subtractingClamped(left)),
      height: max(0, min(maxY, other.maxY).subtractingClamped(top)))
  }

  /// Whether both cover a common pixel, provided that neither is empty.
  @inlinable
  public func intersects(_ other: PixelRect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }

  /// The smallest rectangle that covers both; an empty one adds nothing.
  @inlinable
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX).subtractingClamped(left),
      height: max(maxY, other.maxY).subtractingClamped(top))
  }
}
