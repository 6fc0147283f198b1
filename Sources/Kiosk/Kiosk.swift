import Configuration
import Displays
import Drawing
import EventLoop
import Glibc
import MapGeometry
import MapOverlays
import MapScene
import Platform
import TileSources

/// The kiosk: wires the owners of all state together, on the loop's thread.
///
/// It is a plain object and not `Sendable`, so the compiler keeps it on the thread that created it,
/// and nothing in it is locked or enqueued. Other threads deliver their results through the loader.
///
/// Each owner has private state and knows no other owner. It leaves what it changed in the outbox,
/// and `frame` drains that in one order: input, follow, view, layers, overlays, plan, draw,
/// announce.
public final class Kiosk {
  /// Reported to `onEvent`.
  public typealias Event = KioskEvent

  /// Runs everything the kiosk does.
  public let loop: EventLoop
  /// What `apply` took over last, or what the kiosk was created with.
  public internal(set) var configuration: Configuration
  /// Called when a source was opened or could not be opened.
  package var onSourceOpened: ((SourceEntry) -> Void)?
  /// Called when an overlay was opened or could not be opened.
  package var onOverlayOpened: ((OverlayEntry) -> Void)?

  let outbox = Outbox()
  let power: ScreenPower
  let view: ViewController
  let painted: PaintedZoom
  let baseLabels: BaseLabels
  let book: LayerBook
  let overMap: OverMap
  let noticeBoard: NoticeBoard
  let closedNames = ClosedNames()
  let tour: TourGuide
  let selection: LineSelection
  let theme: ThemeClock
  let frames: FrameScheduler
  let fade: TileFade
  let inputs: InputInterpreter
  let states: StateStore
  let stateReading = StateReading()
  let board = HealthBoard()
  let media: MediaFinder
  let pathChecks: MediaWorkers
  let tidy: MemoryTidy
  let relief: MemoryRelief
  /// Everything between the sources and the present display.
  package internal(set) var pipeline: Pipeline
  let waker: Waker
  /// The map key on the screen.
  var shownKey = ShownKey()
  let started = EventLoop.now()

  /// What runs when the loader has news; set once the kiosk is whole.
  private final class NewsHandler {
    var run: (() -> Void)?
  }

  /// Creates a kiosk, which draws whenever `loop` runs.
  ///
  /// - Parameters:
  ///   - configuration: A checked configuration.
  ///   - loop: The loop, which must run on this thread.
  ///   - makeScreen: Opens the screen that a configuration requests.
  ///   - backlightFolder: The folder of the backlights; nil: the kernel's.
  ///   - openings: The file that names packs while they are opened, for the next start after a
  ///     crash; nil: nothing is recorded.
  ///   - font: Creates the renderer of the HUD's font; called when the first text is drawn.
  /// - Throws: `SystemError` if the process has no descriptors left.
  public init(
    configuration: Configuration, loop: EventLoop,
    makeScreen: @escaping (Configuration, EventLoop) -> any Screen,
    backlightFolder: String? = nil, openings: OpeningsFile? = nil,
    font: @escaping ([FontFile]) -> TextRenderer?
  ) throws(SystemError) {
    self.configuration = configuration
    self.loop = loop
    power = ScreenPower(
      configuration, loop: loop, outbox: outbox, backlightFolder: backlightFolder,
      make: makeScreen)
    let size = power.screen.display.viewSize
    let first = ViewController.first(configuration, width: size.width, height: size.height)
    view = ViewController(first, configuration, loop: loop, outbox: outbox)
    painted = PaintedZoom(loop: loop, outbox: outbox)
    baseLabels = BaseLabels(loop: loop, outbox: outbox, fonts: { .bundled(with: $0) })
    overMap = OverMap(configuration, loop: loop, outbox: outbox, font: font)
    noticeBoard = NoticeBoard(loop: loop, outbox: outbox)
    tour = TourGuide(configuration, loop: loop, outbox: outbox)
    selection = LineSelection(outbox)
    theme = ThemeClock(configuration.theme, loop: loop, outbox: outbox)
    frames = FrameScheduler(loop: loop, outbox: outbox)
    fade = TileFade(loop: loop, outbox: outbox, seconds: configuration.view.fade)
    inputs = InputInterpreter(loop: loop, outbox: outbox)
    states = StateStore(configuration.state, loop: loop, outbox: outbox)
    media = MediaFinder(loop: loop, outbox: outbox)
    tidy = MemoryTidy(loop: loop)
    relief = MemoryRelief(loop: loop) { [outbox] in outbox.add(.holesDue) }
    pathChecks = MediaWorkers("paths", loop: loop, capacity: Kiosk.mostPathChecks)
    let news = NewsHandler()
    waker = try loop.waker { news.run?() }
    pipeline = Kiosk.pipeline(configuration, power.screen.display, first, waker)
    book = LayerBook(
      pipeline, loop: loop, outbox: outbox, openings: openings.map { TrialList($0) })

    news.run = { [weak self] in self?.collect() }
    tidyFrames()
    provideQuietCells()
    pipeline.display.onReady = { [weak self] in self?.frameReady() }
    book.begin(configuration, theme: theme.filters, isNight: theme.isNight)
    overMap.applyMarkers(configuration.markers, before: [])
    noticeBoard.configure(configuration.notices)
    speakLayers()
    takeLayers()
    setFirstView()
    media.configure(configuration.media.watch)
    updateTheme()
    followScreen()
    power.arm()
    tour.arm()
    outbox.add(.picture)
    loop.beforeSleep = { [weak self] in self?.frame() }
  }

