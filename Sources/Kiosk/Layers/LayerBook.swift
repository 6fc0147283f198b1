import Configuration
import Control
import EventLoop
import MapOverlays
import MapScene
import Pixels
import TileLoading
import TileSources

/// Owns the layers of the map, sources and overlays: their origin, their state, and whether they
/// are on the screen.
final class LayerBook {
  private let outbox: Outbox
  private let store: LayerStore
  private let sources: SourceList
  private let overlays: OverlayList
  private var areQuietCellsMute = false
  /// Increases whenever the overlays' labels may have changed.
  private var labelVersion = 0

  /// `openings` records which packs are being opened; nil: nothing is recorded.
  init(_ pipeline: Pipeline, loop: EventLoop, outbox: Outbox, openings: TrialList? = nil) {
    self.outbox = outbox
    store = LayerStore(pipeline, loop: loop, outbox: outbox, openings: openings)
    sources = SourceList(store, loop: loop)
    overlays = OverlayList(store)
    provideSources()
    store.files.follow { [weak sources, weak overlays] change in
      sources?.filesChanged(change)
      overlays?.filesChanged(change)
    }
  }

  /// Creates the layers of a configuration, and starts opening the base map first.
  func begin(_ configuration: Configuration, theme filters: [Filter]) {
    store.setTheme(filters)
    sources.insertFirst(configuration.sources)
    if let base = activeEntry { store.loader.open(base.index) }
    setGrid()
    overlays.insertFirst(configuration.overlays)
    outbox.add(.layers)
  }

  /// Closes the trial list, because the program ends normally.
  func close() { store.trials?.close() }

  /// Opens all layers again in another pipeline.
  func attach(_ pipeline: Pipeline) {
    store.attach(pipeline)
    provideSources()
    sources.reopenAll()
    overlays.reopenAll()
    outbox.add(.layers)
  }

  /// Replaces the configured layers by those of `new`.
  func apply(_ new: Configuration, before old: Configuration) {
    sources.apply(new.sources)
    setGrid()
    overlays.apply(new.overlays, before: old.overlays)
    sources.confine(to: new.control.roots)
    overlays.confine(to: new.control.roots)
  }

  private func provideSources() {
    store.loader.provide = { [weak sources] in sources?.provide($0) }
  }

  private func setGrid() {
    overlays.setGrid(activeSource ?? "", tileSize: activeEntry?.spec.tileSize ?? 256)
  }

  // MARK: Queries

  /// The sources in the order of the configuration; added ones last.
  var allSources: [SourceEntry] { sources.entries }

  /// The overlays in their present order; configured ones first unless they were moved.
  var allOverlays: [OverlayEntry] { overlays.entries }

  /// The overlays in drawing order, the lowest first.
  var overlaysInOrder: [OverlayEntry] { overlays.inOrder }

  /// The name of the base source on the screen.
  var activeSource: String? { sources.active }

  var activeEntry: SourceEntry? { sources.active.flatMap { sources[$0] } }

  /// The base source that `home` leads back to.
  var firstBase: SourceEntry? { sources.firstBase }

  var baseNames: [String] { sources.baseNames }

  func source(_ name: String) -> SourceEntry? { sources[name] }

  func source(numbered index: Int) -> SourceEntry? {
    sources.numbered(index).map { sources.entries[$0] }
  }

  func overlay(_ name: String) -> OverlayEntry? { overlays[name] }

  func drawing(of entry: OverlayEntry) -> FeatureDrawing? { overlays.drawing(of: entry) }

  /// The attribution of what is on the screen.
  var attribution: String { sources.attribution }

  /// Bytes that the features of all overlays take.
  var overlayBytes: Int { overlays.bytes }

  /// How many more layers are possible.
  var freeCount: Int { store.freeCount }

  /// Reports changes of the layers' files; nil before there are any files.
  var fileWatch: FileWatch? { store.files.watch }

  func colors(of entry: SourceEntry) -> TileColors { store.colors(of: entry) }

  // MARK: Sources

  /// Adds a source, or replaces the one with its name. False if there is no room.
  func add(
    _ spec: SourceSpec, table: JSON? = nil, opens: Bool = false,
    make: (@Sendable () -> Result<any TileSource, SourceError>)? = nil
  ) -> Bool {
    guard sources.insert(spec, origin: .socket, table: table, make: make) else { return false }
    setGrid()
    if opens, let entry = sources[spec.name] { store.loader.open(entry.index) }
    return true
  }

