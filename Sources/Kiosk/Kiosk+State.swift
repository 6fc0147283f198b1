import Configuration
import Control
import EventLoop
import MapGeometry
import Platform

/// The state that outlasts a restart.
extension Kiosk {
  /// What would be saved now.
  var savedState: SavedState {
    let goal = view.goal
    var state = SavedState(
      lat: goal.center.lat, lon: goal.center.lon, zoom: goal.zoom, bearing: goal.bearing,
      source: activeSource,
      added: configuration.state.keepAdded
        ? sources.filter(\.added).compactMap { addedTables[$0.spec.name] } : [],
      markers: configuration.state.keepAdded
        ? markers.store.all.compactMap { addedMarkers[$0.id] } : [])
    saveOverlays(in: &state)
    state.trustedSources = names(state.added) { entry($0)?.spec.trust == .anywhere }
    state.trustedOverlays = names(state.addedOverlays) { name in
      overlays.first { $0.spec.name == name }?.spec.trust == .anywhere
    }
    state.theme = theme.chosen?.rawValue
    return state
  }

  /// The names of `tables` for which `holds` is true.
  private func names(_ tables: [JSON], where holds: (String) -> Bool) -> [String] {
    tables.compactMap { $0["name"]?.string }.filter(holds)
  }

  /// Something that is saved changed: it is written within `state.write_every`.
  package func stateChanged() {
    guard configuration.state.path != nil else { return }
    if stateTimer == nil { stateTimer = loop.timer { [unowned self] in saveState() } }
    if stateTimer?.isArmed == false {
      stateTimer?.arm(after: UInt64(max(configuration.state.writeEvery, 0.1) * 1e9))
    }
  }

  /// Writes the state if it differs from what was written last: whole or not at all.
  public func saveState() {
    stateTimer?.cancel()
    guard let path = configuration.state.path else { return }
    let state = savedState
    if state == writtenState { return }
    do throws(FileError) {
      try FileIO.replace(path, with: Array(state.json.text.utf8) + [10])
      writtenState = state
      reportHealth("state", .warning, nil)
    } catch {
      reportHealth("state", .warning, "\(error); the view will not outlast a restart")
    }
  }

  /// Takes up where the last run ended, where that can be read.
  public func restoreState() {
    guard configuration.state.restore, let path = configuration.state.path,
      let bytes = try? FileIO.read(path, limit: SavedState.maxBytes),
      let json = try? JSON.parse(bytes), let state = SavedState(json)
    else { return }
    writtenState = state
    if configuration.state.keepAdded {
      for table in state.added {
        _ = try? addSource(table, trusted: state.isTrusted(source: table))
      }
      for table in state.markers { _ = try? setMarker(table) }
    }
    if let name = state.source { _ = use(name) }
    restoreOverlays(state)
    if let mode = state.theme.flatMap({ Configuration.Theme.Mode(rawValue: $0) }) { setTheme(mode) }
    var new = view.goal
    new.center = GeoPoint(lat: state.lat, lon: state.lon)
    new.zoom = state.zoom
    new.bearing = Viewport.wrapBearing(state.bearing)
    go(to: new, animate: false)
    stateTimer?.cancel()
  }
}
