import Configuration
import Control
import Displays
import Drawing
import EventLoop
import Glibc
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources

/// The kiosk: the one owner of all state, on the loop's thread.
///
/// It is a plain object that is not `Sendable`, so the compiler keeps it on the thread that made it:
/// nothing on its path is locked or enqueued. What other threads do for it arrives through the
/// loader's results.
public final class Kiosk {
  /// What happened, for whoever subscribed.
  public enum Event {
    case view
    case source
    case tileError(source: String, TileError)
    case health
    case button(ButtonEvent)
    /// Power, brightness, theme, monitor or mode.
    case display
    /// A fix came, or none comes any more.
    case position
    /// What was done with the marker of that id.
    case marker(String, MarkerChange)
    /// "added", "removed", "shown", "hidden", "moved" or, of its file, "changed".
    case overlay(name: String, change: String)
  }

  public let loop: EventLoop
  public internal(set) var configuration: Configuration
  /// Called for every event.
  public var onEvent: ((Event) -> Void)?
  /// Called with what is worth a line in the log.
  public var onLog: ((LogLevel, String) -> Void)?
  var gpio: GPIOInputs?
  var evdev: EvdevInputs?
  /// What they were opened with.
  var opened: (gpio: Configuration.Gpio, input: Configuration.Input)?
  /// Called when a source was opened or could not be.
  package var onSourceOpened: ((SourceEntry) -> Void)?

  package var pipeline: Pipeline
  package var view: ViewController
  /// In the order of the configuration; added ones last.
  package var sources: [SourceEntry] = [] { didSet { knownAttribution = nil } }
  /// Configured ones first, as they were moved since; see `overlaysInOrder`.
  package var overlays: [OverlayEntry] = []
  /// Called when an overlay was opened or could not be.
  package var onOverlayOpened: ((OverlayEntry) -> Void)?
  /// Tells when overlays' files change; nil without such.
  var overlayFiles: FileWatch?
  /// The old picture stays on the screen until the new one is whole.
  var hold: FrameHold?
  var holdTimer: LoopTimer?
  /// How long it stays at most, in nanoseconds.
  var holdTime: UInt64 = 2_000_000_000
  /// How long the map that was there stays for another one to be whole, in nanoseconds: most often it is by
  /// then, and what is seen is one change.
  var switchTime: UInt64 = 150_000_000
  /// The same frame is to be drawn into the display's other memory.
  var drawsOthersNext: FrameHold?
  var theme = ThemeState()
  /// Seconds since 1970 as a fix tells them now; set with every fix.
  var gpsTime: Double? { didSet { noteGPSTime(gpsTime) } }
  /// The name of the base source on the screen.
  package var activeSource: String? { didSet { knownAttribution = nil } }
  /// `attribution` until something changes what it is made of: frames ask for it.
  private var knownAttribution: String?
  var freeIndices = Array((0..<TileKey.maxSources).reversed())
  public internal(set) var health = Health()
  package let painter: SpritePainter
  package let hud: Hud
  package let markers: MarkerLayer
  /// All that lies over the map.
  let overMap = SpriteStack()
  var hudContent = HudContent()
  /// What the buttons do.
  var legend: [HudContent.LegendItem] = []
  var toast = ""
  var toastTimer: LoopTimer?
  /// Nothing of the active map is on the screen, and what is said then.
  var isNowhere = false
  var nowhereCard: HudContent.Card?
  var fontsWereChecked = false
  private var stepTimer: LoopTimer?
  /// A grid is shown, whose words would meet those of quiet cells.
  var quietCellsAreMute = false
  /// Counts how often the overlays' words may have changed.
  var labelVersion = 0
  /// The tables with which markers were set over the socket, by id.
  package var addedMarkers: [String: JSON] = [:]
  let started = EventLoop.now()
  let startedAt: Double
  /// Shown over the map while it stands: why the map is not the one that was asked for.
  var notice = ""

