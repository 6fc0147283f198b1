import Configuration
import Control
import Drawing
import EventLoop
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
  /// How many markers around the screen's centre a button steps through.
  static let mostSelected = 8

  private let outbox: Outbox
  private let painter: SpritePainter
  private let hud: Hud
  private let markers: MarkerLayer
  private let stack = SpriteStack()
  private let position: PositionSprites
  private var content = HudContent()
  /// The present language's words.
  private(set) var words = Words.english
  private var settings: HudSettings
  /// The descriptions of the buttons.
  private var legend: [HudContent.LegendItem]
  private(set) var toast = ""
  private(set) var toastTimer: LoopTimer?
  /// Whether none of the active map is on the screen, and the card for that case.
  private var isNowhere = false
  private(set) var nowhereCard: HudContent.Card?
  /// The panel beside the map; nil: none.
  private var panel: Panel?
  /// Whether somebody asked for the map key.
  private(set) var isKeyAsked = false
  /// The notice over the map; empty: none.
  private var notice = ""
  /// The problem of the device that is told over the map; nil: none.
  private var problem: Word?
  private let fonts: HudFonts
  private var fontsWereChecked = false
  private var table = MarkerTable()

  /// `font` creates the renderer of the HUD's font; it is called when the first text is drawn.
  init(
    _ configuration: Configuration, loop: EventLoop, outbox: Outbox,
    font: @escaping ([FontFile]) -> TextRenderer?
  ) {
    self.outbox = outbox
    let read = FontsWereRead()
    let fonts = HudFonts(loop: loop) { read.handler?() }
    self.fonts = fonts
    painter = SpritePainter { font(fonts.files) }
    hud = Hud(painter)
    markers = MarkerLayer(painter)
    position = PositionSprites(painter)
    settings = HudSettings(configuration.hud)
    legend = ButtonLegend.items(configuration, words)
    toastTimer = loop.timer { [weak self] in self?.showToast("", for: nil) }
    read.handler = { [weak self] in self?.takeFonts() }
    fonts.want(configuration.hud.fonts)
  }

  private final class FontsWereRead {
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
  var trackBytes: Int { position.choiceBytes }
  /// The renderer of the HUD's font, for sprites of other owners.
  var text: TextRenderer? { painter.text }

  // MARK: The frame

  /// Updates everything over the map for `view`. Returns whether the age of a lost fix is on the
  /// screen, so that it must be kept up to date.
  func update(
    _ view: Viewport, attribution: String, position shown: PositionShown?, track: Breadcrumbs
  ) -> Bool {
    let parts = settings.current
    content.words = words
    painter.unit = Double(view.scale) * parts.size
    var isCounted = layOut(shown, track, view)
    content.attribution = parts.attribution ? attribution : ""
    content.notice = notice.isEmpty ? problem.map { words($0) } ?? "" : notice
    content.toast = parts.toasts ? toast : ""
    content.card = parts.toasts && isNowhere ? nowhereCard : nil
    content.panel = panel
    content.legend = parts.buttons ? legend : []
    content.follow(
      view, scaleBar: parts.scaleBar ? parts.units.scaleBar : nil, north: parts.north,
      zoom: parts.zoom, coordinates: parts.coordinates)
    if hud.show(content, width: view.width, height: view.height) {
      stack.replace(.hud, with: hud.sprites)
    }
    if layOut(view), position.drawn?.isLost == true {
      // The age of a lost fix must avoid the markers' new positions.
      position.replace()
      isCounted = layOut(shown, track, view) || isCounted
    }
    if !fontsWereChecked, painter.hasText { checkFonts() }
    return isCounted
  }

  private func layOut(_ shown: PositionShown?, _ track: Breadcrumbs, _ view: Viewport) -> Bool {
    guard let shown else { return false }
    return position.layOut(
      shown, track, in: view, on: stack, clearOf: markers.markerSprites)
  }

  /// Lays out markers and labels in `view`. Returns whether anything changed.
  @discardableResult
  func layOut(_ view: Viewport) -> Bool {
    painter.unit = Double(view.scale) * settings.current.size
    guard markers.update(view, avoiding: hud.rects) else { return false }
    stack.replace(.labels, with: markers.labelSprites)
    stack.replace(.markers, with: markers.markerSprites)
    stack.replace(.callout, with: markers.calloutSprites)
    return true
  }

  /// Calls `body` with each part of the view that changed since the last call.
  func takeDamage(_ body: (PixelRect) -> Void) { stack.takeDamage(body) }

  /// Sets the labels of overlays, the topmost overlay's first.
  func setLabels(_ labels: [FeatureLabelAnchors]) {
    if !labels.isEmpty || !markers.labelSources.isEmpty { markers.labelSources = labels }
  }

  /// Sets the labels of the base map, bottom first.
  func setMapLabels(_ sprites: [Sprite]) { stack.replace(.mapLabels, with: sprites) }

  /// Appends the parts of the screen that the base map's labels keep clear of: the HUD and the
  /// markers, in view pixels.
  func addObstacles(to rects: inout [PixelRect]) {
    rects.append(contentsOf: hud.rects)
    for sprite in markers.markerSprites { rects.append(sprite.rect) }
    for sprite in markers.calloutSprites { rects.append(sprite.rect) }
  }

  /// Lays the position's sprites out again with the next update.
  func replacePosition() { position.replace() }

  /// Draws everything in the theme's colours.
  func setTheme(_ theme: PictureTheme) {
    painter.theme = theme
    position.recolor()
  }

  /// For tests: how font files are read.
  func setFontReading(_ read: @escaping HudFonts.Read) { fonts.setRead(read) }

  /// Draws all text anew with the fonts that were read.
  private func takeFonts() {
    painter.forgetText()
    position.replace()
    fontsWereChecked = false
    outbox.note("hud.font", .warning, nil)
    outbox.add(.picture)
  }

  /// Reports font files that cannot be used.
  private func checkFonts() {
    fontsWereChecked = true
    let problems = painter.text?.problems ?? []
    let detail = problems.map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
    if !detail.isEmpty { outbox.log(.warning, "hud.font: \(detail)") }
    outbox.note("hud.font", .warning, detail.isEmpty ? nil : detail)
  }

  // MARK: HUD

  /// Which parts of the HUD are shown now.
  var hudSettings: Configuration.Hud { settings.current }

  /// Takes a new configuration. What was shown or hidden over the socket stays so, except for parts
  /// whose configured value changed.
  func configure(_ new: Configuration) {
    legend = ButtonLegend.items(new, words)
    fonts.want(new.hud.fonts)
    settings.configure(new.hud)
    (isNowhere, notice, problem) = (false, "", nil)
    outbox.add(.picture)
  }

  /// Says everything in `words` from the next frame on.
  func speak(_ new: Words, _ configuration: Configuration) {
    if new == words { return }
    words = new
    legend = ButtonLegend.items(configuration, words)
    position.words = words
    // The card is made anew if it is still needed.
    isNowhere = false
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

  // MARK: Markers

  var markerStore: MarkerStore { markers.store }

  /// The tables of the markers set over the socket, in the markers' order.
  var addedTables: [JSON] { table.tables(of: markers.store.all) }

  func isAdded(_ id: String) -> Bool { table.isAdded(id) }

  /// Adds a marker, or replaces the one with its id.
  ///
  /// `table` is the one with which it was set over the socket.
  ///
  /// - Throws: `MarkerError` if there is no room for it.
  func set(_ marker: Marker, table: JSON) throws(MarkerError) {
    try markers.set(marker)
    self.table.set(marker.id, table)
    outbox.add(.picture)
    outbox.tell(.marker(marker.id, .set))
  }

  /// Removes a marker. False if there is none with that id.
  func removeMarker(_ id: String) -> Bool {
    guard markers.remove(id) else { return false }
    table.remove(id)
    outbox.add(.picture)
    outbox.tell(.marker(id, .removed))
    return true
  }

  /// Replaces the configured markers `old` by `new` (see `MarkerTable.merge`).
  func applyMarkers(_ new: [Configuration.Marker], before old: [Configuration.Marker]) {
    guard let merged = table.merge(new, before: old, in: markers.store) else { return }
    let before = markers.store.all
    let selected = markers.selected
    markers.removeAll()
    var refused: MarkerError?
    for marker in merged {
      do throws(MarkerError) { try markers.set(marker) } catch { refused = error }
    }
    markers.select(selected)
    outbox.note("markers", .warning, refused.map { "\($0)" })
    outbox.add(.picture)
    tellMarkers(since: before)
  }

  /// Announces how the markers differ from those before.
  private func tellMarkers(since before: [Marker]) {
    let former = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    for marker in before where markers.store[marker.id] == nil {
      outbox.tell(.marker(marker.id, .removed))
    }
    for marker in markers.store.all where former[marker.id] != marker {
      outbox.tell(.marker(marker.id, .set))
    }
  }

  // MARK: The panel

  /// Shows a panel beside the map with the next update; nil: none.
  func setPanel(_ new: Panel?) { panel = new }

  /// Whether a callout is open.
  var isCalloutOpen: Bool { markers.selected != nil }

  /// Shows or hides the map key, as somebody asked. Returns whether that is a change.
  func showMapKey(_ isShown: Bool) -> Bool {
    if isKeyAsked == isShown { return false }
    isKeyAsked = isShown
    outbox.add(.picture)
    return true
  }

  /// Where the panel is, in view pixels; nil: none is shown.
  var panelRect: PixelRect? { hud.panelRect }

  // MARK: Taps and selection

  /// What a tap or a button hit.
  enum Hit {
    case nothing
    /// A callout was opened or closed.
    case callout
    /// A cluster: the ids of its markers, and the box around them.
    case cluster([String], GeoBounds)
  }

  /// Handles a tap at the point (x, y) of `view`, in points.
  func tap(x: Double, y: Double, in view: Viewport) -> Hit {
    // The hit test uses the layout, so bring it up to date.
    layOut(view)
    guard let hit = markers.hit(x: x, y: y) else {
      closeCallout()
      return .nothing
    }
    return choose(hit, .tapped)
  }

  /// Selects the next of the markers around the centre of `view`, from the nearest outwards. After
  /// the last one, closes the callout.
  func selectNext(in view: Viewport) -> Hit {
    layOut(view)
    let near = markers.nearest(OverMap.mostSelected)
    guard let first = near.first else { return closeCallout() ? .callout : .nothing }
    let current = near.firstIndex { hit in
      switch hit {
      case .marker(let id): id == markers.selected
      case .cluster(let ids, _): ids.first == markers.selected
      }
    }
    guard let current else { return choose(first, .selected) }
    let rest = near[(current + 1)...]
    if let next = rest.first { return choose(next, .selected) }
    closeCallout()
    return .callout
  }

  private func choose(_ hit: MarkerLayer.Hit, _ how: KioskEvent.MarkerChange) -> Hit {
    switch hit {
    case .cluster(let ids, let box): return .cluster(ids, box)
    case .marker(let id):
      select(id, how)
      return .callout
    }
  }

  /// Opens the callout of the marker `id`, or closes it if it is open.
  func select(_ id: String, _ how: KioskEvent.MarkerChange) {
    if markers.selected == id {
      closeCallout()
      return
    }
    markers.select(id)
    outbox.add(.picture)
    outbox.tell(.marker(id, how))
  }

  /// Closes the callout. False if none is open.
  @discardableResult
  func closeCallout() -> Bool {
    guard let id = markers.selected else { return false }
    markers.select(nil)
    outbox.add(.picture)
    outbox.tell(.marker(id, .closed))
    return true
  }
}
