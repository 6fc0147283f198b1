import Configuration
import MapGeometry
import MapScene
import TileLoading
import TileSources

/// Sources: which there are, which is shown, how they fare.
extension Kiosk {
  /// Adds `spec`, at the end, or in the place of the source of that name. Nil when there is no room
  /// for another.
  func insert(_ spec: SourceSpec, added: Bool) -> SourceEntry? {
    if let i = sources.firstIndex(where: { $0.spec.name == spec.name }) {
      if sources[i].make == nil, sources[i].info != nil, Kiosk.isSameMap(sources[i].spec, spec) {
        // Only how it is shown differs: it stays open, and so does what is known of it.
        sources[i].spec = spec
        sources[i].added = added
        reopenIfNeeded(i)
        recolor()
        return sources[i]
      }
      sources[i].spec = spec
      sources[i].state = .closed
      sources[i].lastError = nil
      sources[i].make = nil
      sources[i].added = added
      if health.clear("source \(spec.name)") { onEvent?(.health) }
      register(sources[i])
      return sources[i]
    }
    guard let index = freeIndices.popLast() else { return nil }
    let entry = SourceEntry(spec: spec, index: index, added: added)
    sources.append(entry)
    register(entry)
    return entry
  }

  /// Adds the sources of the configuration that the kiosk starts with: there are none yet, so that names
  /// need not be looked for one by one. The loader gets each when it is first to be opened.
  func insertFirst(_ specs: [SourceSpec]) {
    var names: Set<String> = []
    names.reserveCapacity(specs.count)
    sources.reserveCapacity(specs.count)
    pipeline.loader.provide = { [unowned self] index in
      if let i = sources.firstIndex(where: { $0.index == index }) { register(sources[i]) }
    }
    for spec in specs {
      guard names.insert(spec.name).inserted else {
        _ = insert(spec, added: false)
        continue
      }
      guard let index = freeIndices.popLast() else { return }
      sources.append(SourceEntry(spec: spec, index: index, added: false))
    }
  }

