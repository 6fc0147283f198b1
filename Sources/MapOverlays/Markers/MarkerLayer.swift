import Glibc
import MapGeometry
import MapScene
import Pixels

/// The markers on the screen, their labels, those of overlays, and the callout.
///
/// They are laid out for a larger part of the world than the view, and then only moved while the
/// map is panned, so that nothing appears or disappears meanwhile. A change of bearing or zoom lays
/// everything out again. At rest, labels that lost their side have another one, and names of areas
/// stand where there is most room.
public final class MarkerLayer {
  /// The approximate limit of markers and clusters on the screen.
  public static let mostShown = 400
  /// The smallest touch target in points.
  public static let touchSize = 48.0
  /// The same in a vehicle that moves.
  public static let vehicleTouchSize = 64.0

  /// A marker or cluster that was touched or selected.
  public enum Hit: Equatable, Sendable {
    /// A single marker, by its id.
    case marker(String)
    /// Several markers: their ids in the order of the store, and the box around them.
    case cluster([String], GeoBounds)
  }

  /// What all pictures depend on.
  private struct Look: Equatable {
    var theme: PictureTheme
    var isGroundDark: Bool
    var unit: Double
    var fonts: Int
  }

  /// The markers. A layout only keeps their numbers, so it never refers to a removed marker.
  public private(set) var store = MarkerStore()
  /// The overlays whose labels are shown, the most important first.
  public var labelSources: [any OverlayLabelSource] = [] {
    didSet {
      // The same labels need not be gathered again.
      if labelSources.count == oldValue.count,
        zip(labelSources, oldValue).allSatisfy({ MarkerLayer.areSame($0, $1) })
      {
        labelSources = oldValue
      } else {
        layout.invalidate()
      }
    }
  }
  /// The lines of the overlays that are shown, beside which the labels of points stand.
  public var lines: [OverlayLines] = []
  /// The selected line, which the labels of markers keep clear of where they can; nil: none is.
  public var selectedLine: SelectedLine?
  /// The part of the map around the position that labels of overlays and of "here" keep clear of:
  /// its middle on the unit square, and half its edge in pixels; nil: none.
  public var positionRoom: (place: WorldPoint, half: Int)? {
    didSet { if hasHere, room != MarkerLayer.room(oldValue) { isStale = true } }
  }
  /// What the ring of the buttons' focus is around, from which labels keep clear; nil: nothing.
  public var ringed: Ringed? { didSet { if ringed != oldValue { isStale = true } } }
  /// Whether nothing moves, so that `update` may move labels to better places.
  public var isAtRest = false
  /// The touch target in points.
  public var touchSize = MarkerLayer.touchSize
  /// Which of the plates that hide labels make way for a callout.
  public var calloutPlates = CalloutPlates(all: [])
  /// The id of the marker whose callout is open; nil: none is.
  public private(set) var selected: String?

  let painter: SpritePainter
  let pictures = SpriteCache<MarkerPictureKey>(limit: 4 << 20)
  var layout = MarkerLayout()
  /// How often sprites were positioned, and for what inks were chosen last.
  private(set) var placings = 0
  var inkBasis: (view: Viewport, placings: Int, ground: Int)?
  private var look: Look?
  var callout: Callout?
  /// The page of the callout's text, from 0.
  var page = 0
  private(set) var targets = MarkerTargets()
  private(set) var labelFrame = LabelFrame()
  private var icons: [Sprite] = []
  /// What other markers than "here" cover on the screen, for which its label could be read.
  private var others: [PixelRect] = []
  /// The markers that plates cut, which are left out with their labels.
  private var cut: [LabelFrame.Owner] = []
  /// Where the markers of "here" are in a version of the store.
  var heres: (version: Int, places: [GeoPoint]) = (-1, [])

  private(set) var shownView: Viewport?
  private var shownAvoided: [PixelRect] = []
  /// Whether the sprites are out of date.
  var isStale = true
  /// Whether `hit` or `nearest` placed sprites that no `update` has reported yet.
  private var isUnreported = false