  func removeSource(_ name: String) {
    sources.remove(name)
    setGrid()
  }

  /// Removes an added source that could not be opened, and restores `former`.
  func withdraw(_ name: String, for former: SourceEntry?) {
    if let former { sources.putBack(former) } else { sources.remove(name) }
    setGrid()
  }

  /// Shows the base source `name`. `isKnown`: there is such a base source; `isNews`: it was not the
  /// one on the screen.
  func use(_ name: String) -> (isKnown: Bool, isNews: Bool) {
    let outcome = sources.use(name)
    setGrid()
    return outcome
  }

  /// The base source `delta` places after the present one, cyclically; nil: there is none.
  func base(by delta: Int) -> String? { sources.base(by: delta) }

  /// Opens a layer's source unless it is open.
  func open(_ index: Int) { store.loader.open(index) }

  /// Opens again every source that had trouble.
  func reopenTroubled() { sources.reopenTroubled() }

  // MARK: Overlays

  /// Adds an overlay over the socket and opens it. False if there is no room.
  func add(_ spec: Configuration.Overlay, table: JSON) -> Bool {
    overlays.add(spec, table: table)
  }

  func removeOverlay(_ name: String) { overlays.remove(name) }

  /// Removes an added overlay that could not be opened, and restores `former`.
  func withdrawOverlay(_ name: String, for former: OverlayEntry?) {
    overlays.withdraw(name, for: former)
  }

  /// Shows or hides an overlay. Nil if none has that name, false if it is already so.
  func show(_ name: String, _ isShown: Bool) -> Bool? { overlays.show(name, isShown) }

  /// Moves an overlay directly above or below another one, to that one's level.
  ///
  /// - Throws: An error that names the unknown overlay.
  func move(_ name: String, _ place: OverlayMoveParams.Place) throws(ControlError) {
    try overlays.move(name, place)
  }

  /// Restores which overlays are shown, their levels and their order.
  func restore(_ saved: [SavedOverlay], isSameConfiguration: Bool) {
    overlays.restore(saved, isSameConfiguration: isSameConfiguration)
  }

  // MARK: Files

  /// Looks at the files of all layers beside the loop. Layers whose files changed are opened again.
  func checkFiles() {
    sources.checkFiles(store.files.takeWritten())
    overlays.checkFiles()
  }

  /// The functions that look at files.
  var looks: FileLooks { store.files.looks }

  /// Replaces the functions that look at files, for tests.
  func setLooks(_ looks: FileLooks) { store.files.looks = looks }

  /// Sets how often a file is opened again that is written to again and again, for tests.
  func setRewritePause(_ nanoseconds: UInt64) { sources.rewritePause = nanoseconds }

  /// Watches these files of sources and no others, for tests.
  func setWatched(_ files: Set<String>) { store.files.setWatched(files, of: .sources) }

  /// A reader found that the file of the source with the number `index` was replaced.
  func replaced(_ index: Int) { sources.readerFoundReplacement(index) }

  /// Whether a requested look at files is under way, or a changed file is being opened or waits to
  /// be shown.
  var isReplacing: Bool { store.files.isAsked || sources.isReplacing }

  /// Whether every file of layers is watched and none is being looked at.
  var areFilesQuiet: Bool { store.files.isQuiet }

  /// The layers with a changed file, as they will be once it is shown; nil: there is none.
  func layersToBe() -> [SceneLayer]? {
    sources.hasReplacement
      ? sceneLayers(isToBe: true).filter { layer in
        layer.chain.contains { !$0.isDrawn && sources.isReplacement($0.index) }
      } : nil
  }

  /// Whether replaced maps must be shown now, even if incomplete.
  func isReplacementDue(_ now: UInt64) -> Bool { sources.replacedBy <= now }

  /// Shows all changed files that are open.
  func replaceAll() { sources.replaceAll() }

  // MARK: The loader's events

  /// A layer whose opening has ended.
  enum Opened {
    case source(SourceEntry)
    case overlay(OverlayEntry, isReplaced: Bool)
  }

