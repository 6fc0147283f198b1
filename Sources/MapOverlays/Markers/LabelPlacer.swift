import Glibc
import MapGeometry
import MapScene
import Pixels

/// Places labels where they cover nothing else.
///
/// "Here" comes first, then the markers in their order, then the labels of overlays. Labels that
/// were there before come before new ones of their kind, and keep their side while the map turns or
/// is panned (`LabelMemory`).
struct LabelPlacer {
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
    var name: String

    enum Rank: Int { case here, marker, overlay }
  }

  /// A label to be placed.
  private struct Candidate {
    var key: LabelMemory.Key
    var rank: Label.Rank
    /// What it stands beside; nil: it is over its position.
    var site: LabelSite?
    var color: UInt32
    /// Other positions on the unit square.
    var others: [WorldPoint]
    /// The width in pixels of what it names; 0: a point.
    var room: Double
    var marker: MarkerStore.Number?
  }

  private static let most = 400

  private(set) var labels: [Label] = []
  private var collisions = CollisionGrid()
  private var candidates: [Candidate] = []
  private var memory = LabelMemory()
  private var wasShown: [Bool] = []

  /// Places the labels of `placed` and of `sources` within `window`. `change`: what differs from
  /// the last layout.
  mutating func place(
    _ placed: [MarkerLayout.Placed], of store: MarkerStore, _ sources: [any LabelAnchors],
    in window: GridBox, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>, _ change: LabelMemory.Change
  ) {
    labels.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    collisions.reset(area(window, t))
    memory.begin(change)
    for p in placed {
      let (x, y) = t.pixel(gridX: p.gridX, gridY: p.gridY)
      collisions.add(
        PixelRect(
          x: x - p.picture.anchorX, y: y - p.picture.anchorY, width: p.picture.image.width,
          height: p.picture.image.height))
    }
    addMarkers(placed, store, t, art)
    if !sources.isEmpty { add(sources, in: window, t, art) }
    wasShown.removeAll(keepingCapacity: true)
    for candidate in candidates { wasShown.append(memory.wasShown(candidate.key)) }
    // Where the zoom changes, the most important come first.
    for isKept in change == .zoom ? [nil] : [true, false] as [Bool?] {
      for rank in [Label.Rank.here, .marker, .overlay] {
        for i in candidates.indices where candidates[i].rank == rank {
          if labels.count >= LabelPlacer.most { return }
          if let isKept, wasShown[i] != isKept { continue }
          place(candidates[i], t, art, pictures)
        }
      }
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

  /// Adds the labels of markers in the order of the store.
  private mutating func addMarkers(
    _ placed: [MarkerLayout.Placed], _ store: MarkerStore, _ t: ViewTransform, _ art: MarkerArt
  ) {
    let side = Double(t.cell) * Double(t.columns)
    let order = placed.indices.sorted {
      (placed[$0].item.first, placed[$0].gridX) < (placed[$1].item.first, placed[$1].gridX)
    }
    for i in order where placed[i].item.count == 1 {
      let p = placed[i]
      guard let text = store[p.item.first]?.marker.label, !text.isEmpty else { continue }
      let world = (p.gridX / side - p.item.place.x).rounded()
      candidates.append(
        Candidate(
          key: LabelMemory.Key(x: p.item.place.x + world, y: p.item.place.y, text: text),
          rank: p.isHere ? .here : .marker, site: p.picture.site(gap: art.labelGap),
          color: art.labelColor, others: [], room: 0, marker: p.item.first))
    }
  }

  /// Adds the labels of overlays, and takes the discs of their points: no label covers one.
  private mutating func add(
    _ sources: [any LabelAnchors], in window: GridBox, _ t: ViewTransform, _ art: MarkerArt
  ) {
    let side = Double(t.cell) * Double(t.columns)
    let zoom = Double(t.level) + log2(t.magnification)
    for source in sources {
      source.forEachLabel(
        minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
        maxY: window.maxY / side, zoom: zoom
      ) { anchor in
        if anchor.text.isEmpty { return }
        var site: LabelSite?
        if anchor.beside > 0 {
          let reach = art.pixels(anchor.beside)
          site = LabelSite(
            left: -reach, right: reach, top: 2 - reach, bottom: reach - 2, middle: 0, gap: 0)
        }
        candidates.append(
          Candidate(
            key: LabelMemory.Key(x: anchor.place.x, y: anchor.place.y, text: anchor.text),
            rank: .overlay, site: site,
            color: anchor.color.map { art.painter.theme.shown($0 | 0xFF00_0000) } ?? art.labelColor,
            others: anchor.others,
            room: anchor.extent * side * t.magnification, marker: nil))
        if anchor.beside > 0 {
          let at = t.pixel(gridX: anchor.place.x * side, gridY: anchor.place.y * side)
          let reach = art.pixels(anchor.beside - 2)
          collisions.add(
            PixelRect(x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach))
        }
      }
    }
  }

  /// Places a label on its side, or on the first that is free, else not at all. "Here" always has
  /// its label.
  private mutating func place(
    _ candidate: Candidate, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    let style: MarkerArt.Style
    switch candidate.rank {
    case .here: style = .here
    case .marker: style = .marker
    case .overlay: style = .overlay
    }
    let extent = pictures.texts.lines(LabelTexts.Key(text: candidate.key.text, style: style)) {
      art.labelLines(candidate.key.text, style)
    }
    // A name more than twice as wide as its area or line is left out.
    if candidate.room > 0, candidate.room < Double(extent.width) / 2 { return }
    let count = candidate.site == nil ? 1 + candidate.others.count : LabelSlot.allCases.count
    let known = memory.side(of: candidate.key)
    if let known, Int(known.side) < count, attempt(Int(known.side)) { return }
    if known?.isOnly == true, candidate.rank != .here { return }
    for side in 0..<count where attempt(side) { return }
    if candidate.rank == .here { _ = attempt(known.map { Int($0.side) } ?? 0, isForced: true) }

    func attempt(_ side: Int, isForced: Bool = false) -> Bool {
      let edge = Double(t.cell) * Double(t.columns)
      var place = WorldPoint(x: candidate.key.x, y: candidate.key.y)
      if candidate.site == nil, side > 0 { place = candidate.others[side - 1] }
      let (gridX, gridY) = (place.x * edge, place.y * edge)
      let (x, y) = t.pixel(gridX: gridX, gridY: gridY)
      var (dx, dy) = (-extent.width / 2, -extent.height / 2)
      var alignment = LabelAlignment.middle
      if let site = candidate.site {
        guard let slot = LabelSlot(rawValue: UInt8(side)) else { return false }
        (dx, dy) = site.offset(slot, extent.width, extent.height)
        alignment = slot.alignment
      }
      let rect = PixelRect(x: x + dx, y: y + dy, width: extent.width, height: extent.height)
      guard isForced || collisions.isFree(rect) else { return false }
      let picture = pictures.picture(
        .label(
          candidate.key.text, candidate.color, style, extent.lines.count > 1 ? alignment : .left)
      ) {
        art.label(extent, color: candidate.color, style, alignment)
      }
      guard let picture else { return true }
      collisions.add(rect)
      memory.set(UInt8(side), of: candidate.key)
      labels.append(
        Label(
          gridX: gridX, gridY: gridY, image: picture.image, dx: dx, dy: dy, site: candidate.site,
          marker: candidate.marker, rank: candidate.rank, name: candidate.key.text))
      return true
    }
  }
}
