import MapGeometry
import MapScene
import Pixels

/// The panel beside the map.
extension Hud {
  /// Lays out the panel: at the left of a wide screen, otherwise in the lower half, clear of
  /// everything laid out so far. A map key also avoids the pin of "here" and the position, and
  /// hides as little of overlays' lines and of markers as possible.
  ///
  /// A trail card that would lose figures or its profile becomes wider, replaces the scale bar, or
  /// is drawn smaller than the rest of a large HUD. So does a key with room for only a few signs,
  /// except that it never becomes wider. On a tall screen a card does so, too, to leave a quarter
  /// of the screen to its line, and it rather loses its profile than that. While the view follows
  /// the position, a card is below, above or beside it.
  func layOutPanel(_ panel: Panel?, _ margin: Int, _ gap: Int) {
    guard let panel else {
      elements[Part.panel.rawValue] = nil
      otherKey = nil
      panelLoss = 0
      return
    }
    defer { if elements[Part.panel.rawValue] == nil { panelLoss = .max } }
    let bar = elements[Part.scale.rawValue]
    let widths = panelWidths(margin)
    let isCard = if case .trail = panel { true } else { false }
    var rooms: [PanelRoom.Room] = []
    for hasBar in bar == nil ? [true] : [true, false] {
      if !hasBar { free.removeAll { $0 == bar?.rect } }
      for width in widths {
        let rows = panelRows(width, margin, gap)
        let short = isCard ? rowsBelowMap(width, rows, margin, gap) : rows
        rooms.append(PanelRoom.Room(width: width, rows: short, hasBar: hasBar))
        if short == rows { continue }
        rooms.append(PanelRoom.Room(width: width, rows: rows, hasBar: hasBar, showsMap: false))
      }
      if isCard { addRoomsBesideDot(to: &rooms, widths, hasBar: hasBar, margin, gap) }
    }
    let best = panels.best(panel, rooms, painter)
    panelLoss = best?.lostRows ?? 0
    if let bar, best?.room.hasBar != false, !free.contains(bar.rect) { free.append(bar.rect) }
    if case .key(let key) = panel, layOutBesidePins(key, best, bar, widths, margin, gap) { return }
    for width in best.map({ [$0.room.width] }) ?? widths {
      let rows = best?.room.rows ?? panelRows(width, margin, gap)
      if placePanel(
        panel, width, rows, best?.unit ?? painter.unit, margin, gap,
        isTop: best?.room.isTop == true)
      {
        if best?.room.hasBar == false { elements[Part.scale.rawValue] = nil }
        return
      }
    }
    // The map key, too, takes precedence over the scale bar.
    guard let bar else { return }
    free.removeAll { $0 == bar.rect }
    let rows = panelRows(widths[0], margin, gap)
    if placePanel(panel, widths[0], rows, best?.unit ?? painter.unit, margin, gap) {
      elements[Part.scale.rawValue] = nil
    } else {
      free.append(bar.rect)
    }
  }

  /// The widths that a panel may have in pixels, the best first.
  func panelWidths(_ margin: Int) -> [Int] {
    if view.width <= view.height { return [view.width - 2 * margin] }
    let (best, most) = (min(px(360), view.width * 2 / 5), view.width / 2)
    return best < px(360) ? [best, min(px(360), most)] : [best]
  }

  /// The rows that a panel of a width may take.
  private func panelRows(_ width: Int, _ margin: Int, _ gap: Int) -> Range<Int> {
    let rows = columnRows(margin..<(margin + width), margin, gap)
    if view.width > view.height { return rows }
    // At least half of a tall screen belongs to the map.
    return max(rows.lowerBound, rows.upperBound - view.height / 2)..<rows.upperBound
  }

  /// How much of a tall screen's height a card leaves to the map above it, in one piece.
  var mapRows: Int { view.width > view.height ? 0 : view.height / 4 }

