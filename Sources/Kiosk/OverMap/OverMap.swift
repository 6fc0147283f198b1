import Configuration
import Control
import Drawing
import EventLoop
import Features
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import Words

/// Owns everything drawn over the map: markers, labels, the position, the HUD, toasts, and the card
/// where there is no map.
final class OverMap {
  /// How long a toast is shown, in nanoseconds.
  static let toastTime: UInt64 = 2_500_000_000
  /// From some labels of overlays to the next ones, in nanoseconds.
  private static let placingPause: UInt64 = 16_000_000
  /// How many markers around the screen's centre a button steps through.
  static let mostSelected = 8

  let outbox: Outbox
  let painter: SpritePainter
  let hud: Hud
  let markers: MarkerLayer
  let stack = SpriteStack()
  private let position: PositionSprites
  let ring: FocusRing
  /// What the buttons' focus is on; nil: nothing.
  private(set) var focus: MarkerLayer.Hit?
  /// The markers and clusters that the buttons step through.
  let round = FocusRound()
  /// Whether plates were laid out since the last frame.
  private var hasNewPlates = false
  private var content = HudContent()
  /// The languages that people can choose.
  let languages: LanguageChoice
  /// The present language's words.
  var words: Words { languages.words }
  private var settings: HudSettings
  private var configuration: Configuration
  /// The descriptions of the buttons.
  private(set) var legend: ButtonLegend
  private(set) var toast = ""
  private(set) var toastTimer: LoopTimer?
  /// Has parts that wait for a later frame follow.
  let later: LaterFrame
  /// Whether none of the active map is on the screen, and the card for that case.
  private var isNowhere = false
  private(set) var nowhereCard: HudContent.Card?
  /// The notices, and what the tour says of the place on the screen.
  private(set) var notices: [NoticeLine] = []
  let noticeTurn: NoticeTurn
  private(set) var caption = ""
  /// The view at whose middle that place is.
  private var captionView: Viewport?
  let missing = MissingPanel()
  /// Whether somebody asked for the map key.
  private(set) var isKeyAsked = false
  /// A notice of the program that embeds the kiosk; empty: none.
  private var notice = ""
  /// The problem of the device that is told over the map; nil: none.
  private var problem: Word?
  private var ramp: (ramp: FeatureRamp, minZoom: Double)?
  private var rampWords = RampWords()
  private let fonts: HudFonts
  private var fontsWereChecked = false
  let table = MarkerTable()

  /// `font` creates the renderer of the HUD's font; it is called when the first text is drawn.
  init(
    _ configuration: Configuration, loop: EventLoop, outbox: Outbox,
    font: @escaping ([FontFile]) -> TextRenderer?
  ) {
    self.outbox = outbox
    self.configuration = configuration
    later = LaterFrame(loop: loop, outbox: outbox)
    noticeTurn = NoticeTurn(loop: loop, outbox: outbox)
    let (read, spoken) = (Later(), Later())
    languages = LanguageChoice(configuration.hud, loop: loop, outbox: outbox) {
      spoken.handler?()
    }
    let fonts = HudFonts(loop: loop) { read.handler?() }
    self.fonts = fonts
    painter = SpritePainter { font(fonts.files) }
    hud = Hud(painter)
    markers = MarkerLayer(painter)
    position = PositionSprites(painter)
    ring = FocusRing(painter)
    settings = HudSettings(configuration.hud)
    legend = ButtonLegend(configuration, languages.words)
    position.speak(languages.words)
    toastTimer = loop.timer { [weak self] in self?.showToast("", for: nil) }
    read.handler = { [weak self] in self?.takeFonts() }
    spoken.handler = { [weak self] in self?.speak() }
    fonts.want(configuration)
  }

  /// A handler that is set once the owner is initialised.
  private final class Later {
    var handler: (() -> Void)?
  }

  // MARK: Figures

