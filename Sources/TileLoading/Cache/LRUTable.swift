/// A hash table of 64-bit keys whose entries also form a list in order of last use.
///
/// An entry is an index (`slot`) that stays the same until it is removed, so callers keep their
/// payloads in arrays beside the table. A hit is one lookup and a few stores, without allocation or
/// reference counting. Uses open addressing with linear probing and backward-shift deletion (Knuth,
/// TAOCP vol. 3, 6.4, algorithm R); the load factor stays at most one half.
@usableFromInline
struct LRUTable: ~Copyable {
  @usableFromInline static var none: Int32 { -1 }

  // Per bucket.
  @usableFromInline private(set) var buckets: UnsafeMutablePointer<Int32>
  @usableFromInline private(set) var mask: Int
  // Per slot.
  @usableFromInline private(set) var keys: UnsafeMutablePointer<UInt64>
  @usableFromInline private(set) var next: UnsafeMutablePointer<Int32>
  @usableFromInline private(set) var previous: UnsafeMutablePointer<Int32>
  @usableFromInline private(set) var capacity: Int
  // The list of free slots runs through `next`.
  private var free: Int32
  @usableFromInline private(set) var count = 0
  /// The most and the least recently used slot; −1 when empty.
  @usableFromInline private(set) var head: Int32 = -1
  @usableFromInline private(set) var tail: Int32 = -1

  init(capacity: Int = 64) {
    var size = 16
    while size < capacity { size *= 2 }
    self.capacity = size
    mask = size * 2 - 1
    buckets = .allocate(capacity: size * 2)
    buckets.initialize(repeating: -1, count: size * 2)
    keys = .allocate(capacity: size)
    keys.initialize(repeating: 0, count: size)
    next = .allocate(capacity: size)
    previous = .allocate(capacity: size)
    previous.initialize(repeating: -1, count: size)
    for slot in 0..<size { next[slot] = slot + 1 < size ? Int32(slot + 1) : -1 }
    free = 0
  }

  deinit {
    buckets.deallocate()
    keys.deallocate()
    next.deallocate()
    previous.deallocate()
  }

  @inlinable
  func bucket(_ key: UInt64) -> Int {
    // Fibonacci hashing; the high half of the product mixes all bits of the key.
    let h = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: h &>> 32) & mask
  }

  /// The slot of `key`, or −1. Does not count as a use.
  @inlinable
  func find(_ key: UInt64) -> Int32 {
    var b = bucket(key)
    while true {
      let slot = buckets[b]
      if slot < 0 || keys[Int(slot)] == key { return slot }
      b = (b &+ 1) & mask
    }
  }

  /// Makes `slot` the most recently used.
  @inlinable
  mutating func touch(_ slot: Int32) {
    if head == slot { return }
    let i = Int(slot)
    let p = previous[i]
    let n = next[i]
    next[Int(p)] = n
    if n >= 0 { previous[Int(n)] = p } else { tail = p }
    previous[i] = -1
    next[i] = head
    previous[Int(head)] = slot
    head = slot
  }

  /// The key in `slot`, which must be in use.
  @inlinable
  func key(_ slot: Int32) -> UInt64 { keys[Int(slot)] }

  /// The slot one step more recently used than `slot`, or −1.
  @inlinable
  func newer(_ slot: Int32) -> Int32 { previous[Int(slot)] }

  /// Adds `key`, which must not be in the table, as the most recently used. Returns its slot.
  mutating func insert(_ key: UInt64) -> Int32 {
    if count == capacity { grow() }
    let slot = free
    free = next[Int(slot)]
    keys[Int(slot)] = key
    link(slot)
    place(slot, key)
    count += 1
    return slot
  }

  /// Removes `slot`, which must be in use.
  mutating func remove(_ slot: Int32) {
    let i = Int(slot)
    // Unlink it from the list.
    if previous[i] >= 0 { next[Int(previous[i])] = next[i] } else { head = next[i] }
    if next[i] >= 0 { previous[Int(next[i])] = previous[i] } else { tail = previous[i] }
    // Delete it from the buckets: later members of the run move up.
    var hole = bucket(keys[i])
    while buckets[hole] != slot { hole = (hole + 1) & mask }
    var b = (hole + 1) & mask
    while buckets[b] >= 0 {
      let home = bucket(keys[Int(buckets[b])])
      if (b &- home) & mask >= (b &- hole) & mask {
        buckets[hole] = buckets[b]
        hole = b
      }
      b = (b + 1) & mask
    }
    buckets[hole] = -1
    next[i] = free
    free = slot
    count -= 1
  }

  private mutating func link(_ slot: Int32) {
    previous[Int(slot)] = -1
    next[Int(slot)] = head
    if head >= 0 { previous[Int(head)] = slot } else { tail = slot }
    head = slot
  }

  private mutating func place(_ slot: Int32, _ key: UInt64) {
    var b = bucket(key)
    while buckets[b] >= 0 { b = (b + 1) & mask }
    buckets[b] = slot
  }

  private mutating func grow() {
    let size = capacity * 2
    func moved<T>(_ old: UnsafeMutablePointer<T>, _ fill: T) -> UnsafeMutablePointer<T> {
      let new = UnsafeMutablePointer<T>.allocate(capacity: size)
      new.initialize(repeating: fill, count: size)
      new.update(from: old, count: capacity)
      old.deallocate()
      return new
    }
    keys = moved(keys, 0)
    next = moved(next, -1)
    previous = moved(previous, -1)
    for slot in capacity..<size { next[slot] = slot + 1 < size ? Int32(slot + 1) : free }
    free = Int32(capacity)
    buckets.deallocate()
    buckets = .allocate(capacity: size * 2)
    buckets.initialize(repeating: -1, count: size * 2)
    mask = size * 2 - 1
    capacity = size
    var slot = head
    while slot >= 0 {
      place(slot, keys[Int(slot)])
      slot = next[Int(slot)]
    }
  }
}
