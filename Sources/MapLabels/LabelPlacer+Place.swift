import Drawing
import MapGeometry
import MapStyle

#if canImport(Glibc)
  import Glibc
#endif

/// What is known of a candidate while a place is looked for.
private struct Trial {
  let item: LabelItem
  let record: TileLabels.Record
  let settings: LabelSettings
  let key: LabelKey
  let blockKey: LabelLayoutCache.BlockKey
  let layout: LabelLayout
  /// What it was in the placement before.
  let old: PlacedLabel?
  /// The place that it names, in lower case; empty: none.
  let place: String
  /// The words that are not to be repeated nearby; nil: they may be.
  let words: LabelRun.Words?

  var isAlong: Bool { item.path >= 0 }
}

/// Where an icon stands.
private struct IconFit {
  let icon: LabelIcon
  /// The box before it is turned, relative to the anchor.
  let box: LabelBox
  /// How far it is turned clockwise, in radians.
  let angle: Float
  /// What it keeps free, in pixels of the view.
  let area: LabelBox
}

extension LabelPlacer {
  /// Places one candidate, if it finds room.
  func place(_ item: LabelItem, _ run: inout LabelRun) {
    // Releases the previous label if the candidate is not placed again.
    if !tryPlacing(item, &run), item.previous >= 0 { run.claimed[Int(item.previous)] = false }
  }

  /// Takes room for a candidate. Returns whether it found any.
  private func tryPlacing(_ item: LabelItem, _ run: inout LabelRun) -> Bool {
    guard let trial = trial(item, &run) else { return false }
    let (labels, layout) = (run.request.tiles[Int(item.tile)].labels, trial.layout)
    var block = layout.em > 0 ? block(trial.blockKey) : nil
    if let found = block, found.width * layout.em > 4096 { block = nil }
    let icon = labels.icon(trial.record).flatMap { icons.icon($0) }
    var text = block.flatMap { fit($0, trial, run) }
    var iconFit = icon.flatMap { fit($0, trial, text, run) }
    // The parts that need each other (symbol placement of MapLibre).
    let textMayLack = trial.settings.textOptional || block == nil
    let iconMayLack = trial.settings.iconOptional || icon == nil
    if !textMayLack, text == nil { iconFit = nil }
    if !iconMayLack, iconFit == nil { text = nil }
    guard text != nil || iconFit != nil else { return false }
    let shape = shape(trial, text == nil ? nil : block, text, iconFit, run)
    // A picture that takes too much memory is no label.
    guard shape.bounds.width * shape.bounds.height <= Self.maxPixels else { return false }
    take(trial, shape, text, iconFit, &run)
    return true
  }

  /// Collects what is needed to try a candidate; nil if an equal label stands nearby.
  private func trial(_ item: LabelItem, _ run: inout LabelRun) -> Trial? {
    let labels = run.request.tiles[Int(item.tile)].labels
    let record = labels.records[Int(item.record)]
    let settings = labels.looks[Int(record.look)].settings
    let key = labels.key(record)
    if isDuplicate(item, key, settings, &run) { return nil }
    let place = settings.isPlace ? key.text.plain.lowercased() : ""
    let hasIcon = record.icon != TileLabels.Record.none
    if !place.isEmpty, isSamePlace(item, place, hasIcon, &run) { return nil }
    var words: LabelRun.Words?
    if settings.repeatDistance > 0, !key.text.isEmpty {
      let isShield = settings.iconTextFit != .none
      let own = LabelRun.Words(text: key.text.plain, shield: isShield ? key.icon : nil)
      if isRepeated(item, own, settings, &run) { return nil }
      words = own
    }
    return Trial(
      item: item, record: record, settings: settings, key: key, blockKey: labels.blockKey(record),
      layout: LabelLayout(settings, scale: run.scale, mapAngle: run.mapAngle),
      old: item.previous >= 0 ? run.previous?.labels[Int(item.previous)] : nil, place: place,
      words: words)
  }

  /// Where the text stands; nil if it finds no room.
  private func fit(_ block: TextBlock, _ trial: Trial, _ run: LabelRun) -> TextFit? {
    let (item, layout) = (trial.item, trial.layout)
    if trial.isAlong, trial.settings.naming == .beside {
      return textBeside(item, block, layout, trial.old, trial.key.text.colors, run)
    }
    return trial.isAlong && trial.settings.textAlignment != .viewport
      ? textAlong(item, block, layout, trial.old, trial.key.text.colors, run)
      : textAtPoint(item, block, layout, trial.old, run)
  }

