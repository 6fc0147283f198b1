import Configuration
import Control
import EventLoop
import MapScene
import TileLoading
import TileSources

/// Opens a layer, on the thread that then reads it.
typealias LayerOpener = @Sendable () -> Result<any TileSource, SourceError>

/// A list of layers of one kind: the sources or the overlays. A part of the layer book.
///
/// Its extensions have what both kinds have in common: how layers are found, added, removed, opened
/// and recoloured, and what happens when their files change.
protocol LayerList: AnyObject {
  associatedtype Spec: LayerSpec
  typealias Entry = LayerEntry<Spec>

  var store: LayerStore { get }
  /// Only the list and its extensions change them.
  var entries: [Entry] { get set }
  /// The changed files by their numbers.
  var reopenings: [Int: LayerReopening] { get set }
  /// The most entries.
  var limit: Int { get }
  /// The names of the layers whose tiles can be on the screen.
  var shown: Set<String> { get }

  /// The edge of the tiles that `spec` describes, in points.
  func tileSize(of spec: Spec) -> Int
  /// The function that opens `entry`.
  func opener(of entry: Entry) -> LayerOpener
  /// Called when a configuration or a call names the unchanged layer again: checks for changed
  /// files.
  func refresh(_ i: Int)
  /// The layer at `i` was added or replaced.
  func didInsert(_ i: Int)
  /// The layer `name` was removed.
  func didRemove(_ name: String)
  /// Watches the files of the layers, and no others.
  func watchFiles()
  /// Whether the open layer at `i` is opened again because of `change`; `before` is the state of
  /// its files when it was opened.
  func mayReopen(_ i: Int, _ change: LayerFiles.Change, since before: FileStamp) -> Bool
  /// Opens layers again that could not be opened.
  var openingTimer: LoopTimer? { get }
  /// Tries the pictures that the style of the open layer at `i` draws and that are missing.
  func tryPictures(_ i: Int)
}

extension LayerList {
  // MARK: Look up

  func index(of name: String) -> Int? { entries.firstIndex { $0.spec.name == name } }

  subscript(name: String) -> Entry? { entries.first { $0.spec.name == name } }

  /// The index of the entry whose tiles have the number `index`, now or once its changed file is
  /// shown.
  func numbered(_ index: Int) -> Int? {
    entries.firstIndex { $0.index == index || $0.reopening == index }
  }

  // MARK: Changing the list

  /// Adds `spec` at the end, or replaces the layer with that name. Returns its index; nil if there
  /// is no room. `table` has the parameters of the call that adds it, `make` opens a custom source.
  func insert(
    _ spec: Spec, origin: LayerOrigin, table: JSON? = nil, make: LayerOpener? = nil
  ) -> Int? {
    store.outbox.add(.layers)
    if let i = index(of: spec.name) {
      let former = entries[i].spec.subjects
      let isSame =
        make == nil && entries[i].make == nil && entries[i].info != nil
        && entries[i].spec.hasSameTiles(as: spec)
      // Only the style or the language changed: the old map stays until the new one is drawn.
      let isRedrawn =
        make == nil && entries[i].make == nil && entries[i].info?.drawing != nil
        && origin == .configuration && entries[i].spec.isSameMap(as: spec)
      let staying = make == nil && !isSame && !isRedrawn ? staying(i, for: spec) : nil
      entries[i].isNew = false
      (entries[i].spec, entries[i].original) = (spec, spec)
      forget(former)
      (entries[i].origin, entries[i].table) = (origin, table)
      entries[i].tileSize = tileSize(of: spec)
      if isSame {
        // Only its style changed: it stays open, and its state is kept.
        refresh(i)
        store.outbox.add(.colors)
      } else if isRedrawn {
        dropReopening(i)
        reopen(i)
        store.outbox.add(.colors)
      } else if let staying, reopen(i, keeping: staying) {
        entries[i].retry = nil
      } else {
        entries[i].make = make
        openLater(i)
      }
      didInsert(i)
      return i
    }
    guard entries.count < limit, let index = store.takeIndex() else { return nil }
    var entry = Entry(spec, index: index, origin: origin)
    (entry.table, entry.make, entry.tileSize) = (table, make, tileSize(of: spec))
    entries.append(entry)
    register(entries.count - 1)
    didInsert(entries.count - 1)
    return entries.count - 1
  }

