import Configuration
import Displays
import EventLoop
import Inputs
import MapGeometry

/// Carries out what buttons, keys, dials and fingers request.
extension Kiosk {
  /// Carries out a button's, key's or dial's event. The first press while asleep only wakes.
  public func handle(_ event: ButtonEvent) {
    outbox.tell(.button(event))
    // The first press only wakes, or ends the tour.
    let isAway = power.isAsleep || tour.isRunning
    carryOut(inputs.interpret(event, isAsleep: isAway, isDriven: view.isDriven), event)
  }

  /// Carries out what a button's event requests, or a finger that is held on its slot.
  func carryOut(_ command: InputInterpreter.ButtonCommand, _ event: ButtonEvent) {
    switch command {
    case .nothing: break
    case .used: used()
    case .wake:
      used()
      wake()
    case .perform(let action):
      frames.answer(event.time)
      if let reason = perform(action) {
        outbox.logRepeated(.notice, "\(event.origin): \(reason)")
      }
    case .drive:
      used()
      frames.answer(event.time)
      drive()
    case .zoom:
      used()
      frames.answer(event.time)
      repeatZoom()
    }
  }

  /// Moves the view in the combined direction of the held buttons.
  func drive() {
    frames.stopWaitingForSource()
    let (x, y) = inputs.direction
    view.drive(x: x, y: y)
  }

  /// Zooms by one level for a held zoom button, and repeats after a while.
  func repeatZoom() {
    if let action = inputs.nextZoom() { _ = perform(action) }
  }

  /// Ends what held buttons do.
  func endHolds() {
    if inputs.endHolds() { view.drive(x: 0, y: 0) }
  }

  /// Moves the view as fingers do. The touch that wakes the screen does nothing else.
  public func handle(_ event: TouchEvent) {
    let command = inputs.interpret(event, isAsleep: power.isAsleep || tour.isRunning)
    switch command {
    case .nothing: return
    case .wake:
      used()
      return wake()
    default: break
    }
    used()
    frames.answer(EventLoop.now())
    let (goal, limits) = (view.goal, view.limits)
    switch command {
    case .nothing, .wake: break
    case .stop: view.stop()
    case .move(let dx, let dy): go(to: view.current.panned(dx: -dx, dy: -dy), animate: false)
    case .pinch(let levels, let x, let y, let dx, let dy):
      if view.position.isFollowing {
        // The followed position stays centred.
        return zoom(by: levels, about: nil, animate: false)
      }
      let zoom = min(max(goal.zoom + levels, limits.minZoom), limits.maxZoom)
      go(to: goal.zoomed(to: zoom, keeping: x, y).panned(dx: -dx, dy: -dy), animate: false)
    case .tap(let x, let y): tap(x: x, y: y)
    case .hold(let x, let y): hold(x: x, y: y)
    case .zoomIn(let x, let y):
      // Two taps on a plate in quick succession are two taps.
      if overMap.touched(x: x, y: y, in: shownView) != nil {
        tap(x: x, y: y)
        break
      }
      let zoom = min((goal.zoom + 1 + 1e-9).rounded(.down), limits.maxZoom)
      self.zoom(by: zoom - goal.zoom, about: (x, y), animate: true)
    case .round(let x, let y):
      // Come to rest on a whole zoom, where a pixel of the tile is a pixel of the screen.
      let zoom = goal.zoom.rounded()
      if zoom != goal.zoom, zoom >= limits.minZoom, zoom <= limits.maxZoom {
        self.zoom(by: zoom - goal.zoom, about: (x, y), animate: true)
      }
      outbox.add(.state)
    case .fling(let vx, let vy):
      view.fling(vx: -vx, vy: -vy)
      outbox.add(.state)
    case .lift: outbox.add(.state)
    case .letGo:
      releaseSlot()
      outbox.add(.state)
    }
  }

  /// Records that somebody uses the kiosk: ends the tour, and restarts the timers for the return
  /// home, the tour and sleep.
  func used() {
    view.touched()
    power.arm()
    frames.endLongFreeze()
    endOrDelayTour()
  }

  /// Carries out `action` as a button would; while asleep it only wakes.
  ///
  /// - Returns: Why it cannot be done; nil: it was done.
  public func press(_ action: Action) -> String? {
    if power.isAsleep || tour.isRunning {
      used()
      wake()
      return nil
    }
    frames.answer(EventLoop.now())
    return perform(action)
  }

  /// Carries out `action` once. Returns why it cannot be done; nil: it was done.
  func perform(_ action: Action) -> String? {
    used()
    var goal = view.goal
    switch action {
    case .panLeft: pan(.left, animate: true)
    case .panRight: pan(.right, animate: true)
    case .panUp: pan(.up, animate: true)
    case .panDown: pan(.down, animate: true)
    case .zoomIn:
      // Buttons land on whole zooms, where a pixel of the tile is a pixel of the screen.
      goal.zoom = (goal.zoom + 1 + 1e-9).rounded(.down)
      go(to: goal, animate: true)
    case .zoomOut:
      goal.zoom = (goal.zoom - 1 - 1e-9).rounded(.up)
      go(to: goal, animate: true)
    case .home: home(animate: true)
    case .sourceNext: _ = step(by: 1)
    case .sourcePrevious: _ = step(by: -1)
    case .source(let name):
      if !use(name) { return "no source \"\(name)\"; `source.list` names them" }
    case .rotateLeft, .rotateRight:
      view.turnAway()
      goal.bearing = Viewport.wrapBearing(goal.bearing + (action == .rotateRight ? 15 : -15))
      go(to: goal, animate: true)
    case .northUp:
      view.turnAway()
      goal.bearing = 0
      go(to: goal, animate: true)
    case .none: break
    case .sleep: sleep()
    case .overlayToggle(let name):
      guard let entry = book.overlays[name] else {
        return "no overlay \"\(name)\"; `overlay.list` names them"
      }
      _ = showOverlay(name, !entry.isShown)
    case .themeToggle: setTheme(theme.isNight ? .day : .night)
    case .select: return selectFocused()
    case .selectNext: return focusNext()
    case .back: goBack()
    case .mapKey: return toggleMapKey()
    case .languageNext: return nextLanguage()
    case .follow: return view.toggleFollow()
    }
    return nil
  }

  // MARK: Devices

  /// Opens the configured buttons, keys and touch screens. Problems with them appear in the health.
  public func openInputs() {
    let wanted = (gpio: configuration.gpio, input: wantedInput)
    guard inputs.differs(from: wanted) else { return }
    endHolds()
    inputs.open(
      wanted, space: touchSpace, onButton: { [weak self] in self?.handle($0) },
      onTouch: { [weak self] in self?.handle($0) })
  }

  /// `[input]`, but by default without keyboards if there is no real screen: they may belong to
  /// somebody who works at the machine.
  private var wantedInput: Configuration.Input {
    var input = configuration.input
    input.evdev = hasKeyboard
    return input
  }

  /// Whether keyboards control the kiosk.
  var hasKeyboard: Bool { configuration.input.evdev ?? !(power.screen is FixedScreen) }

  func closeInputs() {
    endHolds()
    inputs.close()
  }

  /// How touch coordinates map to the view.
  var touchSpace: TouchSpace {
    let display = pipeline.display
    return TouchSpace(
      panelWidth: display.width, panelHeight: display.height, scale: pipeline.scale,
      rotation: display.rotation)
  }
}