  /// Where the icon stands; nil if it finds no room.
  private func fit(
    _ icon: LabelIcon, _ trial: Trial, _ text: TextFit?, _ run: LabelRun
  ) -> IconFit? {
    let (item, layout, settings) = (trial.item, trial.layout, trial.settings)
    var angle = layout.iconAngle
    if trial.isAlong, settings.iconAlignment != .viewport {
      angle = lineAngle(item, settings.iconKeepUpright) + LabelLayout.radians(settings.iconRotate)
    }
    let box = layout.iconBox(icon, text: text?.box)
    let area = layout.iconArea(box, angle: angle).moved(item.x, item.y)
    guard area.isFinite, run.shows(area),
      grid.isFree(loyal(area, item, run), settings.iconOverlap)
    else { return nil }
    return IconFit(icon: icon, box: box, angle: angle, area: area)
  }

  /// Takes the room of a label, and adds it to those that are placed.
  private func take(
    _ trial: Trial, _ shape: LabelShape, _ text: TextFit?, _ icon: IconFit?, _ run: inout LabelRun
  ) {
    let (item, settings, old) = (trial.item, trial.settings, trial.old)
    if let text, !settings.textIgnorePlacement {
      for box in text.kept.isEmpty ? text.boxes : text.kept {
        grid.insert(box.moved(item.x, item.y), shared: settings.textOverlap != .never)
      }
    }
    if let icon, !settings.iconIgnorePlacement {
      grid.insert(icon.area, shared: settings.iconOverlap != .never)
    }
    var boxes = text?.bare ?? []
    if let icon { boxes.append(LabelLayout.turned(icon.box, icon.angle)) }
    let turns =
      (trial.isAlong
        && (settings.textAlignment != .viewport || settings.iconAlignment != .viewport))
      || settings.textAlignment == .map || settings.iconAlignment == .map
    let zoom = run.request.view.zoom
    // An icon that lost its name for a moment gives it back its side.
    let side = text?.choice ?? (run.isTurned ? old?.anchorChoice : nil) ?? 255
    var label = PlacedLabel(
      shape: shape, id: old.map { $0.isLeaving ? makeID() : $0.id } ?? makeID(),
      anchor: item.anchor, layer: Int(trial.record.layer), turnsWithMap: turns, key: trial.key,
      anchorChoice: side, isFlipped: text?.isFlipped ?? false,
      hasText: text != nil, hasIcon: icon != nil,
      bornZoom: item.isLoyal ? old?.bornZoom ?? zoom : zoom,
      level: run.request.tiles[Int(item.tile)].tile.z, boxes: boxes)
    (label.x, label.y) = run.map.pixel(item.anchor)
    let number = run.placed.count
    run.texts[trial.key, default: []].append(number)
    if let words = trial.words, text != nil { run.words[words, default: []].append(number) }
    if !trial.place.isEmpty, text != nil { run.places[trial.place, default: []].append(number) }
    run.placed.append(label)
    run.sources.append(Int(item.previous))
    run.tiles.append(item.tile)
    let byHeight =
      settings.zOrder == .viewportY || (settings.zOrder == .auto && !settings.hasSortKey)
    run.ranks.append(
      LabelRun.Rank(
        key: byHeight ? item.y : settings.zOrder == .source ? 0 : item.sortKey, order: item.order))
  }

  /// Whether the same label is already placed nearby.
  private func isDuplicate(
    _ item: LabelItem, _ key: LabelKey, _ settings: LabelSettings, _ run: inout LabelRun
  ) -> Bool {
    guard let others = run.texts[key] else { return false }
    let level = run.request.tiles[Int(item.tile)].tile.z
    for other in others.reversed() {
      guard run.mayCompare() else { return false }
      let label = run.placed[other]
      let dx = Float((label.anchor.x - item.anchor.x) * run.map.world)
      let dy = Float((label.anchor.y - item.anchor.y) * run.map.world)
      let limit: Float
      if label.level == level, !item.isExtra {
        // What a tile has more than once is meant so.
        if run.tiles[other] == item.tile { continue }
        limit = 1
      } else if item.path >= 0, !key.text.isEmpty {
        limit = LabelType.limited(settings.spacing, 1...4096) / 2
      } else {
        limit = 32
      }
      if (dx * dx + dy * dy).squareRoot() < limit * run.scale { return true }
    }
    return false
  }

