import Configuration
import Control
import EventLoop
import MapGeometry
import MapScene
import TileLoading
import TileSources
import VectorMaps

/// The list of sources, among them the base map, and their state. A part of the layer book.
final class SourceList: LayerList {
  let store: LayerStore
  let limit = TileKey.maxSources
  var reopenings: [Int: LayerReopening] = [:]
  /// In the order of the configuration, added ones last.
  var entries: [SourceEntry] = [] { didSet { forgetKnown() } }
  /// The name of the base source on the screen.
  private(set) var active: String? { didSet { forgetKnown() } }
  /// Called when another source became the base map, or its tiles have another size.
  var onBase: (() -> Void)?
  /// The values of `attributions`, which every frame reads; nil: they must be computed again.
  private var knownAttribution: (all: String, overBase: String)?
  /// The value of `isPainted`, which every frame reads; nil: it must be found again.
  private var knownIsPainted: Bool?

  /// Whether a map was opened whose style draws pictures of other sources.
  private(set) var drawsPictures = false

  /// When changed files that are open must be shown, even if incomplete.
  var replacedBy: UInt64 = 0
  private(set) var replacementTimer: LoopTimer?
  /// How often a file is opened again that is written to again and again, in nanoseconds.
  var rewritePause: UInt64 = 5_000_000_000
  /// When such files are looked at.
  private(set) var rewriteTimer: LoopTimer?
  private(set) var openingTimer: LoopTimer?
  /// The tiles that failed after their source's first one.
  let failedTiles: FailedTiles
  /// The failed tiles that the health tells of.
  private(set) var toldTiles: Set<TileID> = []
  /// When the health tells of others, because those have come.
  private var untoldTimer: LoopTimer?

  init(_ store: LayerStore, loop: EventLoop) {
    self.store = store
    failedTiles = FailedTiles(loop: loop, outbox: store.outbox)
    replacementTimer = loop.timer { [outbox = store.outbox] in outbox.add(.picture) }
    rewriteTimer = loop.timer { [outbox = store.outbox] in outbox.add(.files) }
    openingTimer = loop.timer { [weak self] in self?.retryOpenings() }
    untoldTimer = loop.timer { [weak self] in self?.tellUntold() }
  }

  // MARK: Look up

  /// The entry of the base source on the screen.
  var activeEntry: SourceEntry? { active.flatMap { self[$0] } }

  /// The base source that `home` leads back to.
  var firstBase: SourceEntry? {
    // Sources on media come and go, so configured and added ones take precedence.
    entries.first { $0.spec.role == .base && $0.origin != .medium }
      ?? entries.first { $0.spec.role == .base && $0.info != nil }
  }

  /// The name of the source with the number `index`; empty: there is none.
  func name(of index: Int) -> String { numbered(index).map { entries[$0].name } ?? "" }

  /// The attribution of the sources that are shown.
  var attribution: String { attributions.all }

  /// The attribution of those among them that lie over the base map.
  var attributionOverBase: String { attributions.overBase }

  private var attributions: (all: String, overBase: String) {
    if let knownAttribution { return knownAttribution }
    var (texts, over): ([String], [String]) = ([], [])
    let shown = shown
    // Most sources are not open, so check that first.
    for i in entries.indices where entries[i].info != nil && shown.contains(entries[i].name) {
      let text = entries[i].attribution
      if text.isEmpty { continue }
      if !texts.contains(text) { texts.append(text) }
      let isOver = entries[i].spec.role == .overlay || entries[i].spec.role == .labels
      if isOver, !over.contains(text) { over.append(text) }
    }
    let joined = (texts.joined(separator: " | "), over.joined(separator: " | "))
    knownAttribution = joined
    return joined
  }

  private func forgetKnown() { (knownAttribution, knownIsPainted) = (nil, nil) }

  /// Whether the base map is painted for the zoom on the screen.
  var isPainted: Bool {
    if let knownIsPainted { return knownIsPainted }
    let base = activeEntry
    let painter = base?.info == nil ? nil : base.flatMap { store.loader.painter(of: $0.index) }
    let isPainted = painter?.dependsOnZoom ?? false
    knownIsPainted = isPainted
    return isPainted
  }

