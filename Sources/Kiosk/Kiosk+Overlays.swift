import Configuration
import Control
import EventLoop
import MapOverlays
import MapScene
import TileLoading
import TileSources

/// Overlays: which there are, in which order they lie, how they fare.
extension Kiosk {
  /// The most overlays at once.
  static let maxOverlays = Configuration.Overlay.maxCount

  /// In drawing order, the lowest first.
  package var overlaysInOrder: [OverlayEntry] {
    overlays.filter { $0.spec.level == .aboveRoads }
      + overlays.filter { $0.spec.level == .aboveLabels }
  }

  package func overlayIndex(_ name: String) -> Int? { overlays.firstIndex { $0.name == name } }

  // MARK: Which there are

  /// Adds `spec` on top of its level, or in the place of the overlay of that name. Nil when there is no
  /// room for another.
  func insertOverlay(_ spec: Configuration.Overlay, added: Bool) -> OverlayEntry? {
    if let i = overlayIndex(spec.name) {
      let old = overlays[i]
      letGo(old)
      var entry = OverlayEntry(spec: spec, index: old.index, added: added)
      entry.isShown = old.isShown
      overlays[i] = entry
      registerOverlay(i)
      return overlays[i]
    }
    guard overlays.count < Kiosk.maxOverlays, let index = freeIndices.popLast() else { return nil }
    overlays.append(OverlayEntry(spec: spec, index: index, added: added))
    registerOverlay(overlays.count - 1)
    return overlays[overlays.count - 1]
  }

  /// Takes the overlay `name` out.
  package func removeOverlay(_ name: String) {
    guard let i = overlayIndex(name) else { return }
    let entry = overlays.remove(at: i)
    letGo(entry)
    pipeline.loader.removeSource(entry.index)
    freeIndices.append(entry.index)
    watchOverlayFiles()
  }

  /// Gives back what the overlay had beside its place.
  private func letGo(_ entry: OverlayEntry) {
    forgetFormer(entry.former)
    if let reopening = entry.reopening {
      pipeline.loader.removeSource(reopening)
      freeIndices.append(reopening)
    }
    if health.clear("overlay \(entry.name)") { onEvent?(.health) }
  }

  /// Gives the loader an overlay to open when it is first needed.
  func registerOverlay(_ i: Int) {
    if case .grid = overlays[i].spec.content { overlays[i].tileSize = gridTileSize }
    overlays[i].state = .closed
    overlays[i].error = nil
    overlays[i].stamp = overlays[i].path.map { FileStamp([$0]) }
    pipeline.loader.setSource(
      overlays[i].index, name: overlays[i].path ?? overlays[i].name,
      colors: colors(of: overlays[i]), make: opener(of: overlays[i]))
    watchOverlayFiles()
  }

  /// Opens the overlay on the thread that then reads it.
  private func opener(
    of entry: OverlayEntry
  ) -> @Sendable () -> Result<any TileSource, SourceError> {
    if case .grid = entry.spec.content {
      let (name, scale) = (activeSource ?? "", pipeline.scale)
      return { .success(GridSource(name: name, scale: scale, text: Bundled.text([]))) }
    }
    let spec = entry.spec
    return {
      do throws(SourceError) {
        return .success(try spec.openFeatures())
      } catch {
        return .failure(error)
      }
    }
  }

  // MARK: The grid

  /// The grid's cells are the tiles of the source on the screen.
  private var gridTileSize: Int { activeEntry?.spec.tileSize ?? 256 }

  /// Has the grid drawn for the source that is on the screen now.
  func redrawGrid() {
    for i in overlays.indices {
      guard case .grid = overlays[i].spec.content else { continue }
      registerOverlay(i)
    }
  }

  /// Where an overlay lies.
  private struct OverlayPlace: Equatable {
    var name: String
    var level: SourceSpec.Level
  }

  // MARK: Changes over the socket

  /// Shows or hides an overlay. False when there is none of that name.
  package func showOverlay(_ name: String, _ isShown: Bool) -> Bool {
    guard let i = overlayIndex(name) else { return false }
    if isShown { reopenOverlayIfChanged(i) }
    guard overlays[i].isShown != isShown else { return true }
    overlays[i].isShown = isShown
    sourcesChanged()
    stateChanged()
    onEvent?(.overlay(name: name, change: isShown ? "shown" : "hidden"))
    return true
  }

  /// Puts an overlay directly above or below another one, at that one's level.
  package func moveOverlay(_ name: String, _ place: OverlayMoveParams.Place) throws(ControlError) {
    let other: String
    switch place {
    case .above(let it), .below(let it): other = it
    }
    let names = overlays.map(\.name)
    let before = overlaysInOrder.map { OverlayPlace(name: $0.name, level: $0.spec.level) }
    guard let from = overlayIndex(name) else {
      throw .unknown("overlay", name, known: names)
    }
    guard overlayIndex(other) != nil else { throw .unknown("overlay", other, known: names) }
    if name == other { return }
    var entry = overlays.remove(at: from)
    let at = overlayIndex(other) ?? overlays.endIndex
    entry.spec.level = overlays[at].spec.level
    if case .above = place {
      overlays.insert(entry, at: at + 1)
    } else {
      overlays.insert(entry, at: at)
    }
    let now = overlaysInOrder.map { OverlayPlace(name: $0.name, level: $0.spec.level) }
    if now != before { sourcesChanged() }
    stateChanged()
    onEvent?(.overlay(name: name, change: "moved"))
  }

