import Configuration
import Control
import EventLoop
import MapScene
import TileLoading
import TileSources

/// The list of sources, among them the base map, and their state. A part of the layer book.
final class SourceList {
  let store: LayerStore
  /// In the order of the configuration, added ones last. Only the list itself changes them.
  var entries: [SourceEntry] = [] { didSet { knownAttribution = nil } }
  /// The name of the base source on the screen.
  private(set) var active: String? { didSet { knownAttribution = nil } }
  /// The value of `attribution`, which every frame reads; nil: it must be computed again.
  private var knownAttribution: String?

  /// When changed files that are open must be shown, even if incomplete.
  var replacedBy: UInt64 = 0
  private(set) var replacementTimer: LoopTimer?
  /// How often a file is opened again that is written to again and again, in nanoseconds.
  var rewritePause: UInt64 = 5_000_000_000
  /// When such files are looked at.
  private(set) var rewriteTimer: LoopTimer?

  init(_ store: LayerStore, loop: EventLoop) {
    self.store = store
    replacementTimer = loop.timer { [outbox = store.outbox] in outbox.add(.picture) }
    rewriteTimer = loop.timer { [outbox = store.outbox] in outbox.add(.files) }
  }

  // MARK: Look up

  func index(of name: String) -> Int? { entries.firstIndex { $0.spec.name == name } }

  subscript(name: String) -> SourceEntry? { entries.first { $0.spec.name == name } }

  var firstBase: SourceEntry? { entries.first { $0.spec.role == .base } }