  /// Adds a layer over the socket, or replaces the one with its name, and opens it. False if there
  /// is no room.
  ///
  /// `table` has the parameters of the call. If it `isNew`, it is announced once it is open.
  func add(_ spec: Spec, table: JSON, isNew: Bool) -> Bool {
    guard let i = insert(spec, origin: .socket, table: table) else { return false }
    entries[i].isShown = true
    entries[i].isNew = isNew
    store.loader.open(entries[i].index)
    if entries[i].info != nil, entries[i].staying == nil { announceIfNew(i) }
    return true
  }

  /// Removes the layer `name`.
  func remove(_ name: String) {
    // A pack that was found but never opened was not announced, so its removal is not, either.
    let isUnknown = self[name].map { $0.origin == .medium && $0.isNew } ?? false
    if drop(name), !isUnknown { tell(name, .removed) }
  }

  /// Removes the layer `name`. Returns whether there was one.
  private func drop(_ name: String) -> Bool {
    guard let i = index(of: name) else { return false }
    dropFormer(i)
    dropReopening(i)
    let entry = entries.remove(at: i)
    store.outbox.note(entry.spec.matter, .warning, nil)
    store.dropSource(entry.index)
    forget(entry.spec.subjects)
    store.outbox.add(.layers)
    watchFiles()
    didRemove(name)
    return true
  }

  /// A layer does not name `subjects` any more. Others may.
  func forget(_ subjects: [String]) {
    let gone = Set(subjects).subtracting(entries.flatMap(\.spec.subjects))
    if !gone.isEmpty { store.trials?.removed(gone.sorted()) }
  }

  /// Removes an added layer that could not be opened, and restores `former`. One that the
  /// configuration has meanwhile stays.
  func withdraw(_ name: String, for former: Entry?) {
    guard self[name]?.added == true else { return }
    guard let former else {
      _ = drop(name)
      return
    }
    if restore(former) { return }
    guard
      let i = insert(
        former.spec, origin: former.origin, table: former.table, make: former.make)
    else { return }
    (entries[i].original, entries[i].isShown) = (former.original, former.isShown)
  }

  /// Replaces the configured layers `old` by `specs`. Layers added over the socket stay, unless the
  /// configuration's layer of that name is new or differs.
  func takeOver(_ specs: [Spec], before old: [Spec]) {
    let names = Set(specs.map(\.name))
    let former = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    for entry in entries where !entry.added && !names.contains(entry.name) { remove(entry.name) }
    var leftOut: [String] = []
    for spec in specs {
      let i = index(of: spec.name)
      if let i, entries[i].original == spec {
        (entries[i].origin, entries[i].table) = (.configuration, nil)
        refresh(i)
      } else if let i, entries[i].origin == .socket, former[spec.name] == spec {
        // Somebody replaced the configured layer, which is still the same.
        refresh(i)
      } else if insert(spec, origin: .configuration) == nil {
        leftOut.append(spec.name)
      } else {
        tell(spec.name, i == nil ? .added : .changed)
      }
    }
    noteLeftOut(leftOut)
    store.outbox.add(.layers)
  }

  /// Notes which configured layers found no room.
  func noteLeftOut(_ names: [String]) {
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    store.outbox.note(
      Spec.plural, .error,
      names.isEmpty
        ? nil
        : "no room for \(names.prefix(8).joined(separator: ", "))\(rest): there are "
          + "\(entries.count) \(Spec.plural) already, \(limit) are possible, and "
          + "\(TileKey.maxSources) layers in all; remove one and reload")
  }

  /// Announces a change of the layer `name`.
  func tell(_ name: String, _ change: KioskEvent.LayerChange) {
    store.outbox.tell(Spec.event(name, change))
  }

  private func announceIfNew(_ i: Int) {
    if entries[i].isNew { tell(entries[i].name, .added) }
    entries[i].isNew = false
  }

  // MARK: Opening

  /// Registers the layer with the loader, under its own number or another one. The loader opens it
  /// when it is first needed.
  func register(_ i: Int, as index: Int? = nil) {
    entries[i].stamp = StampBox(nil)
    entries[i].spoken = SpokenBox(nil)
    let entry = entries[i]
    store.loader.setSource(
      index ?? entry.index, name: entry.make == nil ? entry.spec.locationText : entry.name,
      path: entry.files.first, colors: store.colors(of: entry), make: opener(of: entry))
  }

