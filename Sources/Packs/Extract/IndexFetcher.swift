/// Reads the index of an archive, and nothing that an earlier run has read already.
package final class IndexFetcher {
  private let fetcher: RangeFetcher
  private let journal: ExtractJournal?

  /// - Parameters:
  ///   - fetcher: reads the archive.
  ///   - journal: keeps what is read for a later run; nil: nothing is kept.
  package init(_ fetcher: RangeFetcher, journal: ExtractJournal? = nil) {
    self.fetcher = fetcher
    self.journal = journal
  }

  /// What messages name.
  var name: String { fetcher.name }

  /// Bytes of the archive, 0 before the first are read.
  var size: UInt64 { fetcher.archive?.size ?? 0 }

  /// The bytes of all `spans`, in any order.
  func all(
    _ spans: [ByteSpan], each: (Int, [UInt8]) throws(PackError) -> Void
  ) throws(PackError) {
    var missing: [Int] = []
    for (index, span) in spans.enumerated() {
      if let known = journal?.index[span.offset],
        known.count == span.count || span.offset + UInt64(known.count) == size
      {
        try each(index, known)
      } else {
        missing.append(index)
      }
    }
    try fetcher.fetch(missing.map { spans[$0] }) { (index, bytes) throws(PackError) in
      let span = spans[missing[index]]
      if let journal, let archive = fetcher.archive {
        try journal.keep(bytes, at: span.offset, of: archive)
      }
      try each(missing[index], bytes)
    }
  }

  /// `count` bytes from `offset` on, fewer where the archive ends.
  func bytes(at offset: UInt64, count: Int) throws(PackError) -> [UInt8] {
    var result: [UInt8] = []
    try all([ByteSpan(offset: offset, count: count)]) { (_, bytes) throws(PackError) in
      result = bytes
    }
    return result
  }
}
