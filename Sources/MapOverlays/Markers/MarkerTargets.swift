import MapGeometry
import MapScene

/// The touch targets on the screen.
struct MarkerTargets {
  private struct Target {
    /// The pixel of the marker's position.
    var x: Int
    var y: Int
    /// The solid part of the picture, in view pixels.
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int
    var item: MarkerClusters.Item
  }

  private var all: [Target] = []

  mutating func removeAll() { all.removeAll(keepingCapacity: true) }

  /// Adds a target whose position is a pixel of the screen, in front of all earlier ones.
  mutating func add(_ item: MarkerClusters.Item, _ picture: MarkerPicture, x: Int, y: Int) {
    let top = y - picture.anchorY
    all.append(
      Target(
        x: x, y: y, left: x - picture.anchorX + picture.left,
        right: x - picture.anchorX + picture.right, top: top, bottom: top + picture.image.height,
        item: item))
  }

  /// The target nearest to a pixel whose box, enlarged to at least `size` pixels on a side,
  /// contains it. Of two equally near ones, the one in front.
  func touched(x: Double, y: Double, size: Double) -> MarkerClusters.Item? {
    var best: (distance: Double, item: MarkerClusters.Item)?
    for target in all {
      let (left, right) = (Double(target.left), Double(target.right))
      let (top, bottom) = (Double(target.top), Double(target.bottom))
      let (dx, dy) = (x - (left + right) / 2, y - (top + bottom) / 2)
      guard abs(dx) <= max(right - left, size) / 2, abs(dy) <= max(bottom - top, size) / 2 else {
        continue
      }
      let distance = dx * dx + dy * dy
      if distance <= best?.distance ?? .infinity { best = (distance, target.item) }
    }
    return best?.item
  }

  /// The solid part of an item's picture, in view pixels; nil: it is not on the screen.
  func box(of item: MarkerClusters.Item) -> PixelRect? { box(of: item.first) }

  /// The same for the item that begins with a marker.
  func box(of first: MarkerStore.Number) -> PixelRect? {
    all.last { $0.item.first == first }.map {
      PixelRect(
        x: $0.left, y: $0.top, width: max($0.right - $0.left, 1), height: max($0.bottom - $0.top, 1)
      )
    }
  }

  /// All items positioned on a screen of `width` x `height` pixels, nearest to its centre first.
  func nearest(width: Int, height: Int) -> [MarkerClusters.Item] {
    var seen: [(distance: Int, item: MarkerClusters.Item)] = []
    for target in all
    where target.x >= 0 && target.x < width && target.y >= 0 && target.y < height {
      let (dx, dy) = (target.x - width / 2, target.y - height / 2)
      seen.append((dx * dx + dy * dy, target.item))
    }
    seen.sort { ($0.distance, $0.item.first) < ($1.distance, $1.item.first) }
    return seen.map(\.item)
  }
}
