import Glibc
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import Words

/// The sprites of the position: track, accuracy circle, dot, and age of a lost fix. A part of
/// `OverMap`.
final class PositionSprites {
  private let painter: SpritePainter
  private let art = PositionArt()
  private var crumbs: [Sprite] = []
  private var circle: [Sprite] = []
  private var dot: [Sprite] = []
  /// The sprites of `dot` that are below the plates, and those in front of them.
  private var below: [Sprite] = []
  private var inFront: [Sprite] = []
  private var choice = CrumbChoice()
  private var age = Age()

  /// The plates with the age of a lost fix: on one line, and on more where that is too wide.
  private struct Age {
    var text = ""
    var unit = 0.0
    var width = 0
    var pictures: [PlatePicture] = []
  }

  /// What the plate with the age of a lost fix covers without its shadow, in view pixels; nil:
  /// none is on the screen.
  private var agePlate: PixelRect?

  // What was laid out last, and for which view.
  private(set) var drawn: PositionShown?
  private var drawnView: Viewport?
  private var drawnUnit = 0.0
  private var drawnRebuilds = -1
  private var drawnCrumbs = 0
  /// The legend at whose upper edge the dot is whole.
  private(set) var drawnEdge: PixelRect?
  private var room = DotRoom()

  init(_ painter: SpritePainter) { self.painter = painter }

  var pictureBytes: Int { art.bytes + age.pictures.reduce(0) { $0 + $1.image.bytes } }
  var choiceBytes: Int { choice.indices.capacity * 8 }

  /// The language of what the plate says.
  private(set) var words = Words.english

  /// Says everything in `new` from the next frame on.
  func speak(_ new: Words) {
    words = new
    replace()
  }

  /// Lays the sprites out again with the next call, even if nothing changed.
  func replace() { drawnView = nil }

  /// Draws everything in the theme's colours.
  func recolor() {
    art.theme = painter.theme
    age = Age()
    replace()
  }

  /// What the dot with its chevron may cover, in view pixels; nil: it is not on the screen. It does
  /// not depend on whether the heading is known, which comes and goes.
  func box(of shown: PositionShown, in view: Viewport) -> PixelRect? {
    let at = ScreenMap(view).pixel(shown.pose.place)
    let reach = painter.px(PositionArt.arrowReach)
    let box = PixelRect(
      x: at.x - reach, y: at.y - reach, width: 2 * reach + 1, height: 2 * reach + 1)
    let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    return box.intersects(screen) ? box : nil
  }

  /// Lays out the pictures of `shown` in `view` on `stack`. The age avoids `obstacles`. A dot whose
  /// centre is above the legend, `edge`, is whole unless it is under another of the `plates`.
  ///
  /// - Returns: Whether an age is on the screen, so that it must be kept up to date.
  func layOut(
    _ shown: PositionShown, _ track: Breadcrumbs, in view: Viewport, on stack: SpriteStack,
    clearOf obstacles: PlateSides.Obstacles, under plates: [PixelRect], edge: PixelRect?
  ) -> Bool {
    let isSameTrack =
      drawnView == view && drawnUnit == painter.unit && drawnCrumbs == track.count
      && drawnRebuilds == track.rebuilds
    if isSameTrack, drawn == shown, drawnEdge == edge { return false }
    let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    let map = ScreenMap(view)
    let (look, at) = (
      PositionArt.Look(isLost: shown.isLost, unit: painter.unit), map.pixel(shown.pose.place)
    )
    if !isSameTrack || drawn?.showsTrack != shown.showsTrack || drawn?.isLost != shown.isLost {
      layOutCrumbs(track, shown.showsTrack, map, screen, view, ring: shown.isLost ? at : nil)
      stack.replace(.track, with: crumbs)
    }
    layOutCircle(shown, view, at, look, screen)
    stack.replace(.accuracy, with: circle)

    dot.removeAll(keepingCapacity: true)
    agePlate = nil
    let angle = shown.isLost ? nil : shown.pose.heading.map { $0 - view.bearing }
    var sprite = PositionSprites.centred(art.dot(look, angle: angle), at)
    let isCut = isCut(at, by: edge)
    if isCut, let edge, let angle,
      at.y + painter.px(PositionArt.arrowDepth(angle)) > edge.y
    {
      // The dot may cover the legend's upper edge, but an arrow would cover its signs.
      sprite = PositionSprites.centred(art.dot(look, angle: nil), at)
    }
    var isCounted = false
    if sprite.rect.intersects(screen) {
      dot.append(sprite)
      if shown.isLost {
        isCounted = layOutAge(
          words(.noGPS, words.age(seconds: shown.age)), beside: sprite, screen,
          clearOf: obstacles)
      }
    }
    let rect = sprite.rect
    let isInFront = isCut && !plates.contains { $0 != edge && $0.intersects(rect) }
    below.removeAll(keepingCapacity: true)
    inFront.removeAll(keepingCapacity: true)
    for (n, part) in dot.enumerated() {
      if n == 0, isInFront { inFront.append(part) } else { below.append(part) }
    }
    stack.replace(.position, with: below)
    stack.replace(.positionInFront, with: inFront)
    drawnEdge = edge
    (drawn, drawnView, drawnUnit) = (shown, view, painter.unit)
    (drawnCrumbs, drawnRebuilds) = (track.count, track.rebuilds)
    return isCounted
  }