  /// Whether the same words stand nearby already.
  private func isRepeated(
    _ item: LabelItem, _ words: LabelRun.Words, _ settings: LabelSettings, _ run: inout LabelRun
  ) -> Bool {
    guard let others = run.words[words] else { return false }
    let limit = LabelType.limited(settings.repeatDistance, 0...4096) * run.scale
    for other in others.reversed() {
      guard run.mayCompare() else { return false }
      let label = run.placed[other]
      let dx = Float((label.anchor.x - item.anchor.x) * run.map.world)
      let dy = Float((label.anchor.y - item.anchor.y) * run.map.world)
      if dx * dx + dy * dy < limit * limit { return true }
    }
    return false
  }

  /// Places with the same name count as the same place within this distance, in points and in
  /// metres. Many maps have a town or a quarter twice: as an area and as its middle, or as parts of
  /// one another.
  private static let samePlace: (points: Double, metres: Double) = (64, 3000)

  /// Whether another label already names the same place. A city's dot does not count as naming the
  /// country of the same name.
  private func isSamePlace(
    _ item: LabelItem, _ place: String, _ hasIcon: Bool, _ run: inout LabelRun
  ) -> Bool {
    guard let others = run.places[place] else { return false }
    let around =
      WebMercator.metersPerPoint(lat: WebMercator.unproject(item.anchor).lat, zoom: 0)
      * WebMercator.worldSize(zoom: 0)
    let limit = max(
      Self.samePlace.points * Double(run.scale) / run.map.world, Self.samePlace.metres / around)
    for other in others.reversed() {
      guard run.mayCompare() else { return false }
      let label = run.placed[other]
      if (label.key.icon != nil) != hasIcon { continue }
      let (dx, dy) = (label.anchor.x - item.anchor.x, label.anchor.y - item.anchor.y)
      // Copies of the world are no nearer to each other than half a world.
      if (dx * dx + dy * dy).squareRoot() < min(limit, 0.4) { return true }
    }
    return false
  }

  /// A label that was there before needs a little less room, so that rounding does not remove it.
  func loyal(_ box: LabelBox, _ item: LabelItem, _ run: LabelRun) -> LabelBox {
    item.isLoyal ? box.grown(-run.scale) : box
  }

  /// Where a text stands.
  struct TextFit {
    /// The box before it is turned, relative to the anchor.
    var box: LabelBox
    /// The boxes that the text occupies, with padding.
    var boxes: [LabelBox]
    /// The boxes that later labels must avoid, if they are more than `boxes`.
    var kept: [LabelBox] = []
    /// The same as `boxes`, without padding.
    var bare: [LabelBox]
    var anchor: LabelAnchor
    var choice: UInt8 = 255
    var isFlipped = false
    /// The glyphs of a text along a line.
    var glyphs: [LabelShape.Glyph] = []
  }

