import Configuration
import Control
import EventLoop
import MapOverlays
import MapScene
import TileLoading
import TileSources

/// The list of overlays, their drawing order and their state. A part of the layer book.
final class OverlayList: LayerList {
  let store: LayerStore
  let limit = Configuration.Overlay.maxCount
  /// The memory of all features.
  let budget = FeatureBudget()
  var reopenings: [Int: LayerReopening] = [:]
  /// Whether the overlays that are added now are those of the last run's state.
  private var isRestoring = false
  /// The texts of those, by the overlays' names. Until it changes, each is on trial like a file,
  /// however often it is opened.
  private var restored: [String: TrialList.Text] = [:]
  /// In their present order, configured ones first unless they were moved; see `inOrder`.
  var entries: [OverlayEntry] = []
  /// The source whose tiles are the grid's cells.
  private var grid: (name: String, tileSize: Int) = ("", 256)

  private(set) var openingTimer: LoopTimer?

  init(_ store: LayerStore, loop: EventLoop) {
    self.store = store
    openingTimer = loop.timer { [weak self] in self?.retryOpenings() }
  }

  // MARK: Look up

  /// The overlays in drawing order, the lowest first.
  var inOrder: [OverlayEntry] {
    entries.filter { $0.spec.level == .aboveRoads }
      + entries.filter { $0.spec.level == .aboveLabels }
  }

  /// Whether features are shown, whose lines are as wide at every zoom.
  var showsFeatures: Bool {
    // By index: an element is large to copy, and every frame asks.
    entries.indices.contains { entries[$0].isShown && entries[$0].spec.content != .grid }
  }

  /// Appends the attributions of the shown overlays that are drawn at `zoom`, each once.
  func addAttributions(at zoom: Double, to text: inout String) {
    for i in entries.indices where entries[i].spec.attribution != nil && entries[i].isShown {
      let own = entries[i].attribution
      guard entries[i].info != nil, zoom >= entries[i].spec.minZoom, !own.isEmpty,
        !text.split(separator: "|").contains(where: { $0.trimmed == own[...] })
      else { continue }
      text += text.isEmpty ? own : " | " + own
    }
  }

  var shown: Set<String> { Set(entries.filter(\.isShown).map(\.name)) }

  func tileSize(of spec: Configuration.Overlay) -> Int {
    spec.content == .grid ? grid.tileSize : 256
  }

  /// The drawing of an open overlay's features; nil for the grid.
  func drawing(of entry: OverlayEntry) -> FeatureDrawing? {
    store.loader.painter(of: entry.index) as? FeatureDrawing
  }

  /// Bytes that the features of all overlays take.
  var bytes: Int { entries.reduce(0) { $0 + (drawing(of: $1)?.bytes ?? 0) } }

  // MARK: Changing the list

  func didInsert(_ i: Int) {
    budget.forgetRefusal(entries[i].name)
    watchFiles()
  }

  func didRemove(_ name: String) {
    budget.remove(name)
    // One that had no room may have it now.
    hastenRetries()
  }

  /// Replaces the configured overlays by `specs`. Which ones are shown, and changes of their order,
  /// stay, unless the configuration's own order changed.
  func apply(_ specs: [Configuration.Overlay], before: [Configuration.Overlay]) {
    let moved = entries.filter { $0.spec.level != $0.original.level }
    takeOver(specs, before: before)
    // Overlays that were moved to another level stay there.
    for former in moved {
      guard let i = index(of: former.name) else { continue }
      entries[i].spec.level = former.spec.level
    }
    guard specs.map(\.name) != before.map(\.name) else { return }
    entries = entries.ordered(by: specs.map(\.name))
  }

  /// Adds the overlays of the first configuration.
  func insertFirst(_ specs: [Configuration.Overlay]) {
    noteLeftOut(specs.filter { insert($0, origin: .configuration) == nil }.map(\.name))
  }

