import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// What a fetch has so far outlives cuts, and nothing else is taken for it.
@Suite struct FetchDraftTests: FetchCase {
  @Test func afterAPowerCutOnlyWhatWasSyncedCounts() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let cut = MadeTileLink(cut: 30) { question, _ in MadeTileLink.content(question.url) }
    #expect(throws: PackError.stopped) { try run(.small, cut, to: path) }
    // What follows the last mark is lost with its bytes.
    let journal = FetchDraft.journal(of: path)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: journal)))
    let tiles = try FetchJob.small.tiles()
    bytes += JournalRecord.encoded(kind: 3, JournalRecord.words([70, 0, 10, 0]))
    try Data(bytes).write(to: URL(fileURLWithPath: journal))
    do {
      let same = try FetchDraft(
        target: path, tiles: tiles, terms: FetchJob.small.terms(tiles), now: 0, boot: "boot")
      #expect(same.marks.contains(70) && same.marks.count == 31)
    }
    let link = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
    let other = try run(.small, link, to: path, boot: "another boot")
    #expect(other.resumed == 30 && other.fetched == 55)
    #expect(try wrong(path) == [])
  }

  @Test func aPowerCutLosesWhatCameAfterTheLastSync() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    // Large enough that it is synced on the way, by a slow machine more often.
    func tile(_ url: String) -> [UInt8] {
      PlainPNG.tile(HilbertID.number(of: MadeTileLink.tile(url)) + 7, edge: 140)
    }
    var (synced, cut): (Int, [UInt8]) = (0, [])
    let link = MadeTileLink(window: 1) { question, _ in
      let journal = (try? PackTest.bytes(of: FetchDraft.journal(of: path))) ?? []
      var contents = stat()
      stat(FetchDraft.contents(of: path), &contents)
      // The mark is the journal's last record for now: what is there has been synced.
      let mark = JournalRecord.encoded(kind: 5, [])
      if journal.suffix(mark.count).elementsEqual(mark) {
        (synced, cut) = (Int(contents.st_size), journal)
      }
      return .tile(tile(question.url), fresh: nil, etag: "")
    }
    let whole = try run(.small, link, to: path)
    #expect(whole.fetched == 85 && synced > 0 && synced < 85 * tile("/0/0/0").count)
    // The journal of that moment with a record more, and the bytes as far as they were synced.
    let other = folder["b.mbtiles"]
    let lost = JournalRecord.encoded(kind: 3, JournalRecord.words([80, UInt64(synced), 9, 0]))
    try Data(cut + lost).write(to: URL(fileURLWithPath: FetchDraft.journal(of: other)))
    var bytes: [UInt8] = []
    for number in 0..<UInt64(synced / tile("/0/0/0").count) {
      let id = try #require(HilbertID.tile(number))
      bytes += tile("/\(id.z)/\(id.x)/\(id.y)")
    }
    try Data(bytes).write(to: URL(fileURLWithPath: FetchDraft.contents(of: other)))
    let next = MadeTileLink { question, _ in
      .tile(tile(question.url), fresh: nil, etag: "")
    }
    let made = try run(.small, next, to: other, boot: "another boot")
    #expect(Int(made.resumed) == synced / tile("/0/0/0").count)
    #expect(try PackTest.tiles(of: other) == PackTest.tiles(of: path))
  }

  @Test func allIsSyncedBeforeALongWait() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let mark = JournalRecord.encoded(kind: 5, [])
    var isSynced: Bool?
    let link = MadeTileLink(window: 1) { question, times in
      if question.url.hasSuffix("/2/1/2.png"), times == 1 {
        return .fault("is busy", canRetry: true, seconds: 30)
      }
      if question.time > 30, isSynced == nil {
        let journal = (try? PackTest.bytes(of: FetchDraft.journal(of: path))) ?? []
        isSynced = journal.suffix(mark.count).elementsEqual(mark)
      }
      return MadeTileLink.content(question.url)
    }
    _ = try run(.small, link, to: path)
    #expect(isSynced == true)
  }

  @Test func damagedJournalsCostWhatTheyHeld() throws {
    let folder = try TemporaryFolder()
    var random = SeededNumbers(5)
    for round in 0..<20 {
      let path = folder["\(round).pmtiles"]
      let cut = MadeTileLink(cut: 40) { question, _ in MadeTileLink.content(question.url) }
      #expect(throws: PackError.stopped) { try run(.small, cut, to: path) }
      let name = round % 4 == 3 ? FetchDraft.contents(of: path) : FetchDraft.journal(of: path)
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: name)))
      if round % 2 == 1 {
        bytes.removeLast(random.next(1..<bytes.count / 2))
      } else {
        // Behind the terms, whose damage is told.
        bytes[random.next(300..<bytes.count)] ^= 0x10
      }
      try Data(bytes).write(to: URL(fileURLWithPath: name))
      let link = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
      let result = try run(.small, link, to: path)
      #expect(result.totals?.addressed == 85)
      #expect(try wrong(path) == [], "\(round)")
    }
  }

  @Test(arguments: [[.max, 10], [10, .max], [.max, .max], [0, 1 << 40]] as [[UInt64]])
  func aPlaceThatNoFileHasMakesTheJournalUseless(_ place: [UInt64]) throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let cut = MadeTileLink(cut: 30) { question, _ in MadeTileLink.content(question.url) }
    #expect(throws: PackError.stopped) { try run(.small, cut, to: path) }
    let journal = FetchDraft.journal(of: path)
    var bytes = try PackTest.bytes(of: journal)
    bytes += JournalRecord.encoded(kind: 3, JournalRecord.words([70] + place + [0]))
    bytes += JournalRecord.encoded(kind: 5, [])
    try Data(bytes).write(to: URL(fileURLWithPath: journal))
    let tiles = try FetchJob.small.tiles()
    let draft = try FetchDraft(
      target: path, tiles: tiles, terms: FetchJob.small.terms(tiles), now: 0, boot: "boot")
    #expect(draft.marks.count == 0 && draft.size == 0)
  }

  @Test func aJournalWhoseHeadWasCutIsEmpty() throws {
    let folder = try TemporaryFolder()
    let head = JournalRecord.encoded(
      kind: 1, Array(("waypost fetch 1\n" + String(repeating: "x", count: 300)).utf8))
    let cuts = [1, 2, 3, 8, 9, 10, 20, 100, head.count - 1].map { Array(head.prefix($0)) }
    for (index, bytes) in (cuts + [[UInt8](repeating: 0, count: 400)]).enumerated() {
      let path = folder["\(index).mbtiles"]
      try Data(bytes).write(to: URL(fileURLWithPath: FetchDraft.journal(of: path)))
      let link = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
      let made = try run(.small, link, to: path)
      #expect(made.totals?.addressed == 85)
    }
    for bytes in [[2], [1, 1, 1, 1], Array(head.prefix(12)) + [0], [0, 1]] as [[UInt8]] {
      let path = folder["other.mbtiles"]
      try Data(bytes).write(to: URL(fileURLWithPath: FetchDraft.journal(of: path)))
      let link = MadeTileLink { _, _ in .absent }
      let error = packError { try run(.small, link, to: path) }
      #expect(error?.reason.contains("is no journal of a fetch") == true, "\(bytes)")
    }
  }

  @Test func aFileThatIsNoJournalIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let journal = FetchDraft.journal(of: path)
    try Data("something else".utf8).write(to: URL(fileURLWithPath: journal))
    let link = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
    let error = packError { try run(.small, link, to: path) }
    #expect(error?.reason.contains("is no journal of a fetch") == true)
    #expect(try PackTest.bytes(of: journal) == Array("something else".utf8))
  }

  @Test func contentsWithoutAJournalAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    try Data("a day's work".utf8).write(to: URL(fileURLWithPath: FetchDraft.contents(of: path)))
    for _ in 0..<2 {
      let link = MadeTileLink { _, _ in .absent }
      let error = packError { try run(.small, link, to: path) }
      #expect(error?.isMisuse == true && error?.file == FetchDraft.contents(of: path))
      #expect(error?.reason.contains("remove it") == true && link.asked.isEmpty)
    }
    #expect(try names(folder) == ["a.mbtiles.fetching"])
    #expect(
      try PackTest.bytes(of: FetchDraft.contents(of: path)) == Array("a day's work".utf8))
  }

  @Test func twoRunsForOnePackDoNotMix() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let link = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
    do {
      let tiles = try FetchJob.small.tiles()
      let other = try FetchDraft(
        target: path, tiles: tiles, terms: FetchJob.small.terms(tiles), now: 0)
      let error = packError { try run(.small, link, to: path) }
      #expect(error?.isMisuse == true && error?.reason.contains("another process") == true)
      withExtendedLifetime(other) {}
    }
    #expect(link.asked.isEmpty)
    let made = try run(.small, link, to: path)
    #expect(made.totals?.addressed == 85)
  }
}