  private static func centred(_ image: SpriteImage, _ at: (x: Int, y: Int)) -> Sprite {
    Sprite(image, x: at.x - image.width / 2, y: at.y - image.height / 2)
  }

  /// Whether the legend, `edge`, would cut the dot at a pixel above it.
  private func isCut(_ at: (x: Int, y: Int), by edge: PixelRect?) -> Bool {
    guard let edge, at.y < edge.y else { return false }
    return at.y + painter.px(PositionArt.dotRadius) >= edge.y
  }

  /// Appends the parts of the screen that the base map's labels keep clear of: the dot with its
  /// chevron, and the age of a lost fix. The accuracy circle is transparent.
  func addObstacles(to rects: inout [PixelRect]) {
    guard let drawn, let view = drawnView else { return }
    if let box = room.box(for: drawn.pose, in: view, unit: drawnUnit) { rects.append(box) }
    guard let plate = agePlate else { return }
    rects.append(plate.widenedAside(by: painter.px(OverMap.nameGap)))
  }

  /// The part of the map that labels of overlays keep clear of: its middle on the unit square, and
  /// half its edge in pixels; nil: there is none.
  func labelRoom() -> (place: WorldPoint, half: Int)? {
    guard let drawn else { return nil }
    // What is to be laid out again rests until it is.
    guard let view = drawnView else { return room.rest }
    return room.box(for: drawn.pose, in: view, unit: drawnUnit) == nil ? nil : room.rest
  }

  /// Lays out the track; in the hollow `ring` of a lost fix it would look like a dot. A track that
  /// is only one dot beside its end is none: people would take that dot for something on the map.
  private func layOutCrumbs(
    _ track: Breadcrumbs, _ isShown: Bool, _ map: ScreenMap, _ screen: PixelRect,
    _ view: Viewport, ring: (x: Int, y: Int)?
  ) {
    crumbs.removeAll(keepingCapacity: true)
    guard isShown, !track.isEmpty else { return }
    let image = art.crumb(PositionArt.Look(unit: painter.unit))
    choice.update(track, zoom: view.zoom)
    let reach = painter.px(PositionArt.dotRadius)
    func isUnder(_ dot: (x: Int, y: Int), _ at: (x: Int, y: Int)) -> Bool {
      abs(at.x - dot.x) < reach && abs(at.y - dot.y) < reach
    }
    // The position is at the track's end, or near it.
    let end = map.pixel(track[track.count - 1])
    var beside = 0
    for index in choice.indices where !isUnder(end, map.pixel(track[index])) {
      beside += 1
      if beside == 2 { break }
    }
    guard beside == 2 else { return }
    let half = image.width / 2
    // Collect newest first up to the limit, then reverse: newer dots lie over older ones.
    for index in choice.indices.reversed() {
      let at = map.pixel(track[index])
      guard at.x > -half, at.y > -half, at.x < screen.width + half, at.y < screen.height + half
      else { continue }
      if let ring, isUnder(ring, at) { continue }
      crumbs.append(Sprite(image, x: at.x - half, y: at.y - half))
      if crumbs.count == CrumbChoice.most { break }
    }
    crumbs.reverse()
  }

