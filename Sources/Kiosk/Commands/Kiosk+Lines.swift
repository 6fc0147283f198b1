import Configuration
import Features
import Glibc
import MapGeometry
import MapOverlays

/// Selecting lines of overlays: by a tap, by buttons and over the socket.
extension Kiosk {
  /// How many lines around the centre buttons step through.
  static let mostLines = 16
  /// How many lines of an overlay are looked at to find those.
  static let mostLinesSeen = 256

  /// A line of an overlay, as the selection keeps it.
  private func line(_ entry: OverlayEntry, _ drawing: FeatureDrawing, _ feature: Int)
    -> LineSelection.Line
  {
    let spec = entry.spec
    var travel: TravelTime?
    switch spec.travel {
    case .hiking: travel = TravelTime(.hiking, speed: spec.travelSpeed)
    case .cycling: travel = TravelTime(.cycling, speed: spec.travelSpeed)
    case .none: break
    }
    let title = OverlayTitle.of(spec, drawing.features, in: overMap.words)
    return LineSelection.Line(
      overlay: spec.name, overlayTitle: title.isEmpty ? spec.name : title, drawing: drawing,
      features: drawing.line(of: feature), travel: travel, properties: spec.cardProperties)
  }

  /// The overlays whose lines can be selected, the topmost first.
  private var lineOverlays: [(entry: OverlayEntry, drawing: FeatureDrawing)] {
    book.overlays.inOrder.reversed().compactMap { entry in
      guard entry.isShown, shownView.zoom >= entry.spec.minZoom,
        let drawing = book.overlays.drawing(of: entry)
      else { return nil }
      return (entry, drawing)
    }
  }

  // MARK: Touch

  /// Handles a tap at the point (x, y) of the view, in points.
  func tap(x: Double, y: Double) {
    let view = shownView
    if overMap.isOnPanel(x: x, y: y, in: view) {
      if !turnKey() { _ = turnKeyBack() }
      return
    }
    if overMap.turnNotices(x: x, y: y, in: view) { return }
    if tapPlate(x: x, y: y) { return }
    let before = overMap.isCalloutOpen
    let hit = overMap.tap(x: x, y: y, in: view)
    if case .nothing = hit {
    } else {
      deselectLine()
      _ = overMap.showMapKey(false)
      take(hit, .tapped)
      return
    }
    if selectLine(at: view.world(x: x, y: y), view) { return }
    // A tap beside everything closes what is open.
    let wasKey = overMap.showMapKey(false)
    if deselectLine() || wasKey || before { return }
    take(hit, .tapped)
  }

  /// Selects the line nearest to a place of the view; the one that is selected already is closed.
  /// Returns whether one is so near.
  private func selectLine(at place: WorldPoint, _ view: Viewport) -> Bool {
    // The line is in the middle of its touch target.
    let radius = overMap.touchSize(in: view) / 2 / (256 * exp2(view.zoom))
    var best: (entry: OverlayEntry, drawing: FeatureDrawing, hit: LineHit)?
    for (entry, drawing) in lineOverlays {
      guard let hit = drawing.nearestLine(to: place, within: radius) else { continue }
      // Among lines that cross under the finger, prefer the topmost overlay's.
      if let best, best.hit.distance <= hit.distance + radius / 4 { continue }
      best = (entry, drawing, hit)
    }
    guard let best else { return false }
    let new = line(best.entry, best.drawing, best.hit.feature)
    if selection.isSelected(new.overlay, new.features) {
      deselectLine()
    } else {
      select(new, at: place)
    }
    return true
  }

  // MARK: Selection

  private func select(_ line: LineSelection.Line, at place: WorldPoint? = nil) {
    overMap.closeCallout()
    _ = overMap.showMapKey(false)
    if let former = selection.clear() { outbox.tell(.overlay(name: former, change: .deselected)) }
    selection.select(line, at: place)
    noteClosure()
    showSelection()
    outbox.tell(.overlay(name: line.overlay, change: .selected))
    showLineBesideCard()
  }

  /// Selects no line. Returns whether one was selected.
  @discardableResult
  func deselectLine() -> Bool {
    guard let overlay = selection.clear() else { return false }
    showSelection()
    outbox.tell(.overlay(name: overlay, change: .deselected))
    return true
  }

  /// Draws the selected line so that it stands out, in the theme's colours.
  private func showSelection() {
    let source = selection.line.map {
      HighlightSource($0.drawing, line: $0.features, theme: theme.picture)
    }
    book.highlight.show(source, over: selection.line?.overlay ?? "")
    let line = selection.line.map { SelectedLine($0.drawing, line: $0.features) }
    baseLabels.use(selected: line)
    overMap.setSelected(line)
  }

