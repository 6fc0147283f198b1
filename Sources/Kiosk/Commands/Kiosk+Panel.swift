import Configuration
import EventLoop
import Features
import Glibc
import MapGeometry
import MapOverlays
import Pixels

/// The panel beside the map: the card of the selected line, else the map key.
extension Kiosk {
  /// How many features of an overlay are looked at for the map key.
  static let mostKeyFeatures = 4096
  /// From one map key to the next while the map moves, in nanoseconds.
  static let keyPause: UInt64 = 250_000_000
  /// How many signs a map key has at most.
  static let mostKeyItems = 64

  /// Whether the map key on the screen is out of date: made for another view or other markers, or
  /// before all tiles came.
  var isKeyLate: Bool {
    shownKey.key != nil && !view.isMoving
      && (shownKey.view != shownView || shownKey.markers != overMap.markerStore.version
        || !shownKey.isWhole && isMapWhole)
  }

  /// Whether the last plan is that of this view, and all its tiles were there.
  var isMapWhole: Bool { pipeline.scene.isComplete && !isElsewhere }

  /// Has a key that was made while tiles were missing made again, now that all are drawn.
  func followMapKey() {
    if shownKey.key != nil, !shownKey.isWhole, isMapWhole {
      overMap.later.follow(at: shownKey.at &+ Kiosk.keyPause)
    }
  }

  /// Where the position is; nil: it is unknown.
  var positionPlace: GeoPoint? {
    view.position.state.fix == nil ? nil : view.position.state.endPlace
  }

  /// Whether fixes have stopped coming; nil: there was none, or it is not on the screen.
  private func isPositionLost(at now: UInt64) -> Bool? {
    guard let place = positionPlace, overMap.isSeen(place, in: shownView) else { return nil }
    return view.position.state.isLost(at: now)
  }

  /// Decides what the panel shows.
  func updatePanel() {
    let units = overMap.hudSettings.units.scaleBar
    if selection.line != nil {
      // The card takes the key's place. A key that is not shown must not be waited for.
      shownKey.key = nil
      selection.follow(positionPlace)
      return overMap.setPanel(selection.card(overMap.words, units).map { .trail($0) })
    }
    // A key beside a callout would hide the marker that it points at, or lie under it.
    let isKey =
      !overMap.isCalloutOpen && (overMap.isKeyAsked || overMap.hudSettings.mapKey)
    guard isKey else {
      shownKey = ShownKey()
      return overMap.setPanel(nil)
    }
    // The key does not change during an animation, and only now and then while a finger or the
    // position moves the map: finding all signs in view is too slow for every frame.
    let now = EventLoop.now()
    let isLost = isPositionLost(at: now)
    if shownKey.key == nil || shownKey.view == nil || shownKey.isLost != isLost
      || isKeyLate && now >= shownKey.at &+ Kiosk.keyPause
    {
      let former = shownKey.key
      shownKey = ShownKey(
        key: makeKey(), obstacles: keyObstacles(), view: shownView, at: now, isWhole: isMapWhole,
        markers: overMap.markerStore.version, isLost: isLost)
      dropHiddenSigns()
      // The reader's page stays, unless there is something else to list.
      if let former, former.items == shownKey.key?.items { shownKey.key?.first = former.first }
    } else if isKeyLate {
      overMap.later.follow(at: shownKey.at &+ Kiosk.keyPause)
    }
    // A key without a sign explains nothing.
    setKeyPanel()
  }

  /// Shows the next page of the map key on the screen. Returns false if it shows the last one.
  func turnKey() -> Bool {
    guard let next = overMap.nextKeyPage else { return false }
    showKey(from: next)
    return true
  }

  /// Shows the first page of the map key on the screen. Returns false if it shows that.
  func turnKeyBack() -> Bool {
    guard let key = shownKey.key, key.first > 0 else { return false }
    showKey(from: 0)
    return true
  }

  private func showKey(from first: Int) {
    shownKey.key?.first = first
    setKeyPanel()
    outbox.add(.picture)
  }

  private func setKeyPanel() {
    let panel = shownKey.key.flatMap { $0.items.isEmpty ? nil : Panel.key($0) }
    overMap.setPanel(panel, clearOf: shownKey.obstacles)
  }