  private func layOutCircle(
    _ shown: PositionShown, _ view: Viewport, _ at: (x: Int, y: Int), _ look: PositionArt.Look,
    _ screen: PixelRect
  ) {
    circle.removeAll(keepingCapacity: true)
    guard let accuracy = shown.accuracy else { return }
    let unit = look.unit
    let metres =
      WebMercator.metersPerPoint(lat: shown.place.lat, zoom: view.zoom) / Double(view.scale)
    let radius = accuracy / metres
    // A smaller circle is hidden by the dot.
    guard radius > (PositionArt.dotRadius + 2) * unit, radius.isFinite else { return }
    if radius <= PositionArt.largestArea * unit {
      let image = art.circle(look, radius: Int(radius.rounded()))
      let sprite = Sprite(image, x: at.x - image.width / 2, y: at.y - image.height / 2)
      if sprite.rect.intersects(screen) { circle.append(sprite) }
      return
    }
    // A larger circle would not cross the screen.
    let reach = hypot(Double(screen.width), Double(screen.height))
    guard radius < reach else { return }
    let image = art.rim(look)
    let count = Int((2 * .pi * radius / (14 * unit)).rounded(.up))
    for n in 0..<count {
      let angle = 2 * .pi * Double(n) / Double(count)
      let x = at.x + Int((radius * cos(angle)).rounded())
      let y = at.y + Int((radius * sin(angle)).rounded())
      let sprite = Sprite(image, x: x - image.width / 2, y: y - image.height / 2)
      if sprite.rect.intersects(screen) { circle.append(sprite) }
    }
  }

  /// Puts the age of the last fix on a plate beside the dot, on the side where it is on the screen
  /// and, if possible, is under no plate of the HUD and covers nothing: on one line, or on more if
  /// that is better. Where a plate would hide some of its words, or where it would hide the pin of
  /// "here", it is left out: the hollow dot says that the fix is lost. Returns whether there is
  /// one.
  private func layOutAge(
    _ text: String, beside dot: Sprite, _ screen: PixelRect, clearOf obstacles: PlateSides.Obstacles
  ) -> Bool {
    let margin = painter.px(HudStyle.margin)
    let room = PixelRect(
      x: margin, y: margin, width: screen.width - 2 * margin, height: screen.height - 2 * margin)

    if age.text != text || age.unit != painter.unit || age.width != screen.width {
      age = Age(
        text: text, unit: painter.unit, width: screen.width,
        pictures: drawAge(text, room: room.width))
    }
    var best: (sprite: Sprite, rect: PixelRect, covered: PlateSides.Covered)?
    for picture in age.pictures {
      let at = PlateSides.place(
        width: picture.width, height: picture.height, beside: dot.rect,
        reach: painter.px(PositionArt.dotRadius + 4),
        gap: painter.px(4), on: room, clearOf: obstacles)
      let rect = PixelRect(x: at.x, y: at.y, width: picture.width, height: picture.height)
      let covered = PlateSides.Covered(rect, obstacles)
      if best.map({ covered < $0.covered }) ?? true {
        best = (picture.sprite(x: at.x, y: at.y), rect, covered)
      }
      if covered.isNothing { break }
    }
    guard let best else { return false }
    let (padX, padY) = (painter.px(HudStyle.padX), painter.px(HudStyle.padY))
    let words = PixelRect(
      x: best.rect.x + padX, y: best.rect.y + padY, width: best.rect.width - 2 * padX,
      height: best.rect.height - 2 * padY)
    if obstacles.plates.contains(where: { $0.intersects(words) })
      || obstacles.loseAPin(under: best.rect)
    {
      return false
    }
    self.dot.append(best.sprite)
    agePlate = best.rect
    return true
  }

  /// The plates at most `room` pixels wide: on as few lines as it takes, and then on two and three.
  private func drawAge(_ text: String, room: Int) -> [PlatePicture] {
    let size = HudStyle.body
    let (padX, padY) = (painter.px(HudStyle.padX), painter.px(HudStyle.padY))
    let whole = painter.width(text, size: painter.px(size))
    var (pictures, counts): ([PlatePicture], Set<Int>) = ([], [])
    for part in 1...3 {
      let wide = min(room - 2 * padX, part == 1 ? whole : whole * 5 / (4 * part))
      let lines =
        painter.text?.wrap(text, size: painter.px(size), width: max(wide, 16), maxLines: 4)
        ?? [text]
      guard counts.insert(lines.count).inserted else { continue }
      let width = lines.reduce(0) { max($0, painter.width($1, size: painter.px(size))) }
      let height = painter.line(size).height * lines.count
      pictures.append(
        painter.plated(width: width + 2 * padX, height: height + 2 * padY) {
          painter.drawLines(
            lines, size: size, color: painter.theme.ink, x: padX, y: padY, width: width, on: $0)
        })
    }
    return pictures
  }
}
