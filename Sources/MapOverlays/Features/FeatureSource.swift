import Features
import MapGeometry
import TileLoading
import TileSources

/// A source of tiles drawn from a file of features.
public final class FeatureSource: DrawnSource {
  /// The features and how to draw them.
  public let features: FeatureDrawing
  /// The file's kind, bounds and title.
  public let info: SourceInfo

  /// Draws the features.
  public var painter: any TilePainter { features }

  /// Creates a source.
  public init(_ features: FeatureDrawing, title: String = "") {
    self.features = features
    info = SourceInfo(
      kind: features.features.kind.rawValue, minZoom: 0, maxZoom: TileID.maxLevel,
      bounds: features.features.bounds, title: title)
  }

  /// Always `.nothing`: its tiles are drawn, not read.
  public func read(_ id: TileID, into buffer: inout TileBuffer) -> TileRead {
    .nothing
  }

  /// Whether any feature reaches into the tile.
  public func contains(_ id: TileID) -> Bool { features.mayPaint(id) }
}