  /// Those of a card's rows that leave the map its part.
  private func rowsBelowMap(
    _ width: Int, _ rows: Range<Int>, _ margin: Int, _ gap: Int
  ) -> Range<Int> {
    let all = columnRows(margin..<(margin + width), margin, gap)
    let top = mapRows == 0 ? rows.lowerBound : max(rows.lowerBound, all.lowerBound + mapRows)
    return min(top, rows.upperBound)..<rows.upperBound
  }

  /// Adds the rooms of a card clear of the position that the view follows, and marks those that
  /// are not.
  private func addRoomsBesideDot(
    to rooms: inout [PanelRoom.Room], _ widths: [Int], hasBar: Bool, _ margin: Int, _ gap: Int
  ) {
    guard shown?.isFollowed == true, let widest = widths.max() else { return }
    let column = PixelRect(x: margin, y: 0, width: widest, height: view.height)
    guard let dot = stepsOfDot(in: column) else { return }
    var narrowed: [Int] = []
    for n in rooms.indices where dot.columns.lowerBound < margin + rooms[n].width {
      guard rooms[n].rows.overlaps(dot.rows) else { continue }
      rooms[n].hidesDot = true
      if rooms[n].showsMap, rooms[n].hasBar == hasBar { narrowed.append(rooms[n].width) }
    }
    for width in narrowed {
      let all = columnRows(margin..<(margin + width), margin, gap)
      let half = view.width > view.height ? view.height : view.height / 2
      let (below, above) = (
        max(dot.rows.upperBound, all.upperBound - half),
        min(dot.rows.lowerBound, all.lowerBound + half)
      )
      if below < all.upperBound {
        rooms.append(
          PanelRoom.Room(
            width: width, rows: below..<all.upperBound, hasBar: hasBar,
            showsMap: below - all.lowerBound >= mapRows))
      }
      if above > all.lowerBound {
        rooms.append(
          PanelRoom.Room(
            width: width, rows: all.lowerBound..<above, hasBar: hasBar, isTop: true,
            showsMap: all.upperBound - above >= mapRows))
      }
    }
    if narrowed.isEmpty { return }
    // On a wide screen a card that is a little narrower may be beside it.
    let narrow = dot.columns.lowerBound - margin
    if view.width > view.height, let least = widths.min(), narrow < least, narrow * 3 >= least * 2 {
      let rows = panelRows(narrow, margin, gap)
      rooms.append(PanelRoom.Room(width: narrow, rows: rows, hasBar: hasBar))
    }
  }

  /// The rows between what stands at the upper and at the lower edge of a panel's column.
  func columnRows(_ columns: Range<Int>, _ margin: Int, _ gap: Int) -> Range<Int> {
    var (top, bottom) = (margin, view.height - margin)
    for rect in free where rect.x < columns.upperBound && rect.maxX > columns.lowerBound {
      if rect.y < view.height / 2 {
        top = max(top, rect.maxY + gap)
      } else {
        bottom = min(bottom, rect.y - gap)
      }
    }
    return min(top, bottom)..<bottom
  }

  func placePanel(
    _ panel: Panel, _ width: Int, _ rows: Range<Int>, _ unit: Double, _ margin: Int, _ gap: Int,
    mayHidePins: Bool = true, isRight: Bool = false, isTop: Bool = false
  ) -> Bool {
    let (height, bottom) = (rows.count, rows.upperBound)
    guard height > 0 else {
      elements[Part.panel.rawValue] = nil
      return false
    }
    let image = element(.panel, .panel(panel, width: width, height: height, unit: unit)) {
      painter.with(unit: unit) {
        PanelArt(painter: painter).picture(panel, width: width, height: height)
      }
    }
    guard let image else { return false }
    let x = isRight ? view.width - margin - image.width : margin
    let usual = (x: x, y: isTop ? rows.lowerBound : bottom - image.height)
    guard case .key = panel else { return place(.panel, image, x: usual.x, y: usual.y) }
    let at = PanelRoom.corner(
      of: (image.width, image.height), usual: usual, on: view, margin: margin, gap: gap,
      taken: free, hidesPin: hidesPin, hidden: hiddenArea)
    guard let at = at ?? (mayHidePins ? usual : nil) else { return false }
    return place(.panel, image, x: at.x, y: at.y)
  }

