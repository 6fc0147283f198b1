/// A layer of a style.
public struct StyleLayer: Sendable {
  /// Its name, the only one of its kind in the style.
  public let id: String
  /// The name of its source in the style; nil for a background.
  public let source: String?
  /// The layer of the vector tiles that it draws.
  public let sourceLayer: String?
  /// It is drawn from this zoom on, as styles count zooms.
  public let minZoom: Double
  /// It is drawn below this zoom, as styles count zooms.
  public let maxZoom: Double
  /// False if the style hides it.
  public let isVisible: Bool
  /// Which features it draws; nil: all.
  public let filter: StyleFilter?
  /// What it draws, and how.
  public let kind: StyleLayerKind
  /// What a key of the map calls its features (`waypost:key` of its metadata); nil: nothing.
  public let key: StyleProperty<String?>

  init(
    id: String, source: String? = nil, sourceLayer: String? = nil, minZoom: Double = -.infinity,
    maxZoom: Double = .infinity, isVisible: Bool = true, filter: StyleFilter? = nil,
    kind: StyleLayerKind, key: StyleProperty<String?> = StyleProperty(constant: nil, isSet: false)
  ) {
    self.id = id
    self.source = source
    self.sourceLayer = sourceLayer
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.isVisible = isVisible
    self.filter = filter
    self.kind = kind
    self.key = key
  }

  /// Whether the layer is drawn at a zoom, as styles count zooms.
  public func isDrawn(at zoom: Double) -> Bool { isVisible && zoom >= minZoom && zoom < maxZoom }
}

/// What a layer draws, and how.
public enum StyleLayerKind: Sendable {
  /// The ground under everything.
  case background(BackgroundStyle)
  /// Areas; also `fill-extrusion`, drawn flat.
  case fill(FillStyle)
  /// Lines, and the outlines of areas.
  case line(LineStyle)
  /// Text and icons.
  case symbol(SymbolStyle)
  /// Discs.
  case circle(CircleStyle)
  /// Pictures of another source.
  case raster(RasterStyle)
}
