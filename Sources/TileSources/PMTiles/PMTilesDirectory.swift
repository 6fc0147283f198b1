import Platform

/// A decoded directory of an archive: where the tiles are (PMTiles 3, section 4).
package struct PMTilesDirectory: Sendable {
  /// One row of the directory.
  package struct Entry: Equatable, Sendable {
    /// The number of the first tile; see `HilbertID`.
    package var id: UInt64
    /// Bytes from the start of the tile section, or of the leaf section if `run` is 0.
    package var offset: UInt64
    package var length: UInt32
    /// How many consecutive tiles this one stands for; 0 if the entry is a leaf directory.
    package var run: UInt32

    package init(id: UInt64, offset: UInt64, length: UInt32, run: UInt32) {
      (self.id, self.offset, self.length, self.run) = (id, offset, length, run)
    }
  }

  /// The entries in ascending order of `id`.
  package let entries: [Entry]

  /// The most bytes of a directory, both stored and unpacked.
  package static let sizeLimit = 8 << 20
  /// The most entries. The reference writer keeps leaves below about ten thousand.
  package static let entryLimit = 500_000

  /// Bytes of memory that the entries take.
  package var cost: Int { entries.count * MemoryLayout<Entry>.stride }

  /// Decodes an unpacked directory: the count, then the columns of ids (as differences), run
  /// lengths, lengths and offsets, all as base-128 numbers.
  ///
  /// - Throws: A fault if it is damaged, cut off or too large.
  package init(_ bytes: [UInt8]) throws(PackFault) {
    var numbers = VarintReader(bytes)
    let stated = try numbers.next()
    // Each entry has four numbers of at least one byte.
    guard stated <= UInt64(PMTilesDirectory.entryLimit), stated <= UInt64(bytes.count / 4) else {
      throw PackFault("has a directory that says \(stated) entries in \(bytes.count) bytes")
    }
    let count = Int(stated)
    guard SpareMemory.has(count, of: MemoryLayout<Entry>.stride) else {
      throw PackFault.noMemory(count * MemoryLayout<Entry>.stride)
    }
    var entries = [Entry](repeating: Entry(id: 0, offset: 0, length: 0, run: 0), count: count)
    var id: UInt64 = 0
    for index in 0..<count {
      let step = try numbers.next()
      let (next, overflow) = id.addingReportingOverflow(step)
      guard !overflow, index == 0 || step > 0 else {
        throw PackFault("has a directory whose entry \(index) is out of order")
      }
      id = next
      entries[index].id = id
    }
    for index in 0..<count {
      entries[index].run = try numbers.nextSmall(index)
      guard !entries[index].id.addingReportingOverflow(UInt64(entries[index].run)).overflow else {
        throw PackFault("has a directory whose entry \(index) runs too far")
      }
    }
    for index in 0..<count { entries[index].length = try numbers.nextSmall(index) }
    for index in 0..<count {
      let value = try numbers.next()
      if value > 0 {
        entries[index].offset = value - 1
      } else {
        // 0: directly after the previous entry's data.
        guard index > 0 else {
          throw PackFault("has a directory whose first entry says 'after the one before'")
        }
        entries[index].offset = entries[index - 1].offset + UInt64(entries[index - 1].length)
      }
      let end = entries[index].offset.addingReportingOverflow(UInt64(entries[index].length))
      guard !end.overflow else {
        throw PackFault("has a directory whose entry \(index) lies beyond every file")
      }
    }
    self.entries = entries
  }

  /// The entry that covers the tile number `id`; nil: there is none. A leaf covers all numbers up
  /// to the next entry.
  package func entry(for id: UInt64) -> Entry? {
    entries.withUnsafeBufferPointer { entries in
      guard let lowest = entries.first?.id, lowest <= id else { return nil }
      // Ids ascend by at least 1, so the entry is at most `id - lowest` places from the first one.
      // In most directories, without gaps, it is exactly there.
      let last = Int(min(id &- lowest, UInt64(entries.count &- 1)))
      var first = last
      if entries[last].id > id {
        // A binary search of the `count` entries from `first`, without unpredictable branches.
        first = 0
        var count = last
        while count > 1 {
          let half = count &>> 1
          first = entries[first &+ half].id <= id ? first &+ half : first
          count &-= half
        }
      }
      let entry = entries[first]
      return entry.run == 0 || id - entry.id < UInt64(entry.run) ? entry : nil
    }
  }
}

/// Reads base-128 numbers, lowest group first.
struct VarintReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() throws(PackFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      // The tenth byte has room for only one more bit.
      guard shift < 63 || byte <= 1 else { break }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift <= 63 else { break }
    }
    throw PackFault(
      place >= bytes.count
        ? "has a directory that ends in the middle of an entry"
        : "has a directory with a number of more than 64 bits")
  }

  /// The next number, which must fit 32 bits. `index` is the entry named in the fault.
  mutating func nextSmall(_ index: Int) throws(PackFault) -> UInt32 {
    guard let value = UInt32(exactly: try next()) else {
      throw PackFault("has a directory whose entry \(index) has a length of more than 32 bits")
    }
    return value
  }
}
