import TileSources

/// Layers whose colours or files change: their present tiles stand in for those that come.
extension LayerList {
  // MARK: Colours

  /// Decodes the tiles of every layer that the loader has again, in their present colours.
  /// `isFrozen`: the picture is frozen, so that the present stand-ins are on the screen.
  ///
  /// - Returns: whether colours differ, and whether other tiles stand in.
  func recolor(isFrozen: Bool) -> (isNews: Bool, isSwapped: Bool) {
    var (isNews, isSwapped) = (false, false)
    let shown = shown
    for i in entries.indices where store.loader.has(entries[i].index) {
      let outcome = recolor(i, isVisible: shown.contains(entries[i].name), isFrozen: isFrozen)
      isNews = isNews || outcome.isNews
      isSwapped = isSwapped || outcome.isSwapped
    }
    return (isNews, isSwapped)
  }

  private func recolor(
    _ i: Int, isVisible: Bool, isFrozen: Bool
  ) -> (isNews: Bool, isSwapped: Bool) {
    let (loader, index) = (store.loader, entries[i].index)
    let colors = store.colors(of: entries[i])
    // Vector maps and features have a night of their own; what is not open may be one.
    let isDrawn = loader.painter(of: index).map { !$0.needsPayload } ?? false
    let hasNight = entries[i].info.map { $0.drawing != nil || isDrawn } ?? true
    func isOther(_ index: Int) -> Bool {
      let present = loader.colors(of: index)
      return present != colors || (hasNight && present?.isNight != colors.isNight)
    }
    if let next = entries[i].reopening, isOther(next) {
      loader.recolor(next, to: next, colors: colors)
    }
    // A layer that was not needed yet gets its colours when it is.
    guard isOther(index) else { return (false, false) }
    guard entries[i].info != nil, isVisible, let new = store.takeIndex() else {
      loader.recolor(index, to: index, colors: colors)
      return (true, false)
    }
    loader.recolor(index, to: new, colors: colors)
    entries[i].index = new
    keepFormer(index, of: i, isFrozen: isFrozen)
    return (true, true)
  }

  // MARK: Sizes

  /// Remakes the tiles of every layer that can be on the screen for grid cells of `cell` pixels;
  /// nil: of 256 points. Lines are drawn for cells of `shownCell` pixels on the screen. Tiles of
  /// the former size stand in meanwhile. Returns whether any do.
  func resizeTiles(to cell: Int?, shownAs shownCell: Int? = nil) -> Bool {
    var isSwapped = false
    var shown: Set<String>?
    for i in entries.indices
    where entries[i].cell != cell || entries[i].shownCell != shownCell {
      let (loader, index) = (store.loader, entries[i].index)
      guard entries[i].info != nil, loader.colors(of: index) != nil else {
        let isOther = entries[i].shownCell != shownCell
        (entries[i].cell, entries[i].shownCell) = (cell, shownCell)
        // A layer that is still being opened must draw its first lines in the right width.
        if isOther, loader.has(index) {
          loader.recolor(index, to: index, colors: store.colors(of: entries[i]))
        }
        continue
      }
      let names = shown ?? self.shown
      shown = names
      // The tiles of others are made anew when they are shown.
      guard names.contains(entries[i].name) else { continue }
      (entries[i].cell, entries[i].shownCell) = (cell, shownCell)
      let colors = store.colors(of: entries[i])
      if let next = entries[i].reopening, loader.has(next) {
        loader.recolor(next, to: next, colors: colors)
      }
      guard let new = store.takeIndex() else {
        loader.recolor(index, to: index, colors: colors)
        continue
      }
      loader.recolor(index, to: new, colors: colors)
      entries[i].index = new
      // Stand-ins are dropped once the view is complete. If some are left, the tiles that now
      // become stand-ins may cover only part of the view, so keep both.
      if let older = entries[i].older {
        if let former = entries[i].former { store.dropTiles(former) }
        (entries[i].older, entries[i].former) = (older, index)
      } else {
        (entries[i].older, entries[i].former) = (entries[i].former, index)
      }
      store.standIn(index)
      isSwapped = true
    }
    return isSwapped
  }

  // MARK: Stand-ins

  /// Keeps the tiles with the number `old` as stand-ins, unless the present stand-ins are on the
  /// screen.
  func keepFormer(_ old: Int, of i: Int, isFrozen: Bool) {
    if entries[i].former != nil, isFrozen {
      store.dropTiles(old)
    } else {
      dropFormer(i)
      entries[i].former = old
      store.standIn(old)
    }
  }

