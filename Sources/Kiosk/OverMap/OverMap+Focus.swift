import MapGeometry
import MapOverlays
import MapScene
import Pixels

/// The focus of the buttons: what `select` opens. It is seen as a ring.
extension OverMap {
  /// The free space between the ring and the plates, in points, once the map has moved for it.
  private static let ringGap = 4.0

  /// What the focus is on, or else the marker whose callout is open.
  private var present: MarkerLayer.Hit? { focus ?? markerSelected.map { .marker($0) } }

  /// Where the focus, or what is open, is among `stops`.
  func index(in stops: [MarkerLayer.Hit]) -> Int? {
    present.flatMap { present in stops.firstIndex { $0.isSame(as: present) } }
  }

  /// The stops of the round that is under way, or else of a new one around the centre of `view`.
  func stops(in view: Viewport) -> [MarkerLayer.Hit] {
    layOut(view)
    let there = round.stops.compactMap { markers.current($0) }
    return index(in: there) == nil ? beginRound(in: view) : there
  }

  private func beginRound(in view: Viewport) -> [MarkerLayer.Hit] {
    let stops = markers.nearest(OverMap.mostSelected)
    round.begin(stops, in: view, version: markers.store.version)
    return stops
  }

  /// Moves the focus to the next of the markers and clusters around the centre of `view`, from the
  /// nearest outwards, and closes what is open. False if there is none.
  func focusNext(in view: Viewport) -> Bool {
    var all = stops(in: view)
    var next = index(in: all).map { $0 + 1 } ?? 0
    if next == all.count, round.version != markers.store.version {
      // Markers that came meanwhile have their turn after the others.
      all = beginRound(in: view)
      next = index(in: all) == 0 ? 1 : 0
    }
    if all.isEmpty {
      dropFocus()
      return false
    }
    closeCallout()
    setFocus(all[next % all.count])
    return true
  }

  /// Whether the focus, or what is open, is the last of those that it goes over.
  func isFocusLast(in view: Viewport) -> Bool {
    guard present != nil else { return false }
    let all = stops(in: view)
    return index(in: all) == all.count - 1
  }

  /// Shows the next page of the open callout; after the last one, opens or closes what the focus is
  /// on. Nil if it is on nothing.
  func selectFocused(in view: Viewport) -> Hit? {
    layOut(view)
    if markers.selected != nil, turnPage() { return .callout }
    guard let focus else { return nil }
    guard let hit = markers.current(focus) else {
      dropFocus()
      return nil
    }
    if case .cluster = hit { dropFocus() }
    return choose(hit, .selected)
  }

  /// Takes the focus away, and ends the round. False if it was nowhere.
  @discardableResult
  func dropFocus() -> Bool {
    round.end()
    guard focus != nil else { return false }
    setFocus(nil)
    return true
  }

  /// Draws the ring of the focus. An open callout shows by itself what it belongs to. `goal` is
  /// where the view moves to; nil: it rests.
  func showFocus(_ view: Viewport, goal: Viewport?) {
    var sprites: [Sprite] = []
    if let focus {
      let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
      if let box = markers.box(of: focus) {
        if markers.selected == nil { sprites = ring.sprites(around: box, on: screen) }
      } else if !comes(focus, onto: screen, with: goal) {
        // It left the screen, or was removed.
        setFocus(nil)
      }
    }
    stack.replace(.focus, with: sprites)
  }

  /// Whether the movement to `goal` brings what the focus is on onto the screen.
  private func comes(
    _ focus: MarkerLayer.Hit, onto screen: PixelRect, with goal: Viewport?
  ) -> Bool {
    guard let goal, markers.current(focus) != nil else { return false }
    return markers.box(of: focus, in: goal)?.intersects(screen) ?? false
  }

  /// How far the map must move to the right and down, in points, so that the ring of the focus is
  /// seen in `view`, for which the plates are laid out; nil: not at all.
  func shiftForFocus(_ view: Viewport) -> (x: Double, y: Double)? {
    guard let focus, let box = markers.box(of: focus, in: view) else { return nil }
    let shift = FocusRoom.shift(
      box.widened(by: ring.reach), gap: painter.px(OverMap.ringGap),
      on: PixelRect(x: 0, y: 0, width: view.width, height: view.height), clearOf: plates)
    return shift.map { (Double($0.x) / Double(view.scale), Double($0.y) / Double(view.scale)) }
  }
}
