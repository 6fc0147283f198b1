import Glibc
import MapGeometry
import MapScene
import Pixels

/// Places the labels of overlays: first those already shown, then as many others as a frame allows.
extension OverlayLabelPlacer {
  /// How much work one frame may spend on labels that were not shown yet. Comparing a label with
  /// those already placed costs 1.
  private static let effort = 1024
  /// The same for a first layout, before which no label was shown.
  static let firstEffort = 8192
  /// The cost of measuring a text, and of drawing one.
  private static let work = 16
  /// All labels keep clear of the discs of this many points, the most important ones. Labels keep
  /// clear of another point's disc only if they are placed after that point's own label.
  private static let mostDiscs = 800

  /// Brings the candidates up to date, and takes the discs of the most important points.
  mutating func beginOverlays(
    _ sources: [any OverlayLabelSource], _ window: GridBox, _ tools: Tools
  ) {
    (waiting, lastDisc) = (0, -1)
    former.removeAll(keepingCapacity: true)
    swap(&former, &shown)
    if sources.isEmpty {
      former.removeAll(keepingCapacity: true)
      if !overlays.all.isEmpty { overlays = OverlayLabels() }
      return
    }
    let side = tools.side
    let box = GridBox(
      minX: window.minX / side, minY: window.minY / side, maxX: window.maxX / side,
      maxY: window.maxY / side)
    let isNew = overlays.update(
      sources, window: box, zoom: Double(tools.t.level) + log2(tools.t.magnification))
    if isNew {
      former.removeAll(keepingCapacity: true)
      for number in overlays.inWindow where overlays[Int(number)].layout == layout - 1 {
        former.append(number)
      }
    } else {
      former.sort()
      former.removeAll { !box.contains(overlays[Int($0)].label.place) }
    }
    waiting = overlays.inWindow.count
    if isNew || change == .zoom || next >= waiting { next = 0 }
    var left = OverlayLabelPlacer.mostDiscs
    for number in overlays.inWindow {
      let label = overlays[Int(number)].label
      guard label.beside > 0 else { continue }
      discs.add(disc(label, tools))
      lastDisc = Int(number)
      left -= 1
      if left == 0 { break }
    }
  }

  private func disc(_ label: OverlayLabel, _ tools: Tools) -> PixelRect {
    let at = tools.t.pixel(
      gridX: label.place.x * tools.side, gridY: label.place.y * tools.side)
    let reach = tools.art.pixels(label.beside - 2)
    return PixelRect(x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach)
  }

  /// Places the labels that the last layout showed.
  mutating func placeShown(_ tools: Tools) {
    for number in former where labels.count < OverlayLabelPlacer.most && !isPlaced(number) {
      _ = place(Int(number), tools)
    }
  }

  /// Whether this layout has the label already.
  private func isPlaced(_ number: Int32) -> Bool { overlays[Int(number)].layout == layout }

  /// Places labels by their importance: those that were shown, and of the others the first.
  mutating func placeByImportance(_ tools: Tools) {
    var effort = former.isEmpty ? OverlayLabelPlacer.firstEffort : OverlayLabelPlacer.effort
    let count = overlays.inWindow.count
    while next < count, effort > 0, labels.count < OverlayLabelPlacer.most {
      let number = Int(overlays.inWindow[next])
      next += 1
      if overlays[number].layout == layout { continue }
      let wasShown = overlays[number].layout == layout - 1
      let cost = place(number, tools)
      if !wasShown { effort -= cost }
    }
    waiting = min(waiting, count - next)
    guard next < count else { return }
    let first = overlays.inWindow[next]
    for number in former where number >= first && !isPlaced(number) {
      if labels.count >= OverlayLabelPlacer.most { return }
      _ = place(Int(number), tools)
    }
  }

  /// Tries the labels whose turn is next. Labels that are there stay.
  ///
  /// - Returns: Whether any was placed.
  @discardableResult
  mutating func proceed() -> Bool {
    guard waiting > 0, let tools else { return false }
    var effort =
      shown.isEmpty && former.isEmpty ? OverlayLabelPlacer.firstEffort : OverlayLabelPlacer.effort
    let before = labels.count
    let count = overlays.inWindow.count
    while waiting > 0, effort > 0, labels.count < OverlayLabelPlacer.most, count > 0 {
      if next >= count { next = 0 }
      let number = Int(overlays.inWindow[next])
      next += 1
      waiting -= 1
      // Those that were shown were tried first.
      if overlays[number].layout >= layout - 1 { continue }
      effort -= place(number, tools)
    }
    return labels.count > before
  }