  private func textAtPoint(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ old: PlacedLabel?,
    _ run: LabelRun
  ) -> TextFit? {
    let settings = layout.settings
    let variable = settings.textVariableAnchors
    let padding = LabelType.limited(settings.textPadding, -64...512) * run.scale
    let move = layout.textTranslation
    let growth = settings.roomGrowth
    func fit(_ anchor: LabelAnchor, _ choice: Int?, _ overlap: LabelOverlap) -> TextFit? {
      // In MapLibre it is the box with its padding that a variable anchor puts beside the point.
      let shift = choice == nil ? 0 : padding
      let (dx, dy) = (shift * (1 - 2 * anchor.horizontal), shift * (1 - 2 * anchor.vertical))
      let box = layout.textBox(block, anchor, choice: choice).moved(dx, dy)
      let bare = LabelLayout.turned(box, layout.textAngle).moved(move.x, move.y)
      let kept = layout.textBox(block, anchor, choice: choice, isRoom: true).scaled(growth)
        .moved(dx, dy)
      let room = LabelLayout.turned(kept, layout.textAngle).moved(move.x, move.y)
      let area = room.grown(padding).union(bare)
      guard area.isFinite, run.shows(bare.moved(item.x, item.y)),
        grid.isFree(loyal(area.moved(item.x, item.y), item, run), overlap),
        !run.isCrossed(CollectionOfOne(patch(bare, block, layout, item)), settings.naming)
      else { return nil }
      return TextFit(
        box: box, boxes: [area], bare: [bare], anchor: anchor,
        choice: choice.map { UInt8($0) } ?? 255)
    }
    if variable.isEmpty { return fit(settings.textAnchor, nil, settings.textOverlap) }
    let count = min(variable.count, 16)
    if let old, old.anchorChoice < count {
      let choice = Int(old.anchorChoice)
      // The side that it was on first; while the map turns, it has no other.
      if let found = fit(variable[choice], choice, .never) { return found }
      if item.isLoyal, run.isTurned {
        if settings.textOverlap != .never,
          let found = fit(variable[choice], choice, settings.textOverlap)
        {
          return found
        }
        if count > 1 { hasLostSides = true }
        return nil
      }
    }
    for choice in 0..<count {
      if let found = fit(variable[choice], choice, .never) { return found }
    }
    if settings.textOverlap == .never { return nil }
    let kept = old.flatMap { $0.anchorChoice < count ? Int($0.anchorChoice) : nil } ?? 0
    return fit(variable[kept], kept, settings.textOverlap)
  }

  /// The part of an upright text that its letters fill, without the room below and above them.
  private func patch(
    _ box: LabelBox, _ block: TextBlock, _ layout: LabelLayout, _ item: LabelItem
  ) -> LabelPatch {
    let line = block.height / Float(max(block.lines.count, 1))
    let rest = max(0, line / 2 - TextBlock.middleToBaseline) * layout.em
    return LabelPatch(
      x: item.x + (box.left + box.right) / 2, y: item.y + (box.top + box.bottom) / 2,
      halfWidth: (box.right - box.left) / 2,
      halfHeight: max(1, (box.bottom - box.top) / 2 - rest))
  }

  /// The label's look, which others may share.
  private func shape(
    _ trial: Trial, _ block: TextBlock?, _ text: TextFit?, _ icon: IconFit?, _ run: LabelRun
  ) -> LabelShape {
    let (layout, key, blockKey) = (trial.layout, trial.key, trial.blockKey)
    if trial.isAlong, let old = trial.old, let previous = run.previous,
      previous.view.zoom == run.request.view.zoom,
      previous.view.bearing == run.request.view.bearing,
      old.hasText == (block != nil), old.hasIcon == (icon != nil),
      old.isFlipped == (text?.isFlipped ?? false), old.shape.look == blockKey.look,
      old.shape.scale == layout.scale,
      Self.isClose(old.shape.glyphs, text?.glyphs ?? old.shape.glyphs),
      old.shape.icon?.icon === icon?.icon
    {
      return old.shape
    }
    let usesMap =
      layout.settings.textAlignment == .map || layout.settings.iconAlignment == .map
      || layout.settings.textTranslate != .zero || layout.settings.iconTranslate != .zero
    let shapeKey = LabelLayoutCache.ShapeKey(
      block: blockKey, icon: icon?.icon.name, choice: text?.choice ?? 255, hasText: block != nil,
      hasIcon: icon != nil, scale: layout.scale, mapAngle: usesMap ? layout.mapAngle : 0)
    if !trial.isAlong, let known = cache[shapeKey] { return known }
    var glyphs = text?.glyphs ?? []
    if let block, let text, glyphs.isEmpty {
      glyphs = layout.glyphs(
        block, in: text.box, text.anchor, text: key.text.colors)
    }
    let drawn = icon.map { layout.icon($0.icon, in: $0.box, angle: $0.angle) }
    let shape = LabelShape(
      glyphs: glyphs, icon: drawn, look: blockKey.look, scale: layout.scale, text: key.text.plain)
    if !trial.isAlong { cache.insert(shape, for: shapeKey) }
    return shape
  }

  /// Whether two settings of glyphs look the same.
  private static func isClose(_ a: [LabelShape.Glyph], _ b: [LabelShape.Glyph]) -> Bool {
    guard a.count == b.count else { return false }
    for index in a.indices {
      if abs(a[index].x - b[index].x) > 0.25 || abs(a[index].y - b[index].y) > 0.25 { return false }
    }
    return true
  }
}
