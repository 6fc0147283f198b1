import MapGeometry

/// A text of an overlay and where it belongs on the map.
public struct OverlayLabel: Sendable, Equatable {
  /// The labelled position on the unit square.
  public var place: WorldPoint
  /// The label's text, one line.
  public var text: String
  /// The colour, 0xAARRGGBB; nil: the default colour of labels.
  public var color: UInt32?
  /// The width on the unit square of what the label names; 0 for a point. Text more than twice as
  /// wide is left out.
  public var extent: Double
  /// The distance in points from the position to the text; 0: the text is centred on it.
  public var beside: Int
  /// The colour of the line that the text names, 0xAARRGGBB; nil: it names something else. Names of
  /// lines that have no colour of their own are in it, as far as it can be read.
  public var line: UInt32?
  /// Other positions on the unit square for a text that is centred on its position, the best first.
  public var others: [WorldPoint] = []

  /// Creates a label.
  ///
  /// - Parameters:
  ///   - place: The position on the unit square.
  ///   - text: The label's text, one line.
  ///   - color: 0xAARRGGBB; nil: the default colour of labels.
  ///   - extent: The width on the unit square of what the text names; 0 for a point.
  ///   - beside: The distance in points from the position to the text; 0: centred on it.
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

/// Supplies the labels of an overlay. They depend only on the part of the world, not on the view.
public protocol OverlayLabelSource: AnyObject {
  /// Must change whenever the labels may have changed.
  var labelVersion: Int { get }
  /// How many labels there are at most; `Int.max` if that is not known.
  var labelCount: Int { get }
  /// The zoom of the view from which labels are shown.
  var minZoom: Double { get }

  /// Calls `body` with the labels in a box of the unit square, the most important first.
  ///
  /// - Parameters:
  ///   - minX: The western edge; may lie beyond 0 ... 1, like `maxX`.
  ///   - minY: The northern edge.
  ///   - maxX: The eastern edge.
  ///   - maxY: The southern edge.
  ///   - zoom: The zoom of the view.
  ///   - body: Called with each label.
  func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (OverlayLabel) -> Void
  )
}

extension OverlayLabelSource {
  /// Not known.
  public var labelCount: Int { .max }
  /// Every zoom.
  public var minZoom: Double { -.infinity }
}
