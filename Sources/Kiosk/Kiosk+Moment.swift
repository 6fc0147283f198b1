import MapGeometry
import MapScene

/// What is shown at the moment, and when that is all.
extension Kiosk {
  /// The properties of the view that decide when a frame is due.
  var moment: FrameMoment {
    FrameMoment(view: view.current, isMoving: view.isMoving, dotMoves: dotMoves)
  }

  /// Whether the dot, or the map under it, moves with the next frame.
  var dotMoves: Bool { view.position.nextStep != nil && isSeen }

  /// Whether the position carries the map with it.
  var isCarried: Bool { dotMoves && view.position.isFollowing }

  /// Whether nothing moves the map, and nobody is about to.
  var isAtRest: Bool { !view.isMoving && !isCarried && !inputs.isHeld }

  /// Whether anything drawn can be seen.
  var isSeen: Bool { !pipeline.isDark && pipeline.display.isVisible }

  /// The display can take a frame.
  func frameReady() {
    frames.ready(moment, pipeline, dotDue: isSeen ? view.position.nextStep : nil)
    checkSettles()
  }

  /// Answers those who wait for the complete picture, if it is there.
  func checkSettles() {
    // The movement of a receiver never ends, so only that of a position set over the socket counts.
    let isEnding = dotMoves && view.position.state.source == .socket
    let isAtRest =
      !view.isMoving && !isEnding && !fade.isFading && !book.isReplacing && !painted.isPending
      && (isCarried && !isEnding || !baseLabels.isPending && !overMap.isPlacing && !isKeyLate)
    frames.checkSettles(pipeline, isAtRest: isAtRest)
  }

  /// The view on the screen: with the zoom changed by at most 0.3 % where the tiles are painted for
  /// it.
  var shownView: Viewport { view.current.resting(cell: painted.cell) }

  /// The view that buttons act on: where the movement under way ends. A movement that goes on, by
  /// a held button or with the position, has no such place.
  var viewAtRest: Viewport {
    if view.isDriven || view.position.isFollowing { return shownView }
    return view.goal.resting(cell: painted.cell)
  }

  /// View: decides for which zoom tiles are painted.
  func takeZoom(_ now: UInt64) {
    let isNews = painted.take(
      view.current, isPainted: book.sources.isPainted, hasLines: book.overlays.showsFeatures,
      now: now)
    if isNews {
      outbox.add(.layers)
    }
  }

  /// Whether tiles that arrive now fade in: the view rests, and its picture is on the screen.
  var fades: Bool {
    fade.time > 0 && isSeen && !view.isMoving && !isCarried && frames.freeze == nil
      && frames.presented(pipeline) > 0 && !pipeline.scene.isHeldBack
      && !pipeline.scene.isComplete
  }

  /// Whether the map will be in another place than in the last plan.
  var isElsewhere: Bool {
    ViewTransform(shownView, cell: pipeline.scene.cell) != pipeline.scene.plan.transform
  }

  /// Ends all fades: what is shown next is another picture.
  func endFading() {
    fade.end()
    showFading()
  }

  func showFading() {
    overMap.setFading(fade.sprites)
    countMapLabels()
  }

  /// Hands the base map's labels on to what lies over the map.
  func takeMapLabels() {
    if pipeline.scene.redrawsAll(of: shownView) {
      baseLabels.pass { overMap.exchangeMapLabels(with: &$0) }
    } else {
      baseLabels.pass { overMap.setMapLabels($0) }
    }
    countMapLabels()
  }

  /// Pictures that fade out also lie below the layers above the labels.
  func countMapLabels() {
    pipeline.mapLabelCount = fade.sprites.count + baseLabels.count
  }

  /// Plans the frame, and has sources opened that it needs.
  func plan(_ now: UInt64) -> Scene.Update {
    // Nothing delays the first picture, one that nobody sees, or one that replaces a frozen one.
    let mayWait = isSeen && frames.freeze == nil && frames.presented(pipeline) > 0
    let update = pipeline.scene.update(
      view: shownView, motion: view.motion, now: mayWait ? now : nil)
    frames.awaitOverlays(update.waitsUntil)
    for index in update.closed { pipeline.loader.open(index) }
    return update
  }
}
