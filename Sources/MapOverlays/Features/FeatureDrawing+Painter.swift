import Drawing
import MapGeometry
import TileLoading
import TileSources

extension FeatureDrawing: TilePainter {
  /// False: features are drawn from memory.
  public var needsPayload: Bool { false }

  /// Whether a feature reaches into `tile`.
  public func mayPaint(_ tile: TileID) -> Bool { mayDraw(tile) }

  /// Draws the features that reach into `tile`.
  public func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    let current = target
    let look = FeatureLook(tile, target)
    let hasPixels = draw(
      tile, scale: target.scale, look: look, on: canvas, with: target.tools.rasteriser,
      isCancelled: { current.isCancelled })
    if current.isCancelled { return .cancelled }
    return hasPixels ? .painted(.argb8888) : .nothing
  }
}

extension FeatureLook {
  /// The look of what is painted into `target` for `tile`.
  ///
  /// - Parameters:
  ///   - tile: The tile's address.
  ///   - target: Where it is painted.
  ///   - theme: The theme's colours; nil: those that `target` asks for.
  init(_ tile: TileID, _ target: borrowing PaintTarget, theme: PictureTheme? = nil) {
    let zoom = target.zoom ?? Double(tile.z)
    self.init(
      unit: FeatureLook.unit(
        edge: target.edge, level: tile.z, zoom: zoom, scale: target.scale),
      colors: target.colors,
      theme: theme ?? (target.isRed ? .red : target.isNight ? .night : .day))
  }
}
