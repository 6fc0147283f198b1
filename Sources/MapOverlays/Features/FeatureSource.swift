import Features
import MapGeometry
import TileLoading
import TileSources

/// A file of features as a source of tiles, which are drawn.
public final class FeatureSource: DrawnSource {
  public let features: FeatureDrawing
  public let info: SourceInfo

  /// Draws the features.
  public var painter: any TilePainter { features }

  public init(_ features: FeatureDrawing, title: String = "") {
    self.features = features
    info = SourceInfo(
      kind: features.features.kind.rawValue, minZoom: 0, maxZoom: TileID.maxLevel,
      bounds: features.features.bounds, title: title)
  }

  /// None: its tiles are drawn, not read.
  public func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    .nothing
  }

  public func contains(_ id: TileID) throws(TileError) -> Bool { features.mayDraw(id) }
}
