import MapGeometry
import MapOverlays
import MapScene

/// The focus of the buttons: what `select` opens. It is seen as a ring.
extension OverMap {
  /// Moves the focus to the next of the markers and clusters around the centre of `view`, from the
  /// nearest outwards, and closes what is open. False if there is none.
  func focusNext(in view: Viewport) -> Bool {
    layOut(view)
    let near = nearest
    guard let first = near.first else {
      dropFocus()
      return false
    }
    let present = focus ?? markerSelected.map { .marker($0) }
    closeCallout()
    guard let present, let i = near.firstIndex(where: { $0.isSame(as: present) }) else {
      setFocus(first)
      return true
    }
    setFocus(near[(i + 1) % near.count])
    return true
  }

  /// Whether the focus, or what is open, is the last of those that it goes over.
  func isFocusLast(in view: Viewport) -> Bool {
    layOut(view)
    guard let present = focus ?? markerSelected.map({ .marker($0) }) else { return false }
    return nearest.last?.isSame(as: present) ?? false
  }

  /// Opens what the focus is on. Nil if it is on nothing.
  func selectFocused(in view: Viewport) -> Hit? {
    layOut(view)
    guard let focus, let hit = nearest.first(where: { $0.isSame(as: focus) }) else {
      dropFocus()
      return nil
    }
    if case .cluster = hit { dropFocus() }
    return choose(hit, .selected)
  }

  /// Takes the focus away. False if it was nowhere.
  @discardableResult
  func dropFocus() -> Bool {
    guard focus != nil else { return false }
    setFocus(nil)
    return true
  }
}

extension MarkerLayer.Hit {
  /// Whether both are the same marker, or clusters that begin with the same one.
  func isSame(as other: MarkerLayer.Hit) -> Bool {
    switch (self, other) {
    case (.marker(let a), .marker(let b)): a == b
    case (.cluster(let a, _), .cluster(let b, _)): a.first == b.first
    default: false
    }
  }
}
