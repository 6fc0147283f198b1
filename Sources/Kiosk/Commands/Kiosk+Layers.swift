import Configuration
import Control
import EventLoop
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources

/// Changes of sources and overlays by the socket and the program.
extension Kiosk {
  // MARK: Queries

  /// The sources in the order of the configuration; added ones last.
  package var sources: [SourceEntry] { book.sources.entries }

  /// The overlays in their present order; configured ones first unless they were moved.
  package var overlays: [OverlayEntry] { book.overlays.entries }

  /// The overlays in drawing order, the lowest first.
  package var overlaysInOrder: [OverlayEntry] { book.overlays.inOrder }

  package func overlayIndex(_ name: String) -> Int? { book.overlays.index(of: name) }

  package func entry(_ name: String) -> SourceEntry? { book.sources[name] }

  /// The name of the base source on the screen.
  package var activeSource: String? { book.sources.active }

  package var activeEntry: SourceEntry? { book.sources.activeEntry }

  package var baseNames: [String] { book.sources.baseNames }

  /// The number of features of an open overlay and their bytes; nil if it has none.
  package func overlaySize(_ entry: OverlayEntry) -> (features: Int?, bytes: Int?) {
    guard let drawing = book.overlays.drawing(of: entry) else { return (nil, nil) }
    return (drawing.features.features.count, drawing.bytes)
  }

  /// The overlay's title in the present language; nil: it has none.
  package func overlayTitle(_ entry: OverlayEntry) -> String? {
    guard let drawing = book.overlays.drawing(of: entry) else {
      return entry.spec.title(in: language)
    }
    let title = OverlayTitle.of(entry.spec, drawing.features, in: overMap.words)
    return title.isEmpty ? nil : title
  }

  // MARK: Sources

  /// Adds a custom source as the last base source, or replaces the one with that name.
  ///
  /// - Parameters:
  ///   - name: The name, as in `source.list`.
  ///   - tileSize: The edge of its tiles in points, 256 or 512.
  ///   - make: Opens it, on the thread that then reads it; called again after a failure that may
  ///     pass.
  /// - Returns: False if there is no room for another source.
  @discardableResult
  public func addSource(
    _ name: String, tileSize: Int = 256,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) -> Bool {
    var spec = SourceSpec(name: name, location: .path(name))
    spec.tileSize = tileSize == 512 ? 512 : 256
    return book.sources.add(spec, make: make)
  }

  /// Adds a source as a `[[source]]` table would, replaces one with that name, and opens it.
  ///
  /// - Parameters:
  ///   - table: The parameters of `source.add`.
  ///   - trusted: Whether the caller is root or the daemon's user, who may name any path. Others
  ///     may only name paths below the configuration's `control.roots`: `checkPaths` has accepted
  ///     them, and every opening enforces it.
  ///   - isNew: Whether to announce it once it is open. One that is restored after a restart is
  ///     not new, and its fallback may come later, for example from a medium.
  /// - Returns: The source's name.
  /// - Throws: An error that names the wrong parameter, or says that there is no room.
  package func addSource(
    _ table: JSON, trusted: Bool, isNew: Bool = true
  ) throws(ControlError) -> String {
    var spec = try SocketTable.source(table)
    if !trusted { spec.trust = .beneath(configuration.control.roots) }
    if spec.language == nil { spec.language = configuration.display.language }
    if isNew, let fallback = spec.fallback, fallback != spec.name, entry(fallback) == nil {
      throw .parameter("fallback", "fallback: no source \"\(fallback)\"; add that one first")
    }
    if let circle = fallbackCircle(spec) {
      throw .parameter(
        "fallback",
        "fallback: \(circle.joined(separator: " falls back on ")), a circle; name a source that"
          + " ends it")
    }
    guard book.sources.add(spec, table: table, isNew: isNew) else {
      throw ControlError(
        code: ControlError.notAvailable, message: "no room for another source; remove one first",
        data: ["name": .string(spec.name)])
    }
    outbox.add(.state)
    return spec.name
  }

