import TileSources

extension PMTilesDirectory {
  /// Entries as the bytes of a directory, not compressed (PMTiles 3, section 4): the count, then
  /// the columns of ids, run lengths, lengths and offsets.
  ///
  /// - Parameter entries: in ascending order of `id`, at most `entryLimit`.
  /// - Returns: the bytes.
  package static func encode(_ entries: some Collection<Entry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 8 + 8)
    func add(_ number: UInt64) {
      var rest = number
      while rest > 127 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }
    add(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      add(entry.id &- last)
      last = entry.id
    }
    for entry in entries { add(UInt64(entry.run)) }
    for entry in entries { add(UInt64(entry.length)) }
    // No offset is there before the first entry's.
    var next: UInt64?
    for entry in entries {
      add(entry.offset == next ? 0 : entry.offset &+ 1)
      next = entry.offset &+ UInt64(entry.length)
    }
    return bytes
  }
}

/// The directories of a new archive: one root, and leaves where it would grow too large.
package struct PMTilesDirectories: Equatable, Sendable {
  /// The compressed root directory, at most `rootLimit` bytes.
  package var root: [UInt8]
  /// Bytes of all leaves, compressed, one after the other.
  package var leafBytes: UInt64
  /// How many leaves there are.
  package var leaves: Int

  /// The header and the root lie in the first 16 KiB (PMTiles 3, section 2).
  package static let rootLimit = 16384 - 127
  /// Entries of a leaf, as the reference writer begins.
  static let firstLeaf = 4096

  /// Encodes the directories of an archive.
  ///
  /// Leaves that are too many for the root are made larger, and written again.
  ///
  /// - Parameters:
  ///   - count: the entries.
  ///   - part: gives the entries in a range of 0 ..< count; they ascend by `id`.
  ///   - restart: is called before the first leaf, and again where leaves have to be larger: what
  ///     was written is void.
  ///   - write: gets each leaf's bytes, in order.
  /// - Returns: the root, and what the leaves take.
  /// - Throws: what `part`, `restart` and `write` throw.
  package static func encode<Failure: Error>(
    count: Int, part: (Range<Int>) throws(Failure) -> [PMTilesDirectory.Entry],
    restart: () throws(Failure) -> Void, write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> PMTilesDirectories {
    // Do not try a root that is far too large: an entry takes four bytes, and compressed at least
    // one.
    if count <= rootLimit {
      let root = Gzip.compress(PMTilesDirectory.encode(try part(0..<count)))
      if root.count <= rootLimit {
        return PMTilesDirectories(root: root, leafBytes: 0, leaves: 0)
      }
    }
    var size = firstLeaf
    while true {
      try restart()
      var pointers: [PMTilesDirectory.Entry] = []
      var offset: UInt64 = 0
      var start = 0
      while start < count {
        let entries = try part(start..<min(start + size, count))
        let leaf = Gzip.compress(PMTilesDirectory.encode(entries))
        try write(leaf)
        pointers.append(
          PMTilesDirectory.Entry(
            id: entries.first?.id ?? 0, offset: offset, length: UInt32(leaf.count), run: 0))
        offset += UInt64(leaf.count)
        start += size
      }
      let root = Gzip.compress(PMTilesDirectory.encode(pointers))
      if root.count <= rootLimit || size >= PMTilesDirectory.entryLimit {
        return PMTilesDirectories(root: root, leafBytes: offset, leaves: pointers.count)
      }
      size = min(size + size / 2, PMTilesDirectory.entryLimit)
    }
  }
}
