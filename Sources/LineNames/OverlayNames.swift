import MapGeometry
import MapOverlays

/// What the names along the lines of overlays depend on, besides the view.
public struct OverlayNames: Equatable, Sendable {
  /// How they look.
  public struct Words: Equatable, Sendable {
    /// The colours.
    public var theme: PictureTheme
    /// Whether words on the map are light by day.
    public var isGroundDark: Bool
    /// The size of words, as a multiple of the usual one.
    public var size: Double
    /// The least distance between equal names, in points.
    public var distance: Double

    /// Creates the look.
    ///
    /// - Parameters:
    ///   - theme: The colours.
    ///   - isGroundDark: Whether words on the map are light by day.
    ///   - size: The size of words, as a multiple of the usual one.
    ///   - distance: The least distance between equal names, in points.
    public init(theme: PictureTheme, isGroundDark: Bool, size: Double, distance: Double) {
      (self.theme, self.isGroundDark, self.size, self.distance) =
        (theme, isGroundDark, size, distance)
    }

    /// Creates the look for a view. On a small screen names repeat more closely, so that a line
    /// that crosses it shows one.
    ///
    /// - Parameters:
    ///   - theme: The colours.
    ///   - isGroundDark: Whether words on the map are light by day.
    ///   - size: The size of words, as a multiple of the usual one.
    ///   - view: The view.
    public init(theme: PictureTheme, isGroundDark: Bool, size: Double, view: Viewport) {
      let side = 0.6 * Double(min(view.width, view.height)) / Double(view.scale)
      self.init(
        theme: theme, isGroundDark: isGroundDark, size: size,
        distance: min(max(side, 160 * size), 400 * size))
    }
  }

  /// The overlays whose lines are named at the view's zoom, the topmost first.
  public private(set) var overlays: [OverlayLines]
  /// The lines that names keep clear of.
  public private(set) var lines: [OverlayLines]
  /// The selected line, which is drawn wider; nil: none is.
  public private(set) var selected: SelectedLine?
  /// How the names look.
  public private(set) var words: Words

  /// Creates what the names in a view depend on; nil if no overlay is shown at its zoom.
  ///
  /// - Parameters:
  ///   - lines: The overlays, the topmost first.
  ///   - all: The lines that names keep clear of; nil: those of `lines`.
  ///   - selected: The selected line; nil: none is.
  ///   - zoom: The view's zoom.
  ///   - words: How the names look.
  public init?(
    _ lines: [OverlayLines], among all: [OverlayLines]? = nil, selected: SelectedLine? = nil,
    zoom: Double, _ words: Words
  ) {
    // Usually all pass, and the array is not copied.
    func shown(_ lines: [OverlayLines]) -> [OverlayLines] {
      lines.allSatisfy { zoom >= $0.minZoom } ? lines : lines.filter { zoom >= $0.minZoom }
    }
    overlays = shown(lines)
    self.lines = all.map(shown) ?? overlays
    (self.selected, self.words) = (selected, words)
    if overlays.isEmpty { return nil }
  }
}