  /// Keeps the selection up to date with the overlays and the theme, once they changed.
  func checkSelection() {
    guard let line = selection.line else { return }
    guard let entry = book.overlays[line.overlay], entry.isShown,
      let drawing = book.overlays.drawing(of: entry)
    else {
      deselectLine()
      return
    }
    let first = line.features.lowerBound
    if drawing === line.drawing {
      showSelection()
    } else if drawing.features.features.count == line.drawing.features.features.count,
      drawing.line(of: first) == line.features,
      drawing.length(of: line.features) == line.drawing.length(of: line.features)
    {
      // The file was read again, in another language or with other closures.
      selection.select(self.line(entry, drawing, first), at: selection.chosenAt)
      selection.hasRoom()
      selection.keepRound([])
      noteClosure()
      showSelection()
    } else {
      deselectLine()
    }
  }

  /// Tells the selection which notices close its line.
  func noteClosure() {
    guard let line = selection.line else { return }
    selection.take(noticeBoard.closing(line.overlay, selection.names))
  }

  /// Selects nothing, as a tap beside everything would.
  package func clearSelection() { deselectLine() }

  /// Selects a feature of an overlay.
  ///
  /// - Parameters:
  ///   - overlay: The overlay's name.
  ///   - feature: The index of a line in its file; nil: the line called `name`, or else the one
  ///     nearest to the view's centre.
  ///   - name: The line's name, in any language that the file was read for.
  /// - Returns: Why it cannot be; nil: it is selected.
  package func selectLine(
    of overlay: String, feature: Int?, named name: String? = nil
  ) -> String? {
    guard let entry = book.overlays[overlay] else { return "no overlay \"\(overlay)\"" }
    guard let drawing = book.overlays.drawing(of: entry) else {
      return "\(overlay) has no features, or is not open yet"
    }
    let set = drawing.features
    let number: Int
    if let feature {
      guard set.features.indices.contains(feature) else {
        return "\(overlay) has features 0 to \(set.features.count - 1)"
      }
      number = feature
    } else if let name {
      let names = LineNames(set)
      guard let found = names.first(called: name) else {
        return names.refusal(of: name, in: overlay)
      }
      number = found
    } else {
      let middle = shownView.world(
        x: Double(shownView.width) / Double(shownView.scale) / 2,
        y: Double(shownView.height) / Double(shownView.scale) / 2)
      guard let hit = drawing.nearestLine(to: middle, within: 1) else {
        return "\(overlay) has no line"
      }
      number = hit.feature
    }
    guard set.features[number].partRange.contains(where: { set.parts[$0].kind == .line }) else {
      return "feature \(number) of \(overlay) is not a line"
    }
    // This counts as use: restart the return home, and end a tour that would fly on under the card.
    view.touched()
    endOrDelayTour()
    if book.overlays[overlay]?.isShown == false { _ = showOverlay(overlay, true) }
    let new = line(entry, drawing, number)
    if selection.isSelected(new.overlay, new.features) {
      // It may be out of view by now.
      selection.awaitRoom()
      showLineBesideCard()
    } else {
      select(new)
    }
    return nil
  }

  /// Selects the next line around the centre of the view, the nearest first; after the last one,
  /// none. Returns whether there was anything to select or to close.
  ///
  /// The lines stay the same until one round is over, for a selected line may move the map.
  func selectNextLine() -> Bool {
    let all = selection.line == nil ? linesAroundCentre() : selection.round
    let current = all.firstIndex { selection.isSelected($0.overlay, $0.features) }
    if selection.line != nil, current == nil { return deselectLine() }
    let rest = all[(current.map { $0 + 1 } ?? 0)...]
    guard let next = rest.first(where: isShown) else { return deselectLine() }
    select(next)
    selection.keepRound(all)
    return true
  }

  /// Whether a line is still that of an overlay on the map.
  private func isShown(_ line: LineSelection.Line) -> Bool {
    guard let entry = book.overlays[line.overlay] else { return false }
    return entry.isShown && book.overlays.drawing(of: entry) === line.drawing
  }

