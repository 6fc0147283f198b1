import TileSources

/// The properties of a source that decide its first view.
struct SourceFacts {
  /// What the source says of itself; nil: it is not open.
  var info: SourceInfo?
  var levels: ClosedRange<Int>?
  /// The tiles' edge in points.
  var tileSize = 256
}