  /// The number of the sign with which the next page of the map key on the screen begins; nil: it
  /// shows the last sign, or there is none.
  public var nextKeyPage: Int? {
    guard
      case .panel(.key(let key), let width, let height, let unit)? =
        elements[Part.panel.rawValue]?.key
    else { return nil }
    let signs = painter.with(unit: unit) {
      PanelArt(painter: painter).signs(of: key, width: width, height: height)
    }
    return signs > 0 && signs < key.listed.count ? key.first + signs : nil
  }

  /// How many signs a key that keeps clear of a pin has before notices fold for it.
  private static let fewestSigns = 3

  /// Lays out a key so that it hides no pin of "here": at its best size (`best`) if possible,
  /// otherwise above or below the pins with as many signs as fit. Returns false if none fits.
  private func layOutBesidePins(
    _ key: MapKey, _ best: PanelRoom.Choice?, _ bar: Element?, _ widths: [Int], _ margin: Int,
    _ gap: Int
  ) -> Bool {
    func lay(_ choice: PanelRoom.Choice) -> Bool {
      guard
        placePanel(
          .key(key), choice.room.width, choice.room.rows, choice.unit, margin, gap,
          mayHidePins: false, isRight: choice.room.isRight)
      else { return false }
      if !choice.room.hasBar { elements[Part.scale.rawValue] = nil }
      return true
    }
    guard let best else { return false }
    if lay(best) {
      if let panel = panelRect, hiddenArea(panel) > 0 { layOutBesideLines(key, panel, margin, gap) }
      return true
    }
    // What stands beside the key's own columns takes none of its rows.
    let width = min(widths[0], panelsBesidePins.width(of: key, painter))
    var rooms: [PanelRoom.Room] = []
    for hasBar in bar == nil ? [true] : [true, false] {
      if !hasBar { free.removeAll { $0 == bar?.rect } }
      for isRight in [false, true] {
        rooms += rowsBesidePins(width, isRight: isRight, margin, gap).map {
          PanelRoom.Room(width: width, rows: $0, hasBar: hasBar, isRight: isRight)
        }
      }
    }
    if let bar { free.append(bar.rect) }
    guard let choice = panelsBesidePins.best(.key(key), rooms, painter) else { return false }
    let signs = choice.signs(of: key, painter)
    if signs == 0 { return false }
    if let bar, !choice.room.hasBar { free.removeAll { $0 == bar.rect } }
    if lay(choice) {
      panelLoss = max(0, min(Hud.fewestSigns, key.listed.count) - signs)
      return true
    }
    if let bar, !choice.room.hasBar { free.append(bar.rect) }
    return false
  }

  /// The rows above and below the pins that a key at the left or the right may take, the more
  /// first.
  private func rowsBesidePins(
    _ width: Int, isRight: Bool, _ margin: Int, _ gap: Int
  ) -> [Range<Int>] {
    let left = isRight ? view.width - margin - width : margin
    let all = columnRows(left..<(left + width), margin, gap)
    let screen = PixelRect(x: left, y: all.lowerBound, width: width, height: all.count)
    let pins = pins(in: screen).map(\.rows)
    guard let upper = pins.map(\.lowerBound).min(), let lower = pins.map(\.upperBound).max() else {
      return all.isEmpty ? [] : [all]
    }
    let half = view.width > view.height ? view.height : view.height / 2
    var parts: [Range<Int>] = []
    if upper > all.lowerBound { parts.append(all.lowerBound..<min(upper, all.lowerBound + half)) }
    if lower < all.upperBound { parts.append(max(lower, all.upperBound - half)..<all.upperBound) }
    return parts.sorted { $0.count > $1.count }
  }
}
