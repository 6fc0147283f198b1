import EventLoop
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import TileServing

/// Tiles of an archive on a server.
@Suite struct ArchiveTests {
  private let greeting = [
    "waypost-tiles 1", "name Planet", "min_zoom 0", "max_zoom 5",
    "bounds -180.0,-85.0,180.0,85.0", "format png", "attribution © them", "problems on-request",
  ]

  @Test func theGreetingHasWhatTheArchiveSaysAlsoOffline() throws {
    let server = PartServer(MadeArchive.file("one"))
    let it = try SourceCase(archive: server)
    #expect(it.greeting() == greeting)
    #expect(it.tile(1, 3, 1, 2) == "3/1/2 one")
    it.settle()
    it.close()
    server.instead = { _ in .unreachable("no route") }
    let count = server.asked.count
    let again = try SourceCase(archive: server, in: it.folder)
    #expect(again.greeting() == greeting)
    #expect(again.tile(1, 3, 1, 2) == "3/1/2 one")
    #expect(server.asked.count == count)
    #expect(again.tile(2, 3, 1, 3)?.hasPrefix("error 2 http://x: no route") == true)
    again.close()
    // The configuration's word counts for more.
    let other = try SourceCase(archive: server, in: it.folder) {
      ($0.maxZoom, $0.attribution) = (3, "us")
    }
    let said = other.greeting()
    #expect(said.contains("max_zoom 3") && said.contains("attribution us"))
  }

  @Test func aDirectoryIsReadOnce() throws {
    let server = PartServer(MadeArchive.file("one"))
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(server.asked.map(\.count) == [16_384])
    #expect(it.tile(1, 5, 0, 0) == "5/0/0 one")
    #expect(server.asked.count == 3)
    #expect(it.tile(2, 5, 0, 1) == "5/0/1 one")
    #expect(server.asked.count == 4)
    // Several at once wait for the same one.
    it.send("get 3 5 31 31 1\nget 4 5 31 30 1\nget 5 5 30 30 1\n")
    #expect(it.run { server.asked.count == 8 })
    it.settle()
    #expect(Set(server.asked.map(\.lowerBound)).count == 8)
  }

