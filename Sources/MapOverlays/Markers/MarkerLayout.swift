import Glibc
import MapGeometry
import MapScene
import Pixels

/// The markers and labels shown in a part of the world larger than the view.
///
/// A layout holds values and the numbers of markers, never their indices in the store.
struct MarkerLayout {
  /// A marker or cluster with its place on the grid.
  struct Placed {
    /// The position in grid pixels.
    var gridX: Double
    var gridY: Double
    var item: MarkerClusters.Item
    var picture: MarkerPicture
    var isHere: Bool
    /// The parts of "here" where other markers stand between them; nil: it is drawn as a whole.
    var parts: (ring: SpriteImage, pin: SpriteImage)?
    /// Whether it stands beside a pin of "here" that would hide it.
    var isMoved = false

    /// What its picture covers, in view pixels.
    func rect(_ t: ViewTransform) -> PixelRect {
      let (x, y) = t.pixel(gridX: gridX, gridY: gridY)
      return PixelRect(
        x: x - picture.anchorX, y: y - picture.anchorY, width: picture.image.width,
        height: picture.image.height)
    }
  }

  /// The inputs of the layout; it is up to date while they are equal.
  private struct Basis: Equatable {
    var version: Int
    var labelVersion: Int
    var lines: OverlayLabelPlacer.Lines
    var level: Int
    var magnification: Double
    var bearing: Double
    var scale: Int
    var width: Int
    var height: Int
    var room: OverlayLabelPlacer.DotRoom?
  }

  /// The most markers and clusters in the window.
  private static let mostPlaced = 1000

  /// The markers and clusters, back to front.
  private(set) var placed: [Placed] = []
  /// The labels that were placed.
  var labels: [OverlayLabelPlacer.Label] { placer.labels }

  /// Which words are light and which dark.
  var inks = LabelInks()

  private var placer = OverlayLabelPlacer()
  private var clusters: MarkerClusters?
  private var clusteredVersion = -1
  /// Clusters that the map key asked for before the layout needs them, and their version.
  private var coming: (clusters: MarkerClusters, version: Int)?
  private var basis: Basis? { didSet { last = basis ?? last } }
  /// The inputs of the last layout, also after `invalidate`.
  private var last: Basis?
  /// The screen at rest for which the layout was made; nil: it was made while the view moved.
  private var rested: OverlayLabelPlacer.Rest?
  /// The last view, and the part of its screen in which labels are whole.
  private var seen: (t: ViewTransform, room: PixelRect)?
  /// The part of the grid that the layout covers.
  private var window = GridBox(minX: 0, minY: 0, maxX: 0, maxY: 0)

  var bytes: Int {
    (clusters?.bytes ?? 0) + (coming?.clusters.bytes ?? 0) + placer.overlays.bytes
  }

  /// Whether labels of overlays still wait for their turn to be placed, in the next updates.
  var isPlacing: Bool { placer.isPending }

  /// Whether a layout at rest may differ from this one.
  var mayMoveAtRest: Bool {
    placer.mayMoveAtRest || seen.map { placer.hasLabelBeyond($0.room, $0.t) } == true
  }

  /// Makes the next `update` lay everything out again.
  mutating func invalidate() { basis = nil }

  /// The same, with labels of other sizes.
  mutating func forgetSizes() {
    invalidate()
    placer.forgetSizes()
  }

  /// The numbers of the markers that `item` of this layout stands for.
  func numbers(of item: MarkerClusters.Item) -> [MarkerStore.Number] {
    item.count > 1 ? clusters?.numbers(of: item) ?? [item.first] : [item.first]
  }

