import Configuration
import MapGeometry
import MapOverlays

/// The tour of places while nobody uses the kiosk.
extension Kiosk {
  /// Begins the tour, or goes on to its next place.
  func continueTour() {
    // Whoever wakes the screen begins to wait anew.
    guard !power.isAsleep else { return }
    let stop = tour.next {
      TourGuide.Before(
        view: view.goal, source: activeSource, overlays: Set(shownOverlays),
        follows: view.position.isFollowing)
    }
    guard let stop else { return }
    overMap.closeCallout()
    if overMap.languages.first() { outbox.tell(.display) }
    if let source = stop.source { change(to: source) }
    if let names = stop.overlays { change(to: Set(names)) }
    var goal = view.goal
    goal.center = stop.center
    goal.zoom = stop.zoom ?? homeView.zoom
    goal.bearing = stop.bearing
    let seconds = view.fly(to: goal)
    let caption = stop.captions.text(in: overMap.languages.tag, else: stop.caption)
    overMap.setCaption(caption ?? "")
    tour.goOn(after: seconds + stop.seconds)
  }

  /// Ends the tour: the map is as it was before, at the place that was shown. False if there is
  /// none.
  @discardableResult
  func endTour() -> Bool {
    guard let before = tour.end() else { return false }
    overMap.setCaption("")
    view.stop()
    if let source = before.source { change(to: source) }
    change(to: before.overlays)
    if before.follows { view.followAgain() }
    tour.arm()
    return true
  }

  private var shownOverlays: [String] { overlays.filter(\.isShown).map(\.name) }

  /// Shows the base source `name` without a word.
  private func change(to name: String) {
    guard name != activeSource, entry(name)?.spec.role == .base else { return }
    if book.sources.use(name).isNews { baseChanged() }
  }

  /// Shows these overlays, and no others. What notices close stays.
  private func change(to names: Set<String>) {
    for entry in overlays where !entry.name.hasPrefix(NoticeBoard.prefix) {
      _ = showOverlay(entry.name, names.contains(entry.name))
    }
  }
}