  // The frame.
  var needsFrame = true
  /// The picture that is planned is shown when it is whole: nothing changes before its tiles are there.
  private var awaitsTiles = false
  var waitsForFirstSource = false
  package var frameTimes = LatencyHistogram()
  package var decodeTimes = LatencyHistogram()
  package var inputTimes = LatencyHistogram()
  package var lateFrames = 0
  /// When the input came that the next frame answers.
  var inputAt: UInt64?
  var announcedView: Viewport?
  private let waker: Waker
  private var loaderReady = Gate()
  private var firstFrameTimer: LoopTimer?
  /// When the first picture is drawn as it is; 0: nothing has waited for it.
  private var firstPictureBy: UInt64 = 0
  private var firstPictureTimer: LoopTimer?
  var homeTimer: LoopTimer?
  var settles: [SettleWait] = []
  var settleTimer: LoopTimer?
  var stateTimer: LoopTimer?
  var writtenState: SavedState?
  /// The tables with which sources were added over the socket, by name.
  var addedTables: [String: JSON] = [:]
  let makeScreen: (Configuration, EventLoop) -> any Screen
  package var screen: any Screen
  /// Frames of the displays that there were before the present one.
  private var earlierFrames = 0
  /// How many frames were presented.
  package var presentedFrames: Int { earlierFrames + pipeline.display.frame }
  /// The panel is dark, and nothing is drawn.
  package var isAsleep = false
  var sleepTimer: LoopTimer?
  /// Buttons whose press only woke the screen: what else they do until they are up means nothing.
  var wakingOrigins: Set<String> = []
  /// Buttons that are down.
  var downOrigins: Set<String> = []
  /// The touch that woke the screen is not over.
  var isWakingTouch = false
  /// A finger is on the screen, and whether two of them zoomed.
  var touch = TouchState()
  /// Held pan buttons, by what they are called.
  var heldPans: [String: Action] = [:]
  /// What repeats while a zoom button is held.
  var heldZooms: [String: Action] = [:]
  var repeatTimer: LoopTimer?
  /// Where the unit is.
  package let position = PositionPart()
  package var backlight: Backlight?
  /// Where backlights are.
  let backlightFolder: String

  /// Tells the loop's thread that the loader has news.
  private final class Gate {
    var handler: (() -> Void)?
  }

  /// - Parameters:
  ///   - makeScreen: opens the screen that the configuration asks for.
  ///   - backlightFolder: where backlights are; nil: the kernel's.
  ///   - font: gives the HUD's font; called when the first word is drawn.
  public init(
    configuration: Configuration, loop: EventLoop,
    makeScreen: @escaping (Configuration, EventLoop) -> any Screen,
    backlightFolder: String? = nil,
    font: @escaping () -> TextRenderer?
  ) throws(SystemError) {
    self.configuration = configuration
    self.loop = loop
    self.makeScreen = makeScreen
    self.backlightFolder = backlightFolder ?? Backlight.folder
    painter = SpritePainter(makeText: font)
    hud = Hud(painter)
    markers = MarkerLayer(painter)
    legend = ButtonLegend.items(configuration)
    var clock = timespec()
    clock_gettime(CLOCK_REALTIME, &clock)
    startedAt = Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9
    screen = makeScreen(configuration, loop)
    let display = screen.display
    let scale = configuration.display.scale
    let size = display.viewSize
    let first = Viewport(
      center: configuration.view.center ?? GeoPoint(lat: 0, lon: 0),
      zoom: configuration.view.zoom ?? configuration.view.minZoom,
      bearing: configuration.view.bearing, width: size.width, height: size.height, scale: scale)
    view = ViewController(first)
    let gate = loaderReady
    let waker = try loop.waker { gate.handler?() }
    self.waker = waker
    pipeline = Pipeline(
      display: display, scale: scale, cacheLimit: configuration.cache.memory, view: first,
      decodeThreads: Kiosk.decodeThreads, wake: { waker.wake() })
    gate.handler = { [unowned self] in collect() }
    display.onReady = { [unowned self] in frameReady() }
    // What was asked for is drawn first, so that no time at all is enough for a picture that is whole.
    settleTimer = loop.timer { [unowned self] in
      frame()
      checkSettles()
    }
    // Whoever holds a button or has a finger down is still there.
    homeTimer = loop.timer { [unowned self] in isHeld ? used() : home(animate: true) }
    sleepTimer = loop.timer { [unowned self] in isHeld ? used() : sleep() }
    repeatTimer = loop.timer { [unowned self] in repeatZooms() }
    firstFrameTimer = loop.timer { [unowned self] in
      if waitsForFirstSource {
        waitsForFirstSource = false
        needsFrame = true
      }
    }
    view.limits = Kiosk.limits(configuration)
    position.follows = configuration.position.follow
    insertFirst(configuration.sources)
    if let first = sources.first(where: { $0.spec.role == .base }) {
      activeSource = first.spec.name
      // Its thread opens it while the rest is made ready.
      pipeline.loader.open(first.index)
    }
    applyMarkers(configuration.markers, before: [])
    let left = configuration.overlays.filter { insertOverlay($0, added: false) == nil }
    noteOverlaysLeftOut(left.map(\.name))
    sourcesChanged()
    placeFirstView()
    updateTheme()
    followScreen()
    openBacklight()
    armSleep()
    loop.beforeSleep = { [unowned self] in frame() }
  }