  // MARK: Visibility and order

  /// Shows or hides an overlay. Nil if none has that name, false if it is already so.
  func show(_ name: String, _ isShown: Bool) -> Bool? {
    guard let i = index(of: name) else { return nil }
    if isShown { refresh(i) }
    guard entries[i].isShown != isShown else { return false }
    entries[i].isShown = isShown
    store.outbox.add(.layers)
    tell(name, isShown ? .shown : .hidden)
    return true
  }

  /// Moves an overlay directly above or below another one, to that one's level.
  ///
  /// - Throws: An error that names the unknown overlay.
  func move(_ name: String, _ target: OverlayMoveParams.Place) throws(ControlError) {
    let other: String
    switch target {
    case .above(let it), .below(let it): other = it
    }
    let names = entries.map(\.name)
    guard let from = index(of: name) else { throw .unknown("overlay", name, known: names) }
    guard index(of: other) != nil else { throw .unknown("overlay", other, known: names) }
    tell(name, .moved)
    if name == other { return }
    let before = inOrder.map { ($0.name, $0.spec.level) }
    var entry = entries.remove(at: from)
    let at = index(of: other) ?? entries.endIndex
    entry.spec.level = entries[at].spec.level
    if case .above = target {
      entries.insert(entry, at: at + 1)
    } else {
      entries.insert(entry, at: at)
    }
    let now = inOrder.map { ($0.name, $0.spec.level) }
    if !now.elementsEqual(before, by: ==) { store.outbox.add(.layers) }
  }

  /// Runs `body`, which adds the overlays of the last run's state.
  func restoring(_ body: () -> Void) {
    isRestoring = true
    body()
    isRestoring = false
  }

  /// Restores which overlays are shown, their levels and their order. The order is only restored if
  /// the configuration still has the same overlays in the same order.
  func restore(_ saved: [SavedOverlay], isSameConfiguration: Bool) {
    for saved in saved {
      guard let i = index(of: saved.name) else { continue }
      entries[i].isShown = saved.isShown
      if let level = SourceSpec.Level(rawValue: saved.level) { entries[i].spec.level = level }
    }
    // New overlays go on top.
    if isSameConfiguration { entries = entries.ordered(by: saved.map(\.name)) }
    store.outbox.add(.layers)
  }

  // MARK: Opening

  /// The text of an overlay of the last run's state; nil: it is none, or has another text now.
  private func restoredText(of spec: Configuration.Overlay) -> TrialList.Text? {
    guard isRestoring || restored[spec.name] != nil else { return nil }
    let text = spec.trialText
    if isRestoring { restored[spec.name] = text }
    if restored[spec.name] == text { return text }
    restored[spec.name] = nil
    // What was refused is no more.
    store.trials?.removed([spec.matter])
    return nil
  }