  @Test func aTileThatIsNotInTheDirectoryIsMissing() throws {
    let server = PartServer(MadeArchive.file("one", without: 3))
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 4, 3, 2) == "none 1")
    #expect(it.tile(2, 6, 0, 0) == "none 2")
    it.settle()
    let count = server.asked.count
    // Stored as missing.
    #expect(it.tile(3, 4, 3, 2) == "none 3")
    #expect(server.asked.count == count)
  }

  @Test func rowsCountFromTheSouthWhereTheSourceSaysSo() throws {
    let it = try SourceCase(archive: PartServer(MadeArchive.file("one"))) { $0.scheme = .tms }
    _ = it.greeting()
    #expect(it.tile(1, 3, 1, 2) == "3/1/5 one")
  }

  @Test func anArchiveThatChangesNeverGivesAMixture() throws {
    // Other layouts: what one says of places is wrong for the other.
    let old = MadeArchive.file("one", leaf: 100, without: 7)
    let new = MadeArchive.file("two-two", leaf: 64)
    for change in 0..<8 {
      let server = PartServer(old)
      server.instead = { [unowned server] in
        if $0 == change { (server.file, server.tag) = (new, "\"2\"") }
        return nil
      }
      let it = try SourceCase(archive: server) { $0.store = nil }
      _ = it.greeting()
      for number in 1...6 {
        // The greeting may have changed, but not here: levels and bounds are the same.
        let (x, y) = (number * 5 % 32, number)
        let text = it.tile(number, 5, x, y)
        let isOld = server.asked.count <= change
        #expect(text == "5/\(x)/\(y) \(isOld ? "one" : "two-two")", "change at \(change)")
      }
    }
  }

  @Test func anAnswerThatWasOnItsWayDuringAChangeIsNotTaken() throws {
    let server = PartServer(MadeArchive.file("one"))
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 5, 0, 0) == "5/0/0 one")
    server.isHeld = true
    let count = server.asked.count
    it.send("get 2 5 0 1 1\n")
    #expect(it.run { server.asked.count == count + 1 })
    (server.file, server.tag) = (MadeArchive.file("two-two", leaf: 64), "\"2\"")
    it.send("get 3 5 1 1 1\n")
    #expect(it.run { server.asked.count == count + 2 })
    server.answerNewest()
    let lines = [it.line(), it.line(), it.line(), it.line()]
    #expect(lines.first??.hasPrefix("tile 3 ") == true && lines.last == "5/1/1 two-two")
    server.isHeld = false
    let more = [it.line(), it.line(), it.line(), it.line()]
    #expect(more.first??.hasPrefix("tile 2 ") == true && more.last == "5/0/1 two-two")
  }

  @Test func storedTilesOfAnEarlierStateAreShownAndRenewed() throws {
    let server = PartServer(MadeArchive.file("one"))
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 3, 1, 2) == "3/1/2 one")
    #expect(it.tile(2, 3, 1, 3) == "3/1/3 one")
    it.settle()
    (server.file, server.tag) = (MadeArchive.file("two-two", leaf: 64), "\"2\"")
    // Another tile shows that there is another archive.
    #expect(it.tile(3, 4, 0, 0) == "4/0/0 two-two")
    #expect(it.tile(4, 3, 1, 2) == "3/1/2 one")
    it.settle()
    #expect(it.tile(5, 3, 1, 2) == "3/1/2 two-two")
    // And after a restart.
    it.close()
    let again = try SourceCase(archive: server, in: it.folder)
    _ = again.greeting()
    #expect(again.tile(1, 3, 1, 3) == "3/1/3 one")
    again.settle()
    #expect(again.tile(2, 3, 1, 3) == "3/1/3 two-two")
  }

  @Test(arguments: ["\"1\"", "Last-Modified Sun, 22 Nov 2026 18:00:00 GMT", ""])
  func afterARestartTheSameArchiveConfirmsWhatIsStored(_ tag: String) throws {
    let server = PartServer(MadeArchive.file("one"))
    server.tag = tag
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 3, 1, 2) == "3/1/2 one")
    it.settle()
    it.close()
    let again = try SourceCase(archive: server, in: it.folder)
    again.wall += 1000
    let count = server.asked.count
    _ = again.greeting()
    #expect(again.tile(1, 3, 1, 2) == "3/1/2 one")
    again.settle()
    #expect(server.asked.dropFirst(count) == [0...16_383])
    // It is fresh again.
    #expect(again.tile(2, 3, 1, 2) == "3/1/2 one")
    again.settle()
    #expect(server.asked.count == count + 1)
  }

  @Test func oneSmallQuestionConfirmsAllStaleTiles() throws {
    let server = PartServer(MadeArchive.file("one"))
    server.lifetime = 100
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    for number in 1...5 { #expect(it.tile(number, 3, number, 2) == "3/\(number)/2 one") }
    it.settle()
    let count = server.asked.count
    it.wall += 200
    it.later += 200
    for number in 1...5 { #expect(it.tile(number, 3, number, 2) == "3/\(number)/2 one") }
    it.settle()
    #expect(server.asked.dropFirst(count) == [0...126])
    // It shows a change as well.
    (server.file, server.tag) = (MadeArchive.file("two-two", leaf: 64), "\"2\"")
    it.wall += 200
    it.later += 200
    #expect(it.tile(6, 3, 1, 2) == "3/1/2 one")
    it.settle()
    #expect(it.tile(7, 3, 1, 2) == "3/1/2 two-two")
  }

  @Test func whatIsNoVectorTileInAnArchiveOfThemIsAnError() throws {
    let file = TilePacks.pmtiles(MadeArchive.pyramid("v"), leaf: 100, type: 1)
    let server = PartServer(file)
    let it = try SourceCase(archive: server)
    #expect(it.greeting().contains("format mvt"))
    let answer = it.tile(1, 3, 1, 2)
    #expect(answer?.contains("error") == true, "\(answer ?? "nothing")")
  }

  @Test func withoutAServerItGreetsAndIsOpenedAnewOnceItIsKnown() throws {
    let server = PartServer(MadeArchive.file("one"))
    server.instead = { _ in .refused(status: 404, retryAfter: nil) }
    let it = try SourceCase(archive: server)
    #expect(
      it.greeting() == [
        "waypost-tiles 1", "name map", "min_zoom 0", "max_zoom 22", "problems on-request",
      ])
    #expect(it.tile(1, 3, 1, 2) == "error 1 the server answers with HTTP 404")
    #expect(it.tile(2, 3, 1, 3) == "error 2 the server answers with HTTP 404")
    #expect(server.asked.count == 1, "it is left alone for a while")
    server.instead = { _ in nil }
    it.source?.retry()
    it.send("get 3 4 0 0 1\n")
    it.settle()
    // Another socket, which says what is known now.
    it.connect()
    #expect(it.greeting() == greeting)
    #expect(it.tile(1, 4, 0, 1) == "4/0/1 one")
  }

  @Test func whoConnectsIsGreetedInTimeThoughTheServerIsSlow() throws {
    let server = PartServer(MadeArchive.file("one"))
    server.isHeld = true
    let it = try SourceCase(archive: server)
    #expect(it.greeting().contains("max_zoom 22"))
    server.isHeld = false
    it.settle()
    it.connect()
    #expect(it.greeting() == greeting)
  }
}
