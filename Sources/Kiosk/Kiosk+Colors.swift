import Configuration
import EventLoop
import MapGeometry
import MapScene
import Pixels
import TileLoading

/// Why what is on the screen stays there although something newer is planned: the map comes in other
/// colours, or is another one, and is to change as a whole.
struct FrameHold {
  /// A view that moves on does not wait.
  var view: Viewport
  var deadline: UInt64
  /// How many of the display's memories were drawn in full, where that takes several frames.
  var passes = 0
}

/// What is done to the colours of all that is drawn, and how they change without a blank.
extension Kiosk {
  /// What filters and the theme make of a source's tiles.
  func colors(of entry: SourceEntry) -> TileColors {
    TileColors(
      Kiosk.steps(entry.spec.filters.compactMap { Filter($0) } + themeFilters),
      source: entry.spec.name)
  }

  func colors(of entry: OverlayEntry) -> TileColors {
    TileColors(Kiosk.steps(themeFilters), source: entry.name)
  }

  private static func steps(_ filters: [Filter]) -> [TileColors.Step] {
    filters.map { filter in
      if case .mosaic(let strength) = filter { return .mosaic(strength) }
      return .colors(filter.colors.map { [$0] } ?? [])
    }
  }

  /// Has everything whose filters or theme changed decoded in its new colours; what is on the screen
  /// changes in one frame.
  func recolor() {
    var (isSwapped, isNews) = (false, palette != pipeline.compositor.palette)
    for i in sources.indices {
      let index = sources[i].index
      // One that was not needed yet gets its colours when it is.
      guard pipeline.loader.has(index) else { continue }
      let colors = colors(of: sources[i])
      if pipeline.loader.colors(of: index) == colors { continue }
      isNews = true
      guard sources[i].info != nil, isShown(sources[i]), let new = freeIndices.popLast() else {
        pipeline.loader.recolor(index, to: index, colors: colors)
        continue
      }
      pipeline.loader.recolor(index, to: new, colors: colors)
      sources[i].index = new
      replaceFormer(&sources[i].former, with: index)
      isSwapped = true
    }
    for i in overlays.indices {
      let colors = colors(of: overlays[i])
      let index = overlays[i].index
      if let next = overlays[i].reopening, pipeline.loader.colors(of: next) != colors {
        pipeline.loader.recolor(next, to: next, colors: colors)
      }
      if pipeline.loader.colors(of: index) == colors { continue }
      isNews = true
      guard case .open = overlays[i].state, overlays[i].isShown, let new = freeIndices.popLast()
      else {
        pipeline.loader.recolor(index, to: index, colors: colors)
        continue
      }
      pipeline.loader.recolor(index, to: new, colors: colors)
      overlays[i].index = new
      replaceFormer(&overlays[i].former, with: index)
      isSwapped = true
    }
    guard isNews else { return }
    if isSwapped { holdFrame() }
    pipeline.compositor.palette = palette
    pipeline.scene.invalidate()
    sourcesChanged()
  }

  /// The colours where there is no map.
  var palette: Compositor.Palette {
    var palette = Compositor.Palette()
    palette.outside = themeTransform.apply(palette.outside)
    palette.waiting = themeTransform.apply(palette.waiting)
    return palette
  }

  // MARK: What stands in

  /// Keeps the tiles of number `old` to stand in, unless what stands in already is what is on the screen.
  func replaceFormer(_ former: inout Int?, with old: Int) {
    if former != nil, hold != nil {
      forgetFormer(old)
    } else {
      forgetFormer(former)
      former = old
    }
  }

  /// Drops tiles that stood in, and has their number used again.
  func forgetFormer(_ former: Int?) {
    guard let former else { return }
    pipeline.cache.remove(source: former)
    freeIndices.append(former)
  }

  /// Once the picture is whole nothing stands in any more.
  func dropFormers() {
    guard hold == nil, hasFormers, pipeline.scene.isComplete else { return }
    for i in sources.indices where sources[i].former != nil {
      forgetFormer(sources[i].former)
      sources[i].former = nil
    }
    for i in overlays.indices where overlays[i].former != nil {
      forgetFormer(overlays[i].former)
      overlays[i].former = nil
    }
    setLayers()
  }

  private var hasFormers: Bool {
    for entry in sources where entry.former != nil { return true }
    for entry in overlays where entry.former != nil { return true }
    return false
  }

  // MARK: The frame that waits

  /// What is on the screen stays until the next picture is whole, the view moves, or two seconds have
  /// passed.
  ///
  /// - Parameter time: another limit than the two seconds, in nanoseconds.
  func holdFrame(for time: UInt64? = nil) {
    // Without a picture there is nothing to be kept.
    guard presentedFrames > 0, pipeline.isCurrent, !view.isMoving, !waitsForFirstSource else {
      return
    }
    let deadline = EventLoop.now() &+ (time ?? holdTime)
    hold = FrameHold(view: view.current, deadline: deadline)
    if holdTimer == nil { holdTimer = loop.timer { [unowned self] in releaseFrame() } }
    holdTimer?.arm(at: deadline)
    changed()
  }

  /// The next frame is drawn as it is.
  func releaseFrame() {
    guard hold != nil else { return }
    hold = nil
    holdTimer?.cancel()
    changed()
  }

  /// Whether the frame that was just planned is not to be seen yet. Where the view needs more than the
  /// cache holds, its parts are drawn into memory that is not on the screen.
  func isHeld(_ update: Scene.Update) -> Bool {
    guard let hold else { return false }
    let p = pipeline
    guard !view.isMoving, view.current == hold.view, p.isCurrent, !p.scene.isWholePlan else {
      endHold()
      return false
    }
    guard p.scene.isHeldBack else { return true }
    let done = p.scene.doneBlocks
    p.drawHidden(update, sprites: overMap.sprites, again: hold.passes > 0)
    if p.scene.doneBlocks != done { needsFrame = true }
    return true
  }

  private func endHold() {
    guard let hold else { return }
    self.hold = nil
    holdTimer?.cancel()
    let memories = pipeline.display.bufferCount
    if pipeline.isHiding, view.current == hold.view, hold.passes + 1 < memories {
      // The display's other memory is drawn the same way, as it will be shown in its turn.
      drawsOthersNext = FrameHold(
        view: hold.view, deadline: EventLoop.now() &+ holdTime, passes: hold.passes + 1)
    }
  }

  /// Goes on with the display's other memory, after the frame that was waited for.
  func drawOtherMemory() {
    guard let next = drawsOthersNext else { return }
    drawsOthersNext = nil
    guard view.current == next.view, !view.isMoving else { return }
    hold = next
    holdTimer?.arm(at: next.deadline)
    pipeline.scene.invalidate()
    changed()
  }
}