  /// Places a label on its previous side, or on the first free one, if any: if possible not where
  /// it would be read as another point's name. Returns the cost of the attempt.
  mutating func place(_ number: Int, _ tools: Tools) -> Int {
    let label = overlays[number].label
    var cost = 1
    var site: LabelSite?
    if label.beside > 0 {
      // A point under the name of a more important one gets no name itself.
      if number > lastDisc, !collisions.isFree(disc(label, tools)) { return cost }
      let reach = tools.art.pixels(label.beside)
      site = LabelSite(
        left: -reach, right: reach, top: 2 - reach, bottom: reach - 2, middle: 0, gap: 0)
    }
    if overlays[number].width == 0 {
      let extent = tools.art.labelLines(label.text, .overlay)
      overlays[number].width = Int32(clamping: max(extent.width, 1))
      overlays[number].height = Int32(clamping: extent.height)
      overlays[number].isBroken = extent.lines.count > 1
      cost += OverlayLabelPlacer.work
    }
    let width = Int(overlays[number].width)
    // A name more than twice as wide as its area or line is left out.
    let room = label.extent * tools.side * tools.t.magnification
    if room > 0, room < Double(width) / 2 { return cost }
    let theme = tools.art.painter.theme
    var trial = Trial(
      place: label.place, text: label.text, style: .overlay,
      color: label.color.map { theme.shown($0 | 0xFF00_0000) } ?? label.line.flatMap(theme.name),
      site: site, width: width,
      height: Int(overlays[number].height),
      isBroken: overlays[number].isBroken, marker: nil, rank: .overlay)
    let count = site == nil ? 1 + label.others.count : LabelSlot.allCases.count
    let known = overlays[number].side.flatMap { Int($0) < count ? $0 : nil }
    if site == nil, count > 1 { mayMoveAtRest = true }
    // See `LabelMemory.Change`.
    let isOnly =
      known != nil && rest == nil
      && (change == .bearing || change == .part && overlays[number].layout >= layout - 1)
    var outcome = Outcome.covered
    if isOnly, let known {
      outcome = attempt(&trial, known, number, label, tools)
      if outcome == .covered { mayMoveAtRest = true }
    }
    // Rather than disappear, a label moves out of the way of the position.
    if !isOnly || outcome == .underDot {
      let sides =
        site == nil && rest != nil
        ? positionsAtRest(trial, label, tools)
        : [known].compactMap { $0 } + (0..<UInt8(clamping: count))
      // The side where it was stays good, unless the zoom changed.
      let kept = change != .zoom && overlays[number].layout >= layout - 1 ? known : nil
      let point = site == nil ? nil : disc(label, tools)
      var misread: UInt8?
      let isBeside = site != nil && !tools.lines.isEmpty
      search: for manner in isBeside ? [.besideLines, .overLines] : [.overLines] as [Manner] {
        for side in sides {
          outcome = attempt(
            &trial, side, number, label, tools, manner, naming: side == kept ? nil : point)
          if outcome == .placed || outcome == .full { break search }
          if outcome == .misread { misread = misread ?? side }
        }
      }
      if outcome != .placed, outcome != .full, let misread {
        outcome = attempt(&trial, misread, number, label, tools)
      }
    }
    if outcome == .full { waiting = 0 }
    return outcome == .placed || outcome == .full ? cost + OverlayLabelPlacer.work : cost
  }

  private mutating func attempt(
    _ trial: inout Trial, _ side: UInt8, _ number: Int, _ label: OverlayLabel, _ tools: Tools,
    _ manner: Manner = .overLines, naming point: PixelRect? = nil
  ) -> Outcome {
    if trial.site == nil {
      trial.place = side == 0 ? label.place : label.others[Int(side) - 1]
    }
    let outcome = attempt(trial, side, tools, manner, naming: point)
    if outcome == .placed {
      (overlays[number].side, overlays[number].layout) = (side, layout)
      shown.append(Int32(truncatingIfNeeded: number))
      if number > lastDisc, label.beside > 0 { discs.add(disc(label, tools)) }
    }
    return outcome
  }
}