  func opener(of entry: OverlayEntry) -> LayerOpener {
    if case .grid = entry.spec.content {
      let (name, scale) = (grid.name, store.scale)
      return { .success(GridSource(name: name, scale: scale, text: Bundled.text([]))) }
    }
    let (spec, stamp, paths) = (entry.spec, entry.stamp, entry.files)
    let (looks, manner, spoke) = (store.files.looks, store.manner, entry.spoken)
    let openings = store.trials?.list
    let (budget, file) = (budget, entry.spec.featuresName)
    let text = restoredText(of: spec)
    let tried = paths + [text].compactMap { $0?.name }
    return {
      stamp.locked { $0 = looks.stamp(paths) }
      do throws(SourceError) {
        try budget.check(spec.name, file, stamp.locked { $0 })
      } catch {
        return .failure(error)
      }
      let source: FeatureSource
      do throws(SourceError) {
        try openings?.begin(paths, text: text, isOnce: true)
        // That may have taken a while.
        stamp.locked { $0 = looks.stamp(paths) }
        let present = manner.locked { $0 }
        spoke.locked { $0 = present }
        source = try spec.openFeatures(
          looks.features, language: present.language, closed: present.closures[spec.name])
        openings?.opened(tried)
      } catch {
        openings?.failed(tried)
        return .failure(error)
      }
      do throws(SourceError) {
        try budget.take(spec.name, source.features, file, stamp.locked { $0 })
        return .success(source)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Opens overlays again: those in `names`, and if `isSpoken` all with features. The old drawing
  /// stays until the new one is ready. Overlays that are still being opened follow once they are
  /// open.
  func openAgain(isSpoken: Bool, _ names: Set<String>) {
    for i in entries.indices
    where entries[i].spec.content != .grid
      && (names.contains(entries[i].name) || isSpoken)
    {
      guard entries[i].info != nil || entries[i].reopening != nil else { continue }
      dropReopening(i)
      reopen(i)
    }
  }

  /// Whether the overlay at `i` was opened with another language or with other closures than the
  /// present ones.
  private func isOutspoken(_ i: Int) -> Bool {
    guard let spoken = entries[i].spoken.locked({ $0 }) else { return false }
    let (present, spec) = (store.manner.locked { $0 }, entries[i].spec)
    return spoken.closures[spec.name] != present.closures[spec.name]
      || spoken.language != present.language
  }

  /// Adds features that a notice closes. They go with it, and are not saved.
  func addClosed(_ spec: Configuration.Overlay) -> Bool {
    guard let i = insert(spec, origin: .socket) else { return false }
    entries[i].isShown = true
    store.loader.open(entries[i].index)
    return true
  }

  /// Sets the source whose tiles the grids show.
  func setGrid(_ name: String, tileSize: Int) {
    if grid == (name, tileSize) { return }
    grid = (name, tileSize)
    for i in entries.indices where entries[i].spec.content == .grid {
      entries[i].tileSize = tileSize
      openLater(i)
      store.outbox.add(.layers)
    }
  }

  /// The loader opened the overlay at `i` under the number `index`. `isFrozen`: see `recolor`.
  /// Returns whether its changed file replaced what is on the screen.
  func opened(
    _ i: Int, as index: Int, _ info: SourceInfo, _ problems: [SourceError],
    isFrozen: Bool
  ) -> Bool {
    let isReplaced = entries[i].reopening == index && replace(i, isFrozen: isFrozen)
    didOpen(i, info, problems)
    // That may have changed while it was being opened.
    if isOutspoken(i) { reopen(i) }
    return isReplaced
  }

  // MARK: Changed files

  /// Has the files of all overlays looked at: those that changed are read again.
  func checkFiles() {
    for i in entries.indices { look(at: i, for: .change) }
  }

  func refresh(_ i: Int) { look(at: i, for: .change, isAsked: true) }

  func mayReopen(_ i: Int, _ change: LayerFiles.Change, since before: FileStamp) -> Bool { true }

  /// Replaces the features by those read again; the old tiles stand in until the new ones are
  /// drawn. Returns whether they are on the screen.
  private func replace(_ i: Int, isFrozen: Bool) -> Bool {
    guard let index = entries[i].reopening else { return false }
    let (old, isOther) = (entries[i].index, entries[i].staying != nil)
    (entries[i].reopening, entries[i].staying) = (nil, nil)
    reopenings[index] = nil
    entries[i].index = index
    let isVisible = entries[i].isShown
    store.loader.removeSource(old, keepingTiles: isVisible)
    if isVisible { keepFormer(old, of: i, isFrozen: isFrozen) } else { store.giveBack(old) }
    // That an overlay was replaced has been told, or is told as its addition.
    if !isOther { tell(entries[i].name, .changed) }
    return isVisible
  }

  func watchFiles() {
    store.files.setWatched(Set(entries.compactMap(\.path)), of: .overlays)
  }
}

extension Substring {
  /// Without spaces at its ends.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
