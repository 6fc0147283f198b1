import Configuration
import EventLoop
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources

/// What all layers share: the numbers of their tiles, the loader that opens them, and the theme's
/// colours.
///
/// A part of the layer book, used by its lists.
final class LayerStore {
  let outbox: Outbox
  let files: LayerFiles
  /// The list of packs that are on trial; nil: it is not used.
  let trials: PackTrials?
  /// In what way layers are opened from now on.
  let manner = Gate(LayerManner())
  /// All sources by their names, for styles whose layers draw the pictures of one.
  let specs = Gate<[String: SourceSpec]>([:])
  private(set) var loader: TileLoader
  private(set) var scale: Int
  private var cache: TileCache
  /// The numbers that no layer uses.
  private var free = Array((0..<TileKey.maxSources).reversed())
  /// Those that were given back since the scene was last told its layers.
  private var freed: Set<Int> = []
  /// The numbers of tiles that stand in for those of a layer.
  private var standIns: Set<Int> = []
  private var themeFilters: [Filter] = []
  private var isNight = false

  init(_ pipeline: Pipeline, loop: EventLoop, outbox: Outbox, openings: TrialList?) {
    self.outbox = outbox
    trials = openings.map { PackTrials($0, loop: loop, outbox: outbox) }
    files = LayerFiles(loop: loop, outbox: outbox)
    (loader, cache, scale) = (pipeline.loader, pipeline.cache, pipeline.scale)
  }

  func attach(_ pipeline: Pipeline) {
    (loader, cache, scale) = (pipeline.loader, pipeline.cache, pipeline.scale)
  }

  func setTheme(_ filters: [Filter], isNight: Bool) {
    (themeFilters, self.isNight) = (filters, isNight)
  }

  /// The colour transform of the tiles of a layer: its filters and the theme's.
  func colors<Spec>(of entry: LayerEntry<Spec>) -> TileColors {
    func steps(_ filters: [Filter]) -> [TileColors.Step] {
      filters.map { filter in
        if case .mosaic(let strength) = filter { return .mosaic(strength) }
        return .colors(filter.colors.map { [$0] } ?? [])
      }
    }
    let theme = isNight ? entry.spec.night.filters(themeFilters) : themeFilters
    var colors = TileColors(
      steps(entry.spec.filters.compactMap { Filter($0) }), theme: steps(theme),
      source: entry.name)
    colors.isNight = isNight && entry.spec.night == .theme
    colors.shownCell = entry.shownCell
    return colors
  }

  // MARK: Numbers

  var freeCount: Int { free.count }

  /// Takes a number for a layer's tiles; nil: none is left.
  func takeIndex() -> Int? {
    guard let index = free.popLast() else { return nil }
    // To the scene it would be the layer that had this number before.
    if freed.contains(index) { outbox.add(.emptied) }
    return index
  }

  func giveBack(_ index: Int) {
    standIns.remove(index)
    free.append(index)
    freed.insert(index)
  }

  /// The scene gets its layers, without the numbers that nobody has.
  func toldScene() { freed.removeAll(keepingCapacity: true) }

  /// Whether any tiles stand in for others.
  var hasStandIns: Bool { !standIns.isEmpty }

  /// The tiles of the number `index` stand in until `giveBack` or `dropTiles`.
  func standIn(_ index: Int) { standIns.insert(index) }

  /// Drops the tiles of the number `index`, which has no source any more, and takes it back.
  func dropTiles(_ index: Int) {
    cache.remove(source: index)
    giveBack(index)
  }

  /// Drops the source of the number `index` with its tiles, and takes it back.
  func dropSource(_ index: Int) {
    loader.removeSource(index)
    giveBack(index)
  }
}