  /// Lays out the markers and labels for `view`, those of overlays clear of `room`, those of points
  /// beside `lines`; false: the layout was up to date. `plates`: what hides labels, in view pixels,
  /// if nothing moves; nil: the view moves.
  mutating func update(
    _ view: Viewport, _ store: MarkerStore, _ sources: [any OverlayLabelSource],
    _ lines: OverlayLabelPlacer.Lines, _ painter: SpritePainter,
    _ pictures: SpriteCache<MarkerPictureKey>,
    clearOf room: OverlayLabelPlacer.DotRoom?, atRest plates: [PixelRect]?
  ) -> Bool {
    let t = ViewTransform(view)
    var labelVersion = sources.count
    for source in sources { labelVersion = labelVersion &* 31 &+ source.labelVersion }
    let now = Basis(
      version: store.version, labelVersion: labelVersion, lines: lines, level: t.level,
      magnification: t.magnification, bearing: t.bearing, scale: view.scale, width: t.width,
      height: t.height, room: sources.isEmpty ? nil : room)
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    let box = GridBox(t.gridBox(screen))
    let whole = screen.widened(by: -painter.px(2))
    seen = (t, whole)
    let rest = plates.map { OverlayLabelPlacer.Rest(box: box, room: whole, plates: $0) }
    let isRested = rest == nil || rest == rested || !mayMoveAtRest
    if isRested, now == basis, window.contains(box) {
      return placer.isPending && placer.proceed()
    }
    let change = change(to: now)
    (basis, rested) = (now, rest)
    clusters = currentClusters(view, store, painter)
    (clusteredVersion, coming) = (store.version, nil)
    // While the map turns, the same labels compete. At rest, those around this very view do.
    if change == .zoom || rest != nil || !window.contains(box) {
      window = box.widened(to: Double(t.cell))
    }
    pictures.beginRound()
    let art = MarkerArt(painter: painter)
    placeMarkers(t, store, art, pictures)
    MarkerLayout.moveBesideHeres(&placed, clearOf: lines.selected, painter, t)
    if let selected = lines.selected {
      MarkerLayout.uncover(selected, from: &placed, in: window, t)
    }
    placer.place(
      placed, of: store, sources, in: window,
      OverlayLabelPlacer.Tools(t, art, pictures, inks, lines),
      change, clearOf: now.room, atRest: rest)
    return true
  }

  /// The markers and clusters for a view: those of the layout, or new ones, which it takes with its
  /// next update.
  mutating func currentClusters(
    _ view: Viewport, _ store: MarkerStore, _ painter: SpritePainter
  ) -> MarkerClusters {
    let (t, scale) = (ViewTransform(view), Double(view.scale))
    let size = painter.unit / scale
    func fits(_ clusters: MarkerClusters, _ version: Int) -> Bool {
      version == store.version && clusters.level == t.level && clusters.size == size
    }
    if let clusters, fits(clusters, clusteredVersion) { return clusters }
    if let coming, fits(coming.clusters, coming.version) { return coming.clusters }
    // At a magnification of 0.71, the screen shows twice the area.
    let area = Double(t.width * t.height) * 2 / (scale * scale)
    let made = MarkerClusters(
      store, level: t.level, area: area, most: MarkerLayer.mostShown, size: size)
    coming = (made, store.version)
    return made
  }

  /// Calls `body` with each marker and cluster whose picture reaches into the screen of `view`,
  /// with the first of its markers and with what the picture covers. What is under `plates` is left
  /// out, and single markers under `panel`. Other plates do not matter: they come and go.
  mutating func forEachShown(
    in view: Viewport, under plates: [PixelRect], panel: PixelRect?, _ store: MarkerStore,
    _ painter: SpritePainter, _ pictures: SpriteCache<MarkerPictureKey>,
    _ body: (MarkerClusters.Item, Marker, PixelRect) -> Void
  ) {
    let (t, all) = (ViewTransform(view), plates + [panel].compactMap { $0 })
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    let box = GridBox(t.gridBox(screen)).widened(to: Double(t.cell))
    let side = Double(t.cell) * Double(t.columns)
    let art = MarkerArt(painter: painter)
    var found: [Placed] = []
    currentClusters(view, store, painter).forEach(
      minX: box.minX / side, minY: box.minY / side, maxX: box.maxX / side, maxY: box.maxY / side
    ) { item, world in
      guard let marker = store[item.first]?.marker,
        let picture = MarkerLayout.picture(item.count, marker, art, pictures)
      else { return }
      found.append(
        Placed(
          gridX: (item.place.x + world) * side, gridY: item.place.y * side, item: item,
          picture: picture, isHere: marker.isHere))
    }
    MarkerLayout.divideHeres(&found, store, t, art, pictures)
    MarkerLayout.moveBesideHeres(&found, clearOf: nil, painter, t)
    // The world may be there several times.
    var seen: Set<MarkerStore.Number> = []
    for shown in found {
      guard let marker = store[shown.item.first]?.marker else { continue }
      let (item, rect) = (shown.item, shown.rect(t))
      // Icons that plates cut are left out, but a cluster moves, and "here" stays.
      let isHidden =
        item.count > 1 || shown.isHere
        ? (item.count > 1 ? plates : all).contains { $0.intersection(rect) == rect }
        : rect.isCut(by: all)
      if rect.intersects(screen), !isHidden, seen.insert(item.first).inserted {
        body(item, marker, rect)
      }
    }
  }

