import Configuration
import EventLoop
import Features
import MapLabels
import MapOverlays
import MapScene
import Pixels
import TileLoading
import TileSources

/// Owns the layers of the map, sources and overlays: their origin, their state, and whether they
/// are on the screen.
///
/// Each list handles what concerns its own kind; this class handles what concerns both.
final class LayerBook {
  let sources: SourceList
  let overlays: OverlayList
  /// The selected line.
  let highlight: Highlight
  /// The layers' files.
  let files: LayerFiles
  private let store: LayerStore
  private let outbox: Outbox
  /// Whether anything of the base map is on the screen.
  private var isBaseSeen = true
  /// Increases whenever the overlays' labels may have changed.
  private var labelVersion = 0

  /// `openings` records which packs are being opened; nil: nothing is recorded.
  init(_ pipeline: Pipeline, loop: EventLoop, outbox: Outbox, openings: TrialList? = nil) {
    self.outbox = outbox
    store = LayerStore(pipeline, loop: loop, outbox: outbox, openings: openings)
    files = store.files
    sources = SourceList(store, loop: loop)
    overlays = OverlayList(store, loop: loop)
    highlight = Highlight(store)
    provideSources()
    files.follow { [weak sources, weak overlays] change in
      sources?.filesChanged(change)
      overlays?.filesChanged(change)
    }
    sources.onBase = { [weak sources, weak overlays] in
      let base = sources?.activeEntry
      overlays?.setGrid(base?.name ?? "", tileSize: base?.spec.tileSize ?? 256)
    }
  }

  /// Creates the layers of a configuration, and starts opening the base map first.
  func begin(_ configuration: Configuration, theme filters: [Filter], isNight: Bool) {
    store.setTheme(filters, isNight: isNight)
    sources.insertFirst(configuration.sources)
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
    highlight.attach()
    outbox.add(.layers)
  }

  /// Replaces the configured layers by those of `new`.
  func apply(_ new: Configuration, before old: Configuration) {
    sources.apply(new.sources, before: old.sources)
    overlays.apply(new.overlays, before: old.overlays)
    sources.confine(to: new.control.roots)
    sources.namePictures()
    overlays.confine(to: new.control.roots)
  }

  /// Shows names in `language` where layers name none, heights in feet or metres, and what
  /// `closures` names as closed.
  func speak(_ language: String?, usesFeet: Bool, closures: [String: FeatureClosure]) {
    let new = LayerManner(language: language, usesFeet: usesFeet, closures: closures)
    let old = store.manner.locked { manner in
      defer { manner = new }
      return manner
    }
    if old == new { return }
    if old.language != new.language || old.usesFeet != new.usesFeet {
      sources.speakAgain(all: old.usesFeet != new.usesFeet)
    }
    let names = Set(old.closures.keys).union(new.closures.keys)
      .filter { old.closures[$0] != new.closures[$0] }
    overlays.openAgain(isSpoken: old.language != new.language, names)
  }

  private func provideSources() {
    store.loader.provide = { [weak sources] in sources?.provide($0) }
  }

  // MARK: Files

  /// Looks at the files of all layers beside the loop. Layers whose files changed are opened again.
  func checkFiles() {
    sources.checkFiles(files.takeWritten())
    overlays.checkFiles()
  }

  /// Whether a requested look at files is under way, or a changed file is being opened or waits to
  /// be shown.
  var isReplacing: Bool {
    files.isAsked || sources.isReplacing || !overlays.reopenings.isEmpty
  }

  /// The layers as they will be once changed files are shown; nil: no file has changed.
  func layersToBe() -> [SceneLayer]? {
    guard sources.hasReplacement else { return nil }
    return sceneLayers(isToBe: true).filter { layer in
      layer.chain.contains { !$0.isDrawn && sources.isReplacement($0.index) }
    }
  }

  // MARK: The loader's events

  /// A layer whose opening has ended.
  enum Opened {
    case source(SourceEntry)
    /// `isReplaced`: its changed file replaced what is on the screen.
    case overlay(OverlayEntry, isReplaced: Bool)
  }