  /// The source and its fallbacks in order, each once and at most 8. `isToBe`: with the changed
  /// files that wait to be shown.
  func chain(of entry: SourceEntry, isToBe: Bool = false) -> [SceneSource] {
    var chain: [SceneSource] = []
    var next: SourceEntry? = entry
    while let entry = next, chain.count < SceneLayer.longestChain {
      let info = isToBe ? entry.reopening.flatMap { reopenings[$0]?.info } : nil
      let source = info.map(entry.sceneToBe) ?? entry.scene
      if chain.contains(where: { $0.index == source.index }) { break }
      chain.append(source)
      next = entry.spec.fallback.flatMap { self[$0] }
    }
    return chain
  }

  func tileSize(of spec: SourceSpec) -> Int { spec.tileSize }

  var shown: Set<String> {
    var shown = Set<String>()
    for i in entries.indices
    where entries[i].spec.isAlwaysShown || entries[i].spec.name == active {
      var name: String? = entries[i].spec.name
      while let next = name, shown.insert(next).inserted { name = self[next]?.spec.fallback }
    }
    return shown
  }

  // MARK: Changing the list

  /// Adds the sources of the first configuration. The list is empty, so names need not be searched
  /// one by one. Each source is registered with the loader when it is first opened.
  func insertFirst(_ specs: [SourceSpec]) {
    var names: Set<String> = []
    var leftOut: [String] = []
    names.reserveCapacity(specs.count)
    entries.reserveCapacity(specs.count)
    for spec in specs {
      guard names.insert(spec.name).inserted else {
        _ = insert(spec, origin: .configuration)
        continue
      }
      guard let index = store.takeIndex() else {
        leftOut.append(spec.name)
        continue
      }
      var entry = SourceEntry(spec, index: index, origin: .configuration)
      entry.tileSize = spec.tileSize
      entries.append(entry)
    }
    if !leftOut.isEmpty { noteLeftOut(leftOut) }
    namePictures()
    active = firstBase?.spec.name
    onBase?()
    if let base = activeEntry { store.loader.open(base.index) }
  }

  /// Adds a source that `make` opens once it is needed, or replaces the one with its name. Without
  /// `make`, `spec` says how to open it. False if there is no room.
  func add(_ spec: SourceSpec, make: LayerOpener? = nil) -> Bool {
    guard insert(spec, origin: .socket, make: make) != nil else { return false }
    tell(spec.name, .added)
    return true
  }

  /// Adds the source of a pack that was found on a medium, and opens it. It is announced once it is
  /// open. False if there is no room.
  func addFound(_ spec: SourceSpec) -> Bool {
    guard let i = insert(spec, origin: .medium) else { return false }
    entries[i].isNew = true
    store.loader.open(entries[i].index)
    return true
  }

  func didInsert(_ i: Int) {
    // What comes on a medium is shown once it is open, if at all.
    if active == nil, entries[i].spec.role == .base, entries[i].origin != .medium {
      active = entries[i].name
    }
    if entries[i].name == active { onBase?() }
    namePicture(entries[i].name, entries[i].spec)
  }

  /// If the source was on the screen, the first base map is shown.
  func didRemove(_ name: String) {
    if active == name { useFirst() }
    namePicture(name, nil)
  }

  /// Replaces the configured sources by `specs`, in their order, followed by the added ones.
  func apply(_ specs: [SourceSpec], before: [SourceSpec]) {
    takeOver(specs, before: before)
    entries = entries.ordered(by: specs.map(\.name))
    if active.flatMap({ index(of: $0) }) == nil { useFirst() }
  }

  private func useFirst() {
    active = firstBase?.spec.name
    onBase?()
    tell(active ?? "", .used)
  }

  /// Shows the base source `name`. `isKnown`: there is such a base source; `isNews`: it was not the
  /// one on the screen.
  func use(_ name: String) -> (isKnown: Bool, isNews: Bool) {
    guard let i = index(of: name), entries[i].spec.role == .base else { return (false, false) }
    refresh(i)
    let isNews = active != name
    active = name
    onBase?()
    store.loader.open(entries[i].index)
    store.outbox.add(.layers)
    if isNews { tell(name, .used) }
    return (true, isNews)
  }

  /// The base source `delta` steps after the present one, cyclically; nil: there is none.
  func base(by delta: Int) -> String? {
    let names = baseNames
    guard !names.isEmpty else { return nil }
    let at = names.firstIndex { $0 == active } ?? 0
    return names[(at + delta + names.count) % names.count]
  }

  var baseNames: [String] { entries.filter { $0.spec.role == .base }.map(\.spec.name) }

