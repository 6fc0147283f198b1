import Configuration
import MapGeometry
import MapOverlays

/// The tour of places while nobody uses the kiosk.
extension Kiosk {
  /// Begins the tour, or goes on to its next place.
  func continueTour() {
    // In the dark no tour runs; waking the screen restarts the wait.
    guard !power.isAsleep else { return }
    let stop = tour.next {
      TourGuide.Before(
        view: view.goal, source: activeSource, follows: view.position.isFollowing)
    }
    guard let stop else { return }
    closeAll()
    if overMap.languages.first() { outbox.tell(.display) }
    // Whatever a stop does not specify is as before the tour, not as at the previous stop.
    if let source = stop.source ?? tour.before?.source { change(to: source) }
    if let names = stop.overlays { change(to: Set(names)) } else { showFormerOverlays() }
    var goal = view.goal
    goal.center = stop.center
    goal.zoom = stop.zoom ?? homeView.zoom
    goal.bearing = stop.bearing
    let seconds = view.fly(to: goal)
    let caption = stop.captions.text(in: overMap.languages.ofTexts, else: stop.caption)
    overMap.setCaption(caption ?? "", of: view.goal)
    tour.goOn(after: seconds + stop.seconds)
  }

  /// Somebody uses the kiosk: ends the tour, or begins to wait for it again.
  func endOrDelayTour() {
    if !endTour() { tour.arm() }
  }

  /// Ends the tour: restores the sources and overlays, but stays at the place that was shown. False
  /// if no tour is under way.
  @discardableResult
  func endTour() -> Bool {
    guard let before = tour.end() else { return false }
    overMap.setCaption("")
    view.stop()
    if let source = before.source { change(to: source) }
    showFormerOverlays()
    if before.follows { view.followAgain() }
    tour.arm()
    return true
  }

  /// Shows and hides the overlays as they were before the tour.
  private func showFormerOverlays() {
    for entry in overlays {
      let former = tour.former(entry.name, isShown: entry.isShown)
      if former != entry.isShown { _ = showOverlay(entry.name, former) }
    }
    tour.forgetChanges()
  }

  /// Shows the base source `name` without a toast.
  private func change(to name: String) {
    guard name != activeSource, entry(name)?.spec.role == .base else { return }
    if book.sources.use(name).isNews { baseChanged() }
  }

  /// Shows these overlays, and no others. What notices close stays.
  private func change(to names: Set<String>) {
    for entry in overlays where !entry.name.hasPrefix(NoticeBoard.prefix) {
      let isShown = names.contains(entry.name)
      if tour.change(entry.name, from: entry.isShown, to: isShown) {
        _ = showOverlay(entry.name, isShown)
      }
    }
  }
}
