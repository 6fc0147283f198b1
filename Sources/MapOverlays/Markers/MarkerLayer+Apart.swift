import Glibc
import MapGeometry
import MapScene
import Pixels

/// How close the map must be for the markers of a cluster to stand apart.
extension MarkerLayer {
  /// The space around the markers of a cluster that was opened, in points.
  private static let apartGap = 8.0

  /// The view, closer than another one, in which the markers of a cluster are seen apart.
  ///
  /// Its zoom is a whole one: the lowest at which no two of them are in one cluster, or, where the
  /// room is too small for that, the highest at which it shows all that they are part of. Where not
  /// even the lowest zoom at which they separate does so, the first marker is in the middle of the
  /// room there.
  ///
  /// - Parameters:
  ///   - ids: The markers, in the order of the store.
  ///   - view: The view.
  ///   - room: The part of the screen that they are to be in, in view pixels.
  ///   - maxZoom: The highest zoom.
  /// - Returns: The view; nil: they are in one cluster up to the highest zoom.
  public func viewApart(
    _ ids: [String], from view: Viewport, in room: PixelRect, maxZoom: Double
  ) -> Viewport? {
    let entries = ids.compactMap { store.entry(of: $0) }
    guard let first = entries.first, let least = leastZoom(apart: entries, view) else { return nil }
    let numbers = Set(entries.map(\.number))
    let space = painter.px(2 * MarkerLayer.apartGap)
    var best: Viewport?
    var there = view
    there.center = first.marker.place
    there.zoom = max(least, (view.zoom + 1e-9).rounded(.down) + 1)
    while there.zoom <= maxZoom {
      let parts = parts(numbers, first.number, in: there)
      if parts.count > 1 {
        let all = parts.dropFirst().reduce(parts[0]) { $0.union($1) }
        if all.width + space > room.width || all.height + space > room.height {
          return best ?? MarkerLayer.moved(there, parts[0], room)
        }
        best = MarkerLayer.moved(there, all, room)
        if parts.count == numbers.count { break }
      }
      there.zoom += 1
    }
    return best
  }

  /// The lowest whole zoom at which markers are too far from the first one to be in its cluster;
  /// nil: they are all at one place.
  private func leastZoom(apart entries: [MarkerStore.Entry], _ view: Viewport) -> Double? {
    var most = 0.0
    for entry in entries {
      var dx = entry.place.x - entries[0].place.x
      dx -= dx.rounded()
      let dy = entry.place.y - entries[0].place.y
      most = max(most, dx * dx + dy * dy)
    }
    guard most > 0 else { return nil }
    let size = painter.unit / Double(view.scale)
    let reach = MarkerClusters.radius(size) / (256 * most.squareRoot())
    return max(0, (log2(reach) - 1e-9).rounded(.down) + 1)
  }

  /// What the markers and clusters cover in a view that some markers are, or are part of, in view
  /// pixels; that of `first` comes first.
  private func parts(
    _ numbers: Set<MarkerStore.Number>, _ first: MarkerStore.Number, in view: Viewport
  ) -> [PixelRect] {
    let clusters = layout.currentClusters(view, store, painter)
    let (t, art) = (ViewTransform(view), MarkerArt(painter: painter))
    var parts: [PixelRect] = []
    for item in clusters.items {
      let members = clusters.numbers(of: item)
      guard members.contains(where: { numbers.contains($0) }),
        let marker = store[item.first]?.marker,
        let picture = MarkerLayout.picture(item.count, marker, art, pictures)
      else { continue }
      let at = t.pixel(of: item.place)
      parts.append(
        PixelRect(
          x: at.x - picture.anchorX, y: at.y - picture.anchorY, width: picture.image.width,
          height: picture.image.height))
      if members.contains(first) { parts.swapAt(0, parts.count - 1) }
    }
    return parts
  }

  /// The view moved so that the middle of a part of it is that of another one.
  private static func moved(_ view: Viewport, _ part: PixelRect, _ to: PixelRect) -> Viewport {
    let scale = 2 * Double(view.scale)
    return view.panned(
      dx: Double(part.x + part.maxX - to.x - to.maxX) / scale,
      dy: Double(part.y + part.maxY - to.y - to.maxY) / scale)
  }
}
