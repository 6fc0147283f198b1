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

  /// The colour transform of the tiles of `name`: its filters and the theme's.
  func colors(_ filters: [String], of name: String) -> TileColors {
    let all = filters.compactMap { Filter($0) } + themeFilters
    let steps = all.map { filter in
      if case .mosaic(let strength) = filter { return TileColors.Step.mosaic(strength) }
      return .colors(filter.colors.map { [$0] } ?? [])
    }
    return TileColors(steps, source: name)
  }

  /// Decodes the tiles of `entry` again in `colors`. If it `isVisible`, its present tiles stand in
  /// meanwhile.
  ///
  /// - Returns: Whether the colours changed, and whether other tiles stand in.
  func recolor<Spec>(
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

  /// Forgets what belonged to the previous pipeline.
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