  /// Drops the stand-ins of the layer.
  func dropFormer(_ i: Int) {
    guard let former = entries[i].former else { return }
    store.dropTiles(former)
    if let older = entries[i].older { store.dropTiles(older) }
    (entries[i].former, entries[i].older) = (nil, nil)
  }

  /// Drops all stand-ins.
  func dropFormers() {
    for i in entries.indices { dropFormer(i) }
  }

  // MARK: Files

  /// Has the files of the layer looked at: now, or once it was opened.
  func look(at i: Int, for interest: StampCheck.Interest, isAsked: Bool = false) {
    let entry = entries[i]
    if entry.files.isEmpty { return }
    guard !entry.isToBeOpened, let before = entry.stamp.locked({ $0 }) else {
      entries[i].isLookDue = true
      return
    }
    if entry.isLookDue { entries[i].isLookDue = false }
    store.files.check([
      StampCheck(
        layer: entry.stamp, paths: entry.files, before: before, interest: interest,
        isAsked: isAsked)
    ])
  }

  /// Looks at files that may have changed while the layer was being opened.
  func lookIfDue(_ i: Int) {
    if entries[i].isLookDue { look(at: i, for: .change) }
  }

  /// Opens a layer's changed files beside the old ones. Does nothing if the change is not of one of
  /// these layers.
  func filesChanged(_ change: LayerFiles.Change) {
    guard let i = entries.firstIndex(where: { $0.stamp === change.layer }),
      let before = entries[i].stamp.locked({ $0 }), before != change.stamp
    else { return }
    switch entries[i].state {
    case .closed: return
    case .failed:
      // What is wrong stays known until it is open.
      register(i)
      store.loader.open(entries[i].index)
    case .open:
      if mayReopen(i, change, since: before) { reopen(i) }
    }
  }

  /// Opens the changed file of the layer at `i` beside what is shown of it.
  func reopen(_ i: Int) {
    guard entries[i].reopening == nil, let next = store.takeIndex() else { return }
    entries[i].reopening = next
    reopenings[next] = LayerReopening()
    register(i, as: next)
    store.loader.open(next)
  }

  // MARK: Layers that are replaced

  /// What of the layer at `i` can stay on the screen until `spec` is open; nil: it is replaced at
  /// once.
  func staying(_ i: Int, for spec: Spec) -> StayingLayer<Spec>? {
    let entry = entries[i]
    guard entry.make == nil, entry.isShown, let info = entry.info else { return nil }
    let staying =
      entry.staying
      ?? StayingLayer(spec: entry.spec, info: info, stamp: entry.stamp, spoken: entry.spoken)
    return staying.spec.canStay(for: spec) ? staying : nil
  }

  /// Opens the layer at `i` beside what it replaces. False if it has no room there.
  func reopen(_ i: Int, keeping staying: StayingLayer<Spec>) -> Bool {
    dropReopening(i)
    reopen(i)
    guard entries[i].reopening != nil else { return false }
    entries[i].staying = staying
    return true
  }

  /// Has `former` again, of which everything is on the screen yet. Returns whether it is.
  func restore(_ former: Entry) -> Bool {
    guard let i = index(of: former.name), let staying = entries[i].staying,
      staying.spec == former.spec
    else { return false }
    dropReopening(i)
    let subjects = entries[i].spec.subjects
    (entries[i].spec, entries[i].original) = (former.spec, former.original)
    (entries[i].origin, entries[i].table) = (former.origin, former.table)
    (entries[i].stamp, entries[i].spoken) = (staying.stamp, staying.spoken)
    (entries[i].state, entries[i].isShown) = (.open(staying.info), former.isShown)
    (entries[i].staying, entries[i].retry) = (nil, former.retry)
    entries[i].problem = former.problem
    store.outbox.note(former.spec.matter, .warning, entries[i].error)
    store.outbox.add(.layers)
    forget(subjects)
    watchFiles()
    armRetries()
    look(at: i, for: .change)
    return true
  }

  /// What the layer `name` replaced goes, if the layer could not be opened and was not withdrawn.
  func endStaying(_ name: String) {
    guard let i = index(of: name), entries[i].staying != nil, entries[i].hasFailed else { return }
    entries[i].staying = nil
    dropFormer(i)
    store.outbox.add(.emptied)
    register(i)
  }

  /// Drops the changed file of the layer that waits to be shown or is being opened.
  func dropReopening(_ i: Int) {
    guard let reopening = entries[i].reopening else { return }
    store.dropSource(reopening)
    reopenings[reopening] = nil
    entries[i].reopening = nil
  }
}