  var sprites: [Sprite] { stack.sprites }
  func sprites(on level: SpriteStack.Level) -> [Sprite] { stack.sprites(on: level) }
  var hudBytes: Int { hud.bytes }
  var markerBytes: Int { markers.bytes }
  var textBytes: Int { painter.textBytes }
  var fontBytes: Int { fonts.bytes }
  var positionBytes: Int { position.pictureBytes }
  /// Whether labels of overlays are still being placed.
  var isPlacing: Bool { markers.isPlacing }
  var trackBytes: Int { position.choiceBytes }
  /// The files of `hud.font` that were read, for the base map's labels.
  var fontFiles: [FontFile] { fonts.files }
  /// The renderer of the HUD's font, for sprites of other owners.
  var text: TextRenderer? { painter.text }

  // MARK: The frame

  /// Updates everything over the map for `view`, which moves to `goal` or is at rest. Returns
  /// whether the age of a lost fix is on the screen, so that it must be kept up to date.
  func update(
    _ view: Viewport, goal: Viewport?, isAtRest: Bool, attribution: String,
    position shown: PositionShown?, track: Breadcrumbs
  ) -> Bool {
    scalePainter(view)
    markers.isAtRest = isAtRest
    var isCounted = layOut(shown, track, view)
    layOutPlates(view, attribution: attribution, position: shown)
    markers.touchSize = touchSize(hasPosition: shown != nil)
    let hasNewMarkers = layOut(view)
    noticeTurn.follow(pages: hud.noticePages)
    let mustAvoid = position.drawn?.isLost == true && (hasNewPlates || hasNewMarkers)
    if mustAvoid || position.drawnEdge != hud.legendRect {
      // The age of a lost fix avoids plates and markers, and a new legend must not cut the dot.
      position.replace()
      isCounted = layOut(shown, track, view) || isCounted
    }
    hasNewPlates = false
    showFocus(view, goal: goal)
    if !fontsWereChecked, painter.hasText, !fonts.isReading {
      fontsWereChecked = true
      checkFonts()
    }
    return isCounted
  }

  /// Lays out the plates as they are in `view`, which need not be the one on the screen.
  func layOutPlates(_ view: Viewport, attribution: String, position shown: PositionShown?) {
    let parts = settings.current
    content.words = words
    scalePainter(view)
    content.attribution = parts.attribution ? attribution : ""
    content.notices = notices
    let problem = notice.isEmpty ? problem.map { words($0) } ?? "" : notice
    if !problem.isEmpty {
      content.notices.insert(NoticeLine(text: problem, severity: .warning), at: 0)
    }
    content.noticePage = noticeTurn.page
    content.caption = caption
    content.captionPins = captionView.map { heresShown(in: view, from: $0) } ?? []
    content.toast = parts.toasts ? toast : ""
    content.ramp = ramp.flatMap { shown in
      view.zoom >= shown.minZoom && parts.scaleBar
        ? rampWords.key(shown.ramp, parts.units.scaleBar, words) : nil
    }
    content.card = parts.toasts && isNowhere ? nowhereCard : nil
    content.isCalloutOpen = markers.selected != nil
    content.legend = parts.buttons ? legend.items : []
    content.follow(
      view, scaleBar: parts.scaleBar ? parts.units.scaleBar : nil, north: parts.north,
      zoom: parts.zoom, coordinates: parts.coordinates, size: settings.size(in: view))
    var isPinAvoided = parts.zoom || parts.coordinates || !content.notices.isEmpty
    if case .key = content.panel { isPinAvoided = true }
    content.pins = isPinAvoided ? heresShown(in: view) : []
    content.dot = shown.flatMap { position.box(of: $0, in: view) }
    content.isFollowed = shown?.isFollowed == true
    if hud.show(content, width: view.width, height: view.height) {
      stack.replace(.hud, with: hud.sprites)
      hasNewPlates = true
    }
  }

  private func layOut(_ shown: PositionShown?, _ track: Breadcrumbs, _ view: Viewport) -> Bool {
    guard let shown else { return false }
    return position.layOut(
      shown, track, in: view, on: stack,
      clearOf: shown.isLost ? ageObstacles(in: view) : PlateSides.Obstacles(), under: hud.rects,
      edge: hud.legendRect)
  }