  /// Called for every event, in their order, once the frame of a wake-up is done.
  public var onEvent: ((Event) -> Void)? {
    get { outbox.onEvent }
    set { outbox.onEvent = newValue }
  }

  /// Called with each line for the log.
  public var onLog: ((LogLevel, String) -> Void)? {
    get { outbox.onLog }
    set { outbox.onLog = newValue }
  }

  // MARK: The frame

  /// Draws the frames that are due. Usually that is one. If the view needs more than the cache
  /// holds, and the display has no frame clock, its blocks follow in several. Runs once at the end
  /// of each wake-up.
  func frame() {
    takeInput()
    if overMap.markers.isUnsettled, isAtRest { outbox.add(.picture) }
    while frames.isDue(pipeline) {
      step(EventLoop.now())
      if view.isMoving || dotMoves { break }
    }
    announce()
  }

  /// Plans and draws one frame.
  private func step(_ now: UInt64) {
    _ = outbox.take(.picture)
    pipeline.prepare()
    view.follow(now)
    view.advance(to: now)
    takeZoom(now)
    takeReplacements(now)
    takeLayers()
    let done = pipeline.scene.doneBlocks
    if fade.isFading, isElsewhere { endFading() }
    if fade.advance(to: now, in: pipeline.scene.plan) { showFading() }
    let before = fades ? pipeline.scene.plan : nil
    let update: Scene.Update
    if frames.presented(pipeline) == 0, isSeen {
      // The tiles load while the first labels are laid out. This picture is drawn entirely.
      update = plan(now)
      pipeline.loader.want(update.requests)
      takeOverlays(now) { _ in }
    } else {
      takeOverlays(now) { pipeline.scene.invalidate($0) }
      update = plan(now)
    }
    if let before, !update.improved.isEmpty {
      fade.begin(update, from: before, in: pipeline, now: now)
      showFading()
      overMap.takeDamage { _ in }
    }
    baseLabels.follow(
      pipeline.scene, shownView, isMoving: view.isMoving || isCarried, now: now
    ) { overMap.addObstacles(to: &$0) }
    let isDrawn = frames.draw(
      update, in: pipeline, over: overMap.sprites, moment, done: done, begun: now)
    if isDrawn {
      updateNoMapCard()
      followMapKey()
      if !view.isMoving, pipeline.scene.isComplete {
        overMap.takeGround(pipeline.scene, void: palette.voidLight, isCarried: isCarried)
      }
    }
  }