  /// The labels of overlays, bottom first.
  public private(set) var labelSprites: [Sprite] = []
  /// The markers and their labels, bottom first.
  public private(set) var markerSprites: [Sprite] = []
  /// The callout of the selected marker, bottom first.
  public internal(set) var calloutSprites: [Sprite] = []
  /// What the callout's plate covers, in view pixels; nil: none is on the screen.
  public internal(set) var calloutRect: PixelRect?

  /// Creates a layer without markers.
  ///
  /// - Parameter painter: Draws the pictures.
  public init(_ painter: SpritePainter) { self.painter = painter }

  private static func areSame(_ one: any OverlayLabelSource, _ other: any OverlayLabelSource)
    -> Bool
  {
    guard let one = one as? FeatureLabelSource, let other = other as? FeatureLabelSource else {
      return false
    }
    return one.isSame(as: other)
  }

  /// Whether labels of overlays still wait for their turn to be placed: `update` is to be called
  /// again, also if the view stays the same.
  public var isPlacing: Bool { layout.isPlacing }

  /// Whether an `update` at rest may move labels that the last one, while the view moved, left
  /// where they were.
  public var isUnsettled: Bool {
    !isAtRest && layout.mayMoveAtRest && !(store.isEmpty && labelSources.isEmpty)
  }

  /// Bytes of the markers, their pictures and their clusters, and of the labels of overlays.
  public var bytes: Int { store.bytes + pictures.bytes + layout.bytes }

  // MARK: Changing the markers

  /// Adds a marker, or replaces the one with its id.
  ///
  /// - Parameter marker: The marker.
  /// - Throws: `MarkerError` if there are too many markers or too much text.
  public func set(_ marker: Marker) throws(MarkerError) {
    try store.set(marker)
    if marker.id == selected { callout = nil }
    isStale = true
  }

  /// Removes a marker and closes its callout.
  ///
  /// - Parameter id: The marker's id.
  /// - Returns: Whether there was such a marker.
  @discardableResult
  public func remove(_ id: String) -> Bool {
    guard store.remove(id) else { return false }
    if selected == id { select(nil) }
    isStale = true
    return true
  }

  /// Removes all markers and closes the callout.
  public func removeAll() {
    store.removeAll()
    select(nil)
    isStale = true
  }

  /// Opens the callout of a marker.
  ///
  /// - Parameter id: The marker's id; nil or an unknown id closes the callout.
  public func select(_ id: String?) {
    if selected == id { return }
    selected = id.flatMap { store[$0]?.id }
    (callout, page) = (nil, 0)
    isStale = true
  }

  // MARK: The frame

  /// Lays out the sprites for a frame.
  ///
  /// - Parameters:
  ///   - view: The view of the frame.
  ///   - avoiding: Parts of the screen that hide labels, in view pixels.
  /// - Returns: Whether the sprites changed.
  public func update(_ view: Viewport, avoiding: [PixelRect]) -> Bool {
    if store.isEmpty, labelSources.isEmpty, markerSprites.isEmpty, labelSprites.isEmpty,
      calloutSprites.isEmpty
    {
      show(view, avoiding)
      defer { isUnreported = false }
      return isUnreported
    }
    if layOut(view, avoiding) || isUnreported { isStale = true }
    if !isStale, view == shownView, avoiding == shownAvoided { return false }
    isStale = false
    isUnreported = false
    show(view, avoiding)
    place(view, avoiding)
    return true
  }

  private func show(_ view: Viewport, _ avoiding: [PixelRect]) {
    shownView = view
    if shownAvoided != avoiding { shownAvoided = avoiding }
  }

  /// The labels of the layout, also those out of view.
  var placedLabels: [OverlayLabelPlacer.Label] { layout.labels }

