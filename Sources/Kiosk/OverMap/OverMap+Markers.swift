import Configuration
import Control
import MapGeometry
import MapOverlays
import MapScene
import Pixels

/// Markers over the map, and what touches and buttons hit.
extension OverMap {
  // MARK: Markers

  var markerStore: MarkerStore { markers.store }

  /// The tables of the markers set over the socket, in the markers' order.
  var addedTables: [JSON] { table.tables(of: markers.store.all) }

  func isAdded(_ id: String) -> Bool { table.isAdded(id) }

  /// Adds a marker, or replaces the one with its id.
  ///
  /// `table` is the one with which it was set over the socket.
  ///
  /// - Throws: `MarkerError` if there is no room for it.
  func set(_ marker: Configuration.Marker, table: JSON) throws(MarkerError) {
    // What is refused leaves nothing behind.
    try self.table.checkRoom(for: marker)
    try markers.set(Marker(marker, in: languages.ofTexts))
    try self.table.translate(marker)
    self.table.set(marker.id, table)
    outbox.add(.picture)
    outbox.tell(.marker(marker.id, .set))
  }

  /// Removes a marker. False if there is none with that id.
  func removeMarker(_ id: String) -> Bool {
    guard markers.remove(id) else { return false }
    table.remove(id)
    outbox.add(.picture)
    outbox.tell(.marker(id, .removed))
    return true
  }

  /// Replaces the configured markers `old` by `new` (see `MarkerTable.merge`).
  func applyMarkers(_ new: [Configuration.Marker], before old: [Configuration.Marker]) {
    guard let merged = table.merge(new, before: old, in: markers.store, languages.ofTexts) else {
      return
    }
    let before = markers.store.all
    let selected = markers.selected
    markers.removeAll()
    var refused: MarkerError?
    for marker in merged {
      do throws(MarkerError) { try markers.set(marker) } catch { refused = error }
    }
    markers.select(selected)
    outbox.note("markers", .warning, refused.map { "\($0)" })
    outbox.add(.picture)
    tellMarkers(since: before)
  }

  /// Shows the markers' labels and texts in the present language.
  func translateMarkers() {
    for marker in table.translated where markers.store[marker.id] != nil {
      // There is room for one language of each; what is not shown stays in the last one.
      try? markers.set(Marker(marker, in: languages.ofTexts))
    }
  }

  /// Announces how the markers differ from those before.
  private func tellMarkers(since before: [Marker]) {
    let former = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    for marker in before where markers.store[marker.id] == nil {
      outbox.tell(.marker(marker.id, .removed))
    }
    for marker in markers.store.all where former[marker.id] != marker {
      outbox.tell(.marker(marker.id, .set))
    }
  }

  /// What the pins of "here" on the screen cover, in view pixels.
  func heresShown(in view: Viewport) -> [PixelRect] {
    let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    return markers.hereBoxes(in: view).filter { $0.intersects(screen) }
  }

  /// The same once the view is at another place, with its zoom and bearing.
  func heresShown(in view: Viewport, from place: Viewport) -> [PixelRect] {
    var there = view
    (there.center, there.zoom, there.bearing) = (place.center, place.zoom, place.bearing)
    return heresShown(in: there)
  }

  /// The pins of "here".
  func herePins(in view: Viewport) -> [LineRoom.Pin] {
    let scale = Double(view.scale)
    return markers.hereBoxes(in: view).map { box in
      let height = Double(box.height) * MarkerLayer.hereHead
      return LineRoom.Pin(
        x: Double(box.x + box.width / 2) / scale, y: (Double(box.y) + height) / scale,
        height: height / scale, side: Double(box.width) / 2 / scale,
        depth: (Double(box.height) - height) / scale)
    }
  }

  // MARK: Taps and selection

  /// What a tap or a button hit.
  enum Hit {
    case nothing
    /// A callout was opened or closed.
    case callout
    /// A cluster: the ids of its markers.
    case cluster([String])
  }

  /// Handles a tap at the point (x, y) of `view`, in points.
  func tap(x: Double, y: Double, in view: Viewport) -> Hit {
    // The hit test uses the layout, so bring it up to date.
    dropFocus()
    layOut(view)
    if markers.isCallout(x: x, y: y) { return turnPage() || closeCallout() ? .callout : .nothing }
    guard let hit = markers.hit(x: x, y: y) else {
      closeCallout()
      return .nothing
    }
    return choose(hit, .tapped)
  }

  /// Selects the next of the markers around the centre of `view`, from the nearest outwards. After
  /// the last one, closes the callout.
  func selectNext(in view: Viewport) -> Hit {
    layOut(view)
    if turnPage() { return .callout }
    let near = stops(in: view)
    guard let first = near.first else { return closeCallout() ? .callout : .nothing }
    guard let current = index(in: near) else { return choose(first, .selected) }
    let rest = near[(current + 1)...]
    if let next = rest.first { return choose(next, .selected) }
    closeCallout()
    return .callout
  }

  var markerSelected: String? { markers.selected }

  /// Shows the next page of the callout. False if there is none.
  func turnPage() -> Bool {
    guard markers.turnPage() else { return false }
    outbox.add(.picture)
    return true
  }

  /// How far the map must move to the right and down, in points, so that the callout and its marker
  /// are whole in `view`, for which the plates are laid out; nil: not at all.
  func shiftForCallout(_ view: Viewport) -> (x: Double, y: Double)? {
    layOut(view)
    guard let shift = markers.shiftForCallout(view, avoiding: hud.rects) else { return nil }
    return (Double(shift.x) / Double(view.scale), Double(shift.y) / Double(view.scale))
  }

  /// The view in which the markers of a cluster stand apart in the largest part of the screen that
  /// the plates leave; nil: there is none.
  func viewApart(_ ids: [String], from view: Viewport, maxZoom: Double) -> Viewport? {
    scalePainter(view)
    let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    let room = LineRoom.largest(in: screen, clearOf: plates)
    return markers.viewApart(
      ids, from: view, in: room.isEmpty ? screen : room, maxZoom: maxZoom)
  }

  func choose(_ hit: MarkerLayer.Hit, _ how: KioskEvent.MarkerChange) -> Hit {
    switch hit {
    case .cluster(let ids, _): return .cluster(ids)
    case .marker(let id):
      select(id, how)
      return .callout
    }
  }

  /// Opens the callout of the marker `id` in place of a map key, or closes it if it is open.
  func select(_ id: String, _ how: KioskEvent.MarkerChange) {
    if markers.selected == id {
      closeCallout()
      return
    }
    _ = showMapKey(false)
    markers.select(id)
    outbox.add(.picture)
    outbox.tell(.marker(id, how))
  }

  /// Closes the callout. False if none is open.
  @discardableResult
  func closeCallout() -> Bool {
    guard let id = markers.selected else { return false }
    markers.select(nil)
    outbox.add(.picture)
    outbox.tell(.marker(id, .closed))
    return true
  }
}