  /// The cycle of fallbacks from `spec` back to itself, by name; nil: there is none.
  private func fallbackCircle(_ spec: SourceSpec) -> [String]? {
    var names = [spec.name]
    var next = spec.fallback
    while let name = next, names.count <= sources.count + 1 {
      names.append(name)
      if name == spec.name { return names }
      next = entry(name)?.spec.fallback
    }
    return nil
  }

  /// Removes a source, whether configured or added.
  package func removeSource(_ name: String) {
    guard let entry = entry(name) else { return }
    if entry.origin == .medium { media.dismiss(entry.path) }
    book.sources.remove(name)
    outbox.add(.state)
    // There may be room for a pack on a medium now.
    outbox.add(.media)
  }

  /// Removes an added source that could not be opened, and restores `former`.
  package func withdraw(_ name: String, for former: SourceEntry?) {
    var former = former
    // `control.roots` may have changed since.
    _ = former?.confine(to: configuration.control.roots)
    book.sources.withdraw(name, for: former)
    outbox.add(.state)
  }

  /// Switches to the base source `name`; the view stays. False if no base source has that name.
  package func use(_ name: String) -> Bool {
    guard entry(name)?.spec.role == .base else { return false }
    view.touched()
    endOrDelayTour()
    choose(name)
    return true
  }

  /// Shows a base source that somebody chose, or that home has.
  func choose(_ name: String) {
    // Whoever chooses a source does not wait for a medium, after a restart neither.
    if media.missed != nil {
      media.miss(nil)
      outbox.add(.state)
    }
    show(name)
  }

  /// Shows the base source `name`, whoever wants that.
  func show(_ name: String) {
    guard book.sources.use(name).isNews else { return }
    showToast(name)
    baseChanged()
  }

  /// Another base source is shown.
  func baseChanged() {
    overMap.forgetNowhere()
    // A switch does not wait for new colours, and only briefly for its own tiles.
    frames.endFreeze()
    freeze(for: frames.switchTime)
    outbox.add(.state)
  }

  /// Switches to the next (1) or previous (−1) base source. False if there is none.
  package func step(by delta: Int) -> Bool {
    book.sources.base(by: delta).map { use($0) } ?? false
  }

  // MARK: Overlays

  /// Shows or hides an overlay. False if none has that name.
  package func showOverlay(_ name: String, _ isShown: Bool) -> Bool {
    guard let isNews = book.overlays.show(name, isShown) else { return false }
    if isNews { outbox.add(.state) }
    return true
  }

  /// Moves an overlay directly above or below another one, to that one's level.
  ///
  /// - Throws: An error that names the unknown overlay.
  package func moveOverlay(
    _ name: String, _ target: OverlayMoveParams.Place
  ) throws(ControlError) {
    try book.overlays.move(name, target)
    outbox.add(.state)
  }

  /// Adds an overlay as an `[[overlay]]` table would, or with its features in the call (`geojson`),
  /// replaces one with that name, and opens it.
  ///
  /// - Parameters:
  ///   - table: The parameters of `overlay.add`.
  ///   - trusted: Whether the caller is root or the daemon's user, who may name any path. Others
  ///     may only name paths below the configuration's `control.roots`: `checkPaths` has accepted
  ///     them, and every opening enforces it.
  ///   - isNew: Whether to announce it once it is open.
  /// - Returns: The overlay's name.
  /// - Throws: An error that names the wrong parameter, or says that there is no room.
  package func addOverlay(
    _ table: JSON, trusted: Bool, isNew: Bool = true
  ) throws(ControlError) -> String {
    var spec = try SocketTable.overlay(table)
    if !trusted, case .file = spec.content {
      spec.trust = .beneath(configuration.control.roots)
    }
    guard book.overlays.add(spec, table: table, isNew: isNew) else {
      throw ControlError(
        code: ControlError.notAvailable,
        message: "there are \(Configuration.Overlay.maxCount) overlays, and no more are possible; "
          + "remove one", data: ["limit": .int(Int64(Configuration.Overlay.maxCount))])
    }
    outbox.add(.state)
    return spec.name
  }

