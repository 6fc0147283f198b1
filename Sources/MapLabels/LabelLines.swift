/// A rectangle of a view, turned as the text in it is.
public struct LabelPatch: Sendable, Equatable {
  /// The column of its middle, in pixels of the view.
  public var x: Float
  /// The row of its middle.
  public var y: Float
  /// The direction of its width: the cosine of the angle, clockwise from the right.
  public var cosine: Float
  /// The sine of that angle.
  public var sine: Float
  /// Half its width in pixels.
  public var halfWidth: Float
  /// Half its height in pixels.
  public var halfHeight: Float

  /// Creates a patch.
  ///
  /// - Parameters:
  ///   - x: The column of its middle, in pixels of the view.
  ///   - y: The row of its middle.
  ///   - cosine: The cosine of the angle of its width, clockwise from the right.
  ///   - sine: The sine of that angle.
  ///   - halfWidth: Half its width in pixels.
  ///   - halfHeight: Half its height in pixels.
  public init(
    x: Float, y: Float, cosine: Float = 1, sine: Float = 0, halfWidth: Float, halfHeight: Float
  ) {
    (self.x, self.y, self.cosine, self.sine) = (x, y, cosine, sine)
    (self.halfWidth, self.halfHeight) = (halfWidth, halfHeight)
  }
}

/// Lines that are drawn over the map, which labels keep clear of. It belongs to the thread that
/// places labels.
public protocol LabelLines: AnyObject {
  /// Whether a line is selected.
  var hasSelected: Bool { get }

  /// Whether any line is drawn over a part of the view. The names of lines keep clear of all.
  func cross(_ patch: LabelPatch) -> Bool

  /// Whether the selected line is drawn over a part of the view. All labels keep clear of it.
  func selectedCrosses(_ patch: LabelPatch) -> Bool
}

extension LabelRun {
  /// Whether a line over the map runs through a text that must keep clear of it.
  ///
  /// - Parameters:
  ///   - patches: The letters' parts, in pixels of the view.
  ///   - naming: How the name of a line stands; nil: a label of the map.
  /// - Returns: Whether one does.
  func isCrossed(_ patches: some Sequence<LabelPatch>, _ naming: LineNaming?) -> Bool {
    guard let lines = request.lines else { return false }
    if naming != nil { return patches.contains { lines.cross($0) } }
    return lines.hasSelected && patches.contains { lines.selectedCrosses($0) }
  }
}
