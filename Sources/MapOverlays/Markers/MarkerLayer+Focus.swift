import MapGeometry
import MapScene
import Pixels

/// What buttons step through: markers and clusters, also those that the map has yet to show.
extension MarkerLayer {
  /// What the ring of the focus is around.
  public struct Ringed: Equatable, Sendable {
    /// The marker or cluster.
    public var hit: Hit
    /// How far the ring reaches beyond it, in pixels.
    public var reach: Int

    /// Creates a ring.
    ///
    /// - Parameters:
    ///   - hit: The marker or cluster.
    ///   - reach: How far the ring reaches beyond it, in pixels.
    public init(_ hit: Hit, reach: Int) { (self.hit, self.reach) = (hit, reach) }
  }

  /// The ring of the focus among the targets of a frame; nil: there is none, also while a callout
  /// shows what it belongs to.
  func focused(_ targets: MarkerTargets) -> LabelFrame.Focus? {
    guard selected == nil, let ringed, let first = ringed.hit.first,
      let number = store.entry(of: first)?.number, let box = targets.box(of: number)
    else { return nil }
    return LabelFrame.Focus(
      marker: number, ring: box.widened(by: ringed.reach), reach: ringed.reach)
  }

  /// What a marker or a cluster is by now, for the markers may have changed.
  ///
  /// - Parameter hit: What it was.
  /// - Returns: The same marker or cluster. One that is not on the screen is returned as it was.
  ///   Nil: it was removed, or has become part of another cluster.
  public func current(_ hit: Hit) -> Hit? {
    guard let view = refresh(), let entry = hit.first.flatMap({ store.entry(of: $0) }) else {
      return nil
    }
    for item in targets.nearest(width: view.width, height: view.height)
    where item.first == entry.number {
      return self.hit(item)
    }
    let t = ViewTransform(view)
    let at = t.pixel(of: entry.place)
    return at.x >= 0 && at.y >= 0 && at.x < t.width && at.y < t.height ? nil : hit
  }

  /// What the picture of a marker or cluster covers in a view, also where plates hide it, and
  /// beyond the screen. One that stands beside a pin of "here" is taken to do so there, too.
  ///
  /// - Parameters:
  ///   - hit: The marker or cluster.
  ///   - view: The view.
  /// - Returns: The part in view pixels; nil: there is no such marker.
  public func box(of hit: Hit, in view: Viewport) -> PixelRect? {
    guard let entry = hit.first.flatMap({ store.entry(of: $0) }) else { return nil }
    var members = 1
    if case .cluster(let ids, _) = hit { members = ids.count }
    let art = MarkerArt(painter: painter)
    guard let picture = MarkerLayout.picture(members, entry.marker, art, pictures) else {
      return nil
    }
    let at = ViewTransform(view).pixel(of: placeShown(of: entry))
    return PixelRect(
      x: at.x - picture.anchorX + picture.left, y: at.y - picture.anchorY,
      width: max(picture.right - picture.left, 1), height: max(picture.image.height, 1))
  }

  /// Where a marker is drawn in the view shown last, on the unit square.
  private func placeShown(of entry: MarkerStore.Entry) -> WorldPoint {
    let moved = layout.placed.first { $0.isMoved && $0.item.first == entry.number }
    guard let moved, let t = shownView.map({ ViewTransform($0) }) else { return entry.place }
    let side = Double(t.cell) * Double(t.columns)
    return WorldPoint(x: moved.gridX / side, y: moved.gridY / side)
  }
}

extension MarkerLayer.Hit {
  /// The id of the marker, or of the cluster's first one.
  var first: String? {
    switch self {
    case .marker(let id): id
    case .cluster(let ids, _): ids.first
    }
  }

  /// Whether both are the same marker, or begin with it.
  ///
  /// - Parameter other: Another hit.
  /// - Returns: Whether they are.
  public func isSame(as other: MarkerLayer.Hit) -> Bool { first != nil && first == other.first }
}

extension ViewTransform {
  /// The pixel of the screen that contains a place of the unit square, on the copy of the world on
  /// which it is nearest to the centre of the screen.
  func pixel(of place: WorldPoint) -> (x: Int, y: Int) {
    let side = Double(cell) * Double(columns)
    let middle = grid(Double(width) / 2, Double(height) / 2)
    let x = place.x + (middle.x / side - place.x).rounded()
    return pixel(gridX: x * side, gridY: place.y * side)
  }
}
