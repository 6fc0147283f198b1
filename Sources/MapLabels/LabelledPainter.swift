import TileLoading

/// A painter whose tiles carry `TileLabels`.
public protocol LabelledPainter: TilePainter {
  /// The icons that the labels name. The same object as long as they are the same.
  ///
  /// - Parameter isNight: Whether tiles are painted in the night's colours.
  /// - Returns: The icons; `LabelIcons.none` if there are none.
  func labelIcons(isNight: Bool) -> LabelIcons
}
