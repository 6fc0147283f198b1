import MapGeometry
import Pixels

/// The size and the words of a callout that has room on the screen together with its icon.
struct CalloutForm {
  /// A plate is as wide as this at most, in points, or as wide as the second for a text that does
  /// not fit otherwise.
  private static let widths = [340.0, 520]
  /// The narrowest lines that are tried, in points.
  private static let narrowest = 100.0
  /// The pointer's width and length, in points.
  static let pointerWidth = 22.0
  static let pointerLength = 12.0

  /// Pixels per point.
  let unit: Double
  let text: CalloutText
  /// The icon beside which there is room, without its foot on the smallest screens.
  let icon: CalloutRoom.Icon
  /// Which plates make way for it; nil: there is no room.
  let level: CalloutPlates.Level?

  /// Chooses the form of a callout: the largest size in which the whole text, or pages of at least
  /// two lines, have room beside the icon. It covers at most half of the screen's height.
  ///
  /// `room` is what there is room for at a level of plates that make way.
  init(
    title: String, text: String, _ icon: CalloutRoom.Icon, height: Int, _ painter: SpritePainter,
    _ room: (CalloutPlates.Level) -> CalloutRoom
  ) {
    var best: Choice?
    search: for icon in [icon, icon.withoutFoot, .place] where best == nil {
      for levels in [[CalloutPlates.Level.numbers, .compass], [.notices]] {
        for unit in PanelRoom.units(painter) {
          for level in levels {
            let choice = painter.with(unit: unit) {
              CalloutForm.choice(title, text, icon, room(level), level, height / 2, painter)
            }
            guard let choice else { continue }
            if best.map({ choice.rank < $0.rank }) ?? true { best = choice }
            if choice.fit.isGood {
              best = choice
              break search
            }
          }
        }
      }
    }
    // Where there is no room at all, plates are covered.
    let chosen =
      best
      ?? Choice(
        unit: painter.unit, icon: icon, level: nil,
        fit: CalloutText.Fit(form: .titleOnEveryPage, lines: 2),
        width: painter.px(CalloutForm.widths[0]), height: height)
    (unit, self.icon, level) = (chosen.unit, chosen.icon, chosen.level)
    self.text = painter.with(unit: chosen.unit) {
      CalloutText(
        title: title, text: text, chosen.fit, width: chosen.width, height: chosen.height,
        least: 2 * CalloutForm.pointer(painter).inset, painter)
    }
  }

  /// A form that was found.
  private struct Choice {
    var unit: Double
    var icon: CalloutRoom.Icon
    var level: CalloutPlates.Level?
    var fit: CalloutText.Fit
    var width: Int
    var height: Int
    var isUpright = true
    var isWide = false

    /// The lower, the better: whole texts first, of these narrow ones above or below the icon; then
    /// those with the largest pages.
    var rank: (Int, Int) {
      switch fit.form {
      case .whole: ((isUpright ? 0 : 2) + (isWide ? 1 : 0), 0)
      case .titleOnEveryPage, .titleOnce: (fit.isGood ? 4 : 5, -fit.lines * width)
      }
    }
  }

  /// The best form in the painter's unit, at most `most` pixels high; nil: there is no room.
  private static func choice(
    _ title: String, _ text: String, _ icon: CalloutRoom.Icon, _ room: CalloutRoom,
    _ level: CalloutPlates.Level, _ most: Int, _ painter: SpritePainter
  ) -> Choice? {
    var best: Choice?
    for size in room.sizes(icon, pointer(painter)) {
      for (n, widest) in widths.enumerated() {
        let (width, height) = (min(size.width, painter.px(widest)), min(size.height, most))
        guard width >= painter.px(narrowest + 2 * HudStyle.padX),
          let fit = CalloutText.fit(
            title: title, text: text, width: width, height: height, painter)
        else { continue }
        let choice = Choice(
          unit: painter.unit, icon: icon, level: level, fit: fit, width: width, height: height,
          isUpright: size.side.isUpright, isWide: n > 0)
        if best.map({ choice.rank < $0.rank }) ?? true { best = choice }
        if best?.rank.0 == 0 { return best }
      }
    }
    return best
  }

  /// The pointer in the painter's unit.
  static func pointer(_ painter: SpritePainter) -> CalloutRoom.Pointer {
    CalloutRoom.Pointer(
      length: painter.px(pointerLength),
      inset: painter.px(HudStyle.radius) + painter.px(pointerWidth) / 2)
  }
}
