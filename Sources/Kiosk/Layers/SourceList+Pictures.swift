import Platform
import TileSources
import VectorMaps

/// Sources whose pictures the styles of vector maps draw, by their names.
extension SourceList {
  /// Sets the spec of the source `name`; nil: there is none. Opens the maps again that draw it;
  /// their old tiles stay until the new ones are drawn.
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

  /// Opens maps again if they draw picture sources that changed since. Maps that are being opened
  /// for the first time follow once they are open.
  private func reopenPictures(_ isMeant: ([String]) -> Bool) {
    for i in entries.indices {
      guard entries[i].make == nil, let drawing = entries[i].info?.drawing else { continue }
      if let next = entries[i].reopening {
        // Until the new file is open, assume that it draws the same pictures.
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

  /// Tries only the pictures, and opens the map again once one of them is available. Until then the
  /// map is neither read nor painted again.
  func tryPictures(_ i: Int) {
    guard let drawing = entries[i].info?.drawing, !drawing.missing.isEmpty else { return reopen(i) }
    guard entries[i].reopening == nil, let next = store.takeIndex() else { return }
    let isMissing = Gate(true)
    entries[i].reopening = next
    reopenings[next] = LayerReopening(missesPictures: isMissing)
    let (entry, open) = (entries[i], opener(of: entries[i]))
    let (missing, scale, files) = (drawing.missing, store.scale, entry.ownFiles)
    let openings = store.trials?.list
    // Keep the stamp and the manner of the open map until it is opened again.
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
