import MapScene

/// Keeps pictures for reuse, bounded by bytes. Those unused for longest are dropped first.
final class SpriteCache<Key: Hashable> {
  private struct Entry {
    var picture: MarkerPicture
    var used: Int
  }

  let limit: Int
  private var entries: [Key: Entry] = [:]
  private(set) var bytes = 0
  private var round = 0
  /// The lines of labels.
  var texts = LabelTexts()

  init(limit: Int) { self.limit = limit }

  /// Starts a new round. Pictures used in the present round are never dropped.
  func beginRound() { round += 1 }

  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes = 0
    texts.removeAll()
  }

  /// The picture for `key`, drawn if necessary; nil if those of the present round leave no room for
  /// it.
  func picture(_ key: Key, draw: () -> MarkerPicture?) -> MarkerPicture? {
    if let entry = entries[key] {
      entries[key]?.used = round
      return entry.picture
    }
    guard let picture = draw() else { return nil }
    if bytes + picture.image.bytes > limit { makeRoom(for: picture.image.bytes) }
    if bytes + picture.image.bytes > limit { return nil }
    bytes += picture.image.bytes
    entries[key] = Entry(picture: picture, used: round)
    return picture
  }

  private func makeRoom(for wanted: Int) {
    let old = entries.filter { $0.value.used < round }.sorted { $0.value.used < $1.value.used }
    for (key, entry) in old {
      // Free half of the limit, so that this happens rarely.
      if bytes + wanted <= limit / 2 { break }
      bytes -= entry.picture.image.bytes
      entries[key] = nil
    }
  }
}

/// A picture anchored to a position.
struct MarkerPicture {
  var image: SpriteImage
  /// The picture's pixel that lies on the position.
  var anchorX: Int
  var anchorY: Int
  /// The horizontal extent of its solid part, and the row on which text beside it is centred.
  var left: Int
  var right: Int
  var middle: Int

  /// What a label stands beside, with `gap` pixels to its right and left.
  func site(gap: Int) -> LabelSite {
    LabelSite(
      left: left - anchorX, right: right - anchorX, top: -anchorY, bottom: image.height - anchorY,
      middle: middle - anchorY, gap: gap)
  }
}