  /// Sets the size of everything over the map in `view`.
  func scalePainter(_ view: Viewport) {
    painter.unit = Double(view.scale) * settings.size(in: view)
    painter.leastUnit = Double(view.scale)
  }

  /// Lays out markers and labels in `view`. Returns whether anything changed.
  @discardableResult
  func layOut(_ view: Viewport) -> Bool {
    scalePainter(view)
    defer {
      if markers.isPlacing { later.follow(at: EventLoop.now() &+ OverMap.placingPause) }
    }
    let isRoomKept = !markers.labelSources.isEmpty || markers.hasHere
    markers.positionRoom = isRoomKept ? position.labelRoom() : nil
    markers.calloutPlates = hud.calloutPlates
    markers.ringed = focus.map { MarkerLayer.Ringed($0, reach: ring.reach) }
    guard markers.update(view, avoiding: hud.rects) else { return false }
    stack.replace(.labels, with: markers.labelSprites)
    stack.replace(.markers, with: markers.markerSprites)
    stack.replace(.callout, with: markers.calloutSprites)
    if hud.makeWay(for: markers.calloutRect) { stack.replace(.hud, with: hud.sprites) }
    return true
  }

  /// Calls `body` with each part of the view that changed since the last call.
  func takeDamage(_ body: (PixelRect) -> Void) { stack.takeDamage(body) }

  /// Sets the labels of overlays, the topmost overlay's first.
  func setLabels(_ labels: [FeatureLabelSource]) {
    if !labels.isEmpty || !markers.labelSources.isEmpty { markers.labelSources = labels }
  }

  /// Sets what fades out over new tiles of the map.
  func setFading(_ sprites: [Sprite]) { stack.replace(.fading, with: sprites) }
  /// Sets what the colours of the shown tracks stand for, and from which zoom they are shown.
  func setRamp(_ ramp: (ramp: FeatureRamp, minZoom: Double)?) { self.ramp = ramp }

  /// Sets the labels of the base map, bottom first.
  func setMapLabels(_ sprites: [Sprite]) { stack.replace(.mapLabels, with: sprites) }
  /// The same for a view that is redrawn anyway; afterwards `sprites` has the former labels.
  func exchangeMapLabels(with sprites: inout [Sprite]) {
    stack.exchange(.mapLabels, with: &sprites)
  }

  /// Appends what the base map's labels keep clear of, in view pixels: the HUD, the markers, the
  /// labels of overlays and the position. Shadows do not count: plates have them only by day.
  func addObstacles(to rects: inout [PixelRect]) {
    func add(_ rect: PixelRect) { rects.append(rect.widenedAside(by: painter.px(OverMap.nameGap))) }
    for plate in hud.rects { add(plate) }
    for sprite in markers.markerSprites { add(sprite.rect) }
    for sprite in markers.labelSprites { add(sprite.rect) }
    if let plate = markers.calloutRect { add(plate) }
    for pointer in markers.calloutSprites.dropFirst() { add(pointer.rect) }
    position.addObstacles(to: &rects)
  }

  /// Lays the position's sprites out again with the next update.
  func replacePosition() { position.replace() }

  /// Draws everything in the theme's colours.
  func setTheme(_ theme: PictureTheme) {
    painter.theme = theme
    position.recolor()
  }

  /// Whether words on the map have the colours for a dark one by day.
  var isGroundDark: Bool { painter.isGroundDark }

  /// For tests: how font files are read.
  func setFontReading(_ read: @escaping HudFonts.Read) { fonts.setRead(read) }

  /// Draws all text anew with the fonts that were read.
  private func takeFonts() {
    painter.forgetText()
    position.replace()
    fontsWereChecked = false
    outbox.note("hud.font", .warning, nil)
    checkMapLetters(fonts.undrawn)
    outbox.add(.picture)
  }

  /// Has fonts read that names on the map need: a language for each script.
  func needLetters(of languages: Set<String>) { fonts.needLetters(of: languages) }