  /// What differs from the last layout. A change of the lines counts as a change of the zoom, so
  /// that a label leaves a line as soon as it can.
  private func change(to now: Basis) -> LabelMemory.Change {
    guard let last = last, last.level == now.level, last.magnification == now.magnification,
      last.scale == now.scale, last.lines == now.lines
    else { return .zoom }
    return last.bearing == now.bearing ? .part : .bearing
  }

  /// The picture of a marker's label in another style; nil: there is no font, or no room for it.
  func picture(
    of label: OverlayLabelPlacer.Label, _ style: MarkerArt.Style, _ painter: SpritePainter,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) -> SpriteImage? {
    let ink = inks.ink(of: label.key, painter)
    let art = MarkerArt(painter: painter)
    return pictures.picture(.label(label.name, ink, style, .middle)) {
      art.label(art.labelLines(label.name, style), ink, style, .middle)
    }?.image
  }

  private mutating func placeMarkers(
    _ t: ViewTransform, _ store: MarkerStore, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    placed.removeAll(keepingCapacity: true)
    let side = Double(t.cell) * Double(t.columns)
    clusters?.forEach(
      minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
      maxY: window.maxY / side
    ) { item, world in
      guard placed.count < MarkerLayout.mostPlaced, let marker = store[item.first]?.marker,
        let picture = MarkerLayout.picture(item.count, marker, art, pictures)
      else { return }
      placed.append(
        Placed(
          gridX: (item.place.x + world) * side, gridY: item.place.y * side, item: item,
          picture: picture, isHere: marker.isHere))
    }
    // Markers lower on the screen are in front of higher ones; "here" is in front of all.
    let down = { (p: Placed) in p.gridY * t.stepX - p.gridX * t.stepY }
    placed.sort {
      if $0.isHere != $1.isHere { return !$0.isHere }
      let (a, b) = (down($0), down($1))
      return a != b ? a < b : $0.item.first > $1.item.first
    }
    MarkerLayout.divideHeres(&placed, store, t, art, pictures)
  }

  /// The picture of `marker`, or of a cluster of `members` that it leads.
  static func picture(
    _ members: Int, _ marker: Marker, _ art: MarkerArt, _ pictures: SpriteCache<MarkerPictureKey>
  ) -> MarkerPicture? {
    if members > 1 {
      // Equal texts are equal pictures.
      let count = members < 1000 ? members : members / 100 * 100
      return pictures.picture(.cluster(count)) { art.cluster(count) }
    }
    let color = marker.color ?? marker.icon.color
    return pictures.picture(.icon(marker.icon, color, isHere: marker.isHere)) {
      art.icon(marker.icon, color: color, isHere: marker.isHere)
    }
  }
}

/// A box in grid pixels.
struct GridBox: Equatable {
  var minX: Double
  var minY: Double
  var maxX: Double
  var maxY: Double

  init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  init(_ box: (minX: Double, minY: Double, maxX: Double, maxY: Double)) {
    (minX, minY, maxX, maxY) = box
  }

  func contains(_ other: GridBox) -> Bool {
    other.minX >= minX && other.minY >= minY && other.maxX <= maxX && other.maxY <= maxY
  }

  /// The box extended by a cell on every side, as far as the widest label reaches, and then to
  /// whole cells.
  func widened(to cell: Double) -> GridBox {
    func down(_ value: Double) -> Double { ((value - cell) / cell).rounded(.down) * cell }
    func up(_ value: Double) -> Double { ((value + cell) / cell).rounded(.up) * cell }
    return GridBox(minX: down(minX), minY: down(minY), maxX: up(maxX), maxY: up(maxY))
  }
}

extension ViewTransform {
  /// The pixel of the screen that contains a grid position.
  func pixel(gridX: Double, gridY: Double) -> (x: Int, y: Int) {
    let at = screen(gridX, gridY)
    // Keep positions on a pixel's edge from alternating as the view moves.
    return (wholePixel(at.x + 1e-6), wholePixel(at.y + 1e-6))
  }
}

/// `value` rounded down, clamped to ±1e15 so that it fits an Int.
func wholePixel(_ value: Double) -> Int { Int(min(max(value, -1e15), 1e15).rounded(.down)) }