  /// Adds an own source as a base source behind the others, or in the place of the one of that name.
  ///
  /// - Parameters:
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
    guard insert(spec, added: true) != nil,
      let i = sources.firstIndex(where: { $0.spec.name == name })
    else { return false }
    sources[i].make = make
    register(sources[i])
    if activeSource == nil { activeSource = name }
    sourcesChanged()
    return true
  }

  /// Gives the loader a source to open when it is first needed.
  func register(_ entry: SourceEntry) {
    let (spec, scale) = (entry.spec, pipeline.scale)
    if let make = entry.make {
      pipeline.loader.setSource(
        entry.index, name: spec.name, colors: colors(of: entry), make: make)
      return
    }
    pipeline.loader.setSource(entry.index, name: entry.path, colors: colors(of: entry)) {
      do throws(SourceError) {
        return .success(try spec.open(scale: scale))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Takes the source `name` out.
  func remove(_ name: String) {
    guard let i = sources.firstIndex(where: { $0.spec.name == name }) else { return }
    let entry = sources.remove(at: i)
    pipeline.loader.removeSource(entry.index)
    freeIndices.append(entry.index)
    forgetFormer(entry.former)
    if health.clear("source \(name)") { onEvent?(.health) }
    if activeSource == name {
      activeSource = sources.first { $0.spec.role == .base }?.spec.name
      onEvent?(.source)
    }
  }

  /// The layers changed, or what is known of them.
  package func sourcesChanged() {
    let layers = setLayers()
    let before = pipeline.cache.floor
    var tileSize = 0
    // By number: an element is large, and there may be a thousand.
    for i in sources.indices { tileSize = max(tileSize, sources[i].spec.tileSize) }
    for i in self.overlays.indices { tileSize = max(tileSize, self.overlays[i].tileSize) }
    let overlays = layers.reduce(0) { $0 + ($1.isBase ? 0 : $1.chain.count) }
    pipeline.setFloor(
      tileSize: tileSize == 0 ? 256 : tileSize,
      layers: layers.reduce(0) { $0 + $1.chain.count } - overlays, overlays: overlays)
    if pipeline.cache.floor != before { reportFloor() }
    updateLabels()
    muteQuietCells()
    changed()
  }

  /// Has quiet cells drawn without words while a grid writes its own there.
  private func muteQuietCells() {
    let isMute = overlays.contains { $0.isShown && $0.spec.content == .grid }
    if isMute == quietCellsAreMute { return }
    quietCellsAreMute = isMute
    for entry in sources { pipeline.cache.removeQuietCell(of: entry.index) }
    pipeline.scene.invalidate()
  }

  /// Tells the scene which layers are on the screen, bottom first: the base; what lies above its roads,
  /// sources below overlays; labels; what lies above them.
  @discardableResult
  func setLayers() -> [SceneLayer] {
    var layers: [SceneLayer] = []
    if let base = sources.first(where: { $0.spec.name == activeSource }) {
      layers.append(
        SceneLayer(chain: chain(of: base), opacity: base.spec.opacity, isBase: true))
    }
    func add(_ role: SourceSpec.Role, _ level: SourceSpec.Level?) {
      for i in sources.indices where sources[i].spec.role == role {
        let entry = sources[i]
        if let level, entry.spec.level != level { continue }
        layers.append(
          SceneLayer(chain: chain(of: entry), opacity: entry.spec.opacity, isBase: false))
      }
    }
    func add(overlaysAt level: SourceSpec.Level) {
      for entry in overlays where entry.spec.level == level && entry.isShown {
        layers.append(entry.layer)
      }
    }
    add(.overlay, .aboveRoads)
    add(overlaysAt: .aboveRoads)
    add(.labels, nil)
    add(.overlay, .aboveLabels)
    add(overlaysAt: .aboveLabels)
    pipeline.scene.setLayers(layers)
    return layers
  }

  /// A cache that was asked to be smaller than a view can need says so.
  func reportFloor() {
    let stats = pipeline.cache.stats
    let asked = pipeline.cache.requested
    let news =
      asked < stats.floor
      ? health.report(
        "cache", .warning,
        "cache.memory is \(bytesText(asked)); a view of this display can need "
          + "\(bytesText(stats.floor)), so that is used", at: time)
      : health.clear("cache")
    if news { onEvent?(.health) }
  }

  private func bytesText(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20
    return "\(tenths / 10).\(tenths % 10) MiB"
  }

  /// The source and its fallbacks in order; each once.
  private func chain(of entry: SourceEntry) -> [SceneSource] {
    var chain: [SceneSource] = []
    var next: SourceEntry? = entry
    while let entry = next, !chain.contains(where: { $0.index == entry.index }), chain.count < 8 {
      chain.append(entry.scene)
      next = entry.spec.fallback.flatMap { name in sources.first { $0.spec.name == name } }
    }
    return chain
  }

  /// Whether tiles of the source can be on the screen.
  func isShown(_ entry: SourceEntry) -> Bool {
    var shown = Set<String>()
    for i in sources.indices
    where sources[i].spec.role != .base || sources[i].spec.name == activeSource {
      var name: String? = sources[i].spec.name
      while let next = name, shown.insert(next).inserted {
        name = sources.first { $0.spec.name == next }?.spec.fallback
      }
    }
    return shown.contains(entry.spec.name)
  }

  /// Shows the base source `name` in the place of the present one; the view stays. False when there is
  /// none of that name and role.
  package func use(_ name: String) -> Bool {
    guard let i = sources.firstIndex(where: { $0.spec.name == name && $0.spec.role == .base })
    else { return false }
    touched()
    reopenIfNeeded(i)
    let differs = activeSource != name
    activeSource = name
    pipeline.loader.open(sources[i].index)
    if differs { redrawGrid() }
    sourcesChanged()
    if differs {
      isNowhere = false
      showToast(name)
      // What is asked for now does not wait for new colours, and for its own tiles a moment only.
      releaseFrame()
      holdFrame(for: switchTime)
      onEvent?(.source)
      stateChanged()
    }
    return true
  }

  /// Has a source opened anew that had trouble, or whose files are others than when it was opened:
  /// perhaps its medium is back.
  func reopenIfNeeded(_ i: Int) {
    if case .closed = sources[i].state { return }
    let stamp = FileStamp(sources[i].paths)
    if sources[i].lastError == nil, sources[i].stamp == stamp { return }
    sources[i].state = .closed
    sources[i].lastError = nil
    if health.clear("source \(sources[i].spec.name)") { onEvent?(.health) }
    register(sources[i])
  }

  /// The next (1) or previous (−1) base source. False when there is none.
  package func step(by delta: Int) -> Bool {
    let names = sources.filter { $0.spec.role == .base }.map(\.spec.name)
    guard !names.isEmpty else { return false }
    let at = names.firstIndex { $0 == activeSource } ?? 0
    return use(names[(at + delta + names.count) % names.count])
  }

  func opened(_ index: Int, _ info: SourceInfo, _ problems: [SourceError]) {
    guard let i = sources.firstIndex(where: { $0.index == index }) else { return }
    sources[i].state = .open(info)
    sources[i].stamp = FileStamp(sources[i].paths)
    let name = sources[i].spec.name
    var news = health.clear("source \(name)")
    if let problem = problems.first {
      onLog?(.warning, "source \(name): \(problem)")
      sources[i].lastError = problem.description
      news = health.report("source \(name)", .warning, problem.description, at: time) || news
    }
    if news { onEvent?(.health) }
    sourcesChanged()
    if name == activeSource { firstSourceIsKnown() }
    onSourceOpened?(sources[i])
  }

  func openFailed(_ index: Int, _ error: SourceError) {
    guard let i = sources.firstIndex(where: { $0.index == index }) else { return }
    sources[i].state = .failed(error)
    sources[i].lastError = error.description
    onLog?(.warning, "source \(sources[i].spec.name): \(error)")
    if health.report(
      "source \(sources[i].spec.name)", .error, error.description, at: time)
    {
      onEvent?(.health)
    }
    sourcesChanged()
    if sources[i].spec.name == activeSource { firstSourceIsKnown() }
    onSourceOpened?(sources[i])
  }

  func tileFailed(_ index: Int, _ error: TileError) {
    guard let i = sources.firstIndex(where: { $0.index == index }) else { return }
    let name = sources[i].spec.name
    let first = sources[i].lastError == nil
    sources[i].lastError = error.description
    onLog?(.notice, "source \(name): \(error)")
    onEvent?(.tileError(source: name, error))
    if first, health.report("source \(name)", .warning, error.description, at: time) {
      onEvent?(.health)
    }
  }
}
