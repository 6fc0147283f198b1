import Drawing
import MapGeometry
import MapStyle

#if canImport(Glibc)
  import Glibc
#endif

extension LabelPlacer {
  /// Places one candidate, if it finds room.
  func place(_ item: LabelItem, _ run: inout LabelRun) {
    let labels = run.request.tiles[Int(item.tile)].labels
    let record = labels.records[Int(item.record)]
    let look = labels.looks[Int(record.look)]
    let settings = look.settings
    let key = labels.key(record)
    if isDuplicate(item, key, settings, &run) { return release(item, &run) }
    let place = settings.isPlace ? key.text.plain.lowercased() : ""
    let hasIcon = record.icon != TileLabels.Record.none
    if !place.isEmpty, isSamePlace(item, place, hasIcon, &run) { return release(item, &run) }
    var words: LabelRun.Words?
    if settings.repeatDistance > 0, !key.text.isEmpty {
      let isShield = settings.iconTextFit != .none
      let own = LabelRun.Words(text: key.text.plain, shield: isShield ? key.icon : nil)
      if isRepeated(item, own, settings, &run) { return release(item, &run) }
      words = own
    }
    let isAlong = item.path >= 0
    let layout = LabelLayout(settings, scale: run.scale, mapAngle: run.mapAngle)
    let blockKey = labels.blockKey(record)
    var block = layout.em > 0 ? block(blockKey) : nil
    if let found = block, found.width * layout.em > 4096 { block = nil }
    let icon = labels.icon(record).flatMap { icons.icon($0) }
    guard block != nil || icon != nil else { return release(item, &run) }

    let old = item.previous >= 0 ? run.previous?.labels[Int(item.previous)] : nil
    var text: TextFit?
    if let block {
      let isTurned = isAlong && settings.textAlignment != .viewport
      text =
        isTurned
        ? textAlong(item, block, layout, old, key.text.colors, run)
        : textAtPoint(item, block, layout, old, run)
    }
    var iconBox: LabelBox?
    var iconAngle = layout.iconAngle
    var unturned: LabelBox?
    if let icon {
      if isAlong, settings.iconAlignment != .viewport {
        iconAngle =
          lineAngle(item, settings.iconKeepUpright) + LabelLayout.radians(settings.iconRotate)
      }
      let box = layout.iconBox(icon, text: text?.box)
      unturned = box
      let area = layout.iconArea(box, angle: iconAngle).moved(item.x, item.y)
      if area.isFinite, run.shows(area),
        grid.isFree(loyal(area, item, run), settings.iconOverlap)
      {
        iconBox = area
      }
    }
    // The parts that need each other (symbol placement of MapLibre).
    var showsText = text != nil
    var showsIcon = iconBox != nil
    let textMayLack = settings.textOptional || block == nil
    let iconMayLack = settings.iconOptional || icon == nil
    if !textMayLack && !iconMayLack {
      showsText = showsText && showsIcon
      showsIcon = showsText
    } else if !iconMayLack {
      showsText = showsText && showsIcon
    } else if !textMayLack {
      showsIcon = showsText && showsIcon
    }
    guard showsText || showsIcon else { return release(item, &run) }
    if !showsText { text = nil }
    if !showsIcon { iconBox = nil }

    let shape = shape(
      item, key: key, blockKey: blockKey, layout: layout, block: showsText ? block : nil,
      text: text, icon: showsIcon ? icon : nil, iconBox: unturned, iconAngle: iconAngle, old: old,
      run: run)
    // A picture that takes too much memory is no label.
    guard shape.bounds.width * shape.bounds.height <= Self.maxPixels else {
      return release(item, &run)
    }
    var boxes: [LabelBox] = []
    if let text {
      for box in text.kept.isEmpty ? text.boxes : text.kept {
        let area = box.moved(item.x, item.y)
        if !settings.textIgnorePlacement {
          grid.insert(area, shared: settings.textOverlap != .never)
        }
      }
      boxes = text.bare
    }
    if let iconBox, !settings.iconIgnorePlacement {
      grid.insert(iconBox, shared: settings.iconOverlap != .never)
    }
    if showsIcon, let unturned { boxes.append(LabelLayout.turned(unturned, iconAngle)) }

    let turns =
      (isAlong && (settings.textAlignment != .viewport || settings.iconAlignment != .viewport))
      || settings.textAlignment == .map || settings.iconAlignment == .map
    let (x, y) = run.map.pixel(item.anchor)
    var label = PlacedLabel(
      shape: shape, id: old.map { $0.isLeaving ? makeID() : $0.id } ?? makeID(),
      anchor: item.anchor, layer: Int(record.layer), turnsWithMap: turns, key: key,
      anchorChoice: text?.choice ?? 255, isFlipped: text?.isFlipped ?? false,
      hasText: showsText, hasIcon: showsIcon,
      bornZoom: item.isLoyal ? old?.bornZoom ?? run.request.view.zoom : run.request.view.zoom,
      level: run.request.tiles[Int(item.tile)].tile.z, boxes: boxes)
    label.x = x
    label.y = y
    run.texts[key, default: []].append(run.placed.count)
    if let words, showsText { run.words[words, default: []].append(run.placed.count) }
    if !place.isEmpty, showsText { run.places[place, default: []].append(run.placed.count) }
    run.placed.append(label)
    run.sources.append(Int(item.previous))
    run.tiles.append(item.tile)
    let byHeight =
      settings.zOrder == .viewportY || (settings.zOrder == .auto && !settings.hasSortKey)
    run.ranks.append(
      LabelRun.Rank(
        key: byHeight ? item.y : settings.zOrder == .source ? 0 : item.sortKey, order: item.order))
  }

