import MapGeometry
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// What is measured of a line's label.
struct LineLayout {
  let record: TileLabels.Record
  let level: Int
  let settings: LabelSettings
  let key: LabelKey
  /// The label's length, the distance between labels and before the first one, in pixels.
  var length: Float = 0
  /// How far the text reaches from the line to either side, in pixels.
  var reach: Float = 0
  let spacing: Float
  let margin: Float
  /// How many times farther the first label stands from the line's start.
  let overscale: Float
  /// How far the line may turn in `window` pixels, in radians; negative: as far as it wants.
  let limit: Float
  let window: Float
  /// Whether MapLibre would place no label there: the line crosses tiles, or the label was moved
  /// into a still picture.
  var isExtra = false

  /// Whether the line is straight enough for the label at a distance from its start.
  func isStraight(_ path: LabelPath, at along: Float) -> Bool {
    limit < 0
      || path.isStraight(
        from: along - length / 2, to: along + length / 2, limit: limit, window: window)
  }
}

extension LabelPlacer {
  /// Finds the places along lines.
  func gatherLines(_ lines: LineCollector, _ coverage: inout TileCoverage, _ run: inout LabelRun) {
    var short = LineCollector()
    for group in lines.groups {
      if paths.count >= pathLimit { break }
      var parts = group.parts
      // Lines without text are not joined, as in the tiles.
      if !group.isJoined, let first = parts.first,
        run.request.tiles[first.tile].labels.records[first.record].text != TileLabels.Record.none
      {
        // Where tiles cut a line over the map, its points are thinned a little differently.
        LabelPathJoiner.join(
          &parts, turning: group.isWhole, within: group.isWhole ? 2 * run.scale : 0.5, &run)
      }
      // MapLibre goes through the parts in this order, and leaves out a label too close to an
      // earlier one.
      parts.sort(by: LineGroup.Part.isBefore)
      var stands: [LabelPath.Point] = []
      for part in parts {
        if paths.count >= pathLimit { break }
        guard let layout = lineLayout(part, group.overscale, run) else { continue }
        var continues = false
        if let first = part.points.first, run.mayCompare(group.edges.count) {
          continues = group.edges.contains { LabelPathJoiner.meet($0, first) }
        }
        let found = offer(part, layout, continues: continues, coverage, &stands, &run)
        if !found, !layout.key.text.isEmpty, !group.isWhole {
          short.add(part, of: group, layout.key, level: layout.level)
        }
      }
    }
    for group in short.groups where group.parts.count > 1 {
      var parts = group.parts
      LabelPathJoiner.join(&parts, turning: true, &run)
      if parts.count == group.parts.count { continue }
      var stands: [LabelPath.Point] = []
      for part in parts {
        if paths.count >= pathLimit { break }
        guard var layout = lineLayout(part, group.overscale, run) else { continue }
        layout.isExtra = true
        _ = offer(part, layout, continues: false, coverage, &stands, &run)
      }
    }
    if lines.lacksMemory || short.lacksMemory { run.lacksMemory = true }
  }

  /// Nil if there is nothing to show.
  private func lineLayout(
    _ part: LineGroup.Part, _ overscale: Float, _ run: LabelRun
  ) -> LineLayout? {
    let tile = run.request.tiles[part.tile]
    let record = tile.labels.records[part.record]
    let settings = tile.labels.looks[Int(record.look)].settings
    let layout = LabelLayout(settings, scale: run.scale, mapAngle: run.mapAngle)
    let extent = extent(tile.labels.blockKey(record))
    let icon = tile.labels.icon(record).flatMap { icons.icon($0) }
    if extent == nil, icon == nil { return nil }
    // Distances grow between two whole zooms, so that labels keep their places on the map.
    let zoom = run.request.view.zoom
    // Names of lines over the map may stand anywhere, and keep the places that they have.
    let growth = settings.naming == nil ? Float(exp2(zoom - zoom.rounded(.down))) : 1
    let largest =
      settings.textLargestSize > 0
      ? LabelType.limited(settings.textLargestSize, 0...256) * run.scale : layout.em
    var result = LineLayout(
      record: record, level: tile.tile.z, settings: settings, key: tile.labels.key(record),
      spacing: LabelType.limited(settings.spacing, 1...4096) * run.scale * growth,
      margin: 2 * largest * growth, overscale: overscale,
      limit: extent == nil ? -1 : LabelType.limited(settings.textMaxAngle, 0...360) * .pi / 180,
      window: largest * 0.6 * growth)
    // MapLibre measures both in 24ths of an em.
    if let extent {
      result.length = extent.roomWidth * largest * growth
      let box = layout.textBox(extent, settings.textAnchor, choice: nil)
      result.reach = max(abs(box.top), abs(box.bottom))
    }
    if settings.naming == .beside, let extent {
      let box = layout.textBox(extent, .bottom, choice: nil)
      result.length = max(result.length, box.right - box.left)
    }
    if let icon {
      result.length = max(
        result.length, Float(icon.width) / icon.pixelRatio * largest / 24 * growth)
    }
    return result
  }

