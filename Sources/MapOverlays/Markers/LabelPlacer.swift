import Glibc
import MapGeometry
import MapScene
import Pixels

/// Places labels where they cover nothing else.
///
/// "Here" comes first, then the markers in their order, then the labels of overlays.
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
    /// `dx` if the label is put on the other side.
    var otherDX: Int
    var rank: Rank

    enum Rank { case overlay, marker, here }
  }

  private static let most = 240

  private(set) var labels: [Label] = []
  private var collisions = CollisionGrid()
  private var anchors: [LabelAnchor] = []

  /// Places the labels of `placed` and of `sources` within `window`.
  mutating func place(
    _ placed: [MarkerLayout.Placed], of store: MarkerStore, _ sources: [any LabelAnchors],
    in window: GridBox, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    labels.removeAll(keepingCapacity: true)
    collisions.reset(area(window, t))
    for p in placed {
      let (x, y) = t.pixel(gridX: p.gridX, gridY: p.gridY)
      collisions.add(
        PixelRect(
          x: x - p.picture.anchorX, y: y - p.picture.anchorY, width: p.picture.image.width,
          height: p.picture.image.height))
    }
    let order = placed.indices.sorted {
      (placed[$0].isHere ? 0 : 1, placed[$0].item.first, placed[$0].gridX)
        < (placed[$1].isHere ? 0 : 1, placed[$1].item.first, placed[$1].gridX)
    }
    for i in order where placed[i].item.count == 1 && labels.count < LabelPlacer.most {
      if let text = store[placed[i].item.first]?.marker.label, !text.isEmpty {
        place(text, beside: placed[i], t, art, pictures)
      }
    }
    if !sources.isEmpty { place(sources, in: window, t, art, pictures) }
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

  /// Places a label to the right of its marker, else to the left, else not at all. "Here" always
  /// has its label.
  private mutating func place(
    _ text: String, beside p: MarkerLayout.Placed, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    let gap = art.painter.px(2)
    let style: MarkerArt.Style = p.isHere ? .here : .marker
    let extent = art.labelExtent(text, style)
    let (x, y) = t.pixel(gridX: p.gridX, gridY: p.gridY)
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
        return
      }
    }
    let picture = pictures.picture(.label(text, art.painter.theme.label, style)) {
      art.label(text, color: art.painter.theme.label, style)
    }
    guard let picture else { return }
    collisions.add(rect(dx))
    labels.append(
      Label(
        gridX: p.gridX, gridY: p.gridY, image: picture.image, dx: dx, dy: dy,
        otherDX: dx == left ? right : left, rank: p.isHere ? .here : .marker))
  }

  /// Places the labels of overlays: in the middle of an area or line; to the right, left, above or
  /// below the disc of a point. No label covers a disc.
  private mutating func place(
    _ sources: [any LabelAnchors], in window: GridBox, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    let side = Double(t.cell) * Double(t.columns)
    anchors.removeAll(keepingCapacity: true)
    for source in sources {
      source.forEachLabel(
        minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
        maxY: window.maxY / side, zoom: Double(t.level) + log2(t.magnification)
      ) { anchor in
        if !anchor.text.isEmpty { anchors.append(anchor) }
      }
    }
    for anchor in anchors where anchor.beside > 0 {
      let (x, y) = t.pixel(gridX: anchor.place.x * side, gridY: anchor.place.y * side)
      let reach = art.painter.px(Double(anchor.beside - 2))
      collisions.add(PixelRect(x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach))
    }
    for anchor in anchors where labels.count < LabelPlacer.most {
      place(anchor, side, t, art, pictures)
    }
  }

  private mutating func place(
    _ anchor: LabelAnchor, _ side: Double, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    let extent = art.labelExtent(anchor.text, .overlay)
    if anchor.extent > 0, anchor.extent * side * t.magnification < Double(extent.width) / 2 {
      return
    }
    let (gridX, gridY) = (anchor.place.x * side, anchor.place.y * side)
    let (x, y) = t.pixel(gridX: gridX, gridY: gridY)
    let (w, h, b) = (extent.width, extent.height, art.painter.px(Double(anchor.beside)))
    let offsets =
      b == 0
      ? [(-w / 2, -h / 2)]
      : [(b, -h / 2), (-b - w, -h / 2), (-w / 2, -b - h + 2), (-w / 2, b - 2)]
    for (dx, dy) in offsets {
      let rect = PixelRect(x: x + dx, y: y + dy, width: w, height: h)
      guard collisions.isFree(rect) else { continue }
      let theme = art.painter.theme
      let color = anchor.color.map { theme.shown($0 | 0xFF00_0000) } ?? theme.label
      let picture = pictures.picture(.label(anchor.text, color, .overlay)) {
        art.label(anchor.text, color: color, .overlay)
      }
      guard let picture else { return }
      collisions.add(rect)
      labels.append(
        Label(
          gridX: gridX, gridY: gridY, image: picture.image, dx: dx, dy: dy, otherDX: dx,
          rank: .overlay))
      return
    }
  }
}