  /// Removes the overlay `name`.
  package func removeOverlay(_ name: String) {
    guard book.overlays[name] != nil else { return }
    book.overlays.remove(name)
    outbox.add(.state)
  }

  /// Removes an added overlay that could not be opened, and restores `former`.
  package func withdrawOverlay(_ name: String, for former: OverlayEntry?) {
    var former = former
    _ = former?.confine(to: configuration.control.roots)
    book.overlays.withdraw(name, for: former)
    outbox.add(.state)
  }

  // MARK: The loader's events

  /// Collects the results of the loader's threads.
  func collect() {
    var isNews = false
    pipeline.loader.collect { event in
      switch event {
      case .decoded, .failedAgain: break
      default: isNews = true
      }
      switch event {
      case .decoded(let key, let nanoseconds):
        frames.decoded(nanoseconds: nanoseconds)
        book.sources.tileAnswered(key)
      case .missing(let key), .awaited(let key): book.sources.tileAnswered(key)
      // Finished blocks would otherwise stay as they were drawn.
      case .returned(let key):
        pipeline.scene.invalidate()
        book.sources.tilesForgotten(of: key.source)
      case .forgotten(let index): book.sources.tilesForgotten(of: index)
      case .replaced(let index): book.sources.readerFoundReplacement(index)
      case .recovered(let index): book.sources.recovered(index)
      case .trouble(let index, let error): book.sources.troubled(index, error)
      case .opened(let index, let info, let problems):
        opened(book.opened(index, info, problems, isFrozen: frames.freeze != nil))
      case .openFailed(let index, let error): opened(book.openFailed(index, error))
      case .tileError(let key, let error): book.sources.tileFailed(key, error)
      case .failedAgain(let key, let error): book.sources.tileFailedAgain(key, error)
      }
    }
    frames.collected(isNews: isNews, pipeline)
    checkMemory()
  }

  private func opened(_ layer: LayerBook.Opened?) {
    switch layer {
    case .source(let entry):
      if entry.name == book.sources.active { firstSourceIsKnown() }
      if entry.origin == .medium { mediumOpened(entry) }
      onSourceOpened?(entry)
    case .overlay(let entry, let isReplaced):
      if isReplaced { freeze(for: frames.freezeTime) }
      onOverlayOpened?(entry)
      book.overlays.endStaying(entry.name)
    case nil: break
    }
  }

  /// Shows maps whose file was replaced once all tiles that the view needs are there, in one frame.
  /// If that takes too long, or needs more than the cache holds, freezes the screen instead.
  func takeReplacements(_ now: UInt64) {
    guard let layers = book.layersToBe() else { return pipeline.endNext() }
    let (isWhole, closed, fits) = pipeline.prepareNext(layers, shownView)
    for index in closed { pipeline.loader.open(index) }
    guard isWhole || !fits || book.sources.replacedBy <= now else { return }
    pipeline.endNext()
    book.sources.replaceAll()
    if !isWhole { freeze(for: frames.freezeTime) }
  }

  /// Keeps the picture on the screen until the next one is complete, for at most `time`
  /// nanoseconds; if `whilePainting`, for longer as long as tiles are being painted.
  func freeze(for time: UInt64, whilePainting: Bool = false) {
    frames.freeze(for: time, whilePainting: whilePainting, pipeline, moment)
  }

  // MARK: The cache

  /// Changes the cache's limit until the next start.
  package func resizeCache(to bytes: Int) {
    pipeline.cache.resize(to: bytes)
    noteFloor()
    changed()
  }

  /// Forgets every decoded tile and every tile known to be missing.
  package func clearCache() {
    pipeline.cache.clear()
    pipeline.missing.forget()
    book.sources.reopenTroubled()
    pipeline.scene.invalidate()
    changed()
  }

  /// Notes a cache limit that is less than a view can need.
  func noteFloor() {
    let stats = pipeline.cache.stats
    let asked = pipeline.cache.requested
    outbox.note(
      "cache", .warning,
      asked >= stats.floor
        ? nil
        : "the tile cache was to have \(ByteCount.text(asked)); a view of this display can need "
          + "\(ByteCount.text(stats.floor)), so that is used")
  }
}