  /// The attribution of what is on the screen.
  var attribution: String {
    if let knownAttribution { return knownAttribution }
    var texts: [String] = []
    let shown = shown
    // Few sources of many are open.
    for i in entries.indices where entries[i].info != nil && shown.contains(entries[i].name) {
      let text = entries[i].attribution
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    let joined = texts.joined(separator: " | ")
    knownAttribution = joined
    return joined
  }

  /// The source and its fallbacks in order, each once and at most 8. `isToBe`: with the changed
  /// files that wait to be shown.
  func chain(of entry: SourceEntry, isToBe: Bool = false) -> [SceneSource] {
    var chain: [SceneSource] = []
    var next: SourceEntry? = entry
    while let entry = next, chain.count < SceneLayer.longestChain {
      let source = isToBe ? entry.sceneToBe : entry.scene
      if chain.contains(where: { $0.index == source.index }) { break }
      chain.append(source)
      next = entry.spec.fallback.flatMap { self[$0] }
    }
    return chain
  }

  /// The names of the sources whose tiles can be on the screen.
  var shown: Set<String> {
    var shown = Set<String>()
    for i in entries.indices
    where entries[i].spec.role != .base || entries[i].spec.name == active {
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
    names.reserveCapacity(specs.count)
    entries.reserveCapacity(specs.count)
    for spec in specs {
      guard names.insert(spec.name).inserted else {
        _ = insert(spec, origin: .configuration)
        continue
      }
      guard let index = store.takeIndex() else { break }
      var entry = SourceEntry(spec, index: index, origin: .configuration)
      entry.tileSize = spec.tileSize
      entries.append(entry)
    }
    active = firstBase?.spec.name
  }

  /// Adds `spec` at the end, or replaces the source with that name. False if there is no room.
  func insert(
    _ spec: SourceSpec, origin: LayerOrigin, table: JSON? = nil,
    make: (@Sendable () -> Result<any TileSource, SourceError>)? = nil
  ) -> Bool {
    if let i = index(of: spec.name) {
      let isSame =
        make == nil && entries[i].make == nil && entries[i].info != nil
        && SourceList.isSameMap(entries[i].spec, spec)
      (entries[i].spec, entries[i].original) = (spec, spec)
      (entries[i].origin, entries[i].table) = (origin, table)
      entries[i].tileSize = spec.tileSize
      if isSame {
        // Only its style changed: it stays open, and its state is kept.
        reopenIfNeeded(i)
        store.outbox.add(.colors)
      } else {
        entries[i].make = make
        openLater(i)
      }
    } else {
      guard let index = store.takeIndex() else { return false }
      var entry = SourceEntry(spec, index: index, origin: origin)
      (entry.table, entry.make, entry.tileSize) = (table, make, spec.tileSize)
      entries.append(entry)
      register(entries.count - 1)
    }
    if active == nil, spec.role == .base { active = spec.name }
    store.outbox.add(.layers)
    return true
  }

  /// Restores `former` in place of the source with its name.
  func putBack(_ former: SourceEntry) {
    _ = insert(former.spec, origin: former.origin, table: former.table, make: former.make)
  }

  /// Removes the source `name`. If it was on the screen, the first base map is shown.
  func remove(_ name: String) {
    guard let i = index(of: name) else { return }
    store.remove(entries.remove(at: i))
    watchFiles()
    store.outbox.add(.layers)
    if active == name { useFirst() }
  }

  /// Replaces the configured sources by `specs`, in their order, followed by the added ones.
  func apply(_ specs: [SourceSpec]) {
    let names = Set(specs.map(\.name))
    for entry in entries where !entry.added && !names.contains(entry.spec.name) {
      remove(entry.spec.name)
    }
    for spec in specs {
      if let i = index(of: spec.name), entries[i].spec == spec {
        // Its files may have changed.
        reopenIfNeeded(i)
        continue
      }
      _ = insert(spec, origin: .configuration)
    }
    entries = entries.ordered(by: specs.map(\.name))
    if active.flatMap({ index(of: $0) }) == nil { useFirst() }
    store.outbox.add(.layers)
  }

  private func useFirst() {
    active = firstBase?.spec.name
    store.outbox.tell(.source(name: active ?? "", change: .used))
  }

  /// Shows the base source `name`. `isKnown`: there is such a base source; `isNews`: it was not the
  /// one on the screen.
  func use(_ name: String) -> (isKnown: Bool, isNews: Bool) {
    guard let i = index(of: name), entries[i].spec.role == .base else { return (false, false) }
    reopenIfNeeded(i)
    let isNews = active != name
    active = name
    store.loader.open(entries[i].index)
    store.outbox.add(.layers)
    return (true, isNews)
  }

  /// The base source `delta` places after the present one, cyclically; nil: there is none.
  func base(by delta: Int) -> String? {
    let names = baseNames
    guard !names.isEmpty else { return nil }
    let at = names.firstIndex { $0 == active } ?? 0
    return names[(at + delta + names.count) % names.count]
  }

  var baseNames: [String] { entries.filter { $0.spec.role == .base }.map(\.spec.name) }

  /// Whether both give the same tiles, before filters.
  private static func isSameMap(_ a: SourceSpec, _ b: SourceSpec) -> Bool {
    var other = b
    (other.role, other.level, other.opacity) = (a.role, a.level, a.opacity)
    (other.filters, other.fallback) = (a.filters, a.fallback)
    return other == a
  }

  // MARK: Opening

  /// Registers the source with the number `index`, if there is one, with the loader.
  func provide(_ index: Int) {
    if let i = entries.firstIndex(where: { $0.index == index }) { register(i) }
  }

  /// Registers the source with the loader, under its own number or another one.
  func register(_ i: Int, as index: Int? = nil) {
    entries[i].stamp = StampBox(nil)
    let (entry, scale, looks) = (entries[i], store.scale, store.files.looks)
    let (spec, stamp, files) = (entry.spec, entry.stamp, entry.files)
    let openings = store.trials?.list
    store.loader.setSource(
      index ?? entry.index, name: entry.make == nil ? entry.path : spec.name,
      colors: store.colors(of: entry),
      make: entry.make ?? {
        do throws(SourceError) {
          let before = looks.stamp(files)
          stamp.locked { $0 = before }
          try openings?.begin(files)
          // That may have taken a while.
          let now = looks.stamp(files)
          stamp.locked { $0 = now }
          let source = try spec.open(scale: scale)
          openings?.opened(files)
          return .success(source)
        } catch {
          openings?.failed(files)
          return .failure(error)
        }
      })
  }

  /// Opens a source again that had problems, since its medium may be back. For others, looks at
  /// their files.
  func reopenIfNeeded(_ i: Int) {
    if case .closed = entries[i].state { return }
    if entries[i].error != nil { return openLater(i) }
    store.look(at: &entries[i], for: .change, isAsked: true)
  }

  /// Has the source opened again when it is next needed. What it showed goes.
  private func openLater(_ i: Int) {
    store.dropReopening(of: &entries[i])
    entries[i].state = .closed
    entries[i].error = nil
    store.outbox.note(entries[i].spec.matter, .warning, nil)
    register(i)
  }

  /// Has what came over the socket opened again, beneath `roots`.
  func confine(to roots: [String]) {
    for i in entries.indices where entries[i].confine(to: roots) {
      openLater(i)
      store.loader.open(entries[i].index)
    }
  }

  /// Opens again every layer that had trouble.
  func reopenTroubled() {
    for i in entries.indices where entries[i].error != nil { reopenIfNeeded(i) }
  }

  /// Registers every source with a new pipeline's loader.
  func reopenAll() {
    for i in entries.indices {
      store.reset(&entries[i])
      register(i)
    }
  }

  /// The loader opened the source with the number `index`. Returns its entry; nil: no source has
  /// the number, or a changed file was opened.
  func opened(
    _ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError]
  ) -> SourceEntry? {
    store.trials?.opened()
    if openedAgain(index, info, problems) { return nil }
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return nil }
    let hadFailed = entries[i].hasFailed
    entries[i].state = .open(info)
    entries[i].problem = problems.first?.description
    note(i, problems.first, .warning)
    watchFiles()
    if hadFailed {
      store.outbox.log(.notice, "\(entries[i].spec.matter): it can be opened now")
      store.outbox.tell(.source(name: entries[i].name, change: .changed))
    }
    store.lookIfDue(at: &entries[i])
    return entries[i]
  }

