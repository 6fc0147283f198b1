import TileSources

/// Where a content lies in an archive, in 8 bytes: 40 bits of offset and 24 of length. They are
/// ordered by offset, then by length.
struct ContentPlace: Comparable, Sendable {
  private var packed: UInt64

  /// Bytes of the largest archive whose contents have a place: 1 TiB.
  static let archiveLimit: UInt64 = 1 << 40

  /// - Parameters:
  ///   - offset: below `archiveLimit`.
  ///   - length: 1 to 2^24, which is `StoredTile.sizeLimit`.
  init(offset: UInt64, length: Int) {
    packed = offset << 24 | UInt64(length - 1) & 0xff_ffff
  }

  fileprivate init(packed: UInt64) { self.packed = packed }

  fileprivate var word: UInt64 { packed }
  var offset: UInt64 { packed >> 24 }
  var length: Int { Int(packed & 0xff_ffff) + 1 }

  static func < (one: ContentPlace, other: ContentPlace) -> Bool { one.packed < other.packed }
}

/// A wanted entry of an archive's index, in 20 bytes: an extract may have a million of them.
struct PlannedEntry: Sendable {
  // Halves, so that an array has no padding.
  private var idHigh: UInt32
  private var idLow: UInt32
  private var placeHigh: UInt32
  private var placeLow: UInt32
  /// How many consecutive tiles it stands for.
  var run: UInt32

  init(id: UInt64, run: UInt32, place: ContentPlace) {
    (idHigh, idLow) = (UInt32(id >> 32), UInt32(truncatingIfNeeded: id))
    self.run = run
    (placeHigh, placeLow) = (0, 0)
    self.place = place
  }

  /// The number of the first tile.
  var id: UInt64 { UInt64(idHigh) << 32 | UInt64(idLow) }

  /// Where the content lies in the archive; until `content` is set.
  var place: ContentPlace {
    get { ContentPlace(packed: UInt64(placeHigh) << 32 | UInt64(placeLow)) }
    set {
      placeHigh = UInt32(newValue.word >> 32)
      placeLow = UInt32(truncatingIfNeeded: newValue.word)
    }
  }

  /// Which content of the plan it is. It takes the room of `place`.
  var content: Int {
    get { Int(placeLow) }
    set { (placeHigh, placeLow) = (0, UInt32(truncatingIfNeeded: newValue)) }
  }
}
