import Configuration
import Control
import EventLoop
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources

/// Changes of sources and overlays, by the socket and by the program.
extension Kiosk {
  // MARK: What there is

  /// The sources in the order of the configuration; added ones last.
  package var sources: [SourceEntry] { book.allSources }

  /// The overlays; configured ones first, as they were moved since.
  package var overlays: [OverlayEntry] { book.allOverlays }

  /// The overlays in drawing order, the lowest first.
  package var overlaysInOrder: [OverlayEntry] { book.overlaysInOrder }

  package func overlayIndex(_ name: String) -> Int? { overlays.firstIndex { $0.name == name } }

  package func entry(_ name: String) -> SourceEntry? { book.source(name) }

  /// The name of the base source on the screen.
  package var activeSource: String? { book.activeSource }

  package var activeEntry: SourceEntry? { book.activeEntry }

  package var baseNames: [String] { book.baseNames }

  /// The attribution of what is on the screen.
  var attribution: String { book.attribution }

  /// How many features an open overlay has, and the bytes that they take; nil where it has none.
  package func overlaySize(_ entry: OverlayEntry) -> (features: Int?, bytes: Int?) {
    guard let drawing = book.drawing(of: entry) else { return (nil, nil) }
    return (drawing.features.features.count, drawing.bytes)
  }

  /// Bytes that the features of all overlays take.
  package var overlayBytes: Int { book.overlayBytes }

  // MARK: Sources

  /// Adds a custom source as the last base source, or replaces the one of that name.
  ///
  /// - Parameters:
  ///   - name: what `source.list` calls it.
  ///   - tileSize: its tiles' edge in points, 256 or 512.
  ///   - make: opens it; called once, on the thread that then reads it.
  /// - Returns: false when there is no room for another source.
  @discardableResult
  public func addSource(
    _ name: String, tileSize: Int = 256,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) -> Bool {
    var spec = SourceSpec(name: name, location: .path(name))
    spec.tileSize = tileSize == 512 ? 512 : 256
    guard book.add(spec, make: make) else { return false }
    outbox.tell(.source(name: name, change: .added))
    return true
  }

  /// Adds a source as a `[[source]]` table would, replacing one of that name, and opens it.
  ///
  /// - Parameters:
  ///   - table: the parameters of `source.add`.
  ///   - trusted: the caller is root or the daemon's user: any path may be given. Others may
  ///     name paths below the configuration's `control.roots` only.
  ///   - isChecked: `checkPaths` found the paths to be good.
  /// - Returns: the source's name.
  /// - Throws: an error that names the parameter at fault, or that there is no room.
  package func addSource(
    _ table: JSON, trusted: Bool, isChecked: Bool = false
  ) throws(ControlError) -> String {
    let origin = ConfigValue.Origin(file: "source.add", directory: nil)
    let (spec, findings) = parseSource(ConfigValue(table, origin: origin), baseDirectory: nil)
    guard var spec, !findings.contains(where: { $0.severity == .error }) else {
      throw SocketTable.refusal(
        of: findings, in: table, place: ["path", "paths", "url", "provider"])
    }
    if !trusted {
      if !isChecked { try SocketTable.check(spec, roots: configuration.control.roots) }
      spec.trust = .beneath(configuration.control.roots)
    }
    if let fallback = spec.fallback, fallback != spec.name, entry(fallback) == nil {
      throw .parameter("fallback", "fallback: no source \"\(fallback)\"; add that one first")
    }
    if let circle = fallbackCircle(spec) {
      throw .parameter(
        "fallback",
        "fallback: \(circle.joined(separator: " falls back on ")), a circle; name a source that"
          + " ends it")
    }
    guard book.add(spec, table: table, opens: true) else {
      throw ControlError(
        code: ControlError.notAvailable, message: "no room for another source; remove one first")
    }
    outbox.add(.state)
    return spec.name
  }

  /// The cycle of fallbacks from `spec` back to itself, by name; nil where there is none.
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

  /// Announces that the added source `name` can be used.
  package func sourceWasAdded(_ name: String) {
    outbox.tell(.source(name: name, change: .added))
  }

  /// Removes a source, whether configured or added.
  package func removeSource(_ name: String) {
    guard book.source(name) != nil else { return }
    book.removeSource(name)
    outbox.add(.state)
    outbox.tell(.source(name: name, change: .removed))
  }

  /// Removes an added source that cannot be opened, and restores `former`.
  package func withdraw(_ name: String, for former: SourceEntry?) {
    book.withdraw(name, for: former)
  }

  /// Switches to the base source `name`; the view stays. False when there is none of that name and
  /// role.
  package func use(_ name: String) -> Bool {
    guard book.source(name)?.spec.role == .base else { return false }
    view.touched()
    let outcome = book.use(name)
    if outcome.isNews {
      overMap.forgetNowhere()
      showToast(name)
      // A switch does not wait for new colours, and only briefly for its own tiles.
      frames.release()
      hold(for: frames.switchTime)
      outbox.tell(.source(name: name, change: .used))
      outbox.add(.state)
    }
    return outcome.isKnown
  }

