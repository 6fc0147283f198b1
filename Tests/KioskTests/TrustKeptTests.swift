import Configuration
import Control
import Foundation
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Which files a layer may lead to is kept with it: over a restart, a reload, and at every opening.
@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct TrustKeptTests {
  /// The root, and what lies outside it.
  private let (inside, outside): (TemporaryFolder, TemporaryFolder)

  init() throws {
    (inside, outside) = (try TemporaryFolder(), try TemporaryFolder())
    let tiles = try TilePacks.tiles(of: MosaicTests.small)
    for folder in [inside, outside] {
      for name in ["plain", "named"] {
        try TilePacks.writeMBTiles(tiles, to: folder["\(name).mbtiles"])
      }
    }
  }

  private static func square(_ color: String) -> String {
    #"{"type":"Feature","properties":{"fill":"\#(color)","fill-opacity":1,"stroke-opacity":0},"#
      + #""geometry":{"type":"Polygon","coordinates":"#
      + "[[[-40,-40],[40,-40],[40,40],[-40,40],[-40,-40]]]}}"
  }

  private func bench() throws -> Bench {
    let bench = try Bench([MosaicTests.spec(MosaicTests.small)], width: 400, height: 300) {
      $0.control.roots = [inside.path]
      $0.state.path = inside["state.json"]
      $0.state.keepAdded = true
    }
    try bench.settle()
    return bench
  }

  private var beneath: PathTrust { .beneath([inside.path]) }

  @Test func aRestoredSourceMayFallBackOnOneThatComesLaterAndWhatIsRefusedIsLogged() throws {
    let first = try bench().kiosk
    for name in ["world", "valley", "peak"] {
      _ = try first.addSource(
        ["name": .string(name), "path": .string(inside["plain.mbtiles"])], trusted: true)
    }
    _ = try first.addSource(
      ["name": "valley", "path": .string(inside["plain.mbtiles"]), "fallback": "world"],
      trusted: true)
    // As a medium that is not there after the restart.
    first.removeSource("world")
    first.saveState()
    let second = try bench().kiosk
    second.configuration.sources.append(
      SourceSpec(name: "world", location: .path(inside["named.mbtiles"])))
    second.restoreState()
    #expect(second.entry("valley")?.spec.fallback == "world")
    #expect(second.entry("peak") != nil)
    let spec = second.savedState
    #expect(spec.added.compactMap { $0["name"]?.string } == ["valley", "peak"])
    // A state that somebody edited.
    let third = try bench().kiosk
    var state = spec
    state.added.insert(["name": "odd", "path": "a.mbtiles", "opacity": 7], at: 0)
    try StateFile.write(state.file().bytes, to: inside["state.json"])
    var lines: [String] = []
    third.onLog = { lines.append("\($0): \($1)") }
    third.restoreState()
    #expect(third.entry("valley") != nil && third.entry("odd") == nil)
    #expect(lines.contains { $0.hasPrefix("warning: state: source odd is not restored: ") })
  }

  @Test func sourcesKeepTheirTrustOverARestartNamedOrNot() throws {
    let first = try bench().kiosk
    for (name, folder) in [("plain", outside), ("named", inside)] {
      _ = try first.addSource(
        ["path": .string(folder["\(name).mbtiles"])], trusted: name == "plain")
    }
    for (name, folder) in [("free", outside), ("kept", inside)] {
      _ = try first.addSource(
        ["name": .string(name), "path": .string(folder["named.mbtiles"])], trusted: name == "free")
    }
    first.saveState()

    let second = try bench()
    second.kiosk.restoreState()
    let expected: [String: PathTrust] = [
      "plain": .anywhere, "free": .anywhere, "named": beneath, "kept": beneath,
    ]
    for (name, trust) in expected {
      #expect(second.kiosk.entry(name)?.spec.trust == trust, "\(name)")
      #expect(second.kiosk.use(name))
      try second.settle()
      #expect(second.kiosk.entry(name)?.info != nil, "\(name)")
    }
  }

  @Test func overlaysKeepTheirTrustOverARestartNamedOrNot() throws {
    let first = try bench().kiosk
    let free = try outside.write(Self.square("#ff0000"), to: "free.geojson")
    let kept = try inside.write(Self.square("#ff0000"), to: "kept.geojson")
    _ = try first.addOverlay(["path": .string(free)], trusted: true)
    _ = try first.addOverlay(["path": .string(kept)], trusted: false)
    _ = try first.addOverlay(["name": "a", "path": .string(free)], trusted: true)
    _ = try first.addOverlay(["name": "b", "path": .string(kept)], trusted: false)
    first.saveState()

    let second = try bench()
    second.kiosk.restoreState()
    #expect(second.kiosk.overlays.map(\.name) == ["free", "kept", "a", "b"])
    #expect(second.kiosk.overlays.map(\.spec.trust) == [.anywhere, beneath, .anywhere, beneath])
    try second.settle()
    for entry in second.kiosk.overlays { #expect(entry.info != nil, "\(entry.name)") }
  }

  @Test func anOverlaySwappedForALinkOutLeavesThePictureAndSaysWhy() throws {
    let bench = try bench()
    let secret = try outside.write(Self.square("#0000ff"), to: "secret.geojson")
    let path = try inside.write(Self.square("#ff0000"), to: "area.geojson")
    _ = try bench.kiosk.addOverlay(["path": .string(path)], trusted: false)
    try bench.settle()
    #expect(bench.panel()[200, 150] == 0xffff_0000)
    symlink(secret, path + ".link")
    #expect(rename(path + ".link", path) == 0)
    var seen: Set<UInt32> = []
    #expect(
      bench.run {
        seen.insert(bench.panel()[200, 150])
        return bench.kiosk.health.entries.contains { $0.detail.contains("leads out of") }
      })
    #expect(seen == [0xffff_0000])
  }

  /// Whether the source could not be opened because it leads out.
  private func leadsOut(_ state: SourceEntry.State?) -> Bool {
    if case .failed(let error) = state { return error.reason.contains("leads out of") }
    return false
  }

  @Test func narrowedRootsHoldForWhatIsThereAlready() throws {
    let bench = try bench()
    let area = try inside.write(Self.square("#ff0000"), to: "area.geojson")
    _ = try bench.kiosk.addOverlay(["path": .string(area)], trusted: false)
    let free = try outside.write(Self.square("#ff0000"), to: "free.geojson")
    _ = try bench.kiosk.addOverlay(["path": .string(free)], trusted: true)
    _ = try bench.kiosk.addSource(["path": .string(inside["named.mbtiles"])], trusted: false)
    _ = try bench.kiosk.addSource(["path": .string(outside["plain.mbtiles"])], trusted: true)
    for name in ["plain", "named"] {
      #expect(bench.kiosk.use(name))
      try bench.settle()
    }
    var new = bench.kiosk.configuration
    new.view.maxZoom = 7
    let index = bench.kiosk.entry("named")?.index
    bench.kiosk.apply(new)
    #expect(bench.kiosk.entry("named")?.info != nil, "the roots are the same")

    new.control.roots = [outside.path]
    bench.kiosk.apply(new)
    #expect(
      bench.run {
        leadsOut(bench.kiosk.entry("named")?.state) && bench.kiosk.overlays[0].error != nil
      })
    #expect(bench.kiosk.overlays[0].error?.contains("leads out of") == true)
    #expect(bench.kiosk.entry("named")?.index == index)
    #expect(bench.kiosk.entry("plain")?.info != nil && bench.kiosk.overlays[1].info != nil)

    new.control.roots = [inside.path]
    bench.kiosk.apply(new)
    #expect(
      bench.run {
        bench.kiosk.entry("named")?.info != nil && bench.kiosk.overlays[0].info != nil
      })
  }
}
