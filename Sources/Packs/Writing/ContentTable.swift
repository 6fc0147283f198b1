import CDeflate
import Glibc

/// Remembers where contents were stored, so that each is stored once.
///
/// A content is found by its CRC-32 and its length, and then compared byte by byte: a checksum
/// that two share costs a look and nothing else. The table has a fixed size of 24 MiB, of which
/// only what is used takes memory. It remembers the first 1.8 million contents. A later one that
/// equals one of them is still found; one that equals another later one is stored again.
struct ContentTable: ~Copyable {
  /// Where a content lies: a number of at most 40 bits (an offset, a row) and its length.
  struct Place: Equatable {
    var number: UInt64
    var length: Int
  }

  /// What `find` needs not calculate again for `remember`.
  struct Key {
    fileprivate var tag: UInt32
    fileprivate var slot: Int
    fileprivate var length: Int
  }

  private static let slotBits: UInt64 = 21
  private static let slots = 1 << slotBits
  /// Seven eighths: fuller tables are slow.
  private static let most = slots / 8 * 7
  /// Slots that are looked at, and contents that are compared, so that a pack of contents that were
  /// made to collide takes no longer.
  private static let looks = 64
  private static let comparisons = 8
  private static let lengthBits: UInt64 = 24

  private let tags: UnsafeMutablePointer<UInt32>?
  /// Number and length in one, and never 0 where a slot is taken.
  private let places: UnsafeMutablePointer<UInt64>?
  private var count = 0
  private let limit: Int

  /// - Parameter limit: contents that are remembered, at most 1.8 million.
  init(limit: Int = .max) {
    self.limit = min(limit, ContentTable.most)
    // Zeroed pages come when they are first written to.
    tags = calloc(ContentTable.slots, 4)?.assumingMemoryBound(to: UInt32.self)
    places = calloc(ContentTable.slots, 8)?.assumingMemoryBound(to: UInt64.self)
  }

  deinit {
    free(tags)
    free(places)
  }

  /// The key of `bytes`.
  static func key(of bytes: UnsafeRawBufferPointer) -> Key {
    let sum = libdeflate_crc32(0, bytes.baseAddress, bytes.count)
    // Fibonacci hashing (Knuth, volume 3, section 6.4).
    let mixed = UInt64(sum) << 32 | UInt64(UInt32(truncatingIfNeeded: bytes.count))
    let slot = Int((mixed &* 0x9e37_79b9_7f4a_7c15) >> (64 - slotBits))
    return Key(tag: sum, slot: slot, length: bytes.count)
  }

  /// Where the content with `key` was stored; nil if that is not known.
  ///
  /// - Parameters:
  ///   - key: of the content.
  ///   - isSame: compares it with what is stored at a place.
  /// - Returns: the place.
  /// - Throws: what `isSame` throws.
  func find<Failure: Error>(
    _ key: Key, isSame: (Place) throws(Failure) -> Bool
  ) throws(Failure) -> Place? {
    guard let tags, let places else { return nil }
    var comparisons = 0
    var slot = key.slot
    for _ in 0..<ContentTable.looks {
      let packed = places[slot]
      if packed == 0 { return nil }
      let place = ContentTable.unpack(packed)
      if tags[slot] == key.tag, place.length == key.length {
        if try isSame(place) { return place }
        comparisons += 1
        if comparisons == ContentTable.comparisons { return nil }
      }
      slot = (slot + 1) & (ContentTable.slots - 1)
    }
    return nil
  }

  /// Remembers that the content with `key` was stored as `number`, if there is room.
  mutating func remember(_ key: Key, as number: UInt64) {
    guard let tags, let places, count < limit, key.length > 0,
      key.length < 1 << ContentTable.lengthBits,
      number < 1 << (64 - ContentTable.lengthBits)
    else { return }
    var slot = key.slot
    for _ in 0..<ContentTable.looks {
      if places[slot] == 0 {
        places[slot] = number << ContentTable.lengthBits | UInt64(key.length)
        tags[slot] = key.tag
        count += 1
        return
      }
      slot = (slot + 1) & (ContentTable.slots - 1)
    }
  }

  private static func unpack(_ packed: UInt64) -> Place {
    Place(number: packed >> lengthBits, length: Int(packed & (1 << lengthBits - 1)))
  }
}