  /// Adds an overlay as an `[[overlay]]` table would, or with its features inside (`geojson`), in the
  /// place of one of that name, and has it opened.
  ///
  /// - Parameter trusted: the caller is root or the daemon's user: any path may be given. Others may
  ///   name paths below the configuration's `control.roots` only.
  /// - Returns: the overlay's name.
  package func addOverlay(_ table: JSON, trusted: Bool) throws(ControlError) -> String {
    var rest = table.object ?? [:]
    var features: String?
    if let inline = rest["geojson"] {
      switch inline {
      case .object: features = inline.text
      case .string(let text): features = text
      default:
        throw .parameter("geojson", "\"geojson\" must be a GeoJSON object")
      }
      rest["geojson"] = nil
      for key in ["path", "kind"] where rest[key] != nil {
        throw .parameter(key, "one of \"path\", \"geojson\" and \"kind\", not \"\(key)\" as well")
      }
    }
    let origin = ConfigValue.Origin(file: "overlay.add", directory: nil)
    let (spec, findings) = parseOverlay(
      ConfigValue(.object(rest), origin: origin), baseDirectory: nil, geoJSON: features)
    guard var spec, !findings.contains(where: { $0.severity == .error }) else {
      throw refusal(
        of: findings, in: .object(rest), place: features == nil ? ["path", "kind"] : ["name"])
    }
    if !trusted, case .file(let path) = spec.content {
      try checkRoots([path])
      spec.trust = .beneath(configuration.control.roots)
    }
    guard insertOverlay(spec, added: true) != nil, let i = overlayIndex(spec.name) else {
      throw ControlError(
        code: ControlError.notAvailable,
        message: "there are \(Kiosk.maxOverlays) overlays, and no more are possible; remove one")
    }
    overlays[i].table = table
    overlays[i].isShown = true
    pipeline.loader.open(overlays[i].index)
    sourcesChanged()
    stateChanged()
    return spec.name
  }

  /// Takes out an overlay that was added and cannot be opened; `former` comes back in its place.
  package func withdrawOverlay(_ name: String, for former: OverlayEntry?) {
    if let former, let i = overlayIndex(name) {
      letGo(overlays[i])
      var entry = OverlayEntry(spec: former.spec, index: overlays[i].index, added: former.added)
      (entry.original, entry.isShown, entry.table) = (
        former.original, former.isShown, former.table
      )
      overlays[i] = entry
      registerOverlay(i)
    } else {
      removeOverlay(name)
    }
    sourcesChanged()
  }

  // MARK: What the loader tells

  /// True where `index` is an overlay's.
  func overlayOpened(_ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError])
    -> Bool
  {
    if let i = overlays.firstIndex(where: { $0.reopening == index }) {
      takeReopened(i)
    } else if overlays.firstIndex(where: { $0.index == index }) == nil {
      return false
    }
    guard let i = overlays.firstIndex(where: { $0.index == index }) else { return true }
    overlays[i].state = .open(info)
    noteOverlay(i, problems.first?.description, .warning)
    sourcesChanged()
    onOverlayOpened?(overlays[i])
    return true
  }

  /// True where `index` is an overlay's.
  func overlayOpenFailed(_ index: Int, _ error: SourceError) -> Bool {
    if let i = overlays.firstIndex(where: { $0.reopening == index }) {
      // What was read before stays until the file can be read again.
      overlays[i].reopening = nil
      pipeline.loader.removeSource(index)
      freeIndices.append(index)
      noteOverlay(i, error.description, .warning)
      // It may have changed again meanwhile.
      reopenOverlayIfChanged(i)
      return true
    }
    guard let i = overlays.firstIndex(where: { $0.index == index }) else { return false }
    overlays[i].state = .failed(error)
    noteOverlay(i, error.description, .error)
    sourcesChanged()
    onOverlayOpened?(overlays[i])
    return true
  }

  /// Notes what is wrong with the overlay, nil: nothing.
  private func noteOverlay(_ i: Int, _ detail: String?, _ state: Health.State) {
    let name = overlays[i].name
    if let detail, overlays[i].error != detail { onLog?(.warning, "overlay \(name): \(detail)") }
    overlays[i].error = detail
    reportHealth("overlay \(name)", state, detail)
  }

  // MARK: Files that change

  /// Opens the overlay's file again if it is another one than when it was opened; what is shown stays
  /// until the new one is read.
  func reopenOverlayIfChanged(_ i: Int) {
    guard let path = overlays[i].path, overlays[i].reopening == nil else { return }
    if case .closed = overlays[i].state { return }
    let stamp = FileStamp([path])
    guard stamp != overlays[i].stamp else { return }
    overlays[i].stamp = stamp
    if case .failed = overlays[i].state {
      registerOverlay(i)
      pipeline.loader.open(overlays[i].index)
      sourcesChanged()
      return
    }
    guard let index = freeIndices.popLast() else { return }
    overlays[i].reopening = index
    pipeline.loader.setSource(
      index, name: path, colors: colors(of: overlays[i]), make: opener(of: overlays[i]))
    pipeline.loader.open(index)
  }

  /// The file was read anew: it takes the place of what was read before, whose tiles stand in until its
  /// own are drawn.
  private func takeReopened(_ i: Int) {
    guard let index = overlays[i].reopening else { return }
    let old = overlays[i].index
    overlays[i].reopening = nil
    overlays[i].index = index
    let isVisible = overlays[i].isShown
    pipeline.loader.removeSource(old, keepingTiles: isVisible)
    if isVisible {
      replaceFormer(&overlays[i].former, with: old)
      holdFrame()
    } else {
      freeIndices.append(old)
    }
    onEvent?(.overlay(name: overlays[i].name, change: "changed"))
    // It may have changed again meanwhile.
    reopenOverlayIfChanged(i)
  }
}

