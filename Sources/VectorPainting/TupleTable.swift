import Platform

/// Numbers of tuples of 32-bit words, all of one length: equal tuples have one number. Tuples are
/// compared, so that two with the same hash are kept apart.
struct TupleTable {
  /// How many words the table keeps. Beyond that it forgets all tuples and begins anew.
  private static let maximumWords = 1 << 18

  /// Where hashes begin: another number in each process, so that no tile can choose tuples of one
  /// hash.
  static let seed = UInt64.random(in: 0 ... .max)

  private let width: Int
  /// Tuples, and behind each the number that it stands for.
  private var words: [UInt32] = []
  /// Numbers of tuples in `words` plus 1, by hash; 0: free.
  private var slots: [UInt32] = Array(repeating: 0, count: 256)
  private var count = 0

  /// Creates a table for tuples of `width` words.
  init(width: Int) { self.width = width }

  /// The number of `tuple`; nil if it is unknown.
  func find(_ tuple: UnsafeMutableBufferPointer<UInt32>) -> UInt32? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: Self.hash(tuple)) & mask
    return slots.withUnsafeBufferPointer { slots in
      words.withUnsafeBufferPointer { words in
        while slots[slot] != 0 {
          let start = Int(slots[slot] - 1) * (width + 1)
          var index = 0
          while index < width, words[start + index] == tuple[index] { index += 1 }
          if index == width { return words[start + width] }
          slot = (slot + 1) & mask
        }
        return nil
      }
    }
  }

  /// Gives `tuple`, which is unknown, a number.
  mutating func insert(_ tuple: UnsafeMutableBufferPointer<UInt32>, number: UInt32) {
    if words.count + width + 1 > Self.maximumWords {
      words.removeAll(keepingCapacity: true)
      slots = Array(repeating: 0, count: 256)
      count = 0
    }
    // Without memory the tuple is not kept, and evaluated again.
    if count * 2 >= slots.count {
      guard SpareMemory.has(slots.count * 2, of: MemoryLayout<UInt32>.stride) else { return }
      grow()
    }
    guard words.hasMemory(forMore: width + 1) else { return }
    words.append(contentsOf: tuple)
    words.append(number)
    place(count, Self.hash(tuple))
    count += 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for tuple in 0..<count {
      let start = tuple * (width + 1)
      place(tuple, Self.hash(words[start..<start + width]))
    }
  }

  private mutating func place(_ tuple: Int, _ hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(truncatingIfNeeded: tuple + 1)
  }

  @inline(__always)
  static func hash(_ tuple: some Collection<UInt32>, seed: UInt64 = seed) -> UInt64 {
    var hash = seed
    for word in tuple {
      hash = (hash ^ UInt64(word)) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash &>> 29
    }
    return hash
  }
}