  /// Has the cells painted again where sources have nothing: their colours are others.
  func repaintQuietCells() {
    for i in entries.indices where store.loader.has(entries[i].index) {
      store.loader.repaintQuietCell(of: entries[i].index)
    }
  }

  // MARK: Opening

  /// Registers the source with the number `index`, if there is one, with the loader.
  func provide(_ index: Int) {
    if let i = entries.firstIndex(where: { $0.index == index }) { register(i) }
  }

  /// Opens vector maps again: all of them, or those without a language of their own. The old tiles
  /// stay until the new ones are drawn. Maps that are being opened follow once they are open.
  func speakAgain(all: Bool) {
    for i in entries.indices
    where entries[i].make == nil && (all || entries[i].spec.language == nil)
      && (entries[i].info?.drawing != nil || entries[i].reopening != nil)
    {
      dropReopening(i)
      reopen(i)
    }
  }

  /// Whether the map at `i` was opened with another language, unit of height or picture source than
  /// the present ones.
  private func isOutspoken(_ i: Int) -> Bool {
    guard entries[i].make == nil, let drawing = entries[i].info?.drawing,
      let spoken = entries[i].spoken.locked({ $0 })
    else { return false }
    let present = store.manner.locked { $0 }
    let isOther =
      entries[i].spec.language == nil && spoken.language != present.language
      || spoken.usesFeet != present.usesFeet
    return isOther || hasOtherPictures(drawing, spoken)
  }

  /// The function that opens the source, and has it on trial meanwhile.
  func opener(of entry: SourceEntry) -> LayerOpener {
    if let make = entry.make { return make }
    let (spec, stamp, files) = (entry.spec, entry.stamp, entry.ownFiles)
    let sheets = entry.info?.drawing?.files ?? []
    let (scale, looks, openings) = (store.scale, store.files.looks, store.trials?.list)
    let (manner, spoke, specs) = (store.manner, entry.spoken, store.specs)
    return {
      do throws(SourceError) {
        let before = looks.stamp(files + sheets)
        stamp.locked { $0 = before }
        try openings?.begin(files)
        // That may have taken a while.
        let now = looks.stamp(files)
        let old = now + looks.stamp(sheets)
        stamp.locked { $0 = old }
        var spoken = spec
        let present = manner.locked { $0 }
        spoke.locked { $0 = present }
        if spec.language == nil { spoken.language = present.language }
        spoken.usesFeet = present.usesFeet
        var pictures: [String: SourceSpec] = [:]
        let source = try VectorMap.open(
          spoken, scale: scale,
          willRead: { sheets in
            // Before they are read: a change meanwhile is found later.
            let all = now + looks.stamp(sheets)
            stamp.locked { $0 = all }
          },
          pictures: { name in
            let found = specs.locked { $0[name] }
            pictures[name] = found
            return found
          })
        let found = pictures
        spoke.locked { $0?.pictures = found }
        openings?.opened(files)
        return .success(source)
      } catch {
        openings?.failed(files)
        return .failure(error)
      }
    }
  }

  /// Opens a source again that had problems, since its medium may be back. For others, looks at
  /// their files.
  func refresh(_ i: Int) {
    if case .closed = entries[i].state { return }
    if entries[i].mayMend {
      openLater(i, isSame: true)
      // At once: what is wrong with it is known until it is open.
      return store.loader.open(entries[i].index)
    }
    look(at: i, for: .change, isAsked: true)
  }

  /// Opens again every source that had trouble.
  func reopenTroubled() {
    for i in entries.indices where entries[i].mayMend { refresh(i) }
  }

  /// The loader opened the source at `i` under the number `index`. Returns its entry; nil: that was
  /// its changed file.
  func opened(
    _ i: Int, as index: Int, _ info: SourceInfo, _ problems: [SourceError]
  ) -> SourceEntry? {
    if info.drawing?.pictures.isEmpty == false { drawsPictures = true }
    if entries[i].reopening == index {
      openedAgain(i, info, problems)
      return nil
    }
    didOpen(i, info, problems)
    // The language may have changed while it was being opened.
    if isOutspoken(i) { reopen(i) }
    return entries[i]
  }

  /// Notes which tiles the health tells of.
  func noteToldTiles() { toldTiles = Set(entries.lazy.compactMap(\.told?.key.tile)) }

  /// Has `tellUntold` called in a while.
  func tellUntoldSoon() {
    if untoldTimer?.isArmed == false { untoldTimer?.arm(after: SourceList.untoldPause) }
  }
}
