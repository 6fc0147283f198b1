import Configuration
import Control
import MapOverlays
import MapScene
import TileLoading
import TileSources

/// The list of overlays, their drawing order and their state. A part of the layer book.
final class OverlayList {
  private let store: LayerStore
  /// In their present order, configured ones first unless they were moved; see `inOrder`.
  private(set) var entries: [OverlayEntry] = []
  /// The source whose tiles are the grid's cells.
  private var grid: (name: String, tileSize: Int) = ("", 256)

  init(_ store: LayerStore) { self.store = store }

  // MARK: Look up

  func index(of name: String) -> Int? { entries.firstIndex { $0.name == name } }

  subscript(name: String) -> OverlayEntry? { entries.first { $0.name == name } }

  /// The overlays in drawing order, the lowest first.
  var inOrder: [OverlayEntry] {
    entries.filter { $0.spec.level == .aboveRoads }
      + entries.filter { $0.spec.level == .aboveLabels }
  }

  /// Whether a grid is shown, whose text would collide with that of quiet cells.
  var showsGrid: Bool { entries.contains { $0.isShown && $0.spec.content == .grid } }

  /// The drawing of an open overlay's features; nil for the grid.
  func drawing(of entry: OverlayEntry) -> FeatureDrawing? {
    store.loader.painter(of: entry.index) as? FeatureDrawing
  }

  /// Bytes that the features of all overlays take.
  var bytes: Int { entries.reduce(0) { $0 + (drawing(of: $1)?.bytes ?? 0) } }

  // MARK: Changing the list

  /// Adds `spec` at the top of its level, or replaces the overlay with that name. Returns its
  /// index; nil if there is no room.
  func insert(_ spec: Configuration.Overlay, origin: LayerOrigin, table: JSON? = nil) -> Int? {
    if let i = index(of: spec.name) {
      store.letGo(&entries[i])
      var entry = OverlayEntry(spec, index: entries[i].index, origin: origin)
      (entry.isShown, entry.table) = (entries[i].isShown, table)
      entries[i] = entry
      register(i)
      return i
    }
    guard entries.count < Configuration.Overlay.maxCount, let index = store.takeIndex() else {
      return nil
    }
    var entry = OverlayEntry(spec, index: index, origin: origin)
    entry.table = table
    entries.append(entry)
    register(entries.count - 1)
    return entries.count - 1
  }

  /// Adds an overlay over the socket and opens it. False if there is no room.
  func add(_ spec: Configuration.Overlay, table: JSON) -> Bool {
    guard let i = insert(spec, origin: .socket, table: table) else { return false }
    entries[i].isShown = true
    store.loader.open(entries[i].index)
    return true
  }

  /// Removes the overlay `name`.
  func remove(_ name: String) {
    guard let i = index(of: name) else { return }
    store.remove(entries.remove(at: i))
    store.outbox.add(.layers)
    watchFiles()
  }

  /// Removes an added overlay that could not be opened, and restores `former`.
  func withdraw(_ name: String, for former: OverlayEntry?) {
    guard let former, let i = index(of: name) else { return remove(name) }
    store.letGo(&entries[i])
    var entry = OverlayEntry(former.spec, index: entries[i].index, origin: former.origin)
    (entry.original, entry.isShown, entry.table) = (
      former.original, former.isShown, former.table
    )
    entries[i] = entry
    register(i)
  }

  /// Replaces the configured overlays by `specs`. Which ones are shown, and changes of their order,
  /// stay, unless the configuration's own order changed.
  func apply(_ specs: [Configuration.Overlay], before: [Configuration.Overlay]) {
    let names = Set(specs.map(\.name))
    for entry in entries where !entry.added && !names.contains(entry.name) {
      remove(entry.name)
      store.outbox.tell(.overlay(name: entry.name, change: "removed"))
    }
    var leftOut: [String] = []
    for spec in specs {
      if let i = index(of: spec.name), entries[i].original == spec {
        entries[i].origin = .configuration
        store.look(at: &entries[i], for: .change, isAsked: true)
        continue
      }
      let isNew = index(of: spec.name) == nil
      if insert(spec, origin: .configuration) == nil {
        leftOut.append(spec.name)
      } else {
        store.outbox.tell(.overlay(name: spec.name, change: isNew ? "added" : "changed"))
      }
    }
    noteLeftOut(leftOut)
    store.outbox.add(.layers)
    guard specs.map(\.name) != before.map(\.name) else { return }
    entries = entries.ordered(by: specs.map(\.name))
  }

