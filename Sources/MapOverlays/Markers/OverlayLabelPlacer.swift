import Glibc
import MapGeometry
import MapScene
import Pixels

/// Places labels where they cover nothing else.
///
/// "Here" comes first, then the markers in their order, then the labels of overlays. Labels that
/// were there before come before new ones of their kind, and keep their side while the map turns or
/// is panned (`LabelMemory`). At rest, those that lost their side, or whose side is beyond the edge
/// of the screen, are tried on the others, and names of areas take the best of their positions
/// (`Rest`).
///
/// Thousands of labels of overlays may compete. A layout tries those that were shown, and as many
/// others as one frame can afford; `proceed` tries the next ones, until all had their turn.
struct OverlayLabelPlacer {
  /// A label that was placed.
  struct Label {
    /// The position that it belongs to, in grid pixels.
    var gridX: Double
    var gridY: Double
    var image: SpriteImage
    /// The offset from the position's pixel to the picture's corner.
    var dx: Int
    var dy: Int
    /// What it stands beside; nil: it is over its position.
    var site: LabelSite?
    /// The marker that it belongs to; nil: an overlay's.
    var marker: MarkerStore.Number?
    var rank: Rank
    var key: LabelMemory.Key
    var name: String { key.text }

    enum Rank: Int { case here, marker, overlay }
  }

  /// What labels are placed with.
  struct Tools {
    let t: ViewTransform
    let art: MarkerArt
    let pictures: SpriteCache<MarkerPictureKey>
    /// Which words are light and which dark.
    let inks: LabelInks
    /// The lines of the overlays that are shown.
    let lines: [OverlayLines]
    /// The selected line; nil: none is.
    let selected: SelectedLine?
    /// The world's width in grid pixels.
    let side: Double

    init(
      _ t: ViewTransform, _ art: MarkerArt, _ pictures: SpriteCache<MarkerPictureKey>,
      _ inks: LabelInks, _ lines: Lines
    ) {
      (self.t, self.art, self.pictures, self.inks) = (t, art, pictures, inks)
      side = Double(t.cell) * Double(t.columns)
      let zoom = Double(t.level) + log2(t.magnification)
      self.lines = lines.all.filter { zoom >= $0.minZoom }
      selected = lines.selected
    }
  }

  /// A label to be placed on one of its sides.
  struct Trial {
    var place: WorldPoint
    var text: String
    var style: MarkerArt.Style
    /// Its own colour; nil: that of words on the map.
    var color: UInt32?
    /// What it stands beside; nil: it is over its position.
    var site: LabelSite?
    var width: Int
    var height: Int
    var isBroken: Bool
    var marker: MarkerStore.Number?
    var rank: Label.Rank
  }

  /// A marker's label.
  private struct Candidate {
    var key: LabelMemory.Key
    var site: LabelSite
    var marker: MarkerStore.Number
    var isHere: Bool
    var wasShown: Bool
  }

  /// The most labels that are placed.
  static let most = 400

  var labels: [Label] = []
  /// What labels and icons cover, and the discs of points.
  var collisions = CollisionGrid()
  var discs = CollisionGrid()
  var overlays = OverlayLabels()
  /// The part of the layout that labels of overlays keep clear of; nil: none.
  private var dot: PixelRect?
  /// The number of the layout.
  var layout = 0
  var change = LabelMemory.Change.zoom
  /// The screen at rest; nil: the view moves.
  private(set) var rest: Rest?
  /// Whether a layout at rest may differ from this one: a label lost its side, or there are names
  /// with several positions.
  var mayMoveAtRest = false
  /// How many labels of overlays in the window still wait for their turn, and where the next is.
  var waiting = 0
  var next = 0
  /// The labels of overlays that this layout shows, and those that the one before showed, by their
  /// numbers; the latter in their order.
  var shown: [Int32] = []
  var former: [Int32] = []
  /// The last label of an overlay whose disc is kept clear of all labels.
  var lastDisc = -1
  private(set) var tools: Tools?
  /// How many pieces of lines this layout may still look at.
  var linesBudget = 0
  private var candidates: [Candidate] = []
  /// What other markers than "here" cover, if there is one of that.
  private var others: [PixelRect] = []
  private var memory = LabelMemory()

  /// Whether `proceed` has labels to try.
  var isPending: Bool { waiting > 0 && labels.count < OverlayLabelPlacer.most }

  /// Forgets the sizes of labels: fonts or sizes changed.
  mutating func forgetSizes() { overlays.forgetSizes() }

