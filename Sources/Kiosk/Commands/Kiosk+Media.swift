import Platform
import TileSources

/// Packs on media: they become sources when they appear, and are removed with their medium.
extension Kiosk {
  /// The most packs on media that are sources.
  package static var mostMediaPacks: Int { MediaSearch.mostPacks }

  /// How many sources have this origin.
  package func sourceCount(of origin: LayerOrigin) -> Int {
    sources.reduce(0) { $0 + ($1.origin == origin ? 1 : 0) }
  }

  /// Call it when the list of layers changed: updates the "no map" note and the selected line.
  func checkLayers() {
    noteMap()
    checkSelection()
  }

  /// Reports that there is no map at all, but only after the media were searched.
  func noteMap() {
    let watched = configuration.media.watch
    // What was found on a medium is shown once it is open.
    let mayCome = !watched.isEmpty && (!media.hasSearched || sources.contains { $0.isNew })
    let isThere = activeSource != nil || mayCome
    outbox.note(
      "map", .error,
      isThere
        ? nil
        : (sources.isEmpty
          ? "there is no source, so there is no map"
          : "no source is a base map, so there is no map; give one role = \"base\", which is the "
            + "default") + (watched.isEmpty ? "" : "; no pack is in the folders of media.watch"))
  }

  /// Removes the sources whose packs went, and adds those that came.
  func takeMedia() {
    defer { noteMap() }
    let present = Set(media.packs.map(\.path))
    let before = activeSource
    for entry in sources where entry.origin == .medium && !present.contains(entry.path) {
      if entry.name == before { media.miss(MissedPack(name: entry.name, path: entry.path)) }
      outbox.logRepeated(.notice, "\(entry.spec.matter): \(entry.path) is gone")
      book.sources.remove(entry.name)
    }
    // The view stays, on the first source.
    if activeSource != before { baseChanged() }
    let known = Set(sources.filter { $0.origin == .medium }.map(\.path))
    var taken = Set(sources.map(\.name))
    for pack in media.packs where !known.contains(pack.path) && media.isWanted(pack) {
      var spec = SourceSpec(
        name: media.name(of: pack, taken: taken), location: .path(pack.path))
      spec.trust = .beneath([pack.root])
      spec.language = configuration.display.language
      guard book.sources.addFound(spec) else { return }
      taken.insert(spec.name)
    }
  }

  /// The pack of `entry` was opened, or could not be. It becomes the base map if it was that when
  /// its medium went, or if there is no other map.
  func mediumOpened(_ entry: SourceEntry) {
    if case .failed(let error) = entry.state {
      if entry.isNew, !error.isTransient { refuse(entry, error) }
      return
    }
    let isFirst = activeEntry == nil
    guard isFirst || media.isMissed(name: entry.name, path: entry.path) else { return }
    media.miss(nil)
    show(entry.name)
    if isFirst, view.isUntouched { view.move(to: homeView) }
  }

  /// A whole pack that cannot be opened is no source. The health says why.
  private func refuse(_ entry: SourceEntry, _ error: SourceError) {
    book.sources.remove(entry.name)
    media.refuse(entry.path, error.reason)
  }
}
