import MapGeometry
import MapScene
import Pixels

/// Places labels at rest. Names of areas take the best positions that are free and on the screen,
/// wherever they were before, so that what a view shows at rest does not depend on how it was
/// reached, or on what came first. The label of a marker whose side came to be beyond the edge of
/// the screen takes another one.
extension OverlayLabelPlacer {
  /// The screen while nothing moves.
  struct Rest: Equatable {
    /// What the view covers, in grid pixels.
    var box: GridBox
    /// The part of the screen in which labels are whole, in view pixels.
    var room: PixelRect
    /// The plates that hide labels, in view pixels.
    var plates: [PixelRect]

    /// Whether a label that covers `rect` is whole on the screen and under no plate.
    func shows(_ rect: PixelRect) -> Bool {
      rect.isWithin(room) && !plates.contains { $0.intersects(rect) }
    }
  }

  /// Places the labels that are centred on their position, the most important first: as many as a
  /// first layout affords. They come before the labels of points, whatever was shown before.
  mutating func placeAreas(_ tools: Tools) {
    var effort = OverlayLabelPlacer.firstEffort
    for number in overlays.inWindow where overlays[Int(number)].label.beside == 0 {
      if effort <= 0 || labels.count >= OverlayLabelPlacer.most { return }
      effort -= place(Int(number), tools)
    }
  }

  /// Whether the label of a marker that is seen is not whole in `room`, the part of the screen in
  /// which labels are.
  func hasLabelBeyond(_ room: PixelRect, _ t: ViewTransform) -> Bool {
    labels.contains { label in
      guard label.rank == .marker, let site = label.site else { return false }
      let (x, y) = t.pixel(gridX: label.gridX, gridY: label.gridY)
      let rect = PixelRect(
        x: x + label.dx, y: y + label.dy, width: label.image.width, height: label.image.height)
      return !rect.isWithin(room) && site.icon(at: x, y).intersects(room)
    }
  }

  /// The sides of a marker to try for its label, in groups, the best first; `first` is the one that
  /// it had. At rest, those on which the label is whole on the screen come before all others, if
  /// the marker is seen.
  func sides(of trial: Trial, first: UInt8?, _ tools: Tools) -> [[UInt8]] {
    let all = [first].compactMap { $0 } + LabelSlot.allCases.map(\.rawValue).filter { $0 != first }
    guard trial.rank == .marker, let rest, let site = trial.site else { return [all] }
    let (x, y) = tools.t.pixel(
      gridX: trial.place.x * tools.side, gridY: trial.place.y * tools.side)
    guard site.icon(at: x, y).intersects(rest.room) else { return [all] }
    let whole = all.filter { side in
      guard let slot = LabelSlot(rawValue: side) else { return false }
      let (dx, dy) = site.offset(slot, trial.width, trial.height)
      return PixelRect(x: x + dx, y: y + dy, width: trial.width, height: trial.height)
        .isWithin(rest.room)
    }
    return [whole, all.filter { !whole.contains($0) }]
  }

  /// The positions of a label that is centred on them, the best first: those where it is whole on
  /// the screen and under no plate, then the others, where it is seen once the map is panned.
  func positionsAtRest(_ trial: Trial, _ label: OverlayLabel, _ tools: Tools) -> [UInt8] {
    let all = 0...UInt8(clamping: label.others.count)
    guard let rest, !label.others.isEmpty else { return Array(all) }
    func isSeen(_ side: UInt8) -> Bool {
      let place = side == 0 ? label.place : label.others[Int(side) - 1]
      let (x, y) = tools.t.pixel(gridX: place.x * tools.side, gridY: place.y * tools.side)
      return rest.shows(
        PixelRect(
          x: x - trial.width / 2, y: y - trial.height / 2, width: trial.width,
          height: trial.height))
    }
    let seen = all.filter(isSeen)
    return seen + all.filter { !seen.contains($0) }
  }
}