  /// Leaves out of the key what only the key itself hides. What is listed depends on where the key
  /// is, and that on what is listed; so it is laid out once with all signs, and then without those
  /// that it hides there, which do not count any more for its place. What that uncovers is listed
  /// again. If the key left its place, all is.
  private func dropHiddenSigns() {
    guard let all = shownKey.key, !all.items.isEmpty, let panel = layOutKey() else { return }
    let seen = makeKey(beside: panel)
    // A key without a sign would not be shown, and then hide nothing.
    if seen == all || seen.items.isEmpty { return }
    let obstacles = shownKey.obstacles
    shownKey.key = seen
    shownKey.obstacles = obstacles.flatMap { $0.parts(outside: panel) }
    if let smaller = layOutKey(), smaller.intersection(panel) == smaller {
      shownKey.key = makeKey(beside: smaller)
    } else {
      (shownKey.key, shownKey.obstacles) = (all, obstacles)
    }
  }

  /// Lays the key out among the plates. Returns what it covers, in view pixels; nil: it has no
  /// room.
  private func layOutKey() -> PixelRect? {
    setKeyPanel()
    overMap.layOutPlates(
      shownView, attribution: book.attribution(at: shownView.zoom),
      position: view.position.picture(at: EventLoop.now()))
    return overMap.panelRect
  }

  /// What the map key's place keeps clear of. While the position carries the map, the key stays
  /// where it is.
  private func keyObstacles() -> [PixelRect] {
    if isCarried, shownKey.key != nil { return shownKey.obstacles }
    let shown = book.overlays.inOrder.filter { $0.isShown && shownView.zoom >= $0.spec.minZoom }
    return overMap.keyObstacles(
      of: shown.compactMap { book.overlays.drawing(of: $0) }, in: shownView)
  }

  /// Lays out the plates as they are once the view rests at `place`, with what the panel shows by
  /// now: what the map moves for depends neither on the frame nor on when it is drawn. If `leaves`,
  /// the view does not follow the position there.
  func layOutPlates(in place: Viewport, leavesPosition leaves: Bool = false) {
    updatePanel()
    var position = view.position.picture(at: EventLoop.now())
    if leaves { position?.isFollowed = false }
    overMap.layOutPlates(
      place, attribution: book.attribution(at: place.zoom, elsewhere: true), position: position)
  }

  /// The signs in view with their meanings: the position, overlays from the topmost down, markers,
  /// what the base map shows. What of overlays and markers is only under the key at `panel` is left
  /// out.
  func makeKey(beside panel: PixelRect? = nil) -> MapKey {
    let words = overMap.words
    var found = KeyItems(theme.picture, words)
    if let isLost = isPositionLost(at: EventLoop.now()) {
      found.add(.position(isLost: isLost), words(isLost ? .keyLastPosition : .keyPosition))
    }
    let bounds = shownView.bounds
    let seen = overMap.seenPatches(in: shownView, beside: panel)
    for entry in book.overlays.inOrder.reversed()
    where entry.isShown && shownView.zoom >= entry.spec.minZoom {
      guard let drawing = book.overlays.drawing(of: entry) else { continue }
      let title = OverlayTitle.of(entry.spec, drawing.features, in: words)
      found.add(
        drawing.signs(in: bounds, seen: seen, most: Kiosk.mostKeyFeatures), title: title,
        ramp: entry.spec.colorBy.map { ramp(by: $0, drawing.features.ramp, title) })
    }
    let looks = overMap.looks(in: shownView, beside: panel)
    found.add(looks.markers) { overMap.name(of: $0) }
    if let count = looks.cluster { found.add(.cluster(count), words(.keyCluster)) }
    let items = found.all + baseItems()
    let shown = Array(items.prefix(Kiosk.mostKeyItems))
    return MapKey(
      title: words(.mapKey), items: shown, rest: words(.moreSigns, "{0}"),
      others: items.count - shown.count)
  }

  /// The colours along the tracks of an overlay, with what they stand for.
  private func ramp(
    by key: Configuration.Overlay.ColorBy, _ ramp: FeatureRamp?, _ title: String
  ) -> MapKey.Item {
    let words = overMap.words
    let what = words(key == .speed ? .keySpeed : .keyElevation)
    let ends = ramp.map { RampKey($0, units: overMap.hudSettings.units.scaleBar, words) }
    let sign = MapKey.Sign.ramp(
      FeatureDrawing.rampColors, least: ends?.least ?? "", most: ends?.most ?? "")
    return MapKey.Item(sign, title.isEmpty ? what : "\(title): \(what)")
  }
}