  /// The next (1) or previous (−1) base source. False when there is none.
  package func step(by delta: Int) -> Bool {
    book.base(by: delta).map { use($0) } ?? false
  }

  // MARK: Overlays

  /// Shows or hides an overlay. False when there is none of that name.
  package func showOverlay(_ name: String, _ isShown: Bool) -> Bool {
    guard let isNews = book.show(name, isShown) else { return false }
    if isNews {
      outbox.add(.state)
      outbox.tell(.overlay(name: name, change: isShown ? "shown" : "hidden"))
    }
    return true
  }

  /// Puts an overlay directly above or below another one, at that one's level.
  ///
  /// - Throws: an error that names the unknown one of both.
  package func moveOverlay(_ name: String, _ place: OverlayMoveParams.Place) throws(ControlError) {
    try book.move(name, place)
    outbox.add(.state)
    outbox.tell(.overlay(name: name, change: "moved"))
  }

  /// Adds an overlay as an `[[overlay]]` table would, or with its features inside (`geojson`),
  /// replacing one of that name, and opens it.
  ///
  /// - Parameters:
  ///   - table: the parameters of `overlay.add`.
  ///   - trusted: the caller is root or the daemon's user: any path may be given. Others may
  ///     name paths below the configuration's `control.roots` only.
  ///   - isChecked: `checkPaths` found the paths to be good.
  /// - Returns: the overlay's name.
  /// - Throws: an error that names the parameter at fault, or that there is no room.
  package func addOverlay(
    _ table: JSON, trusted: Bool, isChecked: Bool = false
  ) throws(ControlError) -> String {
    var spec = try SocketTable.overlay(table)
    if !trusted, case .file(let path) = spec.content {
      if !isChecked { try SocketTable.check([path], roots: configuration.control.roots) }
      spec.trust = .beneath(configuration.control.roots)
    }
    guard book.add(spec, table: table) else {
      throw ControlError(
        code: ControlError.notAvailable,
        message: "there are \(Configuration.Overlay.maxCount) overlays, and no more are possible; "
          + "remove one")
    }
    outbox.add(.state)
    return spec.name
  }

  /// Removes the overlay `name`.
  package func removeOverlay(_ name: String) {
    guard book.overlay(name) != nil else { return }
    book.removeOverlay(name)
    outbox.add(.state)
  }

  /// Removes an added overlay that cannot be opened, and restores `former`.
  package func withdrawOverlay(_ name: String, for former: OverlayEntry?) {
    book.withdrawOverlay(name, for: former)
  }

  // MARK: What the loader tells

  /// Collects the results of the loader's threads.
  func collect() {
    var isNews = false
    book.setHeld(frames.hold != nil)
    pipeline.loader.collect { event in
      if case .decoded = event {} else { isNews = true }
      switch event {
      case .decoded(_, let nanoseconds): frames.decoded(nanoseconds: nanoseconds)
      case .missing, .awaited: break
      // Finished blocks would otherwise stay as they were drawn.
      case .returned: pipeline.scene.invalidate()
      case .replaced(let index): book.replaced(index)
      case .recovered(let index): book.recovered(index)
      case .opened(let index, let info, let problems):
        opened(book.opened(index, info, problems))
      case .openFailed(let index, let error): opened(book.openFailed(index, error))
      case .tileError(let index, let error): book.tileFailed(index, error)
      }
    }
    frames.collected(isNews: isNews, pipeline)
  }

  private func opened(_ layer: LayerBook.Opened?) {
    switch layer {
    case .source(let entry):
      if entry.name == book.activeSource { firstSourceIsKnown() }
      onSourceOpened?(entry)
    case .overlay(let entry, let isReplaced):
      if isReplaced { hold(for: frames.holdTime) }
      onOverlayOpened?(entry)
    case nil: break
    }
  }

  /// A map whose file was replaced comes to the screen once all that the view needs of it is there,
  /// in one frame. Where that takes too long or more than the cache holds, the screen is held.
  func takeReplacements(_ now: UInt64) {
    guard let layers = book.layersToBe() else { return pipeline.endNext() }
    let (isWhole, closed, fits) = pipeline.prepareNext(layers, view.current)
    for index in closed { book.open(index) }
    guard isWhole || !fits || book.isReplacementDue(now) else { return }
    pipeline.endNext()
    book.replaceAll()
    if !isWhole { hold(for: frames.holdTime) }
  }

  /// What is on the screen stays until the next picture is whole, for `time` nanoseconds at most.
  func hold(for time: UInt64) {
    frames.hold(for: time, pipeline, moment)
    book.setHeld(frames.hold != nil)
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
    book.reopenTroubled()
    pipeline.scene.invalidate()
    changed()
  }

  /// Reports a cache limit below what a view can need.
  func noteFloor() {
    let stats = pipeline.cache.stats
    let asked = pipeline.cache.requested
    outbox.note(
      "cache", .warning,
      asked >= stats.floor
        ? nil
        : "cache.memory is \(ByteCount.text(asked)); a view of this display can need "
          + "\(ByteCount.text(stats.floor)), so that is used")
  }
}
