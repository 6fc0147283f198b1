/// Draws paths, anti-aliased, over what is there.
///
/// One belongs to one thread at a time.
public final class PathRasteriser {
  public init() {}

  /// Which points are inside a path.
  public enum Rule: Sendable { case evenOdd, nonZero }

  /// Fills `path`; open sub-paths are closed.
  ///
  /// - Parameter color: 0xAARRGGBB, not premultiplied.
  public func fill(_ path: Path, rule: Rule, color: UInt32, on canvas: PixelCanvas) {
  }

  /// Draws along `path` with round joins and ends.
  ///
  /// - Parameters:
  ///   - width: pixels; less than 1 is drawn as a fainter line of 1.
  ///   - color: 0xAARRGGBB, not premultiplied; where the line crosses itself it is not darker.
  public func stroke(_ path: Path, width: Double, color: UInt32, on canvas: PixelCanvas) {
  }
}
