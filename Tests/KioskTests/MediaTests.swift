import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Packs below a watched folder become sources, and go when they go.
@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct MediaTests: MediaCase {
  @Test(arguments: PackFormat.allCases)
  func aPackThatAppearsIsASourceAndLeavesTheMapAlone(_ format: PackFormat) throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    let events = record(bench)
    try prepare(folder, "maps/topo.\(format)")
    try plug(folder)
    #expect(bench.run { events() == ["topo added"] })
    quiet(bench)
    #expect(names(bench) == ["own", "topo"])
    #expect(bench.kiosk.sourceCount(of: .medium) == 1)
    #expect(colors(bench) == [red])
    #expect(bench.kiosk.step(by: 1))
    try bench.settle()
    #expect(colors(bench) == [blue])
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func itIsShownWhereThereIsNoOtherMap() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder, isAlone: true)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { colors(bench).contains(blue) })
    #expect(bench.kiosk.activeSource == "topo")
    quiet(bench)
    let before = bench.kiosk.goal
    pull(folder)
    #expect(bench.run { bench.kiosk.activeSource == nil })
    #expect(bench.kiosk.goal == before)
    quiet(bench)
    #expect(!colors(bench).contains(blue))
    try plug(folder)
    #expect(bench.run { colors(bench).contains(blue) })
    #expect(bench.kiosk.goal == before)
  }

  @Test func theMapFallsBackAndComesBackWithTheMediumWhileTheViewStays() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench).count == 2 })
    quiet(bench)
    #expect(bench.kiosk.use("topo"))
    try bench.show(GeoPoint(lat: 10, lon: 20), 4)
    let view = bench.kiosk.goal
    let events = record(bench)
    pull(folder)
    #expect(bench.run { colors(bench) == [red] })
    quiet(bench)
    #expect(names(bench) == ["own"])
    try plug(folder)
    #expect(bench.run { colors(bench) == [blue] })
    quiet(bench)
    #expect(events() == ["own used", "topo removed", "topo added", "topo used"])
    #expect(bench.kiosk.goal == view)
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func whoChoosesAnotherSourceMeanwhileKeepsIt() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench).count == 2 })
    #expect(bench.kiosk.use("topo"))
    try bench.settle()
    pull(folder)
    #expect(bench.run { bench.kiosk.activeSource == "own" })
    #expect(bench.kiosk.use("own"))
    try plug(folder)
    #expect(bench.run { bench.kiosk.entry("topo")?.info != nil })
    quiet(bench)
    #expect(bench.kiosk.activeSource == "own")
    #expect(colors(bench) == [red])
  }

  @Test func itIsShownAgainAfterARestart() throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    try plug(folder)
    let state = folder["state.json"]
    try write(red, .mbtiles, to: folder["own.mbtiles"])
    func start() throws -> Bench {
      let bench = try Bench([spec(folder["own.mbtiles"], "own")], width: 640, height: 400) {
        $0.media.watch = [folder["media"]]
        $0.state.path = state
        $0.state.writeEvery = 0.1
      }
      bench.kiosk.restoreState()
      #expect(bench.run { bench.kiosk.entry("topo")?.info != nil })
      quiet(bench)
      return bench
    }
    let first = try start()
    #expect(first.kiosk.activeSource == "own")
    #expect(first.kiosk.use("topo"))
    try first.settle()
    first.kiosk.saveState()
    let second = try start()
    #expect(second.run { second.kiosk.activeSource == "topo" })
    // Also where the medium was away in between.
    pull(folder)
    #expect(second.run { second.kiosk.activeSource == "own" })
    second.kiosk.saveState()
    try plug(folder)
    let third = try start()
    #expect(third.run { third.kiosk.activeSource == "topo" })
    // But not where another source was chosen, be it the one that was shown in its place.
    pull(folder)
    #expect(third.run { third.kiosk.activeSource == "own" })
    third.kiosk.saveState()
    #expect(third.kiosk.use("own"))
    #expect(
      third.run {
        let saved = try? String(contentsOfFile: state, encoding: .utf8)
        return saved?.contains("\"medium\"") == false
      })
    try plug(folder)
    let fourth = try start()
    #expect(fourth.kiosk.activeSource == "own")
  }

  @Test func aNameThatIsTakenGetsTheFoldersAndAPackKeepsItsOwn() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    for medium in ["a", "b"] {
      try prepare(folder, "topo.pmtiles", on: medium)
      try prepare(folder, "own.pmtiles", on: medium)
    }
    try plug(folder, "a")
    #expect(bench.run { names(bench) == ["own", "a/own", "topo"] })
    try plug(folder, "b")
    #expect(bench.run { names(bench) == ["own", "a/own", "topo", "b/own", "b/topo"] })
    quiet(bench)
    // The other one stays what it is, and the first is the same again.
    pull(folder, "a")
    #expect(bench.run { names(bench) == ["own", "b/own", "b/topo"] })
    try plug(folder, "a")
    #expect(bench.run { names(bench) == ["own", "b/own", "b/topo", "a/own", "topo"] })
  }

  @Test func hiddenFilesLinksAndDeepFoldersAreNotSearched() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    for name in [
      "._topo.pmtiles", ".Trash-0/a.pmtiles", "$RECYCLE.BIN/$R1.pmtiles", "1/2/3/deep.pmtiles",
      "1/2/here.pmtiles",
    ] {
      try prepare(folder, name)
    }
    let target = folder["own.mbtiles"]
    #expect(symlink(target, folder["drawer/stick/link.mbtiles"]) == 0)
    #expect(symlink(folder.path, folder["drawer/stick/all"]) == 0)
    try plug(folder)
    #expect(bench.run { names(bench).count > 1 })
    quiet(bench)
    #expect(names(bench) == ["own", "here"])
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func aReloadWatchesOtherFolders() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    try prepare(folder, "other.pmtiles", on: "card")
    var configuration = bench.kiosk.configuration
    configuration.media.watch = [folder["drawer"]]
    bench.kiosk.apply(configuration)
    #expect(bench.run { names(bench) == ["own", "other"] })
    configuration.media.watch = []
    bench.kiosk.apply(configuration)
    #expect(bench.run { names(bench) == ["own"] })
  }

  @Test func itIsOpenedBeneathTheWatchedFolderWhateverTheRootsAre() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    quiet(bench)
    var configuration = bench.kiosk.configuration
    configuration.control.roots = ["/nowhere"]
    bench.kiosk.apply(configuration)
    quiet(bench)
    let entry = try #require(bench.kiosk.entry("topo"))
    #expect(entry.info != nil)
    #expect(entry.spec.trust == .beneath([folder["media"]]))
  }

  @Test func aPackBelowTwoWatchedFoldersIsOneSource() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    var configuration = bench.kiosk.configuration
    configuration.media.watch = [folder["media"], folder["media/stick"]]
    bench.kiosk.apply(configuration)
    quiet(bench)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { bench.kiosk.entry("topo")?.info != nil })
    quiet(bench)
    #expect(names(bench) == ["own", "topo"])
    pull(folder)
    #expect(bench.run { names(bench) == ["own"] })
  }

  @Test func oneThatIsRemovedByHandComesBackWithItsMediumOnly() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    quiet(bench)
    bench.kiosk.removeSource("topo")
    try prepare(folder, "more.pmtiles", on: "card")
    try plug(folder, "card")
    #expect(bench.run { names(bench) == ["own", "more"] })
    pull(folder)
    quiet(bench)
    #expect(bench.run { !bench.kiosk.media.packs.contains { $0.path.hasSuffix("topo.pmtiles") } })
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "more", "topo"] })
  }

  @Test func noMorePacksAreTakenThanTheLimit() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder, "0.pmtiles")
    for number in 1..<MediaSearch.mostPacks + 3 {
      try FileManager.default.copyItem(
        atPath: folder["drawer/stick/0.pmtiles"], toPath: folder["drawer/stick/\(number).pmtiles"])
    }
    try plug(folder)
    #expect(bench.run { bench.kiosk.sourceCount(of: .medium) == MediaSearch.mostPacks })
    quiet(bench)
    #expect(trouble(bench)?.contains("64 packs") == true)
    pull(folder)
    #expect(bench.run { names(bench) == ["own"] && trouble(bench) == nil })
  }

  @Test func whileNothingChangesNothingRuns() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    quiet(bench)
    bench.drain()
    // A pack that was opened is on trial for three seconds, but not here: there is no list.
    #expect(!bench.isWoken(within: 1_000_000_000))
  }
}
