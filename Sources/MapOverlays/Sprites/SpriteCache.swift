import MapScene

/// Pictures that were drawn before, bounded by bytes: those that were not used for longest go
/// first.
final class SpriteCache<Key: Hashable> {
  private struct Entry {
    var picture: MarkerPicture
    var used: Int
  }

  let limit: Int
  private var entries: [Key: Entry] = [:]
  private(set) var bytes = 0
  private var round = 0

  init(limit: Int) { self.limit = limit }

  /// Starts a new generation: what is used afterwards is newer than what was used before.
  func beginRound() { round += 1 }

  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes = 0
  }

  /// The picture for `key`, drawn if need be; nil where what is in use leaves no room for it.
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
      // Half is left free, so that this does not happen with every picture.
      if bytes + wanted <= limit / 2 { break }
      bytes -= entry.picture.image.bytes
      entries[key] = nil
    }
  }
}

/// A picture that belongs to a place.
struct MarkerPicture {
  var image: SpriteImage
  /// Which of its pixels lies on the place.
  var anchorX: Int
  var anchorY: Int
  /// What of it is solid, from its upper left corner; words stand beside that.
  var left: Int
  var right: Int
  var middle: Int
}