  /// Offers the places along a line, and adds them to `stands`, where labels of the group stand.
  /// Returns whether it has any.
  private func offer(
    _ part: LineGroup.Part, _ layout: LineLayout, continues: Bool,
    _ coverage: TileCoverage, _ stands: inout [LabelPath.Point], _ run: inout LabelRun
  ) -> Bool {
    guard paths.hasMemory(), SpareMemory.has(part.points.count, of: LabelPath.pointBytes) else {
      run.lacksMemory = true
      return false
    }
    let path = LabelPath(part.points)
    guard path.points.count > 1 else { return false }
    // A line that is too short by itself is left to the joined lines, which are tried if this part
    // gets no label.
    if layout.settings.placement == .line, !layout.key.text.isEmpty, !layout.isExtra,
      path.length + 0.1 * layout.margin < layout.length
    {
      return false
    }
    let number = Int32(paths.count)
    paths.append(path)
    // First the labels that stand on it now.
    let taken = offerShown(path, number, part, layout, coverage, &stands, &run)
    if layout.settings.placement == .lineCenter {
      if taken.isEmpty {
        offer(path.length / 2, of: path, number, part, layout, -1, coverage, &run)
        offerWhole([path.length / 2], path, number, part, layout, coverage, &run)
      }
      return true
    }
    if layout.settings.naming == .beside {
      return offerAll(path, number, part, layout, coverage, &run) || !taken.isEmpty
    }
    let anchors = path.anchors(
      label: layout.length, spacing: layout.spacing, margin: layout.margin,
      overscale: layout.overscale, continues: continues
    ) { layout.isStraight(path, at: $0) }
    for along in anchors where !taken.contains(where: { abs($0 - along) < layout.spacing / 2 }) {
      let point = path.point(at: along)
      if !layout.key.text.isEmpty, isNear(point, stands, layout.spacing / 2, &run) { continue }
      stands.append(point)
      offer(along, of: path, number, part, layout, -1, coverage, &run)
    }
    if taken.isEmpty { offerWhole(anchors, path, number, part, layout, coverage, &run) }
    return !anchors.isEmpty || !taken.isEmpty
  }

  /// Offers the places of the labels that stand on a line now, and adds them to `stands`. Returns
  /// how far along the line they are.
  private func offerShown(
    _ path: LabelPath, _ number: Int32, _ part: LineGroup.Part, _ layout: LineLayout,
    _ coverage: TileCoverage, _ stands: inout [LabelPath.Point], _ run: inout LabelRun
  ) -> [Float] {
    var taken: [Float] = []
    let known = run.known[layout.key] ?? []
    let reach = 4 * run.scale
    let bounds = known.isEmpty ? nil : path.bounds
    for index in known where !run.claimed[index] {
      guard let bounds, let old = run.previous?.labels[index], run.mayCompare() else { continue }
      let (x, y) = run.map.position(old.anchor)
      let at = LabelPath.Point(x: Float(x), y: Float(y))
      guard bounds.contains(at, within: reach), run.mayCompare(path.points.count) else { continue }
      let (along, away) = path.nearest(at)
      guard away < reach else { continue }
      offer(along, of: path, number, part, layout, Int32(index), coverage, &run)
      taken.append(along)
      stands.append(path.point(at: along))
    }
    return taken
  }

