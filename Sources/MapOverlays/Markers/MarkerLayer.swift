import Glibc
import MapGeometry
import MapScene
import Pixels

/// Words of an overlay that want a place on the map.
public struct LabelAnchor: Sendable, Equatable {
  /// On the unit square.
  public var place: WorldPoint
  public var text: String
  /// 0xAARRGGBB; nil: as the other words.
  public var color: UInt32?
  /// How wide on the unit square what it names is: words twice as wide are left out; 0 for a
  /// place.
  public var extent: Double
  /// How far from the place the words begin, in points; 0: they stand in its middle.
  public var beside: Int

  public init(
    place: WorldPoint, text: String, color: UInt32? = nil, extent: Double = 0, beside: Int = 0
  ) {
    self.place = place
    self.text = text
    self.color = color
    self.extent = extent
    self.beside = beside
  }
}

/// Gives the words of an overlay: the same ones for the same part of the world, whatever the view.
public protocol LabelAnchors: AnyObject {
  /// Another value whenever the answers may be others.
  var labelVersion: Int { get }

  /// Calls `body` with the anchors in a box of the unit square, the most important first.
  ///
  /// - Parameter zoom: the zoom that is shown.
  func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (LabelAnchor) -> Void
  )
}

/// The markers on the screen, and the words that stand beside them and on overlays.
///
/// What is shown is worked out for a part of the world larger than the view and then only moved while
/// the map is panned, so that nothing comes or goes on the way and a frame costs a few numbers a
/// marker. A turn or another zoom works it out anew.
public final class MarkerLayer {
  /// The most markers and clusters on the screen, about; and the most labels.
  public static let mostShown = 400
  static let mostPlaced = 1000
  static let mostLabels = 240
  /// The least size of what can be touched, in points.
  public static let touchSize = 44.0

  /// Something that can be touched or selected.
  public enum Hit: Equatable, Sendable {
    case marker(String)
    /// Several as one: their ids, in their order, and the box that they lie in.
    case cluster([String], GeoBounds)
  }

  private struct Placed {
    /// Grid pixels.
    var gridX: Double
    var gridY: Double
    var item: MarkerClusters.Item
    var picture: MarkerPicture
    var isHere: Bool
  }

  private struct PlacedLabel {
    var gridX: Double
    var gridY: Double
    var image: SpriteImage
    /// From the place's pixel to the picture's corner.
    var dx: Int
    var dy: Int
    /// `dx` on the place's other side.
    var otherDX: Int
    var rank: Rank

    enum Rank { case overlay, marker, here }
  }

  /// For what the layout was made.
  private struct Basis: Equatable {
    var version: Int
    var labelVersion: Int
    var level: Int
    var magnification: Double
    var bearing: Double
    var scale: Int
    var width: Int
    var height: Int
    var transform: ColorTransform
    var fonts: Int
  }

  public private(set) var store = MarkerStore()
  /// The overlays whose words are shown, the most important first.
  public var labelSources: [any LabelAnchors] = [] { didSet { basis = nil } }
  /// The marker whose callout is open.
  public private(set) var selected: String?

  private let painter: SpritePainter
  private let pictures = SpriteCache<MarkerPictureKey>(limit: 4 << 20)
  private var clusters: MarkerClusters?
  private var clusteredVersion = -1
  private var basis: Basis?
  /// The part of the grid that the layout holds for.
  private var window = (minX: 0.0, minY: 0.0, maxX: 0.0, maxY: 0.0)
  private var placed: [Placed] = []
  private var labels: [PlacedLabel] = []
  private var collisions = CollisionGrid()
  private var anchors: [LabelAnchor] = []
  private var callout: Callout?

  private var shownView: Viewport?
  private var shownAvoided: [PixelRect] = []
  private var isStale = true
  /// Where each of `placed` is on the screen.
  private var points: [(x: Int, y: Int)] = []

  /// From the bottom up: labels of overlays; markers with theirs; what the selected one says.
  public private(set) var labelSprites: [Sprite] = []
  public private(set) var markerSprites: [Sprite] = []
  public private(set) var calloutSprites: [Sprite] = []

  public init(_ painter: SpritePainter) { self.painter = painter }

