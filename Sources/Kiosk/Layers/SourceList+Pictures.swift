import Platform
import TileSources
import VectorMaps

/// Sources whose pictures the styles of vector maps draw, by their names.
extension SourceList {
  /// The source `name` is `spec` now; nil: there is none. Maps that draw it are opened again, and
  /// what they show stays until the new is drawn.
  func namePicture(_ name: String, _ spec: SourceSpec?) {
    store.specs.locked { $0[name] = spec }
    if drawsPictures { reopenPictures { $0.contains(name) } }
  }

  /// Names all sources, after several have changed.
  func namePictures() {
    let specs = Dictionary(
      entries.map { ($0.name, $0.spec) }, uniquingKeysWith: { first, _ in first })
    let isOther = store.specs.locked { known in
      defer { known = specs }
      return known != specs
    }
    if isOther, drawsPictures { reopenPictures { !$0.isEmpty } }
  }

  /// Opens maps again that draw pictures of other sources than those of now. Those that are just
  /// being opened for the first time follow once they are open.
  private func reopenPictures(_ isMeant: ([String]) -> Bool) {
    for i in entries.indices {
      guard entries[i].make == nil, let drawing = entries[i].info?.drawing else { continue }
      if let next = entries[i].reopening {
        // Until it is open, it is taken to draw what it did.
        guard isMeant(reopenings[next]?.info?.drawing?.pictures ?? drawing.pictures) else {
          continue
        }
      } else {
        guard isMeant(drawing.pictures), let spoken = entries[i].spoken.locked({ $0 }),
          hasOtherPictures(drawing, spoken)
        else { continue }
      }
      dropReopening(i)
      reopen(i)
    }
  }

  /// Tries the pictures alone. The map is opened again once one of them can be: until then it is
  /// neither read nor painted anew.
  func tryPictures(_ i: Int) {
    guard let drawing = entries[i].info?.drawing, !drawing.missing.isEmpty else { return reopen(i) }
    guard entries[i].reopening == nil, let next = store.takeIndex() else { return }
    let isMissing = Gate(true)
    entries[i].reopening = next
    reopenings[next] = LayerReopening(missesPictures: isMissing)
    let (entry, open) = (entries[i], opener(of: entries[i]))
    let (missing, scale, files) = (drawing.missing, store.scale, entry.ownFiles)
    let openings = store.trials?.list
    // The stamp of the map's files and the manner in which it was opened stay, until it is again.
    store.loader.setSource(
      next, name: entry.spec.locationText, path: entry.files.first,
      colors: store.colors(of: entry)
    ) {
      do throws(SourceError) {
        try openings?.begin(files)
      } catch {
        openings?.failed(files)
        return .failure(error)
      }
      let reason = VectorMap.whyMissing(missing, scale: scale)
      openings?.opened(files)
      if let reason { return .failure(reason) }
      isMissing.locked { $0 = false }
      return open()
    }
    store.loader.open(next)
  }

  /// Whether a map that was opened in the manner `spoken` draws other sources than those of now.
  func hasOtherPictures(_ drawing: VectorDrawing, _ spoken: LayerManner) -> Bool {
    drawing.pictures.contains { name in
      spoken.pictures[name] != store.specs.locked { $0[name] }
    }
  }
}
