import TileSources

/// What of a source decides where its view begins.
struct SourceFacts {
  /// What the source says; nil: it is not open.
  var info: SourceInfo?
  var levels: ClosedRange<Int>?
  /// The tiles' edge in points.
  var tileSize = 256
}