  /// Bytes of the markers, their pictures and their index.
  public var bytes: Int { store.bytes + pictures.bytes + (clusters?.bytes ?? 0) }

  // MARK: Which there are

  public func set(_ marker: Marker) throws(MarkerError) {
    try store.set(marker)
    if marker.id == selected { callout = nil }
    isStale = true
  }

  @discardableResult
  public func remove(_ id: String) -> Bool {
    guard store.remove(id) else { return false }
    if selected == id { select(nil) }
    isStale = true
    return true
  }

  public func removeAll() {
    store.removeAll()
    select(nil)
    isStale = true
  }

  /// Opens the callout of a marker; nil closes it.
  public func select(_ id: String?) {
    if selected == id { return }
    selected = id.flatMap { store[$0]?.id }
    callout = nil
    isStale = true
  }

  // MARK: The frame

  /// Works out what is on the screen. Returns whether the sprites are others than before.
  ///
  /// - Parameter avoiding: parts of the screen where words would stand under something else.
  public func update(_ view: Viewport, avoiding: [PixelRect]) -> Bool {
    if store.all.isEmpty, labelSources.isEmpty, markerSprites.isEmpty, labelSprites.isEmpty,
      calloutSprites.isEmpty
    {
      return false
    }
    let t = ViewTransform(view)
    var labelVersion = labelSources.count
    for source in labelSources { labelVersion = labelVersion &* 31 &+ source.labelVersion }
    let now = Basis(
      version: store.version, labelVersion: labelVersion, level: t.level,
      magnification: t.magnification, bearing: t.bearing, scale: view.scale, width: t.width,
      height: t.height, transform: painter.transform, fonts: painter.fontVersion)
    let box = t.gridBox(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    let isInside =
      box.minX >= window.minX && box.minY >= window.minY && box.maxX <= window.maxX
      && box.maxY <= window.maxY
    if now != basis || !isInside {
      if now.transform != basis?.transform || now.scale != basis?.scale
        || now.fonts != basis?.fonts
      {
        pictures.removeAll()
        callout = nil
      }
      basis = now
      layOut(t, view.scale, box)
      isStale = true
    }
    if !isStale, view == shownView, avoiding == shownAvoided { return false }
    isStale = false
    shownView = view
    if shownAvoided != avoiding { shownAvoided = avoiding }
    place(t, view, avoiding)
    return true
  }

  /// What of the world the view shows with some room around it, in whole cells of the grid.
  private func setWindow(
    _ t: ViewTransform, _ box: (minX: Double, minY: Double, maxX: Double, maxY: Double)
  ) {
    // As far as the widest label reaches, and on to the next whole cell.
    let cell = Double(t.cell)
    func down(_ value: Double) -> Double { ((value - cell) / cell).rounded(.down) * cell }
    func up(_ value: Double) -> Double { ((value + cell) / cell).rounded(.up) * cell }
    window = (down(box.minX), down(box.minY), up(box.maxX), up(box.maxY))
  }

  private func layOut(
    _ t: ViewTransform, _ scale: Int,
    _ box: (minX: Double, minY: Double, maxX: Double, maxY: Double)
  ) {
    if clusteredVersion != store.version || clusters?.level != t.level || clusters == nil {
      // Reduced to 0.71 of its size the grid shows twice as much.
      let area = Double(t.width * t.height) * 2 / Double(scale * scale)
      clusters = MarkerClusters(
        store, level: t.level, area: area, most: MarkerLayer.mostShown)
      clusteredVersion = store.version
    }
    setWindow(t, box)
    pictures.beginRound()
    placed.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    let art = MarkerArt(painter: painter, scale: scale)
    let side = Double(t.cell) * Double(t.columns)
    clusters?.forEach(
      minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
      maxY: window.maxY / side
    ) { item, world in
      guard placed.count < MarkerLayer.mostPlaced else { return }
      let marker = store.all[Int(item.first)]
      guard let picture = self.picture(item, marker, art) else { return }
      placed.append(
        Placed(
          gridX: (item.place.x + world) * side, gridY: item.place.y * side, item: item,
          picture: picture, isHere: marker.isHere))
    }
    // What is further down the screen stands in front; "here" before all.
    let down = { (p: Placed) in p.gridY * t.stepX - p.gridX * t.stepY }
    placed.sort {
      if $0.isHere != $1.isHere { return !$0.isHere }
      let (a, b) = (down($0), down($1))
      return a != b ? a < b : $0.item.first > $1.item.first
    }
    placeLabels(t, art, side)
  }

  private func picture(
    _ item: MarkerClusters.Item, _ marker: Marker, _ art: MarkerArt
  ) -> MarkerPicture? {
    if item.count > 1 {
      let text = MarkerArt.countText(Int(item.count))
      return pictures.picture(.cluster(text)) { art.cluster(text) }
    }
    let color = marker.color ?? marker.icon.color
    return pictures.picture(.icon(marker.icon, color, isHere: marker.isHere)) {
      art.icon(marker.icon, color: color, isHere: marker.isHere)
    }
  }

  /// Gives words a place where nothing else is: right of the marker, else left of it; first "here",
  /// then the markers in their order, then the overlays' words, in the middle of their place.
  private func placeLabels(_ t: ViewTransform, _ art: MarkerArt, _ side: Double) {
    let corners = [
      t.screen(window.minX, window.minY), t.screen(window.maxX, window.minY),
      t.screen(window.minX, window.maxY), t.screen(window.maxX, window.maxY),
    ]
    let left = corners.map(\.x).min() ?? 0
    let top = corners.map(\.y).min() ?? 0
    let area = PixelRect(
      x: whole(left), y: whole(top),
      width: whole((corners.map(\.x).max() ?? 0) - left),
      height: whole((corners.map(\.y).max() ?? 0) - top))
    collisions.reset(area)
    for p in placed {
      let (x, y) = pixel(t, p.gridX, p.gridY)
      collisions.add(
        PixelRect(
          x: x - p.picture.anchorX, y: y - p.picture.anchorY, width: p.picture.image.width,
          height: p.picture.image.height))
    }
    let order = placed.indices.sorted {
      (placed[$0].isHere ? 0 : 1, placed[$0].item.first, placed[$0].gridX)
        < (placed[$1].isHere ? 0 : 1, placed[$1].item.first, placed[$1].gridX)
    }
    let gap = 2 * art.scale
    for i in order where placed[i].item.count == 1 && labels.count < MarkerLayer.mostLabels {
      let p = placed[i]
      let marker = store.all[Int(p.item.first)]
      if marker.label.isEmpty { continue }
      let style: MarkerArt.Style = p.isHere ? .here : .marker
      let extent = art.labelExtent(marker.label, style)
      let (x, y) = pixel(t, p.gridX, p.gridY)
      let dy = p.picture.middle - p.picture.anchorY - extent.height / 2
      let right = p.picture.right - p.picture.anchorX + gap
      let left = p.picture.left - p.picture.anchorX - gap - extent.width
      func rect(_ dx: Int) -> PixelRect {
        PixelRect(x: x + dx, y: y + dy, width: extent.width, height: extent.height)
      }
      var dx = right
      if !collisions.isFree(rect(right)) {
        if collisions.isFree(rect(left)) {
          dx = left
        } else if !p.isHere {
          // What matters most has its place whatever is there.
          continue
        }
      }
      let picture = pictures.picture(.label(marker.label, HudStyle.label, style)) {
        art.label(marker.label, color: HudStyle.label, style)
      }
      guard let picture else { continue }
      collisions.add(rect(dx))
      labels.append(
        PlacedLabel(
          gridX: p.gridX, gridY: p.gridY, image: picture.image, dx: dx, dy: dy,
          otherDX: dx == left ? right : left, rank: p.isHere ? .here : .marker))
    }
    placeAnchors(t, art, side)
  }

  /// Gives the overlays' words a place: in the middle of an area or line; beside a place's disc, right,
  /// left, above or below. No word covers a disc.
  private func placeAnchors(_ t: ViewTransform, _ art: MarkerArt, _ side: Double) {
    if labelSources.isEmpty { return }
    anchors.removeAll(keepingCapacity: true)
    for source in labelSources {
      source.forEachLabel(
        minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
        maxY: window.maxY / side, zoom: Double(t.level) + log2(t.magnification)
      ) { anchor in
        if !anchor.text.isEmpty { anchors.append(anchor) }
      }
    }
    for anchor in anchors where anchor.beside > 0 {
      let (x, y) = pixel(t, anchor.place.x * side, anchor.place.y * side)
      let reach = (anchor.beside - 2) * art.scale
      collisions.add(PixelRect(x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach))
    }
    for anchor in anchors where labels.count < MarkerLayer.mostLabels {
      let extent = art.labelExtent(anchor.text, .overlay)
      if anchor.extent > 0, anchor.extent * side * t.magnification < Double(extent.width) / 2 {
        continue
      }
      let (gridX, gridY) = (anchor.place.x * side, anchor.place.y * side)
      let (x, y) = pixel(t, gridX, gridY)
      let (w, h, b) = (extent.width, extent.height, anchor.beside * art.scale)
      let offsets =
        b == 0
        ? [(-w / 2, -h / 2)]
        : [(b, -h / 2), (-b - w, -h / 2), (-w / 2, -b - h + 2), (-w / 2, b - 2)]
      for (dx, dy) in offsets {
        let rect = PixelRect(x: x + dx, y: y + dy, width: w, height: h)
        guard collisions.isFree(rect) else { continue }
        let color = (anchor.color ?? HudStyle.label) | 0xFF00_0000
        let picture = pictures.picture(.label(anchor.text, color, .overlay)) {
          art.label(anchor.text, color: color, .overlay)
        }
        guard let picture else { break }
        collisions.add(rect)
        labels.append(
          PlacedLabel(
            gridX: gridX, gridY: gridY, image: picture.image, dx: dx, dy: dy, otherDX: dx,
            rank: .overlay))
        break
      }
    }
  }

  /// The whole number at or below a value of a screen's or the grid's size.
  private func whole(_ value: Double) -> Int { Int(min(max(value, -1e15), 1e15).rounded(.down)) }

  /// The pixel of the screen that a place of the grid lies in.
  private func pixel(_ t: ViewTransform, _ gridX: Double, _ gridY: Double) -> (x: Int, y: Int) {
    let at = t.screen(gridX, gridY)
    // A place on a pixel's edge must not fall to either side as the view moves.
    return (whole(at.x + 1e-6), whole(at.y + 1e-6))
  }

  /// Moves everything to where it is in this view.
  private func place(_ t: ViewTransform, _ view: Viewport, _ avoiding: [PixelRect]) {
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    markerSprites.removeAll(keepingCapacity: true)
    labelSprites.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    for label in labels where label.rank != .here {
      let (x, y) = pixel(t, label.gridX, label.gridY)
      let sprite = Sprite(label.image, x: x + label.dx, y: y + label.dy)
      let rect = sprite.rect
      guard rect.intersects(screen), !avoiding.contains(where: { $0.intersects(rect) }) else {
        continue
      }
      if label.rank == .overlay {
        labelSprites.append(sprite)
      } else {
        markerSprites.append(sprite)
      }
    }
    for p in placed {
      let (x, y) = pixel(t, p.gridX, p.gridY)
      points.append((x, y))
      let sprite = Sprite(p.picture.image, x: x - p.picture.anchorX, y: y - p.picture.anchorY)
      if sprite.rect.intersects(screen) { markerSprites.append(sprite) }
    }
    // The words of "here" are never behind another marker.
    for label in labels where label.rank == .here {
      let (x, y) = pixel(t, label.gridX, label.gridY)
      var sprite = Sprite(label.image, x: x + label.dx, y: y + label.dy)
      if sprite.rect.x < 0 || sprite.rect.maxX > t.width {
        // The other side, where the whole of them has room there.
        let other = Sprite(label.image, x: x + label.otherDX, y: y + label.dy)
        if other.rect.x >= 0, other.rect.maxX <= t.width { sprite = other }
      }
      if sprite.rect.intersects(screen) { markerSprites.append(sprite) }
    }
    placeCallout(t, view)
  }

  private func placeCallout(_ t: ViewTransform, _ view: Viewport) {
    calloutSprites.removeAll(keepingCapacity: true)
    guard let selected, let index = store.index(of: selected) else { return }
    let marker = store.all[index]
    let side = Double(t.cell) * Double(t.columns)
    // The copy of the world in which it is nearest to the middle of the screen.
    let middle = t.grid(Double(t.width) / 2, Double(t.height) / 2)
    var x = store.places[index].x
    x += (middle.x / side - x).rounded()
    let at = pixel(t, x * side, store.places[index].y * side)
    guard at.x >= 0, at.y >= 0, at.x < t.width, at.y < t.height else { return }
    let art = MarkerArt(painter: painter, scale: view.scale)
    let color = marker.color ?? marker.icon.color
    let icon = pictures.picture(.icon(marker.icon, color, isHere: marker.isHere)) {
      art.icon(marker.icon, color: color, isHere: marker.isHere)
    }
    if callout == nil || callout?.width != t.width || callout?.height != t.height {
      callout = Callout(
        title: marker.label.isEmpty ? marker.id : marker.label, text: marker.text,
        width: t.width, height: t.height, scale: view.scale, painter: painter)
    }
    callout?.place(
      x: at.x, top: at.y - (icon?.anchorY ?? 0),
      bottom: at.y + (icon.map { $0.image.height - $0.anchorY } ?? 1),
      into: &calloutSprites)
  }

  // MARK: Touching

  /// What is touched at the point (x, y) of the screen, in points.
  public func hit(x: Double, y: Double) -> Hit? {
    guard let view = shownView else { return nil }
    let s = Double(view.scale)
    let (px, py) = (x * s, y * s)
    var best: (distance: Double, index: Int)?
    for (i, p) in placed.enumerated() where i < points.count {
      let left = Double(points[i].x - p.picture.anchorX + p.picture.left)
      let right = Double(points[i].x - p.picture.anchorX + p.picture.right)
      let top = Double(points[i].y - p.picture.anchorY)
      let bottom = top + Double(p.picture.image.height)
      let (cx, cy) = ((left + right) / 2, (top + bottom) / 2)
      let halfX = max(right - left, MarkerLayer.touchSize * s) / 2
      let halfY = max(bottom - top, MarkerLayer.touchSize * s) / 2
      guard abs(px - cx) <= halfX, abs(py - cy) <= halfY else { continue }
      let distance = (px - cx) * (px - cx) + (py - cy) * (py - cy)
      // Of several the nearest; of two as near, the one in front.
      if distance <= best?.distance ?? .infinity { best = (distance, i) }
    }
    return best.map { hit(placed[$0.index].item) }
  }

  /// What is on the screen, nearest to its middle first, `most` at most.
  public func nearest(_ most: Int) -> [Hit] {
    guard let view = shownView else { return [] }
    let (cx, cy) = (view.width / 2, view.height / 2)
    let seen = points.indices.filter {
      points[$0].x >= 0 && points[$0].x < view.width && points[$0].y >= 0
        && points[$0].y < view.height
    }
    func distance(_ i: Int) -> Int {
      let (dx, dy) = (points[i].x - cx, points[i].y - cy)
      return dx * dx + dy * dy
    }
    let order = seen.sorted {
      (distance($0), placed[$0].item.first) < (distance($1), placed[$1].item.first)
    }
    var hits: [Hit] = []
    for i in order where hits.count < most {
      let hit = hit(placed[i].item)
      if !hits.contains(hit) { hits.append(hit) }
    }
    return hits
  }

  private func hit(_ item: MarkerClusters.Item) -> Hit {
    guard item.count > 1, let clusters else { return .marker(store.all[Int(item.first)].id) }
    let members = clusters.markers(of: item)
    // Around the first, so that the dateline is no edge.
    let first = store.places[members[0]]
    var (minX, maxX, minY, maxY) = (first.x, first.x, first.y, first.y)
    for i in members {
      var dx = store.places[i].x - first.x
      dx -= dx.rounded()
      minX = min(minX, first.x + dx)
      maxX = max(maxX, first.x + dx)
      minY = min(minY, store.places[i].y)
      maxY = max(maxY, store.places[i].y)
    }
    let northWest = WebMercator.unproject(WorldPoint(x: minX, y: minY))
    let southEast = WebMercator.unproject(WorldPoint(x: maxX, y: maxY))
    return .cluster(
      members.map { store.all[$0].id },
      GeoBounds(
        west: northWest.lon, south: southEast.lat, east: southEast.lon, north: northWest.lat))
  }
}