  /// Threads that decode: the cores. They give way to the one that draws.
  static let decodeThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  static func limits(_ configuration: Configuration) -> ViewController.Limits {
    ViewController.Limits(
      minZoom: configuration.view.minZoom, maxZoom: configuration.view.maxZoom,
      bounds: configuration.view.bounds)
  }

  /// Seconds since 1970.
  var time: Double { startedAt + Double(EventLoop.now() - started) / 1e9 }

  /// Makes a new pipeline for the screen's display, with everything in it loaded anew.
  func rebuildPipeline() {
    earlierFrames += pipeline.display.frame
    let display = screen.display
    let scale = configuration.display.scale
    let size = display.viewSize
    view.resize(width: size.width, height: size.height, scale: scale)
    let waker = waker
    pipeline = Pipeline(
      display: display, scale: scale, cacheLimit: configuration.cache.memory, view: view.current,
      decodeThreads: Kiosk.decodeThreads, wake: { waker.wake() })
    pipeline.isDark = isAsleep
    display.onReady = { [unowned self] in frameReady() }
    hold = nil
    for i in sources.indices {
      sources[i].state = .closed
      if let former = sources[i].former { freeIndices.append(former) }
      sources[i].former = nil
      register(sources[i])
    }
    reopenOverlays()
    pipeline.compositor.palette = palette
    sourcesChanged()
    position.replace()
    needsFrame = true
  }

  // MARK: The frame

  /// Something changed: the next frame is drawn as soon as the display can take it.
  func changed() {
    needsFrame = true
  }

  private func frameReady() {
    // What the panel shows after it was dark is not known.
    if view.isMoving || positionIsDue() || !pipeline.isCurrent { needsFrame = true }
    checkSettles()
  }

  /// Draws frames that are due: one, or several where blocks of a view that needs more than the cache
  /// holds follow each other on a display without a beat. Runs once after all that one wake-up brought.
  func frame() {
    if view.isMoving, pipeline.isDark || !pipeline.display.isVisible {
      // Nobody sees the way there.
      view.finish()
      needsFrame = true
    }
    resumeDrive()
    while needsFrame, !waitsForFirstSource, pipeline.display.isReady || !pipeline.display.isVisible
    {
      drawFrame()
      if view.isMoving || positionMoves { break }
    }
    dropFormers()
    if view.isMoving, pipeline.display.isReady {
      needsFrame = true
      // A step of less than a pixel presented nothing, so that no beat of the display follows it.
      if stepTimer == nil { stepTimer = loop.timer { [unowned self] in changed() } }
      stepTimer?.arm(after: UInt64(1e9 / max(pipeline.display.refreshRate, 1)))
    } else if !view.isMoving {
      stepTimer?.cancel()
    }
    // An input that changed nothing is answered by no frame; one that is waited for, by that one.
    if !needsFrame, !view.isMoving, hold == nil { inputAt = nil }
    awaitPositionStep()
    announceView()
    checkSettles()
  }

  private func drawFrame() {
    needsFrame = false
    let begun = EventLoop.now()
    let p = pipeline
    p.prepare()
    steerByPosition(begun)
    _ = view.advance(to: begun)
    if presentedFrames == 0, p.loader.isIdle {
      // The first tiles are on their way while the first words are laid out.
      p.loader.want(p.scene.update(view: view.current).requests)
    }
    placePosition(begun)
    updateOverMap()
    let done = p.scene.doneBlocks
    var update = p.scene.update(view: view.current, motion: view.motion)
    for index in update.closed { p.loader.open(index) }
    if !update.quietCells.isEmpty {
      // Room for them may have been made at the cost of what the plan names.
      drawQuietCells(update.quietCells)
      update = p.scene.update(view: view.current, motion: view.motion)
    }
    awaitsTiles = false
    if isHeld(update) || waitsForFirstPicture() {
      awaitsTiles = !p.scene.isHeldBack
      p.loader.want(update.requests)
      return
    }
    // Loading begins before drawing where that takes nothing from the picture.
    let bytes = update.requests.reduce(0) { $0 + $1.edge * $1.edge * 4 }
    let early = p.cache.hasRoom(for: bytes)
    if early { p.loader.want(update.requests) }
    if let (nanoseconds, isRepeated) = p.draw(update, sprites: overMap.sprites) {
      if isRepeated { needsFrame = true }
      frameTimes.add(nanoseconds: nanoseconds)
      let whole = Double(EventLoop.now() - begun)
      if view.isMoving || positionMoves, whole > 1e9 / p.display.refreshRate { lateFrames += 1 }
      let now = EventLoop.now()
      if let inputAt, inputAt <= now { inputTimes.add(nanoseconds: Int(now - inputAt)) }
      // A way's first step may be too small to be seen: the answer is the first frame that differs.
      inputAt = nil
    }
    if p.scene.isHeldBack, p.scene.doneBlocks != done, !p.scene.isComplete {
      // Blocks that are done make room for the next ones.
      needsFrame = true
    }
    if !early { p.loader.want(update.requests) }
    drawOtherMemory()
    judgeWhere()
  }

