/// Sorts any number of small records within a few megabytes: what does not fit goes to a temporary
/// file in sorted runs, which are merged while they are read (Knuth, volume 3, section 5.4).
package final class RecordSorter {
  /// Three numbers, sorted by the first, then the second, then the third.
  package struct Record: Equatable, Sendable {
    package var key: UInt64
    package var a: UInt64
    package var b: UInt64

    package init(key: UInt64, a: UInt64 = 0, b: UInt64 = 0) {
      (self.key, self.a, self.b) = (key, a, b)
    }

    fileprivate static func precedes(_ one: Record, _ other: Record) -> Bool {
      if one.key != other.key { return one.key < other.key }
      return one.a != other.a ? one.a < other.a : one.b < other.b
    }
  }

  /// A sorted part of the file that is being read.
  private struct Run {
    var next: UInt64
    var end: UInt64
    var records: [Record] = []
    var place = 0
  }

  /// Records that were added.
  package private(set) var count: UInt64 = 0
  private let folder: String
  private let inMemory: Int
  private var records: [Record] = []
  private var file: FileWriter?
  private var runs: [Run] = []
  private var isSorted = false
  private var place = 0

  private static let size = UInt64(MemoryLayout<Record>.stride)

  /// - Parameters:
  ///   - folder: where the temporary file is made.
  ///   - inMemory: records that are kept in memory, 24 bytes each.
  package init(folder: String, inMemory: Int = 1 << 18) {
    self.folder = folder
    self.inMemory = max(inMemory, 2)
  }

  /// Adds a record; not after the first `next`.
  package func add(_ record: Record) throws(PackError) {
    if records.count >= inMemory { try spill() }
    records.append(record)
    count += 1
  }

  /// Forgets all records.
  package func removeAll() {
    records.removeAll(keepingCapacity: true)
    (file, runs, isSorted, place, count) = (nil, [], false, 0, 0)
  }

  /// The next record in ascending order; nil after the last.
  package func next() throws(PackError) -> Record? {
    if !isSorted { try sort() }
    if runs.isEmpty {
      guard place < records.count else { return nil }
      defer { place += 1 }
      return records[place]
    }
    // A few runs: looking at each is as fast as a heap.
    var best: (run: Int, record: Record)?
    for index in runs.indices {
      if runs[index].place == runs[index].records.count { try refill(index) }
      guard runs[index].place < runs[index].records.count else { continue }
      let record = runs[index].records[runs[index].place]
      if best.map({ Record.precedes(record, $0.record) }) ?? true { best = (index, record) }
    }
    guard let best else { return nil }
    runs[best.run].place += 1
    return best.record
  }

  private func sort() throws(PackError) {
    isSorted = true
    if file == nil { return records.sort(by: Record.precedes) }
    try spill()
    records = []
  }

  /// Writes what is in memory as a run.
  private func spill() throws(PackError) {
    if self.file == nil { self.file = try FileWriter(temporaryIn: folder) }
    guard let file else { return }
    records.sort(by: Record.precedes)
    let start = file.end
    let failure: PackError? = records.withUnsafeBytes { bytes in
      do throws(PackError) { try file.append(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
    runs.append(Run(next: start, end: file.end))
    records.removeAll(keepingCapacity: true)
  }

  /// Reads the next records of a run.
  private func refill(_ index: Int) throws(PackError) {
    guard let file, runs[index].next < runs[index].end else { return }
    let left = (runs[index].end - runs[index].next) / RecordSorter.size
    let share = UInt64(max(64, inMemory / 2 / runs.count))
    let count = Int(min(left, share))
    let offset = runs[index].next
    var failure: PackError?
    runs[index].records = [Record](unsafeUninitializedCapacity: count) { room, filled in
      do throws(PackError) {
        try file.read(at: offset, into: UnsafeMutableRawBufferPointer(room))
        filled = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    runs[index].place = 0
    runs[index].next += UInt64(count) * RecordSorter.size
  }
}
