import MapOverlays
import MapScene
import TileLoading
import TileSources

/// The layer that draws the selected line over the overlays of its level. A part of the layer book.
final class Highlight {
  private let store: LayerStore
  private var source: HighlightSource?
  private(set) var index: Int?
  private var info: SourceInfo?
  /// The number of its tiles of another size, which stand in for the present ones.
  private var former: Int?
  /// For which grid cells its tiles are made, as `LayerEntry` has it.
  private var cell: Int?
  private var shownCell: Int?
  /// The overlay of the line.
  private(set) var overlay = ""

  init(_ store: LayerStore) { self.store = store }

  /// The tiles' layer, if the line is of the overlay `name`; nil: there is nothing to draw.
  func layer(over name: String) -> SceneLayer? {
    guard let index, name == overlay else { return nil }
    var source = SceneSource(index: index, tileSize: 256, levels: nil)
    if let info { source.levels = info.minZoom...max(info.minZoom, info.maxZoom) }
    source.isDrawn = true
    source.isLocal = true
    source.former = former
    return SceneLayer(chain: [source], isBase: false)
  }

  /// Draws `new` over the overlay `name`; nil: nothing.
  func show(_ new: HighlightSource?, over name: String) {
    if let new, let source, name == overlay, new.drawing === source.drawing,
      new.line == source.line, new.theme == source.theme
    {
      return
    }
    if new == nil, source == nil { return }
    drop()
    (source, overlay) = (new, name)
    register()
    store.outbox.add(.layers)
  }

  /// Registers it with a new pipeline's loader, which has none of its tiles.
  func attach() {
    for index in [index, former].compactMap({ $0 }) { store.giveBack(index) }
    (index, former, cell, shownCell) = (nil, nil, nil, nil)
    register()
  }

  /// Makes its tiles for grid cells of `cell` pixels, with line widths for cells of `shown` pixels,
  /// as in the overlay below it.
  func resize(to cell: Int?, shownAs shown: Int?) {
    if cell == self.cell, shown == shownCell { return }
    (self.cell, shownCell) = (cell, shown)
    guard let index else { return }
    guard info != nil, let new = store.takeIndex() else {
      return store.loader.recolor(index, to: index, colors: colors)
    }
    store.loader.recolor(index, to: new, colors: colors)
    dropFormer()
    (former, self.index) = (index, new)
    store.standIn(index)
  }

  /// Drops the tiles that stand in.
  func dropFormer() {
    if let former { store.dropTiles(former) }
    former = nil
  }

  /// Its colours are the theme's already.
  private var colors: TileColors {
    var colors = TileColors.none
    colors.shownCell = shownCell
    return colors
  }

  private func register() {
    guard let source, let index = store.takeIndex() else { return }
    self.index = index
    info = nil
    store.loader.setSource(index, name: "highlight", colors: colors) { .success(source) }
    store.loader.open(index)
  }

  private func drop() {
    if let index { store.dropSource(index) }
    dropFormer()
    (index, info, source) = (nil, nil, nil)
  }

  /// The loader opened the source of the number `index`. False if that is another one.
  func opened(_ index: Int, _ info: SourceInfo) -> Bool {
    guard index == self.index else { return false }
    self.info = info
    store.outbox.add(.layers)
    return true
  }
}