  /// The loader could not open the source with the number `index`. Returns its entry; nil: no
  /// source has the number, or it was a changed file.
  func openFailed(_ index: Int, _ error: SourceError) -> SourceEntry? {
    store.trials?.opened()
    if openAgainFailed(index, error) { return nil }
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return nil }
    entries[i].state = .failed(error)
    note(i, error, .error)
    watchFiles()
    store.lookIfDue(at: &entries[i])
    return entries[i]
  }

  func note(_ i: Int, _ problem: SourceError?, _ state: Health.State) {
    store.tell(problem?.description, state, of: entries[i])
    entries[i].error = problem?.description
  }

  /// The index of the entry whose tiles have the number `index`, now or once its changed file is
  /// shown.
  func numbered(_ index: Int) -> Int? {
    entries.firstIndex { $0.index == index || $0.reopening == index }
  }

  /// No tile of the source with the number `index` fails any more: its medium is back.
  func recovered(_ index: Int) {
    guard let i = numbered(index) else { return }
    entries[i].error = entries[i].problem
    store.outbox.log(.notice, "\(entries[i].spec.matter): its tiles can be read again")
    store.outbox.note(entries[i].spec.matter, .warning, entries[i].problem)
  }

  /// A tile of the source with the number `index` could not be read or decoded.
  func tileFailed(_ index: Int, _ error: TileError) {
    guard let i = numbered(index) else { return }
    let isFirst = entries[i].error == nil
    entries[i].error = error.description
    store.outbox.log(.notice, "\(entries[i].spec.matter): \(error)")
    store.outbox.tell(.tileError(source: entries[i].spec.name, error))
    if isFirst { store.outbox.note(entries[i].spec.matter, .warning, error.description) }
  }

  // MARK: Colours

  /// Decodes the tiles of every source again in its present colours.
  func recolor() -> (isNews: Bool, isSwapped: Bool) { store.recolor(&entries, shown: shown) }

  /// Drops all stand-ins. Returns whether there were any.
  func dropFormers() -> Bool { store.dropFormers(of: &entries) }
}