  /// Adds the overlays of the first configuration.
  func insertFirst(_ specs: [Configuration.Overlay]) {
    noteLeftOut(specs.filter { insert($0, origin: .configuration) == nil }.map(\.name))
  }

  /// Notes which configured overlays found no room.
  private func noteLeftOut(_ names: [String]) {
    let detail =
      "no place for \(names.joined(separator: ", ")): there are \(Configuration.Overlay.maxCount)"
      + " overlays already; remove one and reload"
    if !names.isEmpty { store.outbox.log(.warning, "overlays: \(detail)") }
    store.outbox.note("overlays", .error, names.isEmpty ? nil : detail)
  }

  // MARK: Visibility and order

  /// Shows or hides an overlay. Nil if none has that name, false if it is already so.
  func show(_ name: String, _ isShown: Bool) -> Bool? {
    guard let i = index(of: name) else { return nil }
    if isShown { store.look(at: &entries[i], for: .change, isAsked: true) }
    guard entries[i].isShown != isShown else { return false }
    entries[i].isShown = isShown
    store.outbox.add(.layers)
    return true
  }

  /// Moves an overlay directly above or below another one, to that one's level.
  ///
  /// - Throws: An error that names the unknown overlay.
  func move(_ name: String, _ place: OverlayMoveParams.Place) throws(ControlError) {
    let other: String
    switch place {
    case .above(let it), .below(let it): other = it
    }
    let names = entries.map(\.name)
    guard let from = index(of: name) else { throw .unknown("overlay", name, known: names) }
    guard index(of: other) != nil else { throw .unknown("overlay", other, known: names) }
    if name == other { return }
    let before = inOrder.map { ($0.name, $0.spec.level) }
    var entry = entries.remove(at: from)
    let at = index(of: other) ?? entries.endIndex
    entry.spec.level = entries[at].spec.level
    if case .above = place {
      entries.insert(entry, at: at + 1)
    } else {
      entries.insert(entry, at: at)
    }
    let now = inOrder.map { ($0.name, $0.spec.level) }
    if !now.elementsEqual(before, by: ==) { store.outbox.add(.layers) }
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

  /// Registers an overlay with the loader, which opens it when it is first needed.
  private func register(_ i: Int) {
    if case .grid = entries[i].spec.content { entries[i].tileSize = grid.tileSize }
    entries[i].state = .closed
    entries[i].error = nil
    entries[i].stamp = StampBox(nil)
    store.loader.setSource(
      entries[i].index, name: entries[i].path ?? entries[i].name,
      colors: store.colors(of: entries[i]),
      make: opener(of: entries[i]))
    store.outbox.add(.layers)
    watchFiles()
  }

  /// Returns the function that opens the overlay, on the thread that then reads it.
  private func opener(
    of entry: OverlayEntry
  ) -> @Sendable () -> Result<any TileSource, SourceError> {
    if case .grid = entry.spec.content {
      let (name, scale) = (grid.name, store.scale)
      return { .success(GridSource(name: name, scale: scale, text: Bundled.text([]))) }
    }
    let (spec, stamp, paths) = (entry.spec, entry.stamp, entry.files)
    let looks = store.files.looks
    return {
      let now = looks.stamp(paths)
      stamp.locked { $0 = now }
      do throws(SourceError) {
        return .success(try spec.openFeatures(looks.features))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Sets the source whose tiles the grids show.
  func setGrid(_ name: String, tileSize: Int) {
    if grid == (name, tileSize) { return }
    grid = (name, tileSize)
    for i in entries.indices {
      if case .grid = entries[i].spec.content { register(i) }
    }
  }

  /// Registers every overlay with a new pipeline's loader.
  func reopenAll() {
    for i in entries.indices {
      store.reset(&entries[i])
      register(i)
    }
  }

  /// Has what came over the socket opened again, beneath `roots`.
  func confine(to roots: [String]) {
    for i in entries.indices where entries[i].confine(to: roots) {
      store.letGo(&entries[i])
      register(i)
      store.loader.open(entries[i].index)
    }
  }

  /// What the loader opened under a number.
  enum Opened {
    /// An overlay; `isReplaced`: its changed file replaced what is on the screen.
    case overlay(OverlayEntry, isReplaced: Bool)
    /// Nothing that is still wanted.
    case nothing
  }

  /// The loader opened the overlay with the number `index`; nil: no overlay has it.
  func opened(
    _ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError]
  ) -> Opened? {
    var isReplaced = false
    if let i = entries.firstIndex(where: { $0.reopening == index }) {
      isReplaced = takeReopened(i)
    } else if entries.firstIndex(where: { $0.index == index }) == nil {
      return nil
    }
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return .nothing }
    entries[i].state = .open(info)
    note(i, problems.first?.description, .warning)
    store.lookIfDue(at: &entries[i])
    return .overlay(entries[i], isReplaced: isReplaced)
  }

  /// The loader could not open the overlay with the number `index`; nil: no overlay has it.
  func openFailed(_ index: Int, _ error: SourceError) -> Opened? {
    if let i = entries.firstIndex(where: { $0.reopening == index }) {
      // The features read before stay until the file can be read again.
      entries[i].reopening = nil
      store.loader.removeSource(index)
      store.giveBack(index)
      note(i, error.description, .warning)
      store.lookIfDue(at: &entries[i])
      return .nothing
    }
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return nil }
    entries[i].state = .failed(error)
    note(i, error.description, .error)
    store.lookIfDue(at: &entries[i])
    return .overlay(entries[i], isReplaced: false)
  }

  /// Notes a problem of the overlay; nil: there is none.
  private func note(_ i: Int, _ detail: String?, _ state: Health.State) {
    store.tell(detail, state, of: entries[i])
    entries[i].error = detail
  }

  // MARK: Changed files

  /// Has the files of all overlays looked at: those that changed are read again.
  func checkFiles() {
    for i in entries.indices { store.look(at: &entries[i], for: .change) }
  }

  /// Reads an overlay's changed file. Does nothing if the change is not of an overlay.
  func filesChanged(_ change: LayerFiles.Change) {
    guard let i = entries.firstIndex(where: { $0.stamp === change.layer }),
      let path = entries[i].path, !entries[i].isToBeOpened,
      entries[i].stamp.locked({ $0 }) != change.stamp
    else { return }
    if case .failed = entries[i].state {
      register(i)
      store.loader.open(entries[i].index)
      return
    }
    guard let index = store.takeIndex() else { return }
    entries[i].reopening = index
    entries[i].stamp = StampBox(nil)
    store.loader.setSource(
      index, name: path, colors: store.colors(of: entries[i]), make: opener(of: entries[i]))
    store.loader.open(index)
  }

  /// Replaces the features by those read again; the old tiles stand in until the new ones are
  /// drawn. Returns whether they are on the screen.
  private func takeReopened(_ i: Int) -> Bool {
    guard let index = entries[i].reopening else { return false }
    let old = entries[i].index
    entries[i].reopening = nil
    entries[i].index = index
    let isVisible = entries[i].isShown
    store.loader.removeSource(old, keepingTiles: isVisible)
    if isVisible { store.keepFormer(old, of: &entries[i]) } else { store.giveBack(old) }
    store.outbox.tell(.overlay(name: entries[i].name, change: "changed"))
    return isVisible
  }

  private func watchFiles() {
    store.files.setWatched(Set(entries.compactMap(\.path)), of: .overlays)
  }

  // MARK: Colours

  /// Draws the tiles of every overlay again in the theme's present colours.
  func recolor() -> (isNews: Bool, isSwapped: Bool) {
    store.recolor(&entries, shown: Set(entries.filter(\.isShown).map(\.name)))
  }

  /// Drops all stand-ins. Returns whether there were any.
  func dropFormers() -> Bool { store.dropFormers(of: &entries) }
}
