import MapGeometry
import MapScene
import Pixels

/// The callout of the selected marker.
extension MarkerLayer {
  /// Places the callout clear of `avoiding` and of the pins of "here" where it can. Returns the
  /// selected marker's icon; nil: it is not on the screen.
  func placeCallout(
    _ t: ViewTransform, _ avoiding: [PixelRect], pins: [PixelRect]
  ) -> Sprite? {
    calloutSprites.removeAll(keepingCapacity: true)
    calloutRect = nil
    let plates = calloutPlates.among(avoiding)
    guard let tip = tip(t, plates) else { return nil }
    calloutRect = callout?.place(x: tip.x, y: tip.y, plates, pins: pins, into: &calloutSprites)
    return tip.icon.map { Sprite($0.image, x: tip.x - $0.anchorX, y: tip.y - $0.anchorY) }
  }

  /// Where the selected marker is on the screen, and its icon there; nil: it is not on the screen,
  /// unless it may be `anywhere`. Draws the callout if it is not drawn yet, or has no room now.
  private func tip(
    _ t: ViewTransform, _ plates: CalloutPlates, anywhere: Bool = false
  ) -> (x: Int, y: Int, icon: MarkerPicture?)? {
    guard let entry = selected.flatMap({ store.entry(of: $0) }) else { return nil }
    let marker = entry.marker
    let at = t.pixel(of: entry.place)
    guard anywhere || at.x >= 0 && at.y >= 0 && at.x < t.width && at.y < t.height else {
      return nil
    }
    let art = MarkerArt(painter: painter)
    let color = marker.color ?? marker.icon.color
    let icon = pictures.picture(.selected(marker.icon, color, isHere: marker.isHere)) {
      art.selected(marker.icon, color: color, isHere: marker.isHere)
    }
    let reach = icon.map { CalloutRoom.Icon($0) } ?? .place
    if callout?.isGood(reach, width: t.width, height: t.height, plates) != true {
      callout = Callout(
        title: marker.label.isEmpty ? marker.id : marker.label, text: marker.text, page: page,
        icon: reach, width: t.width, height: t.height, plates: plates, painter: painter)
    }
    return (at.x, at.y, icon)
  }

  /// How far the map must move to the right and down so that the selected marker, which may be out
  /// of view, and its callout are whole on the screen, in pixels; nil: not at all.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - avoiding: Parts of the screen that the callout does not cover, in view pixels.
  /// - Returns: The pixels to the right and down.
  public func shiftForCallout(_ view: Viewport, avoiding: [PixelRect]) -> (x: Int, y: Int)? {
    let plates = calloutPlates.among(avoiding)
    guard let tip = tip(ViewTransform(view), plates, anywhere: true) else { return nil }
    let shift = callout?.shift(x: tip.x, y: tip.y, plates) ?? (0, 0)
    return shift == (0, 0) ? nil : shift
  }

  /// Shows the next page of the callout.
  ///
  /// - Returns: False if there is none.
  public func turnPage() -> Bool {
    guard let callout, callout.page + 1 < callout.pages else { return false }
    page = callout.page + 1
    self.callout?.turn(to: page)
    isStale = true
    return true
  }

  /// Whether the callout covers a position, in points.
  public func isCallout(x: Double, y: Double) -> Bool {
    guard let view = shownView, let rect = calloutRect else { return false }
    let (x, y) = (x * Double(view.scale), y * Double(view.scale))
    return x >= Double(rect.x) && x < Double(rect.maxX) && y >= Double(rect.y)
      && y < Double(rect.maxY)
  }
}

extension CalloutRoom.Icon {
  /// What a picture covers around its marker.
  init(_ picture: MarkerPicture) {
    left = -picture.anchorX
    right = picture.image.width - picture.anchorX
    top = -picture.anchorY
    bottom = picture.image.height - picture.anchorY
    middle = picture.middle - picture.anchorY
  }
}

extension PixelRect {
  /// Whether more than an eighth of it is in `others`.
  func isCut(by others: [PixelRect]) -> Bool {
    var covered = 0
    for other in others {
      let both = intersection(other)
      covered += both.width * both.height
    }
    return 8 * covered > width * height
  }
}
