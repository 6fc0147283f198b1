import Configuration
import EventLoop
import MapScene
import Pixels
import TileLoading
import TileSources

/// What all layers share: the numbers of their tiles, the loader that opens them, and the theme's
/// colours.
///
/// A part of the layer book, used by the lists of sources and of overlays.
final class LayerStore {
  let outbox: Outbox
  let files: LayerFiles
  /// The list of packs that are on trial; nil: it is not used.
  let trials: PackTrials?
  private(set) var loader: TileLoader
  private(set) var cache: TileCache
  private(set) var scale: Int
  /// The numbers that no layer uses.
  private var free = Array((0..<TileKey.maxSources).reversed())
  private var themeFilters: [Filter] = []
  /// Whether the picture is held, so that stand-ins are on the screen.
  private var isHeld = false

  init(_ pipeline: Pipeline, loop: EventLoop, outbox: Outbox, openings: TrialList?) {
    self.outbox = outbox
    trials = openings.map { PackTrials($0, loop: loop, outbox: outbox) }
    files = LayerFiles(loop: loop, outbox: outbox)
    (loader, cache, scale) = (pipeline.loader, pipeline.cache, pipeline.scale)
  }

  func attach(_ pipeline: Pipeline) {
    (loader, cache, scale) = (pipeline.loader, pipeline.cache, pipeline.scale)
  }

  func setTheme(_ filters: [Filter]) { themeFilters = filters }

  func setHeld(_ isHeld: Bool) { self.isHeld = isHeld }

  // MARK: Numbers

  var freeCount: Int { free.count }

  /// Takes a number for a layer's tiles; nil: none is left.
  func takeIndex() -> Int? { free.popLast() }

  func giveBack(_ index: Int) { free.append(index) }

  // MARK: Colours

  /// The colour transform of the tiles of a layer: its filters and the theme's.
  func colors<Spec>(of entry: LayerEntry<Spec>) -> TileColors {
    let all = entry.spec.filters.compactMap { Filter($0) } + themeFilters
    let steps = all.map { filter in
      if case .mosaic(let strength) = filter { return TileColors.Step.mosaic(strength) }
      return .colors(filter.colors.map { [$0] } ?? [])
    }
    return TileColors(steps, source: entry.name)
  }

  /// Decodes the tiles of every one of `entries` that the loader has again, in their present
  /// colours; `shown` are the names of those that can be on the screen.
  ///
  /// - Returns: whether colours differ, and whether other tiles stand in.
  func recolor<Spec>(
    _ entries: inout [LayerEntry<Spec>], shown: Set<String>
  ) -> (isNews: Bool, isSwapped: Bool) {
    var (isNews, isSwapped) = (false, false)
    for i in entries.indices where loader.has(entries[i].index) {
      let outcome = recolor(
        &entries[i], colors(of: entries[i]), isVisible: shown.contains(entries[i].name))
      isNews = isNews || outcome.isNews
      isSwapped = isSwapped || outcome.isSwapped
    }
    return (isNews, isSwapped)
  }

  /// Decodes the tiles of `entry` again in `colors`. If it `isVisible`, its present tiles stand in
  /// meanwhile.
  ///
  /// - Returns: whether the colours differ, and whether other tiles stand in.
  private func recolor<Spec>(
    _ entry: inout LayerEntry<Spec>, _ colors: TileColors, isVisible: Bool
  ) -> (isNews: Bool, isSwapped: Bool) {
    let index = entry.index
    if let next = entry.reopening, loader.colors(of: next) != colors {
      loader.recolor(next, to: next, colors: colors)
    }
    // A layer that was not needed yet gets its colours when it is.
    guard loader.has(index), loader.colors(of: index) != colors else { return (false, false) }
    guard entry.info != nil, isVisible, let new = takeIndex() else {
      loader.recolor(index, to: index, colors: colors)
      return (true, false)
    }
    loader.recolor(index, to: new, colors: colors)
    entry.index = new
    keepFormer(index, of: &entry)
    return (true, true)
  }

  // MARK: Stand-ins

  /// Keeps the tiles with the number `old` as stand-ins, unless the present stand-ins are on the
  /// screen.
  func keepFormer<Spec>(_ old: Int, of entry: inout LayerEntry<Spec>) {
    if entry.former != nil, isHeld {
      dropTiles(old)
    } else {
      dropFormer(of: &entry)
      entry.former = old
    }
  }

  /// Drops the stand-ins of `entry`.
  func dropFormer<Spec>(of entry: inout LayerEntry<Spec>) {
    if let former = entry.former { dropTiles(former) }
    entry.former = nil
  }

  /// Drops all tiles that stand in for those of `entries`. Returns whether there were any.
  func dropFormers<Spec>(of entries: inout [LayerEntry<Spec>]) -> Bool {
    var had = false
    for i in entries.indices where entries[i].former != nil {
      dropFormer(of: &entries[i])
      had = true
    }
    return had
  }

  private func dropTiles(_ index: Int) {
    cache.remove(source: index)
    giveBack(index)
  }

  /// Returns the numbers that `entry` has beside its own, and clears its problems.
  func letGo<Spec>(_ entry: inout LayerEntry<Spec>) {
    dropFormer(of: &entry)
    dropReopening(of: &entry)
    outbox.note(entry.spec.matter, .warning, nil)
  }

  /// Drops the changed file of `entry` that waits to be shown or is being opened.
  func dropReopening<Spec>(of entry: inout LayerEntry<Spec>) {
    if let reopening = entry.reopening {
      loader.removeSource(reopening)
      giveBack(reopening)
    }
    (entry.reopening, entry.reopened) = (nil, nil)
  }

  /// Removes `entry` from the loader. Call it once the entry is off its list.
  func remove<Spec>(_ entry: LayerEntry<Spec>) {
    var entry = entry
    letGo(&entry)
    loader.removeSource(entry.index)
    giveBack(entry.index)
  }

  /// Tells what is wrong with `entry`, which does not know yet; nil: nothing.
  func tell<Spec>(_ detail: String?, _ state: Health.State, of entry: LayerEntry<Spec>) {
    let matter = entry.spec.matter
    if let detail, entry.error != detail { outbox.log(.warning, "\(matter): \(detail)") }
    outbox.note(matter, state, detail)
    outbox.add(.layers)
  }

  // MARK: Files

  /// Has the files of `entry` looked at: now, or once it was opened.
  func look<Spec>(
    at entry: inout LayerEntry<Spec>, for interest: StampCheck.Interest, isAsked: Bool = false
  ) {
    if entry.files.isEmpty { return }
    guard !entry.isToBeOpened, let before = entry.stamp.locked({ $0 }) else {
      entry.isLookDue = true
      return
    }
    entry.isLookDue = false
    files.check([
      StampCheck(
        layer: entry.stamp, paths: entry.files, before: before, interest: interest,
        isAsked: isAsked)
    ])
  }

  /// Looks at files that may have changed while `entry` was being opened.
  func lookIfDue<Spec>(at entry: inout LayerEntry<Spec>) {
    if entry.isLookDue { look(at: &entry, for: .change) }
  }

  /// Forgets what belonged to the pipeline before.
  func reset<Spec>(_ entry: inout LayerEntry<Spec>) {
    entry.state = .closed
    for index in [entry.former, entry.reopening].compactMap({ $0 }) { giveBack(index) }
    (entry.former, entry.reopening, entry.reopened) = (nil, nil, nil)
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
