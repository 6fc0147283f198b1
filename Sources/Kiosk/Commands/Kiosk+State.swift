import Configuration
import Control
import Glibc
import MapGeometry
import Platform

/// What survives a restart.
extension Kiosk {
  /// The state as it would be saved now.
  var savedState: SavedState {
    let goal = tour.before?.view ?? view.goal
    let keepsAdded = states.keepsAdded
    var state = SavedState(
      lat: goal.center.lat, lon: goal.center.lon, zoom: goal.zoom, bearing: goal.bearing,
      source: tour.before?.source ?? book.sources.active)
    if keepsAdded {
      state.added = sources.filter(\.added).compactMap(\.table)
      state.markers = overMap.addedTables
      state.notices = noticeBoard.addedTables
      state.addedOverlays = overlays.filter(\.added).compactMap(\.table)
      state.trustedSources = sources.filter { $0.added && $0.spec.trust == .anywhere }
        .map(\.name)
      state.trustedOverlays = overlays.filter { $0.added && $0.spec.trust == .anywhere }
        .map(\.spec.name)
    }
    state.overlays = overlays.filter {
      !$0.name.hasPrefix(NoticeBoard.prefix) && (keepsAdded || !$0.added)
    }.map {
      let isMoved = $0.spec.level != $0.original.level
      return SavedOverlay(
        name: $0.name, isShown: tour.former($0.name, isShown: $0.isShown),
        level: isMoved ? $0.spec.level.rawValue : "")
    }
    if let entry = activeEntry, entry.origin == .medium {
      state.medium = MissedPack(name: entry.name, path: entry.path)
    } else {
      state.medium = media.missed
    }
    state.configuredOverlays = configuration.overlays.map(\.name)
    state.theme = theme.chosen?.rawValue
    return state
  }

  /// Writes the state if it has changed since the last write, atomically, and waits for that. Waits
  /// at most a few seconds, since the medium may hang. If it cannot be written, the health says so
  /// before this returns.
  public func saveState() {
    keepState()
    states.finish()
    if states.isWriting {
      outbox.note("state", .warning, StateStore.hanging)
    }
    // At the end of the program no frame follows that would announce it.
    takeNotes()
    outbox.announce()
  }

  /// Writes the state on another thread, but not over one that could not be read yet.
  func keepState() {
    if states.isKept, !stateReading.isUnderWay { states.save(savedState) }
  }

  /// Restores the last run's state, if it can be read. If its medium hangs, the configured view is
  /// shown until it answers, and nothing is written to it.
  public func restoreState() {
    let settings = configuration.state
    guard settings.restore, let path = settings.path else { return }
    let looks = book.files.looks
    stateReading.begin(
      on: loop,
      {
        _ = looks.stamp([path])
        _ = try? FileIO.read(path, limit: SavedState.maxBytes)
      },
      then: { [weak self] isLate in
        guard let self else { return }
        if isLate { outbox.note("state", .warning, nil) }
        if configuration.state.path == path { takeState(path) }
        // What changed meanwhile was not written.
        if isLate { states.changed() }
      })
    if stateReading.isUnderWay { outbox.note("state", .warning, StateStore.hanging) }
  }

  private func takeState(_ path: String) {
    guard let state = states.load() else { return }
    if states.keepsAdded {
      book.overlays.restoring { restoreAdded(state) }
    }
    if let name = state.source { _ = use(name) }
    // Its medium is found later.
    if let medium = state.medium { media.miss(medium) }
    book.overlays.restore(
      state.overlays,
      isSameConfiguration: state.configuredOverlays == configuration.overlays.map(\.name))
    if let mode = state.theme.flatMap({ Configuration.Theme.Mode(rawValue: $0) }) { setTheme(mode) }
    var new = view.goal
    new.center = GeoPoint(lat: state.lat, lon: state.lon)
    new.zoom = state.zoom
    new.bearing = Viewport.wrapBearing(state.bearing)
    go(to: new, animate: false)
    // The state just restored need not be written, unless its file was damaged and is gone: the
    // next start would take that for the wish to begin anew.
    _ = outbox.take(.state)
    if access(path, F_OK) != 0 { states.changed() }
  }

  /// Adds again what had been added over the socket.
  private func restoreAdded(_ state: SavedState) {
    // Their paths were checked when they were added, and every opening enforces the roots.
    restore("source", state.added) { table throws(ControlError) in
      _ = try addSource(table, trusted: state.isTrusted(source: table), isNew: false)
    }
    restore("marker", state.markers) { table throws(ControlError) in _ = try setMarker(table) }
    restore("notice", state.notices) { table throws(ControlError) in
      _ = try setNotice(table, isNew: false)
    }
    restore("overlay", state.addedOverlays) { table throws(ControlError) in
      _ = try addOverlay(table, trusted: state.isTrusted(overlay: table), isNew: false)
    }
  }

  /// Adds again what `tables` had added, and says in the log what is refused now.
  private func restore(
    _ what: String, _ tables: [JSON], add: (JSON) throws(ControlError) -> Void
  ) {
    for table in tables {
      do throws(ControlError) {
        try add(table)
      } catch {
        let name = (table["name"] ?? table["id"])?.string ?? ""
        outbox.log(.warning, "state: \(what) \(name) is not restored: \(error.message)")
      }
    }
  }
}