  /// The loader opened the layer with the number `index`. `isFrozen`: the picture is frozen, so
  /// that the present stand-ins are on the screen.
  func opened(
    _ index: Int, _ info: SourceInfo, _ problems: [SourceError], isFrozen: Bool
  ) -> Opened? {
    if highlight.opened(index, info) { return nil }
    if let i = overlays.numbered(index) {
      let isReplaced = overlays.opened(i, as: index, info, problems, isFrozen: isFrozen)
      return .overlay(overlays.entries[i], isReplaced: isReplaced)
    }
    return sources.numbered(index).flatMap { sources.opened($0, as: index, info, problems) }
      .map { .source($0) }
  }

  /// The loader could not open the layer with the number `index`.
  func openFailed(_ index: Int, _ error: SourceError) -> Opened? {
    if let i = overlays.numbered(index) {
      return overlays.openFailed(i, as: index, error).map { .overlay($0, isReplaced: false) }
    }
    return sources.numbered(index).flatMap { sources.openFailed($0, as: index, error) }
      .map { .source($0) }
  }

  // MARK: Colours

  /// Decodes all tiles again whose filters or theme changed.
  ///
  /// - Parameters:
  ///   - filters: The theme's filters for every tile.
  ///   - isNight: Whether maps that have colours of their own for the night show them.
  ///   - isFrozen: Whether the picture is frozen, so that the present stand-ins are on the screen.
  /// - Returns: Whether colours changed, and whether other tiles stand in meanwhile.
  func recolor(theme filters: [Filter], isNight: Bool, isFrozen: Bool) -> (
    isNews: Bool, isSwapped: Bool
  ) {
    store.setTheme(filters, isNight: isNight)
    let (a, b) = (sources.recolor(isFrozen: isFrozen), overlays.recolor(isFrozen: isFrozen))
    return (a.isNews || b.isNews, a.isSwapped || b.isSwapped)
  }

  /// Has all tiles that can be on the screen made for grid cells of `cell` pixels; nil: of 256
  /// points. Lines of overlays are drawn for cells of `shownCell` pixels on the screen. Returns
  /// whether other tiles stand in meanwhile.
  func resizeTiles(to cell: Int?, shownAs shownCell: Int?) -> Bool {
    let sources = sources.resizeTiles(to: cell)
    highlight.resize(to: cell, shownAs: shownCell)
    return overlays.resizeTiles(to: cell, shownAs: shownCell) || sources
  }

  /// Drops the tiles of all stand-ins. Returns whether there were any.
  func dropFormers() -> Bool {
    guard store.hasStandIns else { return false }
    sources.dropFormers()
    overlays.dropFormers()
    highlight.dropFormer()
    return true
  }

  // MARK: The scene

  /// The layers on the screen, for the scene, which must be told them at once.
  func layersForScene() -> [SceneLayer] {
    store.toldScene()
    return sceneLayers()
  }