extension Kiosk {
  /// Opens every overlay anew, for a new pipeline.
  func reopenOverlays() {
    for i in overlays.indices {
      for index in [overlays[i].former, overlays[i].reopening].compactMap({ $0 }) {
        freeIndices.append(index)
      }
      (overlays[i].former, overlays[i].reopening) = (nil, nil)
      registerOverlay(i)
    }
  }
}

extension Kiosk {
  /// Has the files of overlays watched, where there are any.
  func watchOverlayFiles() {
    let files = Set(overlays.compactMap(\.path))
    if files.isEmpty {
      overlayFiles = nil
      return
    }
    if overlayFiles == nil {
      overlayFiles = FileWatch(loop: loop) { [unowned self] in reopenChangedOverlays() }
    }
    overlayFiles?.setFiles(files)
  }

  /// Opens those overlays anew whose files are others than when they were opened.
  func reopenChangedOverlays() {
    for i in overlays.indices { reopenOverlayIfChanged(i) }
  }
}

extension Kiosk {
  /// How many features an open overlay has, and the bytes that they take; nil where it has none.
  package func overlaySize(_ entry: OverlayEntry) -> (features: Int?, bytes: Int?) {
    guard let drawing = featureDrawing(of: entry) else { return (nil, nil) }
    return (drawing.features.features.count, drawing.bytes)
  }

  /// What draws the features of an open overlay; nil for the grid.
  func featureDrawing(of entry: OverlayEntry) -> FeatureDrawing? {
    pipeline.loader.drawing(of: entry.index) as? FeatureDrawing
  }

  /// The overlays of features that a view of `zoom` shows, the lowest first, for what else is made of
  /// them: their labels.
  func shownFeatures(zoom: Double) -> [(overlay: OverlayEntry, drawing: FeatureDrawing)] {
    overlaysInOrder.compactMap { entry in
      guard entry.isShown, zoom >= entry.spec.minZoom, let drawing = featureDrawing(of: entry)
      else { return nil }
      return (entry, drawing)
    }
  }

  /// Bytes that the features of all overlays take.
  package var overlayBytes: Int { overlays.reduce(0) { $0 + (overlaySize($1).bytes ?? 0) } }
}

// MARK: - What outlasts a restart

extension Kiosk {
  func saveOverlays(in state: inout SavedState) {
    let keepsAdded = configuration.state.keepAdded
    state.overlays = overlays.filter { keepsAdded || !$0.added }.map {
      let isMoved = $0.spec.level != $0.original.level
      return SavedOverlay(
        name: $0.name, isShown: $0.isShown, level: isMoved ? $0.spec.level.rawValue : "")
    }
    state.configuredOverlays = configuration.overlays.map(\.name)
    if keepsAdded { state.addedOverlays = overlays.filter(\.added).compactMap(\.table) }
  }

  /// Shows, hides and orders the overlays as they were left. Where the configuration has others or another
  /// order since, its own order holds.
  func restoreOverlays(_ state: SavedState) {
    if configuration.state.keepAdded {
      for table in state.addedOverlays {
        _ = try? addOverlay(table, trusted: state.isTrusted(overlay: table))
      }
    }
    var order: [String: Int] = [:]
    for (n, saved) in state.overlays.enumerated() {
      guard let i = overlayIndex(saved.name) else { continue }
      order[saved.name] = n
      overlays[i].isShown = saved.isShown
      if let level = SourceSpec.Level(rawValue: saved.level) { overlays[i].spec.level = level }
    }
    defer { sourcesChanged() }
    guard state.configuredOverlays == configuration.overlays.map(\.name) else { return }
    // What is new lies above.
    overlays = overlays.enumerated().sorted {
      (order[$0.element.name] ?? Int.max, $0.offset) < (
        order[$1.element.name] ?? Int.max, $1.offset
      )
    }.map(\.element)
  }
}