  /// Input: handles due timers and held buttons.
  private func takeInput() {
    if outbox.take(.zoomRepeat) { repeatZoom() }
    // Whoever holds a button or has a finger down is still there.
    if outbox.take(.homeDue) { inputs.isHeld ? used() : returnHome() }
    if outbox.take(.tourDue) { inputs.isHeld ? used() : continueTour() }
    if outbox.take(.noticesDue) { updateNotices() }
    if outbox.take(.sleepDue) { inputs.isHeld ? used() : sleep() }
    if outbox.take(.themeDue) { updateTheme() }
    if outbox.take(.fixAged) { fixAged() }
    if outbox.take(.holesDue) { retryHoles() }
    if outbox.take(.files) { book.checkFiles() }
    if outbox.take(.media) { takeMedia() }
    if outbox.take(.stateDue) { keepState() }
    if view.isMoving, !isSeen {
      // Nobody sees the animation.
      view.finish()
      changed()
    }
    if inputs.isDriving, !view.isMoving { drive() }
  }

  /// Layers: updates colours, the list of layers, the cache's floor and the overlays' labels.
  func takeLayers() {
    if outbox.take(.language) {
      updateNotices()
      shownKey.view = nil
    }
    if outbox.take(.colors) { takeColors() }
    if outbox.take(.emptied) { pipeline.scene.invalidate() }
    guard outbox.take(.layers) else { return }
    // What they close has a name once its overlay is open.
    showNotices()
    // Usually the tiles for another zoom arrive soon, and the user sees a single change.
    if book.resizeTiles(to: painted.cell, shownAs: painted.shownCell) {
      freeze(for: frames.switchTime)
    }
    pipeline.scene.setCell(painted.cell)
    let layers = book.layersForScene()
    pipeline.scene.setLayers(layers)
    let before = pipeline.cache.floor
    let overlays = layers.reduce(0) { $0 + ($1.isBase ? 0 : $1.chain.count) }
    pipeline.setFloor(
      tileSize: book.tileSize, layers: layers.reduce(0) { $0 + $1.chain.count } - overlays,
      overlays: overlays, isPainted: painted.cell != nil)
    if pipeline.cache.floor != before { noteFloor() }
    overMap.setLabels(book.labels())
    overMap.setLines(book.lines())
    baseLabels.use(book.namedLines(), among: book.lines())
    overMap.setRamp(book.ramp())
    checkLayers()
    shownKey.view = nil
    baseLabels.use(
      painted.cell == nil ? nil : book.labelIcons(isNight: theme.isNight),
      tint: book.labelTint(theme: theme.filters, isNight: theme.isNight))
  }

  /// Overlays: updates what lies over the map, and calls `damage` with the parts of the view that
  /// changed.
  private func takeOverlays(_ now: UInt64, damage: (PixelRect) -> Void) {
    updatePanel()
    let isAgeShown = overMap.update(
      shownView, goal: view.isMoving ? view.goal : nil, isAtRest: isAtRest,
      attribution: book.attribution(at: shownView.zoom),
      position: view.position.picture(at: now), track: view.position.track)
    if isAgeShown { view.countAge(from: now) }
    overMap.needLetters(of: baseLabels.lackingLanguages)
    baseLabels.use(overMap.fontFiles)
    baseLabels.use(overMap.lineWords(in: shownView), at: shownView.zoom)
    if baseLabels.move(to: shownView, now: now) { takeMapLabels() }
    overMap.tellMissingPanel()
    overMap.takeDamage(damage)
  }

  /// Announce: arms timers for what is due next, and informs subscribers and the state store.
  private func announce() {
    if frames.freeze == nil, pipeline.scene.isComplete, book.dropFormers() {
      pipeline.scene.setLayers(book.layersForScene())
    }
    showLineBesideCard()
    frames.awaitSteps(moment, pipeline, dotDue: isSeen ? view.position.nextStep : nil)
    frames.awaitHoles(pipeline)
    let news = view.takeNews()
    if news.moved {
      if !view.isMoving, theme.isElsewhere(view.goal.center) { updateTheme() }
      if !news.isFirst { outbox.tell(.view) }
    }
    if outbox.take(.state) { states.changed() }
    checkRefusals()
    takeNotes()
    tidy.check(isPainted: book.sources.isPainted)
    let changes = outbox.changes
    outbox.announce()
    checkSettles()
    // A subscriber may have changed something; handle that in another wake-up at once.
    if outbox.changes != changes || outbox.hasEvents { waker.wake() } else { endWakeUp() }
  }
}
