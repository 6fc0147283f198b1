import MapGeometry
import MapScene
import Pixels

/// Markers behind the pin of "here", which is in front of all others: they stand beside it instead.
extension MarkerLayout {
  /// A marker is behind the pin if no more than this share of its icon is seen.
  private static let hiddenShare = 1.0 / 3
  /// Markers are moved by at most this share of the world's width.
  private static let farthest = 0.25

  /// Divides each "here" into its ring and its pin if other markers stand between them.
  static func divideHeres(
    _ placed: inout [Placed], _ store: MarkerStore, _ t: ViewTransform, _ art: MarkerArt,
    _ pictures: SpriteCache<MarkerPictureKey>
  ) {
    for i in placed.indices where placed[i].isHere {
      let rect = placed[i].rect(t)
      guard let marker = store[placed[i].item.first]?.marker,
        placed.contains(where: { !$0.isHere && $0.item.count == 1 && $0.rect(t).intersects(rect) })
      else { continue }
      let color = marker.color ?? marker.icon.color
      let ring = pictures.picture(.hereRing(color)) { art.here(marker.icon, color, .ring) }
      let pin = pictures.picture(.herePin(marker.icon, color)) {
        art.here(marker.icon, color, .pin)
      }
      if let ring, let pin { placed[i].parts = (ring.image, pin.image) }
    }
  }

  /// Moves the markers that pins of "here" hide beside them, as little as possible, to where they
  /// cover neither another marker nor the selected line. Where there is no such place, they stay.
  static func moveBesideHeres(
    _ placed: inout [Placed], clearOf selected: SelectedLine?, _ painter: SpritePainter,
    _ t: ViewTransform
  ) {
    let heres = placed.filter(\.isHere)
    if heres.isEmpty { return }
    let pins = heres.compactMap { here in
      here.parts.map { Sprite($0.pin, x: here.rect(t).x, y: here.rect(t).y) }
    }
    if pins.isEmpty { return }
    let everywhere = PixelRect(
      x: Int.min / 2, y: Int.min / 2, width: Int.max, height: Int.max)
    var budget = OverlayLabelPlacer.mostPieces
    func isHidden(_ marker: Placed) -> Bool {
      if marker.isHere || marker.item.count > 1 { return false }
      let rect = marker.rect(t)
      guard pins.contains(where: { $0.rect.intersects(rect) }) else { return false }
      let sprite = Sprite(marker.picture.image, x: rect.x, y: rect.y)
      return seen(of: sprite, behind: pins) < hiddenShare
    }
    // In an order that is the same for the map key and while the map turns.
    let hidden = placed.indices.filter { isHidden(placed[$0]) }
      .sorted { placed[$0].item.first < placed[$1].item.first }
    for i in hidden {
      let rect = placed[i].rect(t)
      let sprite = Sprite(placed[i].picture.image, x: rect.x, y: rect.y)
      let others = placed.indices.filter { $0 != i && !placed[$0].isHere }
        .map { placed[$0].rect(t) }
      let most = heres.map { max($0.rect(t).width, $0.rect(t).height) }.max() ?? 0
      let beside = ClusterFrame.clear(
        sprite, of: heres.map { $0.rect(t) }, everywhere, reach: (rect.width + most) / 2,
        others: others
      ) { selected?.isUnder($0, t, point: painter.leastUnit, budget: &budget) != true }
      if let beside { placed[i].move(x: beside.x - rect.x, y: beside.y - rect.y, t, farthest) }
    }
  }

  /// The share of a picture's solid pixels that those of others do not cover.
  static func seen(of sprite: Sprite, behind others: [Sprite]) -> Double {
    func isSolid(_ sprite: Sprite, _ x: Int, _ y: Int) -> Bool {
      let (column, row) = (x - sprite.x, y - sprite.y)
      guard column >= 0, row >= 0, column < sprite.image.width, row < sprite.image.height else {
        return false
      }
      return sprite.image.pixels[row * sprite.image.width + column] >> 24 > 128
    }
    let rect = sprite.rect
    var (all, seen) = (0, 0)
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX where isSolid(sprite, x, y) {
        all += 1
        if !others.contains(where: { isSolid($0, x, y) }) { seen += 1 }
      }
    }
    return all == 0 ? 1 : Double(seen) / Double(all)
  }
}

extension MarkerLayout.Placed {
  /// Moves it on the screen by whole pixels, unless that is more than a share of the world's width.
  fileprivate mutating func move(x: Int, y: Int, _ t: ViewTransform, _ farthest: Double) {
    let at = t.screen(gridX, gridY)
    let there = t.grid(at.x + Double(x), at.y + Double(y))
    let most = Double(t.cell) * Double(t.columns) * farthest
    guard abs(there.x - gridX) < most, abs(there.y - gridY) < most else { return }
    (gridX, gridY, isMoved) = (there.x, there.y, true)
  }
}