  /// Has the layer opened again when it is next needed. What it showed goes.
  ///
  /// `isSame`: what is wrong with it stays known until it is open, because nothing of it changed.
  func openLater(_ i: Int, isSame: Bool = false) {
    dropFormer(i)
    dropReopening(i)
    entries[i].staying = nil
    let state: Health.State = entries[i].hasFailed ? .error : .warning
    if entries[i].info != nil { store.outbox.add(.emptied) }
    entries[i].state = .closed
    if !isSame { (entries[i].problem, entries[i].told) = (nil, nil) }
    entries[i].trouble = nil
    entries[i].retry = nil
    store.outbox.note(entries[i].spec.matter, state, entries[i].error)
    register(i)
  }

  /// Opens layers that are confined to `control.roots` again, beneath the new `roots`.
  func confine(to roots: [String]) {
    for i in entries.indices where entries[i].confine(to: roots) {
      openLater(i, isSame: true)
      store.loader.open(entries[i].index)
    }
  }

  /// Registers every layer with a new pipeline's loader.
  func reopenAll() {
    for i in entries.indices {
      entries[i].state = .closed
      entries[i].trouble = nil
      // The former pipeline took these tiles with it.
      for index in [entries[i].former, entries[i].older, entries[i].reopening].compactMap({ $0 }) {
        store.giveBack(index)
      }
      (entries[i].former, entries[i].older, entries[i].reopening) = (nil, nil, nil)
      entries[i].staying = nil
      (entries[i].cell, entries[i].shownCell) = (nil, nil)
      register(i)
    }
    reopenings = [:]
  }

  /// Records that the layer at `i` is open, and shows it.
  func didOpen(_ i: Int, _ info: SourceInfo, _ problems: [SourceError]) {
    let hadFailed = entries[i].hasFailed
    entries[i].state = .open(info)
    // Pictures of other sources that its style draws may become available later.
    let passing =
      info.drawing?.missing.isEmpty == false ? problems.first(where: \.isTransient) : nil
    if let passing {
      tryAgainLater(i, passing, forPictures: true)
    } else {
      entries[i].retry = nil
    }
    entries[i].told = nil
    // That of its former file.
    if entries[i].trouble?.index != entries[i].index { entries[i].trouble = nil }
    note(i, problems.first, .warning)
    watchFiles()
    if hadFailed, !entries[i].isNew { tell(entries[i].name, .changed) }
    announceIfNew(i)
    lookIfDue(i)
  }

  /// The loader could not open the layer at `i` under the number `index`. Returns its entry; nil:
  /// that was its changed file. What was read before then stays until the file can be read. If it
  /// replaced a layer that is still on the screen, `endStaying` must follow.
  func openFailed(_ i: Int, as index: Int, _ error: SourceError) -> Entry? {
    if entries[i].staying != nil, entries[i].reopening == index { dropReopening(i) }
    let isAgain = entries[i].reopening == index
    let missesPictures =
      isAgain && reopenings[index]?.missesPictures?.locked({ $0 }) ?? false
    if isAgain {
      dropReopening(i)
      // Missing pictures have already been reported.
      if !missesPictures { note(i, error, .warning) }
    } else {
      entries[i].state = .failed(error)
      (entries[i].told, entries[i].trouble) = (nil, nil)
      // What was found on a medium is announced once it is open.
      if entries[i].origin != .medium { entries[i].isNew = false }
      note(i, error, .error)
      watchFiles()
    }
    tryAgainLater(i, error, forPictures: missesPictures)
    lookIfDue(i)
    return isAgain ? nil : entries[i]
  }

  /// Notes a problem of the layer as a whole; nil: there is none.
  func note(_ i: Int, _ problem: SourceError?, _ state: Health.State) {
    entries[i].problem = problem?.description
    store.outbox.note(entries[i].spec.matter, state, entries[i].error)
    store.outbox.add(.layers)
  }
}

extension Array {
  /// The entries in the order of `names`, followed by all others in their own order.
  func ordered<Spec>(by names: [String]) -> [Element] where Element == LayerEntry<Spec> {
    let order = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return enumerated().sorted {
      (order[$0.element.name] ?? names.count, $0.offset)
        < (order[$1.element.name] ?? names.count, $1.offset)
    }.map(\.element)
  }
}