  /// Brings the layout up to date, at rest clear of `plates`. Returns whether it changed.
  private func layOut(_ view: Viewport, _ plates: [PixelRect]) -> Bool {
    let now = Look(
      theme: painter.theme, isGroundDark: painter.isGroundDark, unit: painter.unit,
      fonts: painter.fontVersion)
    if now != look {
      // Ground that is bright by day may be dark in the red theme.
      if (now.theme.kind == .red) != (look?.theme.kind == .red) { layout.inks = LabelInks() }
      look = now
      pictures.removeAll()
      callout = nil
      layout.forgetSizes()
    }
    return layout.update(
      view, store, labelSources, OverlayLabelPlacer.Lines(all: lines, selected: selectedLine),
      painter,
      pictures, clearOf: room, atRest: isAtRest ? calloutPlates.lasting(of: plates) : nil)
  }

  /// Positions all sprites for this view.
  private func place(_ view: Viewport, _ avoiding: [PixelRect]) {
    placings &+= 1
    let t = ViewTransform(view)
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    markerSprites.removeAll(keepingCapacity: true)
    labelSprites.removeAll(keepingCapacity: true)
    targets.removeAll()
    icons.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    cut.removeAll(keepingCapacity: true)
    let chosen = selected.flatMap { store.entry(of: $0)?.number }
    let pins = layout.placed.filter(\.isHere).map { $0.rect(t) }
    let line = selectedLine.map { (line: $0, point: painter.leastUnit) }
    let chosenIcon = placeCallout(t, avoiding, pins: pins)
    for p in layout.placed where p.item.first != chosen {
      guard let ring = p.parts?.ring, p.rect(t).intersects(screen) else { continue }
      icons.append(Sprite(ring, x: p.rect(t).x, y: p.rect(t).y))
    }
    let plates =
      calloutRect.map { avoiding + [$0] + calloutSprites.dropFirst().map(\.rect) } ?? avoiding
    for p in layout.placed {
      let (x, y) = t.pixel(gridX: p.gridX, gridY: p.gridY)
      // The selected one is drawn larger, over the others and at its place.
      if p.item.count == 1, p.item.first == chosen {
        let at = p.isMoved ? t.pixel(of: p.item.place) : (x, y)
        targets.add(p.item, p.picture, x: at.0, y: at.1)
        continue
      }
      let image = p.parts?.pin ?? p.picture.image
      var sprite = Sprite(image, x: x - p.picture.anchorX, y: y - p.picture.anchorY)
      if p.item.count > 1 {
        sprite =
          ClusterFrame.clear(sprite, ofHere: pins, avoiding, layout.placed, layout.labels, line, t)
          ?? sprite
        sprite = ClusterFrame.clear(sprite, of: avoiding, screen) ?? sprite
      }
      targets.add(
        p.item, p.picture, x: sprite.x + p.picture.anchorX, y: sprite.y + p.picture.anchorY)
      // A cluster for which there is no room beside a plate is left out.
      if p.item.count > 1, avoiding.contains(where: { $0.intersects(sprite.rect) }) { continue }
      // A part of an icon beside a plate is no sign of anything, nor is its label alone.
      if !p.isHere, sprite.rect.isCut(by: plates) {
        cut.append(LabelFrame.Owner(marker: p.item.first, gridX: p.gridX))
        continue
      }
      if !sprite.rect.intersects(screen) { continue }
      icons.append(sprite)
      if !p.isHere { others.append(sprite.rect) }
    }
    let seen = shown(lines, in: view)
    let under = OverlayLabelPlacer.Lines(all: seen, selected: selectedLine)
    var budget = OverlayLabelPlacer.mostPieces
    labelFrame.update(
      layout.labels, icons: icons, t, avoiding: plates,
      dot: room?.box(in: t, side: Double(t.cell) * Double(t.columns)), margin: painter.px(2),
      hidden: chosen, cut: cut, focus: focused(targets),
      selected: line, among: LabelFrame.Bystanders(others, seen, painter),
      isOverLine: { under.areUnder($0, t, painter, budget: &budget) },
      smaller: { label, style in layout.picture(of: label, style, painter, pictures) })
    labelSprites.append(contentsOf: labelFrame.overlays)
    markerSprites.append(contentsOf: labelFrame.markers)
    markerSprites.append(contentsOf: icons)
    // The label of "here" is never behind another marker.
    markerSprites.append(contentsOf: labelFrame.here)
    if let chosenIcon { markerSprites.append(chosenIcon) }
  }