  func opened(
    _ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError]
  ) -> Opened? {
    switch overlays.opened(index, info, problems) {
    case .overlay(let entry, let isReplaced): .overlay(entry, isReplaced: isReplaced)
    case .nothing: nil
    case nil: sources.opened(index, info, problems).map { .source($0) }
    }
  }

  func openFailed(_ index: Int, _ error: SourceError) -> Opened? {
    switch overlays.openFailed(index, error) {
    case .overlay(let entry, let isReplaced): .overlay(entry, isReplaced: isReplaced)
    case .nothing: nil
    case nil: sources.openFailed(index, error).map { .source($0) }
    }
  }

  func tileFailed(_ index: Int, _ error: TileError) { sources.tileFailed(index, error) }

  func recovered(_ index: Int) { sources.recovered(index) }

  // MARK: Colours

  /// Decodes all tiles again whose filters or theme changed.
  ///
  /// - Parameters:
  ///   - filters: The theme's filters for every tile.
  ///   - isHeld: Whether the picture is held, so that the present stand-ins are on the screen.
  /// - Returns: Whether colours changed, and whether other tiles stand in meanwhile.
  func recolor(theme filters: [Filter], isHeld: Bool) -> (isNews: Bool, isSwapped: Bool) {
    store.setTheme(filters)
    store.setHeld(isHeld)
    let (a, b) = (sources.recolor(), overlays.recolor())
    return (a.isNews || b.isNews, a.isSwapped || b.isSwapped)
  }

  /// Sets whether a picture is held.
  func setHeld(_ isHeld: Bool) { store.setHeld(isHeld) }

  /// Drops the tiles of all stand-ins. Returns whether there were any.
  func dropFormers() -> Bool {
    let had = sources.dropFormers()
    return overlays.dropFormers() || had
  }

  // MARK: The scene

  /// The layers on the screen, bottom first: the base; the level above its roads, with sources
  /// below overlays; labels; the level above labels, likewise.
  ///
  /// `isToBe`: with the changed files that wait to be shown.
  func sceneLayers(isToBe: Bool = false) -> [SceneLayer] {
    var layers: [SceneLayer] = []
    if let base = activeEntry {
      layers.append(
        SceneLayer(
          chain: sources.chain(of: base, isToBe: isToBe), opacity: base.spec.opacity, isBase: true))
    }
    add(.overlay, .aboveRoads, isToBe, to: &layers)
    addOverlays(at: .aboveRoads, to: &layers)
    add(.labels, nil, isToBe, to: &layers)
    add(.overlay, .aboveLabels, isToBe, to: &layers)
    addOverlays(at: .aboveLabels, to: &layers)
    return layers
  }

  private func add(
    _ role: SourceSpec.Role, _ level: SourceSpec.Level?, _ isToBe: Bool,
    to layers: inout [SceneLayer]
  ) {
    // By index: an element is large to copy, and there may be a thousand.
    let all = sources.entries
    for i in all.indices where all[i].spec.role == role {
      if let level, all[i].spec.level != level { continue }
      layers.append(
        SceneLayer(
          chain: sources.chain(of: all[i], isToBe: isToBe), opacity: all[i].spec.opacity,
          isBase: false))
    }
  }

  private func addOverlays(at level: SourceSpec.Level, to layers: inout [SceneLayer]) {
    for entry in overlays.entries where entry.spec.level == level && entry.isShown {
      layers.append(entry.layer)
    }
  }

  /// The largest edge of any layer's tiles, in points.
  var tileSize: Int {
    var largest = 0
    let all = sources.entries
    for i in all.indices { largest = max(largest, all[i].tileSize) }
    for entry in overlays.entries { largest = max(largest, entry.tileSize) }
    return largest == 0 ? 256 : largest
  }

  /// The labels of the shown overlays, the topmost overlay first.
  func labels() -> [FeatureLabelAnchors] {
    labelVersion += 1
    return overlays.inOrder.reversed().compactMap { entry in
      guard entry.isShown, entry.spec.label != nil, let drawing = overlays.drawing(of: entry),
        drawing.hasLabels
      else { return nil }
      return FeatureLabelAnchors(drawing, version: labelVersion, minZoom: entry.spec.minZoom)
    }
  }

  /// The text of a quiet cell: none while a grid writes its own there.
  func quietWords(of index: Int) -> String {
    areQuietCellsMute ? "" : "no map here: \(source(numbered: index)?.spec.name ?? "")"
  }

  /// Repaints quiet cells if a grid came or went. Returns whether one did.
  func muteQuietCells() -> Bool {
    if overlays.showsGrid == areQuietCellsMute { return false }
    areQuietCellsMute.toggle()
    for entry in sources.entries { store.loader.repaintQuietCell(of: entry.index) }
    return true
  }
}