  // MARK: HUD

  /// The touch target in points of the HUD. A view that follows a position is that of a vehicle,
  /// whether that comes from gpsd or over the socket.
  private func touchSize(hasPosition: Bool) -> Double {
    let settings = configuration.position
    return settings.follow && (settings.gpsd != nil || hasPosition)
      ? MarkerLayer.vehicleTouchSize : MarkerLayer.touchSize
  }

  /// The touch target in points of `view`.
  func touchSize(in view: Viewport) -> Double { markers.touchSize * settings.size(in: view) }

  /// Which parts of the HUD are shown now.
  var hudSettings: Configuration.Hud { settings.current }

  /// Takes a new configuration. What was shown or hidden over the socket stays so, except for parts
  /// whose configured value changed.
  func configure(_ new: Configuration) {
    configuration = new
    languages.configure(new.hud)
    legend = ButtonLegend(new, words)
    fonts.want(new)
    fontsWereChecked = false
    settings.configure(new.hud)
    (isNowhere, notice, problem) = (false, "", nil)
    outbox.add(.picture)
  }

  /// Says everything in the present language from the next frame on.
  private func speak() {
    legend = ButtonLegend(configuration, words)
    position.speak(words)
    // The card is made anew if it is still needed.
    isNowhere = false
    translateMarkers()
    outbox.add([.language, .picture])
  }

  func setFocus(_ hit: MarkerLayer.Hit?) {
    focus = hit
    outbox.add(.picture)
  }

  /// Shows or hides parts of the HUD, by their names in `[hud]`.
  func showHud(_ parts: [String: Bool]) {
    settings.ask(parts)
    outbox.add(.picture)
  }

  /// Shows a toast, replacing the present one.
  func showToast(_ text: String) {
    guard settings.current.toasts else { return }
    showToast(text, for: OverMap.toastTime)
  }

  private func showToast(_ text: String, for time: UInt64?) {
    toast = text
    if let time { toastTimer?.arm(after: time) }
    outbox.add(.picture)
  }

  /// Shows `text` until the next configuration; empty: nothing.
  func setNotice(_ text: String) {
    if notice == text { return }
    notice = text
    outbox.add(.picture)
  }

  /// Tells a problem of the device until the next configuration; nil: none.
  func setProblem(_ word: Word?) {
    if problem == word { return }
    problem = word
    outbox.add(.picture)
  }

  /// Shows these notices, the worst first.
  func setNotices(_ lines: [NoticeLine]) {
    if lines == notices { return }
    noticeTurn.change(from: notices, to: lines)
    notices = lines
    outbox.add(.picture)
  }

  /// Shows what the tour says of a place, at the middle of `place`; empty: nothing.
  func setCaption(_ text: String, of place: Viewport? = nil) {
    if text == caption, place == captionView { return }
    (caption, captionView) = (text, text.isEmpty ? nil : place)
    outbox.add(.picture)
  }

  /// Records whether none of the active map is on the screen; `card` creates the card for that
  /// case.
  func setNowhere(_ now: Bool, _ card: () -> HudContent.Card) {
    if now == isNowhere { return }
    isNowhere = now
    nowhereCard = now ? card() : nil
    outbox.add(.picture)
  }

  /// Another map is shown, so forget that the last one was off the screen.
  func forgetNowhere() { isNowhere = false }

  // MARK: The panel

  /// Shows a panel beside the map with the next update; nil: none. A map key hides as little of
  /// `obstacles` as possible.
  func setPanel(_ new: Panel?, clearOf obstacles: [PixelRect] = []) {
    (content.panel, content.keyObstacles) = (new, obstacles)
  }

  /// Shows or hides the map key, as somebody asked; it takes the place of a callout. Returns
  /// whether that is a change.
  func showMapKey(_ isShown: Bool) -> Bool {
    if isKeyAsked == isShown { return false }
    if isShown { closeCallout() }
    isKeyAsked = isShown
    outbox.add(.picture)
    return true
  }
}