  /// The lines around the centre; if markers came first, around the same centre as those.
  private func linesAroundCentre() -> [LineSelection.Line] {
    let view = overMap.round.start ?? viewAtRest
    let middle = WebMercator.project(view.center)
    let radius =
      hypot(Double(view.width), Double(view.height)) / 2 / Double(view.scale)
      / (256 * exp2(view.zoom))
    var near: [(line: LineSelection.Line, distance: Double)] = []
    for (entry, drawing) in lineOverlays {
      for feature in drawing.lines(around: middle, radius: radius, most: Kiosk.mostLinesSeen) {
        let line = line(entry, drawing, feature)
        guard
          let hit = drawing.nearestLine(of: line.features, to: middle, within: radius)
        else { continue }
        near.append((line, hit.distance))
      }
    }
    near.sort { $0.distance < $1.distance }
    return near.prefix(Kiosk.mostLines).map(\.line)
  }

  /// Moves the map so that the line which was selected is seen beside its card, once the first view
  /// is known. A followed position keeps the view as long as any of the line is in it.
  func showLineBesideCard() {
    guard selection.awaitsRoom, let line = selection.line, !frames.waitsForFirstSource else {
      return
    }
    selection.hasRoom()
    // Who holds a button moves the map where they want it.
    if view.isDriven { return }
    let there = viewAtRest
    layOutPlates(in: there)
    guard let panel = overMap.panelRect else { return }
    if view.position.isFollowing {
      let room = LineRoom(there, panel: panel, plates: overMap.plates)
      if room.shows(line.features, of: line.drawing.features, in: view.goal) { return }
      layOutPlates(in: there, leavesPosition: true)
    }
    if let new = viewBesideCard(of: line) { go(to: new, animate: true) }
  }

  /// How many levels a line must be larger for another look at the plates to be worth it.
  private static let largerLine = 0.5

  /// The view in which a line is beside its card; nil: it is already, or there is no room for it.
  ///
  /// Where the pins of "here" are on the screen decides where the plates stand. So those that are
  /// laid out for the present view need not be those of the new one, which are looked at, too.
  private func viewBesideCard(of line: LineSelection.Line) -> Viewport? {
    let extent = LineRoom.Extent(line.features, of: line.drawing.features)
    let (goal, pins) = (view.goal, overMap.herePins(in: view.goal))
    var best: (view: Viewport, hidden: Double)?
    for _ in 0..<Kiosk.mostLayouts {
      guard let panel = overMap.panelRect else { break }
      let room = LineRoom(goal, panel: panel, plates: overMap.plates)
      let found = room.view(
        goal, showing: extent, chosenAt: selection.chosenAt, minZoom: view.limits.minZoom,
        pins: pins)
      guard let new = found.map(view.clamped), new != best?.view else { break }
      layOutPlates(in: new.resting(cell: painted.cell), leavesPosition: true)
      let hidden = extent.hidden(under: overMap.plates, in: new)
      let isLarger = new.zoom > (best?.view.zoom ?? 0) + Kiosk.largerLine
      if best.map({ hidden < $0.hidden || hidden == $0.hidden && isLarger }) ?? true {
        best = (new, hidden)
      }
      if hidden == 0, new.zoom == goal.zoom { break }
    }
    return best?.view
  }

  /// What is selected, for the socket; nil: nothing is.
  package var selectedLine: (overlay: String, feature: Int, facts: SelectionFacts)? {
    guard let line = selection.line, let facts = selection.facts else { return nil }
    selection.follow(positionPlace)
    return (
      line.overlay, line.features.lowerBound,
      SelectionFacts(
        name: facts.name, length: facts.length, ascent: facts.ascent, descent: facts.descent,
        lowest: facts.lowest, highest: facts.highest, seconds: facts.seconds,
        texts: facts.texts, along: selection.part.map { $0 * facts.length },
        isClosed: line.drawing.isClosed(line.features))
    )
  }
}

/// What is known of the selected line.
package struct SelectionFacts {
  package var name: String
  /// Metres and seconds; nil: unknown.
  package var length: Double
  package var ascent, descent, lowest, highest, seconds: Double?
  package var texts: [(key: String, text: String)]
  /// How far along the line the position is, in metres; nil: it is not near.
  package var along: Double?
  /// Whether a notice closes the line.
  package var isClosed: Bool
}

extension Configuration.Overlay {
  /// The properties that are read for the cards of its lines: the name, and those asked for.
  var cardProperties: [CardProperty] { ["name"] + card.filter { $0.property != "name" } }

  /// The keys to look up in a file: for each of `cardProperties` its translations, the best first,
  /// then the plain key; always `cardSlots` of them.
  func cardKeys(in language: String?) -> [String] {
    cardProperties.map(\.property).flatMap { key -> [String] in
      guard let language else { return [key, key, key] }
      return ["\(key):\(language)", "\(key):\(language.prefix { $0 != "-" })", key]
    }
  }

  /// How many keys of a file there are for each of `cardProperties`.
  static var cardSlots: Int { 3 }
}