  /// The lines that are shown at the view's zoom.
  private func shown(_ lines: [OverlayLines], in view: Viewport) -> [OverlayLines] {
    // Usually all are, and the array is not copied.
    lines.allSatisfy { view.zoom >= $0.minZoom } ? lines : lines.filter { view.zoom >= $0.minZoom }
  }

  // MARK: Touch

  /// The marker or cluster under a finger in the view shown last, including later changes of the
  /// markers.
  ///
  /// - Parameters:
  ///   - x: The column in points.
  ///   - y: The row in points.
  /// - Returns: The nearest target within reach; nil: there is none.
  public func hit(x: Double, y: Double) -> Hit? {
    guard let view = refresh() else { return nil }
    let scale = Double(view.scale)
    return targets.touched(x: x * scale, y: y * scale, size: touchSize * painter.unit)
      .flatMap { hit($0) }
  }

  /// The markers and clusters on the screen, nearest to its centre first, including changes since
  /// the last frame.
  ///
  /// - Parameter most: The most to return.
  /// - Returns: The hits. A marker in several copies of the world counts once.
  public func nearest(_ most: Int) -> [Hit] {
    guard let view = refresh() else { return [] }
    var hits: [Hit] = []
    for item in targets.nearest(width: view.width, height: view.height) {
      if hits.count >= most { break }
      if let hit = hit(item), !hits.contains(hit) { hits.append(hit) }
    }
    return hits
  }

  /// The part of the screen that a marker's or cluster's picture covers.
  ///
  /// - Parameter hit: The marker, or the cluster that begins with its first one.
  /// - Returns: The part in view pixels; nil: it is not on the screen.
  public func box(of hit: Hit) -> PixelRect? {
    guard let view = refresh() else { return nil }
    let wanted = hit.first
    for item in targets.nearest(width: view.width, height: view.height) {
      guard let first = layout.numbers(of: item).compactMap({ store[$0] }).first else { continue }
      if first.marker.id == wanted { return targets.box(of: item) }
    }
    return nil
  }

  /// Lays out what changed since the last frame, and returns the view shown last; nil: there is
  /// none.
  func refresh() -> Viewport? {
    guard let view = shownView else { return nil }
    if layOut(view, shownAvoided) || isStale {
      place(view, shownAvoided)
      (isStale, isUnreported) = (false, true)
    }
    return view
  }

  func hit(_ item: MarkerClusters.Item) -> Hit? {
    let members = layout.numbers(of: item).compactMap { store[$0] }
    guard let first = members.first else { return nil }
    if members.count == 1 { return .marker(first.marker.id) }
    // Relative to the first marker, so that the antimeridian does not matter.
    var (minX, maxX, minY, maxY) = (first.place.x, first.place.x, first.place.y, first.place.y)
    for member in members {
      var dx = member.place.x - first.place.x
      dx -= dx.rounded()
      minX = min(minX, first.place.x + dx)
      maxX = max(maxX, first.place.x + dx)
      minY = min(minY, member.place.y)
      maxY = max(maxY, member.place.y)
    }
    let northWest = WebMercator.unproject(WorldPoint(x: minX, y: minY))
    let southEast = WebMercator.unproject(WorldPoint(x: maxX, y: maxY))
    return .cluster(
      members.map(\.marker.id),
      GeoBounds(
        west: northWest.lon, south: southEast.lat, east: southEast.lon, north: northWest.lat))
  }
}
