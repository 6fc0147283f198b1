import Configuration
import Control
import EventLoop
import MapGeometry
import MapOverlays
import MapScene
import Platform

/// Places with a name.
extension Kiosk {
  /// What was done with a marker.
  public enum MarkerChange: String, Sendable {
    /// It was put on the map, or another in its place.
    case set
    case removed
    /// It was tapped, or a button chose it: what it says is shown.
    case tapped
    case selected
    /// What it says is no longer shown.
    case closed
  }

  /// How many markers around the middle of the screen a button goes through.
  static let mostSelected = 8

  /// Puts a marker on the map as a `[[marker]]` table would, in the place of the one of its id.
  package func setMarker(_ table: JSON) throws(ControlError) -> Marker {
    let origin = ConfigValue.Origin(file: "marker.set", directory: nil)
    let (marker, findings) = parseMarker(ConfigValue(table, origin: origin))
    guard let marker else {
      let errors = findings.filter { $0.severity == .error }
      throw ControlError(
        code: ControlError.invalidParams,
        message: errors.map(\.text).joined(separator: "; "),
        data: [
          "parameter": .string(markerCulprit(errors.first?.line ?? 1, table)),
          "findings": .array(errors.map { .string($0.text) }),
        ])
    }
    do throws(MarkerError) {
      try markers.set(Marker(marker))
    } catch {
      throw ControlError(
        code: ControlError.notAvailable, message: "\(error)", data: ["id": .string(marker.id)])
    }
    addedMarkers[marker.id] = table
    changed()
    if configuration.state.keepAdded { stateChanged() }
    onEvent?(.marker(marker.id, .set))
    return Marker(marker)
  }

  /// The parameter that a finding at `line` is about.
  private func markerCulprit(_ line: Int, _ table: JSON) -> String {
    let keys = table.object?.members.map(\.key) ?? []
    if line >= 2, line - 2 < keys.count { return NearestName.shorten(keys[line - 2]) }
    return ["id", "lat", "lon"].first { !keys.contains($0) } ?? "id"
  }

  /// Takes a marker off the map; false where there is none of that id.
  package func removeMarker(_ id: String) -> Bool {
    guard markers.remove(id) else { return false }
    addedMarkers[id] = nil
    changed()
    if configuration.state.keepAdded { stateChanged() }
    onEvent?(.marker(id, .removed))
    return true
  }

  /// Makes the configured markers those of `new`; those that were set over the socket stay, unless
  /// the configuration has one of that id. Configured ones that were removed over the socket come back.
  func applyMarkers(_ new: [Configuration.Marker], before old: [Configuration.Marker]) {
    let added = addedMarkers
    if new == old, new.allSatisfy({ added[$0.id] == nil && markers.store[$0.id] != nil }) { return }
    let before = markers.store.all
    let ids = Set(new.map(\.id))
    let kept = markers.store.all.filter { added[$0.id] != nil && !ids.contains($0.id) }
    let selected = markers.selected
    markers.removeAll()
    var refused: MarkerError?
    for marker in new.map(Marker.init) + kept {
      do throws(MarkerError) { try markers.set(marker) } catch { refused = error }
    }
    for id in added.keys where ids.contains(id) { addedMarkers[id] = nil }
    markers.select(selected)
    reportHealth("markers", .warning, refused.map { "\($0)" })
    changed()
    tellMarkers(since: before)
  }

  /// Tells what became of the markers that there were.
  private func tellMarkers(since before: [Marker]) {
    guard let onEvent else { return }
    let former = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    for marker in before where markers.store[marker.id] == nil {
      onEvent(.marker(marker.id, .removed))
    }
    for marker in markers.store.all where former[marker.id] != marker {
      onEvent(.marker(marker.id, .set))
    }
  }

  // MARK: Tapping and selecting

  /// A finger tapped at the point (x, y). Whether there was something to tap.
  @discardableResult
  func tapMarker(x: Double, y: Double) -> Bool {
    guard let hit = markers.hit(x: x, y: y) else {
      closeCallout()
      return false
    }
    choose(hit, .tapped)
    return true
  }

  /// Goes through the markers around the middle of the screen, the nearest first; behind the last one
  /// the callout is closed. False where there are none.
  func selectMarker() -> Bool {
    let near = markers.nearest(Kiosk.mostSelected)
    guard let first = near.first else {
      let wasOpen = markers.selected != nil
      closeCallout()
      return wasOpen
    }
    let current = near.firstIndex { hit in
      switch hit {
      case .marker(let id): id == markers.selected
      case .cluster(let ids, _): ids.first == markers.selected
      }
    }
    guard let current else {
      choose(first, .selected)
      return true
    }
    let rest = near[(current + 1)...]
    if let next = rest.first { choose(next, .selected) } else { closeCallout() }
    return true
  }

  func closeCallout() {
    guard let id = markers.selected else { return }
    markers.select(nil)
    changed()
    onEvent?(.marker(id, .closed))
  }

  private func choose(_ hit: MarkerLayer.Hit, _ how: MarkerChange) {
    switch hit {
    case .marker(let id):
      if markers.selected == id {
        // A second tap puts the bubble away.
        closeCallout()
        return
      }
      markers.select(id)
      changed()
      onEvent?(.marker(id, how))
    case .cluster(let ids, let box):
      // Closer, until they stand apart.
      let limit = min(view.limits.maxZoom, view.goal.zoom + 4)
      var to = view.goal.fitting(
        box, padding: 64, minZoom: view.goal.zoom + 1, maxZoom: max(limit, view.goal.zoom))
      to.zoom = min(to.zoom.rounded(.down), limit)
      if to.zoom <= view.goal.zoom {
        // They never will.
        guard let first = ids.first else { return }
        if markers.selected == first {
          closeCallout()
        } else {
          markers.select(first)
          changed()
          onEvent?(.marker(first, how))
        }
        return
      }
      closeCallout()
      go(to: to, animate: true)
    }
  }
}

extension Marker {
  /// The marker as the configuration has it.
  init(_ marker: Configuration.Marker) {
    self.init(
      id: marker.id, place: marker.place, label: marker.label ?? "", text: marker.text ?? "",
      color: marker.color.map(\.word), icon: marker.icon ?? .pin)
  }
}

extension Color {
  /// 0xAARRGGBB, not premultiplied.
  var word: UInt32 {
    UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  package init(word: UInt32) {
    self.init(
      red: UInt8(word >> 16 & 255), green: UInt8(word >> 8 & 255), blue: UInt8(word & 255),
      alpha: UInt8(word >> 24))
  }
}