  /// Places the labels of `placed` and of `sources` within `window`. `change`: what differs from
  /// the last layout; `room`: what labels of overlays keep clear of; `rest`: the screen, if nothing
  /// moves.
  mutating func place(
    _ placed: [MarkerLayout.Placed], of store: MarkerStore, _ sources: [any OverlayLabelSource],
    in window: GridBox, _ tools: Tools, _ change: LabelMemory.Change, clearOf room: DotRoom? = nil,
    atRest rest: Rest? = nil
  ) {
    let t = tools.t
    dot = room?.box(in: t, side: tools.side)
    labels.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    let area = area(window, t)
    collisions.reset(area)
    discs.reset(area)
    memory.begin(change, isAtRest: rest != nil)
    (layout, self.change, self.tools) = (layout + 1, change, tools)
    (self.rest, mayMoveAtRest) = (rest, false)
    linesBudget = OverlayLabelPlacer.mostPieces
    for p in placed {
      let (x, y) = t.pixel(gridX: p.gridX, gridY: p.gridY)
      collisions.add(
        PixelRect(
          x: x - p.picture.anchorX, y: y - p.picture.anchorY, width: p.picture.image.width,
          height: p.picture.image.height))
    }
    others.removeAll(keepingCapacity: true)
    if placed.contains(where: \.isHere) {
      for p in placed where !p.isHere { others.append(p.rect(t)) }
    }
    addMarkers(placed, store, tools)
    beginOverlays(sources, window, tools)
    if change == .zoom {
      // Where the zoom changes, the most important come first.
      placeMarkers(tools) { _ in true }
      if rest != nil { placeAreas(tools) }
      placeByImportance(tools)
    } else {
      // "Here" comes before everything, also where it is new.
      placeMarkers(tools) { $0.wasShown || $0.isHere }
      if rest == nil { placeShown(tools) }
      placeMarkers(tools) { !$0.wasShown && !$0.isHere }
      if rest != nil {
        placeAreas(tools)
        placeShown(tools)
      }
      proceed()
    }
  }

  /// The area in view pixels that `window` covers, which extends beyond the screen.
  private func area(_ window: GridBox, _ t: ViewTransform) -> PixelRect {
    let corners = [
      t.screen(window.minX, window.minY), t.screen(window.maxX, window.minY),
      t.screen(window.minX, window.maxY), t.screen(window.maxX, window.maxY),
    ]
    let left = corners.map(\.x).min() ?? 0
    let top = corners.map(\.y).min() ?? 0
    return PixelRect(
      x: wholePixel(left), y: wholePixel(top),
      width: wholePixel((corners.map(\.x).max() ?? 0) - left),
      height: wholePixel((corners.map(\.y).max() ?? 0) - top))
  }

  // MARK: Markers

  /// Adds the labels of markers in the order of the store.
  private mutating func addMarkers(
    _ placed: [MarkerLayout.Placed], _ store: MarkerStore, _ tools: Tools
  ) {
    let order = placed.indices.sorted {
      (placed[$0].item.first, placed[$0].gridX) < (placed[$1].item.first, placed[$1].gridX)
    }
    for i in order where placed[i].item.count == 1 {
      let p = placed[i]
      guard let text = store[p.item.first]?.marker.label, !text.isEmpty else { continue }
      let world = (p.gridX / tools.side - p.item.place.x).rounded()
      var key = LabelMemory.Key(x: p.item.place.x + world, y: p.item.place.y, text: text)
      if p.isMoved { (key.x, key.y) = (p.gridX / tools.side, p.gridY / tools.side) }
      candidates.append(
        Candidate(
          key: key, site: p.picture.site(gap: tools.art.labelGap), marker: p.item.first,
          isHere: p.isHere, wasShown: memory.wasShown(key)))
    }
  }

  /// Places those that `isMeant` selects, "here" first.
  private mutating func placeMarkers(_ tools: Tools, _ isMeant: (Candidate) -> Bool) {
    for isHere in [true, false] {
      for i in candidates.indices where candidates[i].isHere == isHere && isMeant(candidates[i]) {
        if labels.count >= OverlayLabelPlacer.most { return }
        place(candidates[i], tools)
      }
    }
  }