  /// The layers on the screen, bottom first: the base; the level above its roads, with sources
  /// below overlays; labels; the level above labels, likewise.
  ///
  /// `isToBe`: with the changed files that wait to be shown.
  func sceneLayers(isToBe: Bool = false) -> [SceneLayer] {
    var layers: [SceneLayer] = []
    if let base = sources.activeEntry {
      layers.append(
        SceneLayer(
          chain: sources.chain(of: base, isToBe: isToBe), opacity: base.spec.opacity, isBase: true))
    }
    add(.overlay, .aboveRoads, isToBe, to: &layers)
    addOverlays(at: .aboveRoads, to: &layers)
    add(.labels, nil, isToBe, to: &layers)
    let count = layers.count
    add(.overlay, .aboveLabels, isToBe, to: &layers)
    addOverlays(at: .aboveLabels, to: &layers)
    for i in count..<layers.count { layers[i].isAboveLabels = true }
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
    var selected: SceneLayer?
    for entry in overlays.entries where entry.spec.level == level && entry.isShown {
      layers.append(entry.layer)
      if let layer = highlight.layer(over: entry.name) { selected = layer }
    }
    // Over the other overlays: it is what people follow.
    if let selected { layers.append(selected) }
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
  func labels() -> [FeatureLabelSource] {
    labelVersion += 1
    return overlays.inOrder.reversed().compactMap { entry in
      guard entry.isShown, entry.spec.label != nil, let drawing = overlays.drawing(of: entry),
        drawing.hasLabels
      else { return nil }
      return FeatureLabelSource(
        drawing, version: labelVersion, minZoom: entry.spec.minZoom,
        namesLines: entry.spec.level == .aboveLabels)
    }
  }

  /// The shown overlays whose lines are named along them, the topmost first. Overlays above the
  /// labels of the map would cover such names.
  func namedLines() -> [OverlayLines] {
    overlays.inOrder.reversed().compactMap { entry in
      guard entry.isShown, entry.spec.label != nil, entry.spec.level != .aboveLabels,
        let drawing = overlays.drawing(of: entry), drawing.hasNamedLines
      else { return nil }
      return OverlayLines(drawing, minZoom: entry.spec.minZoom)
    }
  }

  /// The lines of the shown overlays.
  func lines() -> [OverlayLines] {
    overlays.entries.compactMap { entry in
      guard entry.isShown, let drawing = overlays.drawing(of: entry) else { return nil }
      return OverlayLines(drawing, minZoom: entry.spec.minZoom)
    }
  }

  /// What the colours of the topmost coloured tracks stand for, and the lowest zoom at which they
  /// are shown.
  func ramp() -> (ramp: FeatureRamp, minZoom: Double)? {
    for entry in overlays.inOrder.reversed() where entry.isShown {
      if let ramp = overlays.drawing(of: entry)?.features.ramp { return (ramp, entry.spec.minZoom) }
    }
    return nil
  }

  /// Records whether anything of the base map is on the screen: where it has no tile, it is not
  /// credited.
  func see(base isSeen: Bool) {
    if isSeen == isBaseSeen { return }
    isBaseSeen = isSeen
    outbox.add(.picture)
  }

  /// The attribution of what is on the screen at `zoom`; `elsewhere`: of what will be on it in
  /// another place, where the base map is expected.
  func attribution(at zoom: Double, elsewhere: Bool = false) -> String {
    var text = isBaseSeen || elsewhere ? sources.attribution : sources.attributionOverBase
    overlays.addAttributions(at: zoom, to: &text)
    return text
  }

  /// The icons of the base map's labels; nil: it has no labels.
  func labelIcons(isNight: Bool) -> LabelIcons? {
    guard sources.isPainted, let base = sources.activeEntry else { return nil }
    let painter = store.loader.painter(of: base.index) as? any LabelledPainter
    let isNight = isNight && base.spec.night == .theme
    return painter?.labelIcons(isNight: isNight) ?? LabelIcons.none
  }

  /// The change of colours of the base map's labels, which is that of its tiles.
  ///
  /// - Parameters:
  ///   - filters: The theme's filters for every tile.
  ///   - isNight: Whether maps that have colours of their own for the night show them.
  /// - Returns: The change; nil: they keep the colours of the style.
  func labelTint(theme filters: [Filter], isNight: Bool) -> LabelTint? {
    guard let base = sources.activeEntry else { return nil }
    let hasNight = store.loader.painter(of: base.index)?.hasNight ?? false
    // As with tiles: a map with night colours of its own gets only the theme's red filter.
    let night = base.spec.night
    let own = isNight ? night.filters(filters) : filters
    let theme = isNight && hasNight && night == .theme ? own.filter { $0 == .red } : own
    let all = base.spec.filters.compactMap { Filter($0) } + theme
    let transform = ColorTransform(all.compactMap(\.colors))
    return transform.isIdentity ? nil : LabelTint(transform)
  }
}
