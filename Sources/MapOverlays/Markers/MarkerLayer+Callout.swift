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
    guard let tip = tip(t) else { return nil }
    callout?.place(
      x: tip.x, top: tip.top, bottom: tip.bottom, avoiding, pins: pins, into: &calloutSprites)
    return tip.icon.map { Sprite($0.image, x: tip.x - $0.anchorX, y: tip.y - $0.anchorY) }
  }

  /// Where the selected marker is on the screen, and its icon there; nil: it is not on the screen,
  /// unless it may be `anywhere`. Draws the callout if it is not drawn yet.
  private func tip(
    _ t: ViewTransform, anywhere: Bool = false
  ) -> (x: Int, y: Int, top: Int, bottom: Int, icon: MarkerPicture?)? {
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
    if callout == nil || callout?.width != t.width || callout?.height != t.height {
      callout = Callout(
        title: marker.label.isEmpty ? marker.id : marker.label, text: marker.text, page: page,
        width: t.width, height: t.height, painter: painter)
    }
    return (
      at.x, at.y, at.y - (icon?.anchorY ?? 0),
      at.y + (icon.map { $0.image.height - $0.anchorY } ?? 1), icon
    )
  }

  /// How far the map must move to the right and down so that the selected marker, which may be out
  /// of view, and its callout are whole on the screen, in pixels; nil: not at all.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - avoiding: Parts of the screen that the callout does not cover, in view pixels.
  /// - Returns: The pixels to the right and down.
  public func shiftForCallout(_ view: Viewport, avoiding: [PixelRect]) -> (x: Int, y: Int)? {
    guard let tip = tip(ViewTransform(view), anywhere: true), let callout else { return nil }
    let shift = callout.shift(x: tip.x, top: tip.top, bottom: tip.bottom, avoiding)
    return shift == (0, 0) ? nil : shift
  }

  /// Shows the next page of the callout.
  ///
  /// - Returns: False if there is none.
  public func turnPage() -> Bool {
    guard let callout, callout.page + 1 < callout.pages else { return false }
    page = callout.page + 1
    self.callout = nil
    isStale = true
    return true
  }

  /// Whether the callout covers a position, in points.
  public func isCallout(x: Double, y: Double) -> Bool {
    guard let view = shownView, let rect = calloutSprites.first?.rect else { return false }
    let (x, y) = (x * Double(view.scale), y * Double(view.scale))
    return x >= Double(rect.x) && x < Double(rect.maxX) && y >= Double(rect.y)
      && y < Double(rect.maxY)
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
