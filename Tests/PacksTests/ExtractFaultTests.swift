import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// What an archive far away, or a hostile one, does to an extract.
@Suite struct ExtractFaultTests {
  private var selection: ExtractSelection {
    var selection = ExtractSelection(
      region: Region(GeoBounds(west: -30, south: -20, east: 60, north: 55)))
    selection.requestLimit = 4000
    return selection
  }

  private func extract(
    _ reader: FaultyReader, to path: String, pauses: inout [Double]
  ) throws -> ExtractResult {
    var taken: [Double] = []
    defer { pauses = taken }
    return try PMTilesExtract(reader, selection, pause: { taken.append($0) }).run(to: path)
  }

  private func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [FaultyReader.Fault.drop, .truncate, .tooMuch, .stray])
  func whatCanBeAskedAgainIs(_ fault: FaultyReader.Fault) throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    var pauses: [Double] = []
    let reader = FaultyReader(bytes) { $0 % 3 == 1 ? fault : nil }
    if fault == .stray {
      // Never answered rightly: broken.
      #expect(throws: PackError.self) {
        try extract(reader, to: folder["a.pmtiles"], pauses: &pauses)
      }
      #expect(!FileManager.default.fileExists(atPath: folder["a.pmtiles"]))
      return
    }
    let result = try extract(reader, to: folder["a.pmtiles"], pauses: &pauses)
    #expect(result.traffic.repeated > 0 && pauses.count == result.traffic.repeated)
    _ = try extract(FaultyReader(bytes), to: folder["b.pmtiles"], pauses: &pauses)
    #expect(try read(folder["a.pmtiles"]) == read(folder["b.pmtiles"]))
  }

  @Test func whatNeverComesIsGivenUp() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...5)
    var pauses: [Double] = []
    let reader = FaultyReader(bytes) { $0 > 3 ? .drop : nil }
    let error = packError {
      try extract(reader, to: folder["a.pmtiles"], pauses: &pauses)
    }
    #expect(error?.reason == "dropped the connection; tried 8 times")
    #expect(!FileManager.default.fileExists(atPath: folder["a.pmtiles"]))
  }

  @Test func anArchiveThatNeverAnswersIsGivenUpSooner() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...3)
    var pauses: [Double] = []
    let reader = FaultyReader(bytes) { _ in .drop }
    let error = packError { try extract(reader, to: folder["a.pmtiles"], pauses: &pauses) }
    #expect(error?.reason == "dropped the connection; tried 3 times")
    #expect(pauses.count == 2)
    let left = try PackTest.names(in: folder.path)
    #expect(left.isEmpty)
  }

  @Test func anArchiveThatChangesIsNotMixed() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    var pauses: [Double] = []
    let out = folder["a.pmtiles"]
    let changing = FaultyReader(bytes) { $0 > 8 ? .change : nil }
    let error = packError {
      try extract(changing, to: out, pauses: &pauses)
    }
    #expect(error?.reason.contains("replaced") == true)
    #expect(!FileManager.default.fileExists(atPath: out))
    // The new one, from its beginning.
    let result = try extract(FaultyReader(bytes, identity: "\"2\""), to: out, pauses: &pauses)
    #expect(result.resumed == 0)
  }

  @Test func anArchiveThatChangedSinceTheCutBeginsAnew() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    let other = try MadePyramid.archive(zooms: 0...6, leaf: 200)
    var pauses: [Double] = []
    let out = folder["a.pmtiles"]
    let cut = FaultyReader(bytes, cut: 9)
    #expect(throws: PackError.self) { try extract(cut, to: out, pauses: &pauses) }
    let result = try extract(
      FaultyReader(other, identity: "\"2\""), to: out, pauses: &pauses)
    #expect(result.resumed == 0)
    _ = try extract(FaultyReader(other), to: folder["b.pmtiles"], pauses: &pauses)
    #expect(try read(out) == read(folder["b.pmtiles"]))
  }

  @Test func anArchiveThatBecameSmallerSinceTheCutBeginsAnew() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    let smaller = try MadePyramid.archive(zooms: 0...5)
    var pauses: [Double] = []
    let out = folder["a.pmtiles"]
    let cut = FaultyReader(bytes, cut: 9)
    #expect(throws: PackError.self) { try extract(cut, to: out, pauses: &pauses) }
    let result = try extract(FaultyReader(smaller, identity: "\"2\""), to: out, pauses: &pauses)
    #expect(result.resumed == 0)
    _ = try extract(FaultyReader(smaller), to: folder["b.pmtiles"], pauses: &pauses)
    #expect(try read(out) == read(folder["b.pmtiles"]))
  }

  @Test(arguments: ["", "\"1\""])
  func anArchiveThatCannotBeToldFromAnotherIsNotGoneOnWith(_ identity: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    // The same size. With an identity the first bytes tell; without one other tiles do not.
    var other = bytes
    let changed = identity.isEmpty ? other.indices.suffix(from: other.count / 2) : 119..<121
    for index in changed { other[index] ^= 0x55 }
    var pauses: [Double] = []
    let out = folder["a.pmtiles"]
    let cut = FaultyReader(bytes, identity: identity, cut: 9)
    #expect(throws: PackError.self) { try extract(cut, to: out, pauses: &pauses) }
    var said: [String] = []
    let result = try PMTilesExtract(
      FaultyReader(other, identity: identity), selection, onRetry: { said.append($0) }
    ).run(to: out)
    #expect(result.resumed == 0)
    #expect(said.count == (identity.isEmpty ? 1 : 0))
    _ = try extract(FaultyReader(other), to: folder["b.pmtiles"], pauses: &pauses)
    #expect(try read(out) == read(folder["b.pmtiles"]))
  }

  @Test func damagedJournalsCostWhatTheyHeld() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    var pauses: [Double] = []
    let out = folder["a.pmtiles"]
    var random = SeededNumbers(3)
    _ = try extract(FaultyReader(bytes), to: folder["b.pmtiles"], pauses: &pauses)
    for round in 0..<30 {
      let cut = FaultyReader(bytes, cut: 9)
      #expect(throws: PackError.self) { try extract(cut, to: out, pauses: &pauses) }
      let path = ExtractPaths.journal(of: out)
      var journal = try read(path)
      if round % 2 == 0 {
        journal.removeLast(random.next(1..<journal.count))
      } else {
        journal[random.next(0..<journal.count)] ^= UInt8(1 << random.next(0..<8))
      }
      try Data(journal).write(to: URL(fileURLWithPath: path))
      _ = try extract(FaultyReader(bytes), to: out, pauses: &pauses)
      #expect(try read(out) == read(folder["b.pmtiles"]))
      try FileManager.default.removeItem(atPath: out)
    }
  }

  @Test func twoRunsForOneFileDoNotMix() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...5)
    let journal = try ExtractJournal(
      path: ExtractPaths.journal(of: folder["a.pmtiles"]), source: "other")
    var pauses: [Double] = []
    let error = packError {
      try extract(FaultyReader(bytes), to: folder["a.pmtiles"], pauses: &pauses)
    }
    #expect(error?.isMisuse == true)
    withExtendedLifetime(journal) {}
  }

  // MARK: Hostile archives

  @Test func damagedArchivesEndInErrorsOrInTiles() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...4, leaf: 60)
    let start = min(bytes.count, 3000)
    var random = SeededNumbers(11)
    var pauses: [Double] = []
    var errors = 0
    for round in 0..<400 {
      var damaged = bytes
      if round % 4 == 0 {
        damaged.removeLast(random.next(1..<damaged.count))
      } else {
        for _ in 0..<random.next(1..<4) {
          damaged[random.next(0..<start)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      do {
        _ = try extract(FaultyReader(damaged), to: folder["\(round)"], pauses: &pauses)
      } catch is PackError {
        errors += 1
      }
    }
    #expect(errors > 100)
  }

  /// An archive whose root is `root`, with leaves and tiles behind it; nothing is compressed.
  private func archive(
    root: [PMTilesDirectory.Entry], leaves: [UInt8] = [], tiles: [UInt8] = [1, 2, 3]
  ) -> [UInt8] {
    var fields = PMTilesHeaderFields()
    let directory = PMTilesDirectory.encode(root)
    fields.root = .init(offset: 127, length: UInt64(directory.count))
    fields.leaves = .init(offset: 127 + fields.root.length, length: UInt64(leaves.count))
    fields.tiles = .init(
      offset: fields.leaves.offset + fields.leaves.length, length: UInt64(tiles.count))
    fields.directoryCompression = .none
    (fields.minZoom, fields.maxZoom) = (0, 24)
    return fields.encoded() + directory + leaves + tiles
  }

  private func refused(_ bytes: [UInt8]) throws -> String? {
    let folder = try TemporaryFolder()
    let whole = ExtractSelection(region: nil)
    let error = packError {
      try PMTilesExtract(FaultyReader(bytes), whole).run(to: folder["a.pmtiles"])
    }
    return error?.reason
  }

  @Test func directoriesThatLeadToEachOtherAreRefused() throws {
    let leaf = PMTilesDirectory.encode([
      PMTilesDirectory.Entry(id: 0, offset: 0, length: 5, run: 0)
    ])
    let reason = try refused(
      archive(
        root: [.init(id: 0, offset: 0, length: UInt32(leaf.count), run: 0)], leaves: leaf))
    #expect(reason?.contains("deep") == true)
  }

  @Test func tilesThatLieInEachOtherAreRefused() throws {
    let entries = (0..<200).map {
      PMTilesDirectory.Entry(id: UInt64($0), offset: UInt64($0), length: 100, run: 1)
    }
    let reason = try refused(archive(root: entries, tiles: [UInt8](repeating: 7, count: 400)))
    #expect(reason?.contains("that overlap") == true)
  }

  @Test func tilesBeyondTheEndAndWithoutBytesAreRefused() throws {
    #expect(
      try refused(archive(root: [.init(id: 3, offset: 1 << 40, length: 9, run: 1)]))?
        .contains("beyond its end") == true)
    #expect(
      try refused(archive(root: [.init(id: 3, offset: 0, length: 0, run: 1)]))?
        .contains("empty") == true)
    #expect(
      try refused(archive(root: [.init(id: 3, offset: 0, length: .max, run: 1)]))?
        .contains("at most") == true)
  }
}