  /// Places a label on its side, or on the first that is free, if possible over no line; else not
  /// at all. "Here" always has its label.
  private mutating func place(_ candidate: Candidate, _ tools: Tools) {
    let style: MarkerArt.Style = candidate.isHere ? .here : .marker
    let key = candidate.key
    let extent = tools.pictures.texts.lines(LabelTexts.Key(text: key.text, style: style)) {
      tools.art.labelLines(key.text, style)
    }
    let trial = Trial(
      place: WorldPoint(x: key.x, y: key.y), text: key.text, style: style,
      color: nil, site: candidate.site, width: extent.width, height: extent.height,
      isBroken: extent.lines.count > 1, marker: candidate.marker,
      rank: candidate.isHere ? .here : .marker)
    let known = memory.side(of: key)
    func isPlaced(_ side: UInt8, _ manner: Manner) -> Bool {
      let outcome = attempt(trial, side, tools, manner)
      if outcome == .placed { memory.set(side, of: key) }
      return outcome != .covered
    }
    if let known, known.isOnly {
      if isPlaced(known.side, .overLines) { return }
      mayMoveAtRest = true
      if !candidate.isHere { return }
    }
    let manners = tools.manners
    for sides in sides(of: trial, first: known?.isOnly == false ? known?.side : nil, tools) {
      if candidate.isHere, !others.isEmpty {
        // If possible not so that it is read as another marker's name.
        let apart = sides.filter { !isRead(trial, $0, tools) }
        for manner in manners where apart.contains(where: { isPlaced($0, manner) }) { return }
      }
      for manner in manners where sides.contains(where: { isPlaced($0, manner) }) { return }
    }
    if candidate.isHere { _ = isPlaced(known?.side ?? 0, .overAll) }
  }

  /// Whether the label of "here" would be read as another marker's name on a side.
  private func isRead(_ trial: Trial, _ side: UInt8, _ tools: Tools) -> Bool {
    guard let site = trial.site, let slot = LabelSlot(rawValue: side) else { return false }
    let at = tools.t.pixel(
      gridX: trial.place.x * tools.side, gridY: trial.place.y * tools.side)
    let offset = site.offset(slot, trial.width, trial.height)
    let own = PixelRect(
      x: at.x + site.left, y: at.y + site.top, width: site.right - site.left,
      height: site.bottom - site.top)
    return LabelSite.isRead(
      PixelRect(
        x: at.x + offset.x, y: at.y + offset.y, width: trial.width, height: trial.height), of: own,
      asNameOf: others, gap: tools.art.painter.px(LabelSite.apart))
  }

  // MARK: One label

  enum Outcome {
    case placed
    /// Something is in the way.
    case covered
    /// The position's dot is in the way.
    case underDot
    /// It would be as near to the disc of another point, and so be read as its name.
    case misread
    /// There is no room for its picture in memory, so no other side helps.
    case full
  }

  /// What a label may lie over.
  enum Manner {
    /// Nothing that is there: neither other labels and icons nor lines of overlays.
    case besideLines
    /// Lines of overlays, but not the selected one.
    case besideSelected
    /// Lines of overlays.
    case overLines
    case overAll
  }

  /// Places a label on a side. `point`: the disc that it must be seen to name; nil: any.
  mutating func attempt(
    _ trial: Trial, _ side: UInt8, _ tools: Tools, _ manner: Manner = .overLines,
    naming point: PixelRect? = nil
  ) -> Outcome {
    let (gridX, gridY) = (trial.place.x * tools.side, trial.place.y * tools.side)
    let (x, y) = tools.t.pixel(gridX: gridX, gridY: gridY)
    var (dx, dy) = (-trial.width / 2, -trial.height / 2)
    var alignment = TextAlignment.middle
    if let site = trial.site {
      guard let slot = LabelSlot(rawValue: side) else { return .covered }
      (dx, dy) = site.offset(slot, trial.width, trial.height)
      alignment = slot.alignment
    }
    let rect = PixelRect(x: x + dx, y: y + dy, width: trial.width, height: trial.height)
    if trial.rank == .overlay, dot?.intersects(rect) == true { return .underDot }
    guard manner == .overAll || collisions.isFree(rect) && discs.isFree(rect) else {
      return .covered
    }
    switch manner {
    case .besideLines: if isOverLine(rect, tools) { return .covered }
    case .besideSelected: if isOverSelected(rect, tools) { return .covered }
    case .overLines, .overAll: break
    }
    if let point {
      let around = rect.widened(by: tools.art.painter.px(LabelSite.apart))
      if !discs.isFree(around, but: point) { return .misread }
    }
    let place = LabelMemory.Key(x: trial.place.x, y: trial.place.y, text: trial.text)
    let ink = trial.color.map { LabelInk.own($0) } ?? tools.inks.ink(of: place, tools.art.painter)
    let key = MarkerPictureKey.label(
      trial.text, ink, trial.style, trial.isBroken ? alignment : .left)
    let picture = tools.pictures.picture(key) {
      let lines = tools.art.labelLines(trial.text, trial.style)
      return tools.art.label(lines, ink, trial.style, alignment)
    }
    guard let picture else { return .full }
    collisions.add(rect)
    labels.append(
      Label(
        gridX: gridX, gridY: gridY, image: picture.image, dx: dx, dy: dy, site: trial.site,
        marker: trial.marker, rank: trial.rank, key: place))
    return .placed
  }
}
