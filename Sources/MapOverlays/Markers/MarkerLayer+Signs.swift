import Drawing
import MapGeometry

/// What the map key explains of the markers on the screen.
extension MarkerLayer {
  /// A look of markers that are drawn one by one.
  public struct ShownLook: Equatable, Sendable {
    /// The icon.
    public var icon: MarkerIcon
    /// Its colour, 0xAARRGGBB.
    public var color: UInt32
    /// Whether it is on the large pin of "here".
    public var isHere: Bool
    /// How many markers look so.
    public var count: Int
    /// The label of the first of them; empty: it has none.
    public var label: String

    /// Creates a look.
    public init(icon: MarkerIcon, color: UInt32, isHere: Bool, count: Int, label: String) {
      (self.icon, self.color, self.isHere) = (icon, color, isHere)
      (self.count, self.label) = (count, label)
    }
  }

  /// The looks of the markers on the screen, those of the most markers first, and the number in the
  /// smallest cluster. What is in a cluster or under a plate has no look of its own.
  ///
  /// The painter must have the unit of the view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - plates: What hides markers, in view pixels.
  ///   - panel: What else hides markers, but no clusters, which step aside.
  /// - Returns: The looks; and the number, nil if there is no cluster.
  public func looks(
    in view: Viewport, under plates: [PixelRect] = [], panel: PixelRect? = nil
  ) -> (markers: [ShownLook], cluster: Int?) {
    if store.isEmpty { return ([], nil) }
    var (looks, cluster): ([ShownLook], Int?) = ([], nil)
    layout.forEachShown(
      in: view, under: plates, panel: panel, store, painter, pictures
    ) { item, marker, _ in
      if item.count > 1 {
        cluster = min(cluster ?? item.count, item.count)
        return
      }
      let color = marker.color ?? marker.icon.color
      let same = looks.firstIndex {
        $0.icon == marker.icon && $0.color == color && $0.isHere == marker.isHere
      }
      if let same {
        looks[same].count += 1
      } else {
        looks.append(
          ShownLook(
            icon: marker.icon, color: color, isHere: marker.isHere, count: 1, label: marker.label))
      }
    }
    // A sort need not be stable, and the map's order changes with the zoom.
    looks.sort {
      ($1.count, $0.icon.rawValue, $0.color) < ($0.count, $1.icon.rawValue, $1.color)
    }
    return (looks, cluster)
  }

  /// What the icons of the single markers on the screen cover, without the pins of "here".
  ///
  /// The painter must have the unit of the view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - plates: What hides markers, in view pixels.
  /// - Returns: A part for each, in view pixels.
  public func iconBoxes(in view: Viewport, under plates: [PixelRect]) -> [PixelRect] {
    if store.isEmpty { return [] }
    var boxes: [PixelRect] = []
    layout.forEachShown(
      in: view, under: plates, panel: nil, store, painter, pictures
    ) { item, marker, rect in
      if item.count == 1, !marker.isHere { boxes.append(rect) }
    }
    return boxes
  }
}
