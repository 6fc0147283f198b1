@testable import Kiosk
@testable import Packs

/// What one run leaves for the next, on a card that may be worn or cut off: the list of packs that
/// were being opened, 64 KiB at most, and the journals of `waypost pack extract` and `pack fetch`.
///
/// Records of journals have checksums, which would keep a fuzzer out: each input is tried as it is,
/// and with correct ones. What is read must be read again as the same.
extension FuzzTarget {
  static let journals: [FuzzTarget] = [
    FuzzTarget("trials", of: ["Kiosk/Layers/TrialFile.swift"]) { bytes in
      let starts = [("boot", 3), ("another", nil), ("", 0)] as [(String, Int?)]
      for (boot, kills) in starts {
        let now = TrialFile.Circumstances(boot: boot, memoryKills: kills)
        let found = TrialFile.trials(of: [UInt8](bytes), now)
        try promise(found.count <= TrialFile.maxCount, "\(found.count) packs")
        try promise(
          found.values.allSatisfy { $0.standing != .trying }, "a pack that nobody tries any more")
        let again = TrialFile.trials(of: Array(TrialFile.text(found, now).utf8), now)
        try promise(
          again.mapValues(described) == found.mapValues(described), "a list that is read as another"
        )
      }
    },
    FuzzTarget(
      "extract-journal",
      of: ["Packs/Extract/ExtractJournal.swift", "Packs/Work/JournalRecord.swift"]
    ) { bytes in
      let scratch = ScratchFile("extract.journal")
      for file in SealedRecords.tries(bytes) {
        try file.withUnsafeBytes { try scratch.write($0) }
        let first = try resumeExtract(scratch.path)
        try promise(first.done.count == requests, "\(first.done.count) of \(requests) requests")
        let again = try resumeExtract(scratch.path)
        try promise(first == again, "a journal that is read as another")
      }
    },
    FuzzTarget(
      "fetch-journal",
      of: [
        "Packs/Fetch/FetchJournal.swift", "Packs/Fetch/FetchDraft.swift",
        "Packs/Fetch/TileMarks.swift", "Packs/Work/JournalRecord.swift",
      ]
    ) { bytes in
      let contents = ScratchFile("pack.fetching")
      let journal = ScratchFile("pack.fetching.journal")
      for file in SealedRecords.tries(bytes) {
        let tiles = [UInt8](repeating: 7, count: 64)
        try tiles.withUnsafeBytes { try contents.write($0) }
        try file.withUnsafeBytes { try journal.write($0) }
        guard let first = try resumeFetch(contents.path) else { continue }
        let again = try resumeFetch(contents.path)
        try promise(first == again, "a journal that is read as another")
      }
    },
  ]

  private static func described(_ trial: PackTrial) -> String {
    "\(trial.standing) \(trial.deaths) \(trial.stamp)"
  }

  // MARK: Extracts

  /// What an extract goes on with.
  private struct ExtractStart: Equatable {
    var archive: ArchiveState?
    var index: [UInt64: [UInt8]]
    var done: [Bool]
  }

  /// How many requests for tiles the extract makes.
  private static let requests = 16

  private static func resumeExtract(_ path: String) throws -> ExtractStart {
    let journal = try ExtractJournal(path: path, source: "map.pmtiles", boot: "boot")
    var start = ExtractStart(archive: journal.archive, index: journal.index, done: [])
    start.done = try journal.begin(plan: 7, count: requests, isDraftThere: true)
    return start
  }

  // MARK: Fetches

  /// What a fetch goes on with.
  private struct FetchStart: Equatable {
    var marked: UInt64
    var absent: UInt64
    var stale: [UInt64: FetchJournal.Entry.Place]
  }

  /// Goes on with the fetch of the whole world, levels 0 to 3, whose tiles are in the file
  /// `contents`; nil: the journal is not one of this fetch.
  private static func resumeFetch(_ contents: String) throws -> FetchStart? {
    let tiles = try Region.world.tiles(zooms: 0...3)
    let target = String(contents.dropLast(".fetching".count))
    guard
      let draft = try? FetchDraft(
        target: target, tiles: tiles, terms: [("--url", "u")], now: 1000, boot: "boot")
    else { return nil }
    let count = draft.marks.count
    try promise(
      draft.absent <= count && count <= tiles.count,
      "\(draft.absent) absent of \(count) of \(tiles.count) tiles")
    // What the journal names can be read.
    try draft.entries { entry throws(PackError) in
      if let place = entry.place { _ = try draft.read(at: place.offset, Int(place.length)) }
    }
    return FetchStart(marked: count, absent: draft.absent, stale: draft.stale)
  }
}

/// Gives records of journals what they need to be read any further.
private enum SealedRecords {
  /// A kind, a length and a checksum (`JournalRecord`).
  private static let overhead = 17

  /// The file as it is and, if that differs, with correct lengths and checksums.
  static func tries(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    let file = [UInt8](bytes)
    var sealed: [UInt8] = []
    var place = 0
    while file.count - place >= overhead {
      let stated = JournalRecord.word(file[(place + 1)..<(place + 9)])
      // The last record takes what there is.
      let length = Int(min(stated, UInt64(file.count - place - overhead)))
      let payload = file[(place + 9)..<(place + 9 + length)]
      sealed += JournalRecord.encoded(kind: file[place], Array(payload))
      place += overhead + length
    }
    return sealed == file ? [file] : [file, sealed]
  }
}