  /// Whether a display that shows nothing yet should wait for the whole picture: most often it is there
  /// before the panel could show a second one. For a short time only.
  private func waitsForFirstPicture() -> Bool {
    let p = pipeline
    guard p.display.hasBeat, p.display.frame == 0, !p.scene.isWholePlan, !p.scene.isHeldBack else {
      return false
    }
    let now = EventLoop.now()
    if firstPictureBy == 0 {
      firstPictureBy = now + Kiosk.firstPicturePatience
      firstPictureTimer = loop.timer { [unowned self] in changed() }
      firstPictureTimer?.arm(at: firstPictureBy)
    }
    return now < firstPictureBy
  }

  /// Nanoseconds.
  private static let firstPicturePatience: UInt64 = 200_000_000

  private func drawQuietCells(_ indices: [Int]) {
    for index in indices {
      let name = sources.first { $0.index == index }?.spec.name ?? ""
      let words = quietCellsAreMute ? "" : "no map here: \(name)"
      _ = QuietCell.draw(
        source: index, name: words, edge: 256 * pipeline.scale,
        scale: pipeline.scale, opaque: pipeline.loader.opaque, colors: themeTransform,
        text: painter.text, cache: pipeline.cache)
    }
  }

  /// Whose data is on the screen.
  var attribution: String {
    if let knownAttribution { return knownAttribution }
    var texts: [String] = []
    // Few of many are open.
    for i in sources.indices where sources[i].info != nil && isShown(sources[i]) {
      let text = sources[i].attribution
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    let joined = texts.joined(separator: " | ")
    knownAttribution = joined
    return joined
  }

  /// Takes in what the loader's threads did.
  private func collect() {
    var hasNews = false
    pipeline.loader.collect { event in
      if case .decoded = event {} else { hasNews = true }
      switch event {
      case .decoded(_, let nanoseconds):
        decodeTimes.add(nanoseconds: nanoseconds)
      case .missing:
        break
      case .opened(let index, let info, let problems):
        if !overlayOpened(index, info, problems) { opened(index, info, problems) }
      case .openFailed(let index, let error):
        if !overlayOpenFailed(index, error) { openFailed(index, error) }
      case .tileError(let index, let error): tileFailed(index, error)
      }
    }
    if hasNews || !awaitsTiles || !pipeline.loader.isNeeded { needsFrame = true }
  }

  // MARK: The first view

  /// Where nothing says where to begin, the first source does, once it is open.
  private func placeFirstView() {
    let v = configuration.view
    if v.center != nil, v.zoom != nil {
      view.go(to: view.goal, animate: false, now: EventLoop.now())
      return
    }
    guard let first = sources.first(where: { $0.spec.name == activeSource }) else { return }
    waitsForFirstSource = true
    pipeline.loader.open(first.index)
    // A medium that does not answer must not keep the screen dark.
    firstFrameTimer?.arm(after: 1_000_000_000)
  }

  /// The view that the configuration or, failing that, the first source begins with.
  var homeView: Viewport {
    let v = configuration.view
    let entry = sources.first { $0.spec.role == .base }
    var home = FirstView.of(
      entry?.info, levels: entry?.levels, tileSize: entry?.spec.tileSize ?? 256, center: v.center,
      zoom: v.zoom, in: view.goal)
    home.bearing = v.bearing
    return view.clamped(home)
  }

  func firstSourceIsKnown() {
    guard waitsForFirstSource else { return }
    waitsForFirstSource = false
    firstFrameTimer?.cancel()
    view.go(to: homeView, animate: false, now: EventLoop.now())
    needsFrame = true
  }
}