  /// Gives a previous label back that is not placed again.
  private func release(_ item: LabelItem, _ run: inout LabelRun) {
    if item.previous >= 0 { run.claimed[Int(item.previous)] = false }
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

  /// Places of one name this near to each other are the same place, in points and in metres: maps
  /// have many towns and quarters twice, as an area and as its middle, or as parts of one another.
  private static let samePlace: (points: Double, metres: Double) = (64, 3000)

  /// Whether the same place is named already. A city's dot does not stand for the country of that
  /// name.
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
    /// What it keeps free, with padding.
    var boxes: [LabelBox]
    /// What it keeps free of labels after it, where that is more.
    var kept: [LabelBox] = []
    /// The same without padding.
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
        grid.isFree(loyal(area.moved(item.x, item.y), item, run), overlap)
      else { return nil }
      return TextFit(
        box: box, boxes: [area], bare: [bare], anchor: anchor,
        choice: choice.map { UInt8($0) } ?? 255)
    }
    if variable.isEmpty { return fit(settings.textAnchor, nil, settings.textOverlap) }
    let count = min(variable.count, 16)
    // The side that it was on first.
    if let old, old.anchorChoice < count,
      let found = fit(variable[Int(old.anchorChoice)], Int(old.anchorChoice), .never)
    {
      return found
    }
    for choice in 0..<count {
      if let found = fit(variable[choice], choice, .never) { return found }
    }
    if settings.textOverlap == .never { return nil }
    let kept = old.flatMap { $0.anchorChoice < count ? Int($0.anchorChoice) : nil } ?? 0
    return fit(variable[kept], kept, settings.textOverlap)
  }

  private func shape(
    _ item: LabelItem, key: LabelKey, blockKey: LabelLayoutCache.BlockKey, layout: LabelLayout,
    block: TextBlock?, text: TextFit?, icon: LabelIcon?, iconBox: LabelBox?, iconAngle: Float,
    old: PlacedLabel?, run: LabelRun
  ) -> LabelShape {
    let isAlong = item.path >= 0
    if isAlong, let old, let previous = run.previous,
      previous.view.zoom == run.request.view.zoom,
      previous.view.bearing == run.request.view.bearing,
      old.hasText == (block != nil), old.hasIcon == (icon != nil),
      old.isFlipped == (text?.isFlipped ?? false), old.shape.look == blockKey.look,
      old.shape.scale == layout.scale,
      Self.isClose(old.shape.glyphs, text?.glyphs ?? old.shape.glyphs),
      old.shape.icon?.icon === icon
    {
      return old.shape
    }
    let usesMap =
      layout.settings.textAlignment == .map || layout.settings.iconAlignment == .map
      || layout.settings.textTranslate != .zero || layout.settings.iconTranslate != .zero
    let shapeKey = LabelLayoutCache.ShapeKey(
      block: blockKey, icon: icon?.name, choice: text?.choice ?? 255, hasText: block != nil,
      hasIcon: icon != nil, scale: layout.scale, mapAngle: usesMap ? layout.mapAngle : 0)
    if !isAlong, let known = cache[shapeKey] { return known }
    var glyphs = text?.glyphs ?? []
    if let block, let text, glyphs.isEmpty {
      glyphs = layout.glyphs(
        block, in: text.box, text.anchor, text: key.text.colors)
    }
    var drawn: LabelShape.Icon?
    if let icon, let iconBox { drawn = layout.icon(icon, in: iconBox, angle: iconAngle) }
    let shape = LabelShape(
      glyphs: glyphs, icon: drawn, look: blockKey.look, scale: layout.scale, text: key.text.plain)
    if !isAlong { cache.insert(shape, for: shapeKey) }
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