  /// The most places of a line that are offered: on the screen, and where only a part of the name
  /// would be on it. The rest is for views of very many lines.
  private static let mostPlaces = (shown: 32, hidden: 16, crowded: 8)
  /// From this many lines on, each has few places.
  private static let crowd = 512

  /// Offers places all along a line, those on the screen first, and of these the middle first.
  /// Returns whether it has any.
  private func offerAll(
    _ path: LabelPath, _ number: Int32, _ part: LineGroup.Part, _ layout: LineLayout,
    _ coverage: TileCoverage, _ run: inout LabelRun
  ) -> Bool {
    let most = paths.count < Self.crowd ? Self.mostPlaces.shown : Self.mostPlaces.crowded
    let half = layout.length / 2
    let room = max(0, path.length - layout.length)
    let count = Int(min(room / max(half, 1), 2048)) + 1
    let step = count > 1 ? room / Float(count - 1) : 0
    let view = run.request.view
    func isShown(_ along: Float) -> Bool {
      let point = path.point(at: along)
      return point.x >= 0 && point.y >= 0 && point.x <= Float(view.width)
        && point.y <= Float(view.height)
    }
    var (shown, hidden): ([Float], [Float]) = ([], [])
    for index in 0..<count {
      let along =
        count > 1 ? min(half, path.length / 2) + Float(index) * step : path.length / 2
      let point = path.point(at: along)
      guard isNear(point.x, point.y, run) else { continue }
      if isShown(along - half), isShown(along + half) {
        shown.append(along)
      } else if hidden.count < Self.mostPlaces.hidden {
        hidden.append(along)
      }
    }
    // From the middle outwards.
    let middle = shown.count / 2
    for index in 0..<min(shown.count, most) {
      let place = index % 2 == 0 ? middle + index / 2 : middle - index / 2 - 1
      guard shown.indices.contains(place) else { continue }
      offer(shown[place], of: path, number, part, layout, -1, coverage, &run)
    }
    for along in hidden.prefix(most) {
      offer(along, of: path, number, part, layout, -1, coverage, &run)
    }
    return !shown.isEmpty || !hidden.isEmpty
  }

  /// Whether a label of the same group stands too near, whether it finds room there or not.
  private func isNear(
    _ point: LabelPath.Point, _ stands: [LabelPath.Point], _ reach: Float, _ run: inout LabelRun
  ) -> Bool {
    for other in stands.reversed() {
      guard run.mayCompare() else { return true }
      let (dx, dy) = (other.x - point.x, other.y - point.y)
      if dx * dx + dy * dy < reach * reach { return true }
    }
    return false
  }

  func offer(
    _ along: Float, of path: LabelPath, _ number: Int32, _ part: LineGroup.Part,
    _ layout: LineLayout, _ previous: Int32, _ coverage: TileCoverage, _ run: inout LabelRun
  ) {
    let point = path.point(at: along)
    guard isNear(point.x, point.y, run), items.count < itemLimit else { return }
    let place = run.map.place(Double(point.x), Double(point.y))
    if coverage.isCovered(place, below: run.request.tiles[part.tile]) { return }
    var item = LabelItem(
      layer: Int32(layout.record.layer), tile: Int32(part.tile), record: Int32(part.record),
      rank: part.rank, order: Int32(clamping: items.count), sortKey: layout.record.sortKey,
      x: point.x, y: point.y, anchor: place)
    item.path = number
    item.along = along
    item.isExtra = layout.isExtra
    item.previous = previous
    if previous >= 0 {
      run.claimed[Int(previous)] = true
      // An arrow that took a free place along a street gives way to the street's name.
      item.isLoyal = !layout.key.text.isEmpty && run.isLoyal(Int(previous))
      if let old = run.previous?.labels[Int(previous)] { item.anchor = old.anchor }
    }
    offer(item, &run)
  }
}
