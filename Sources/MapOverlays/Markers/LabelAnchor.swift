import MapGeometry

/// Words of an overlay that want a place on the map.
public struct LabelAnchor: Sendable, Equatable {
  /// The place on the unit square.
  public var place: WorldPoint
  /// The text.
  public var text: String
  /// 0xAARRGGBB; nil: the default label color.
  public var color: UInt32?
  /// The width on the unit square of what the label names, 0 for a place. Words more than twice as
  /// wide are left out.
  public var extent: Double
  /// The distance in points from the place to the text; 0: the text is centred on the place.
  public var beside: Int

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - place: The place on the unit square.
  ///   - text: The words.
  ///   - color: 0xAARRGGBB; nil: the default label color.
  ///   - extent: The width on the unit square of what the words name, 0 for a place.
  ///   - beside: The distance in points from the place to the words; 0: centred on the place.
  public init(
    place: WorldPoint, text: String, color: UInt32? = nil, extent: Double = 0, beside: Int = 0
  ) {
    self.place = place
    self.text = text
    self.color = color
    self.extent = extent
    self.beside = beside
  }
}

/// Supplies the labels of an overlay: the same ones for the same part of the world, whatever the
/// view.
public protocol LabelAnchors: AnyObject {
  /// Changes whenever the answers may change.
  var labelVersion: Int { get }

  /// Calls `body` with the anchors in a box of the unit square, the most important first.
  ///
  /// - Parameters:
  ///   - minX: The western edge; may lie beyond 0 ... 1, as `maxX`.
  ///   - minY: The northern edge.
  ///   - maxX: The eastern edge.
  ///   - maxY: The southern edge.
  ///   - zoom: The zoom of the view.
  ///   - body: Takes each anchor.
  func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (LabelAnchor) -> Void
  )
}
