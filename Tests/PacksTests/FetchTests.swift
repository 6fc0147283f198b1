import Foundation
import MapGeometry
import RangeWire
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Fetching tiles: what is asked, and what becomes of the answers.
@Suite struct FetchTests: FetchCase {
  @Test(arguments: ["a.mbtiles", "a.pmtiles"])
  func aPackHoldsWhatTheServerHas(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder[name]
    var job = FetchJob.small
    (job.name, job.attribution) = ("Small", "© Example")
    func isAbsent(_ tile: TileID) -> Bool { tile.z == 3 && tile.x == 5 }
    let link = MadeTileLink { question, _ in
      isAbsent(MadeTileLink.tile(question.url)) ? .absent : MadeTileLink.content(question.url)
    }
    let result = try run(job, link, to: path)
    #expect(result.fetched == 77 && result.absent == 8 && result.missing == 0)
    #expect(result.totals?.addressed == 77)
    // 77, without level 0's only tile, and with one content for each of the others' first rows.
    #expect(result.totals?.contents == 67)
    #expect(try wrong(path, absent: isAbsent) == [])
    #expect(link.asked.count == 85 && link.mostUnderWay == 2)
    let description = try PackReaders.open(path).description
    #expect(description.text("name") == "Small" && description.text("attribution") == "© Example")
    #expect(description.minZoom == 0 && description.maxZoom == 3)
    #expect(try names(folder) == [name])
  }

