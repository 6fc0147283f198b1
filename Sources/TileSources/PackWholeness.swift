import Platform

/// Whether all bytes of a pack are there. A copy that was cut off often opens, and lacks tiles.
package enum PackWholeness {
  /// Compares what the file's header says with its size. Reads the header alone.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - trust: Which files may be opened.
  /// - Throws: A fault if it cannot be read, is no pack, is not whole, or is being written.
  package static func check(path: String, trust: PathTrust) throws(PackFault) {
    switch try PackKind(path: path, trust: trust) {
    case .folder: throw PackFault("is a folder")
    case .pmtiles: try checkArchive(FileReader(path: path, trust: trust))
    case .mbtiles:
      try checkDatabase(FileReader(path: path, trust: trust))
      try checkJournal(path, trust)
    }
  }

  /// All sections of a PMTiles archive must lie within the file.
  private static func checkArchive(_ reader: FileReader) throws(PackFault) {
    let header = try PMTilesHeader(reader)
    for section in [header.root, header.metadata, header.leaves, header.tiles] {
      let (end, overflow) = section.offset.addingReportingOverflow(section.length)
      // A length below zero says nothing: tilemaker 3.0 writes one for the tiles.
      if !overflow, section.length > 0, end > reader.size {
        throw incomplete(reader.size, of: end)
      }
    }
  }

  /// An SQLite file must have as many pages as its header says (sqlite.org/fileformat2.html,
  /// section 1.3.7).
  private static func checkDatabase(_ reader: FileReader) throws(PackFault) {
    let start = try reader.start(100)
    guard start.count == 100 else { throw incomplete(reader.size, of: 512) }
    func number(_ at: Int, _ count: Int) -> UInt64 {
      start[at..<at + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    // 1 stands for 65,536.
    let stored = number(16, 2)
    let page = stored == 1 ? 65536 : max(stored, 512)
    // The number of pages counts only if it was written with the last change.
    let isCounted = number(24, 4) == number(92, 4) && number(28, 4) > 0
    let whole = isCounted ? number(28, 4) * page : (reader.size + page - 1) / page * page
    if reader.size < whole { throw incomplete(reader.size, of: whole) }
  }

  /// A rollback journal with a header means that a write is under way, or was cut off
  /// (sqlite.org/fileformat2.html, section 3).
  private static func checkJournal(_ path: String, _ trust: PathTrust) throws(PackFault) {
    guard let journal = try PackFiles.companion("-journal", of: path, trust), journal.size > 0
    else { return }
    let start = try FileReader(path: path + "-journal", trust: trust).start(8)
    if start == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] {
      throw PackFault(
        "is being written, or its writer was cut off: it has a -journal beside it. Finish writing "
          + "it, or copy it again")
    }
  }

  private static func incomplete(_ size: UInt64, of whole: UInt64) -> PackFault {
    PackFault(
      "is not whole: it has \(size) bytes of at least \(whole). Copy it again, and wait until the "
        + "copy is done before the medium is removed")
  }
}
