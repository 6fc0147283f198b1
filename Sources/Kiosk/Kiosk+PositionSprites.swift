import EventLoop
import Glibc
import MapGeometry
import MapOverlays
import MapScene
import Pixels

/// What of the position lies over the map.
extension Kiosk {
  /// Places the position's pictures for the view as it is now.
  func placePosition(_ now: UInt64) {
    let part = position
    guard let pose = part.shown, part.state.fix != nil else { return }
    let v = view.current
    let isLost = part.state.isLost(at: now)
    let ageText = isLost ? PositionState.ageText(part.state.age(at: now)) : ""
    if part.placedView == v, part.placed == pose, part.placedLost == isLost,
      part.placedAge == ageText,
      part.placedCrumbs == part.track.count, part.placedAccuracy == part.state.fix?.accuracy,
      part.placedRebuilds == part.track.rebuilds
    {
      return
    }
    let look = PositionArt.Look(isLost: isLost, scale: v.scale)
    let screen = PixelRect(x: 0, y: 0, width: v.width, height: v.height)
    let map = ScreenMap(v)
    let at = map.pixel(pose.place)
    if part.placedView != v || part.placedCrumbs != part.track.count
      || part.placedRebuilds != part.track.rebuilds
    {
      placeCrumbs(map, screen, v.scale)
      overMap.replace(.track, with: part.crumbs)
    }
    placeCircle(map, at, look, screen)
    overMap.replace(.accuracy, with: part.circle)

    // The dot and a lost one's age.
    part.dot.removeAll(keepingCapacity: true)
    let image = part.art.dot(look, angle: pose.heading.map { $0 - v.bearing })
    let dot = Sprite(image, x: at.x - image.width / 2, y: at.y - image.height / 2)
    if dot.rect.intersects(screen) {
      part.dot.append(dot)
      if isLost { placeAge(ageText, beside: dot, screen, v.scale, now) }
    }
    overMap.replace(.position, with: part.dot)
    part.placedView = v
    part.placed = pose
    part.placedLost = isLost
    part.placedAge = ageText
    part.placedAccuracy = part.state.fix?.accuracy
    part.placedCrumbs = part.track.count
    part.placedRebuilds = part.track.rebuilds
  }

  private func placeCrumbs(_ map: ScreenMap, _ screen: PixelRect, _ scale: Int) {
    let part = position
    part.crumbs.removeAll(keepingCapacity: true)
    guard configuration.position.track, !part.track.isEmpty else { return }
    let image = part.art.crumb(PositionArt.Look(scale: scale))
    part.choice.update(part.track, zoom: view.current.zoom)
    let half = image.width / 2
    // The newest first, and then turned round: they lie over the older ones.
    for index in part.choice.indices.reversed() {
      let at = map.pixel(part.track[index])
      guard at.x > -half, at.y > -half, at.x < screen.width + half, at.y < screen.height + half
      else { continue }
      part.crumbs.append(Sprite(image, x: at.x - half, y: at.y - half))
      if part.crumbs.count == CrumbChoice.most { break }
    }
    part.crumbs.reverse()
  }

  private func placeCircle(
    _ map: ScreenMap, _ at: (x: Int, y: Int), _ look: PositionArt.Look, _ screen: PixelRect
  ) {
    let part = position
    part.circle.removeAll(keepingCapacity: true)
    guard let fix = part.state.fix, let accuracy = fix.accuracy else { return }
    let scale = Double(look.scale)
    let metres = WebMercator.metersPerPoint(lat: fix.place.lat, zoom: view.current.zoom) / scale
    let radius = accuracy / metres
    // Under the dot there is nothing to be seen of it.
    guard radius > (PositionArt.dotRadius + 2) * scale, radius.isFinite else { return }
    if radius <= PositionArt.largestArea * scale {
      let image = part.art.circle(look, radius: Int(radius.rounded()))
      let sprite = Sprite(image, x: at.x - image.width / 2, y: at.y - image.height / 2)
      if sprite.rect.intersects(screen) { part.circle.append(sprite) }
      return
    }
    // As far as the screen reaches, no circle would cross it.
    let reach = hypot(Double(screen.width), Double(screen.height))
    guard radius < reach else { return }
    let image = part.art.rim(look)
    let count = Int((2 * .pi * radius / (14 * scale)).rounded(.up))
    for n in 0..<count {
      let angle = 2 * .pi * Double(n) / Double(count)
      let x = at.x + Int((radius * cos(angle)).rounded())
      let y = at.y + Int((radius * sin(angle)).rounded())
      let sprite = Sprite(image, x: x - image.width / 2, y: y - image.height / 2)
      if sprite.rect.intersects(screen) { part.circle.append(sprite) }
    }
  }

  /// The age of the last fix on a pill beside the dot, on the side where there is room: on the screen, and
  /// as far as possible where it covers no marker nor its words.
  private func placeAge(
    _ words: String, beside dot: Sprite, _ screen: PixelRect, _ scale: Int, _ now: UInt64
  ) {
    let part = position
    if part.age.text != words || part.age.scale != scale || part.age.image == nil {
      part.age = (words, scale, drawAge(words, scale))
    }
    let seconds = PositionState.untilNextAge(part.state.age(at: now))
    part.lostTimer?.arm(at: now &+ UInt64(seconds * 1e9) &+ 1_000_000)
    guard let image = part.age.image else { return }
    let reach = Int(PositionArt.dotRadius + 5) * scale
    let middle = dot.rect.x + dot.rect.width / 2
    let y = dot.rect.y + (dot.rect.height - image.height) / 2
    let right = Sprite(image, x: middle + reach, y: y)
    let left = Sprite(image, x: middle - reach - image.width, y: y)
    var isLeft = right.rect.maxX > screen.width
    if !isLeft, left.rect.x >= 0, meetsMarker(right) { isLeft = !meetsMarker(left) }
    part.dot.append(isLeft ? left : right)
  }

  private func meetsMarker(_ sprite: Sprite) -> Bool {
    let rect = sprite.rect
    return markers.markerSprites.contains { $0.rect.intersects(rect) }
  }

  private func drawAge(_ words: String, _ scale: Int) -> SpriteImage {
    let (size, pad) = (HudStyle.body * scale, 7 * scale)
    let line = painter.lineHeight(size)
    let width = painter.width(words, size: size) + 2 * pad
    let height = line.height + pad / 2
    return painter.image(width: width, height: height) { canvas in
      painter.plate(HudStyle.light, scale: scale, on: canvas)
      painter.words(
        words, size: size, color: HudStyle.light.ink, x: pad, baseline: pad / 4 + line.ascent,
        on: canvas)
    }
  }
}