  @Test func whatIsThereIsNotFetchedAgainAfterACut() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    var served: [String] = []
    for round in 0..<6 {
      var answered: [String] = []
      let link = MadeTileLink(cut: round < 5 ? 14 : .max) { question, _ in
        answered.append(question.url)
        return MadeTileLink.content(question.url)
      }
      let result = Result { try run(.small, link, to: path) }
      served += answered
      guard round == 5 else {
        #expect(throws: PackError.stopped) { try result.get() }
        #expect(try names(folder) == ["a.mbtiles.fetching", "a.mbtiles.fetching.journal"])
        continue
      }
      let made = try result.get()
      #expect(made.resumed == 70 && made.fetched == 15)
    }
    #expect(served.count == 85 && Set(served).count == 85)
    #expect(try wrong(path) == [])
    #expect(try names(folder) == ["a.mbtiles"])
  }

  static let passing: [TileAnswer.Content] = [
    .fault("the server answers with HTTP 500", canRetry: true, seconds: 0),
    .fault("the server answers with HTTP 429", canRetry: true, seconds: 3),
    .tile(Array("<html>Please log in</html>".utf8), fresh: nil, etag: ""),
    .tile(Array(PlainPNG.tile(1).dropLast(40)), fresh: nil, etag: ""),
    .same(fresh: nil),
  ]

  @Test(arguments: passing.indices) func whatPassesIsAskedForAgain(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let link = MadeTileLink { question, times in
      times == 1 && MadeTileLink.tile(question.url).y % 3 == 1
        ? FetchTests.passing[index] : MadeTileLink.content(question.url)
    }
    let result = try run(.small, link, to: folder["a.pmtiles"])
    #expect(result.repeated == 30 && result.totals?.addressed == 85)
    #expect(try wrong(folder["a.pmtiles"]) == [])
  }

  @Test func aTileThatNeverComesLeavesTheOthers() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let broken = "https://a.example/2/1/2.png"
    let link = MadeTileLink { question, _ in
      question.url == broken
        ? .fault("the server answers with HTTP 500", canRetry: true, seconds: 0)
        : MadeTileLink.content(question.url)
    }
    let result = try run(.small, link, to: path)
    #expect(result.totals == nil && result.missing == 1 && result.fetched == 84)
    #expect(link.asked.filter { $0.url == broken }.count == TileFetcher.attempts)
    #expect(result.problems.kinds.first?.examples == ["2/1/2"])
    #expect(try !names(folder).contains("a.mbtiles"))
    // The next run asks for nothing else.
    let next = MadeTileLink { question, _ in MadeTileLink.content(question.url) }
    let made = try run(.small, next, to: path)
    #expect(next.asked.map(\.url) == [broken] && made.totals?.addressed == 85)
  }

  @Test func picturesThatCameCompressedAreStoredAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let link = MadeTileLink { question, _ in
      let picture = MadeTileLink.picture(MadeTileLink.tile(question.url))
      return .tile(Gzip.compress(picture), fresh: nil, etag: "")
    }
    _ = try run(.small, link, to: folder["a.mbtiles"])
    #expect(try wrong(folder["a.mbtiles"]) == [])
  }

  @Test func vectorTilesAreStoredAsTheyCame() throws {
    let folder = try TemporaryFolder()
    let tile = Gzip.compress(Array(MadePyramid.vectorTile.utf8))
    let link = MadeTileLink { _, _ in .tile(tile, fresh: nil, etag: "") }
    let result = try run(.small, link, to: folder["a.pmtiles"])
    #expect(result.totals?.contents == 1 && result.totals?.addressed == 85)
    let stored = try PackTest.tiles(of: folder["a.pmtiles"])
    #expect(stored.count == 85 && stored.values.allSatisfy { $0 == tile })
    let report = try PackTest.verify(folder["a.pmtiles"])
    #expect(report.format == "mvt" && report.compression == "gzip")
  }

  @Test func aPackWithoutTilesThatNeverComeIsMadeOnDemand() throws {
    let folder = try TemporaryFolder()
    var job = FetchJob.small
    job.allowsMissing = true
    let link = MadeTileLink { question, _ in
      question.url.hasSuffix("/2/1/2.png")
        ? .fault("the server answers with HTTP 400", canRetry: false, seconds: 0)
        : MadeTileLink.content(question.url)
    }
    let result = try run(job, link, to: folder["a.mbtiles"])
    #expect(result.totals?.addressed == 84 && result.missing == 1)
  }

  @Test(arguments: [true, false]) func theNextRunMakesThePackWithoutWhatNeverComes(
    _ isRefused: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let broken = isRefused ? ["/0/0/0", "/2/1/2", "/3/1/2", "/3/7/7"] : ["/2/1/2"]
    func respond(_ question: MadeTileLink.Asked, _ times: Int) -> TileAnswer.Content {
      guard broken.contains(where: { question.url.hasSuffix("\($0).png") }) else {
        return MadeTileLink.content(question.url)
      }
      return isRefused
        ? .fault("the server answers with HTTP 403", canRetry: false, seconds: 0)
        : .fault("the server answers with HTTP 500", canRetry: true, seconds: 0)
    }
    let first = try run(.small, MadeTileLink(respond), to: path)
    #expect(first.totals == nil && first.stop == nil && Int(first.missing) == broken.count)
    var job = FetchJob.small
    job.allowsMissing = true
    let next = MadeTileLink(respond)
    let made = try run(job, next, to: path)
    #expect(made.stop == nil && Int(made.missing) == broken.count)
    #expect(made.totals.map { Int($0.addressed) } == 85 - broken.count)
    #expect(Set(next.asked.map(\.url)).count == broken.count)
  }

  @Test func aServerThatRefusesMuchIsAskedForTheRestWhereTilesMayBeMissing() throws {
    let folder = try TemporaryFolder()
    var job = FetchJob.small
    job.allowsMissing = true
    let link = MadeTileLink { question, _ in
      let tile = MadeTileLink.tile(question.url)
      return tile.z == 3 && tile.x < 4
        ? .fault("the server answers with HTTP 403", canRetry: false, seconds: 0)
        : MadeTileLink.content(question.url)
    }
    let made = try run(job, link, to: folder["a.mbtiles"])
    #expect(made.totals?.addressed == 53 && made.missing == 32)
  }

  @Test func aServerThatHasTroubleWithManyTilesIsAskedForTheRestWhereTilesMayBeMissing() throws {
    for isAnswer in [true, false] {
      let folder = try TemporaryFolder()
      var job = FetchJob.small
      job.allowsMissing = true
      let link = MadeTileLink { question, _ in
        let tile = MadeTileLink.tile(question.url)
        return tile.z == 3 && tile.x < 4
          ? .fault("HTTP 500", canRetry: true, seconds: 0, isAnswer: isAnswer)
          : MadeTileLink.content(question.url)
      }
      let made = try run(job, link, to: folder["a.mbtiles"])
      if isAnswer {
        #expect(made.totals?.addressed == 53 && made.missing == 32 && made.stop == nil)
      } else {
        #expect(made.totals == nil && made.stop?.contains("failures in a row") == true)
      }
    }
  }

  @Test func aServerThatOnlyHasTroubleIsGivenUpWhereTilesMayBeMissingToo() throws {
    var manners = HostManners(hasAnswered: true, allowsMissing: true)
    var count = 0
    while !manners.isGivenUp(canRetry: true), count < 5000 {
      count += 1
      let failed = HostManners.Failed(
        number: count, lastNumber: count, isFirst: true, canRetry: true, seconds: 0,
        isAnswer: true)
      #expect(manners.noteFailure(failed, jitter: 0.5, now: 0) == 0)
    }
    #expect(count == 1000)
  }

  @Test func aTemplateThatIsMistypedIsNoticed() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    var job = FetchJob.small
    job.zooms = 4...5
    let link = MadeTileLink { _, _ in .absent }
    let result = try run(job, link, to: path)
    #expect(result.totals == nil && result.stop?.contains("Is the template right?") == true)
    #expect(link.asked.count <= 202)
    // Who gives it again means it.
    let next = MadeTileLink { question, _ in
      question.url.contains("/5/") ? MadeTileLink.content(question.url) : .absent
    }
    let made = try run(job, next, to: path)
    #expect(made.totals?.addressed == 1024 && made.stop == nil)
  }

  @Test func tilesPastTheirTimeAreAskedAboutWithTheirETag() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    let start: UInt64 = 1_800_000_000
    let cut = MadeTileLink(cut: 40) { question, _ in
      .tile(PlainPNG.tile(7), fresh: 60, etag: "\"\(MadeTileLink.tile(question.url))\"")
    }
    #expect(throws: PackError.stopped) { try run(.small, cut, to: path, now: start) }
    // Within a day nothing is asked about, whatever the server says.
    let soon = MadeTileLink(cut: 5) { question, _ in MadeTileLink.content(question.url) }
    #expect(throws: PackError.stopped) { try run(.small, soon, to: path, now: start + 86_000) }
    #expect(soon.asked.allSatisfy { $0.etag == nil })
    let later = MadeTileLink { question, _ in
      let tile = MadeTileLink.tile(question.url)
      if question.etag != nil, tile.x == 0 { return .same(fresh: 60) }
      return MadeTileLink.content(question.url)
    }
    let made = try run(.small, later, to: path, now: start + 90_000)
    let again = later.asked.filter { $0.etag != nil }
    #expect(again.count == 40 && made.resumed == 45)
    #expect(again.allSatisfy { $0.etag == "\"\(MadeTileLink.tile($0.url))\"" })
    // What is the same was kept, and what changed has taken its place.
    let kept = try wrong(path)
    #expect(!kept.isEmpty && kept.allSatisfy { $0.x == 0 })
  }

  @Test func anotherTemplateOrRegionIsToldFromTheOneThatWasBegun() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    var first = FetchJob.small
    first.url = "https://a.example/{z}/{x}/{y}.png?key=sesame"
    let cut = MadeTileLink(cut: 5) { _, _ in .tile(PlainPNG.tile(7), fresh: nil, etag: "") }
    #expect(throws: PackError.stopped) { try run(first, cut, to: path) }
    let journal = try String(
      decoding: Data(contentsOf: URL(fileURLWithPath: FetchDraft.journal(of: path))), as: UTF8.self)
    #expect(!journal.contains("sesame"))
    func difference(_ change: (inout FetchJob) -> Void) -> String? {
      var job = first
      change(&job)
      return packError { try run(job, cut, to: path) }?.reason
    }
    #expect(
      difference { $0.url = "https://b.example/{z}/{x}/{y}.png?key=sesame" }?
        .contains("another --url (https://a.example/{z}/{x}/{y}.png)") == true)
    #expect(difference { $0.url += "&layer=2" }?.contains("the query of --url") == true)
    #expect(difference { $0.zooms = 0...4 }?.contains("another --zoom (0-3)") == true)
    #expect(difference { $0.scheme = .tms }?.contains("another --scheme") == true)
    let box = Region(GeoBounds(west: 0, south: 0, east: 10, north: 10))
    #expect(difference { $0.region = box }?.contains("another the region") == true)
  }

  @Test func serversThatProhibitItAreRefused() throws {
    for host in [
      "tile.openstreetmap.org", "a.tile.openstreetmap.org", "TILE.OpenStreetMap.org.",
      "me:pass@tile.openstreetmap.org:443", "{a-c}.tile.openstreetmap.org",
      "{s}.openstreetmap.org", "c.tile.osm.org",
    ] {
      var job = FetchJob.small
      job.subdomains = ["www", "x", "tile"]
      job.url = "https://\(host)/{z}/{x}/{y}.png"
      let error = packError { try PackFetch(job, output: "/tmp/a.mbtiles", mayReplace: false) }
      #expect(error?.isMisuse == true)
      #expect(
        error?.reason.contains("https://operations.osmfoundation.org/policies/tiles/") == true,
        "\(host)")
    }
    for host in ["notile.openstreetmap.org.example", "tile.openstreetmap.org.example"] {
      #expect(TileServerPolicy.refusal(host: host) == nil)
    }
  }

  @Test(arguments: [
    "ftp://a.example/{z}/{x}/{y}.png", "/tiles/{z}/{x}/{y}.png", "https:///{z}/{x}/{y}",
    "https://a.example/{z}/{x}.png", "https://a.example/{s}/{z}/{x}/{y}",
    "https://a b.example/{z}/{x}/{y}", "https://%74ile.openstreetmap.org/{z}/{x}/{y}",
  ])
  func whatIsNoTemplateIsRefused(_ url: String) {
    var job = FetchJob.small
    job.url = url
    let error = packError { try PackFetch(job, output: "/tmp/a.mbtiles", mayReplace: false) }
    #expect(error?.isMisuse == true)
  }
}
