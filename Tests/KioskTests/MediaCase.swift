import Configuration
import EventLoop
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

final class RecordedEvents {
  var all: [String] = []
}

/// What the tests of packs on media share: a kiosk that watches a folder, and media that come and
/// go there as folders.
protocol MediaCase: PackCase {}

extension MediaCase {
  /// A kiosk that shows a red map of its own and watches `media` in the folder.
  func bench(_ folder: TemporaryFolder, isAlone: Bool = false) throws -> Bench {
    try write(red, .mbtiles, to: folder["own.mbtiles"])
    let bench = try Bench(
      isAlone ? [] : [spec(folder["own.mbtiles"], "own")], width: 640, height: 400
    ) {
      $0.media.watch = [folder["media"]]
      if isAlone {
        $0.view.center = nil
        $0.view.zoom = nil
      }
    }
    if !isAlone { try bench.show(GeoPoint(lat: 0, lon: 0), 3) }
    quiet(bench)
    return bench
  }

  /// Writes a blue pack to a medium that is not plugged in yet.
  func prepare(
    _ folder: TemporaryFolder, _ name: String = "topo.pmtiles", color: UInt32? = nil,
    on medium: String = "stick"
  ) throws {
    let path = folder["drawer/\(medium)/\(name)"]
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try write(color ?? blue, name.hasSuffix(".mbtiles") ? .mbtiles : .pmtiles, to: path)
  }

  /// The medium appears whole.
  func plug(_ folder: TemporaryFolder, _ medium: String = "stick") throws {
    if access(folder["media"], F_OK) != 0 { #expect(mkdir(folder["media"], 0o755) == 0) }
    #expect(rename(folder["drawer/\(medium)"], folder["media/\(medium)"]) == 0)
  }

  /// The medium goes.
  func pull(_ folder: TemporaryFolder, _ medium: String = "stick") {
    #expect(rename(folder["media/\(medium)"], folder["drawer/\(medium)"]) == 0)
  }

  /// Runs the loop until nothing is searched, looked at or loaded.
  func quiet(_ bench: Bench) {
    #expect(
      bench.run {
        bench.kiosk.media.isQuiet && bench.kiosk.pipeline.loader.isIdle
          && bench.kiosk.book.files.isQuiet && !bench.kiosk.book.isReplacing
      })
  }

  func names(_ bench: Bench) -> [String] { bench.kiosk.sources.map(\.name) }

  /// What the health says of media.
  func trouble(_ bench: Bench) -> String? {
    bench.kiosk.health.entries.first { $0.what == "media" }?.detail
  }

  /// Every event of a source since now: "topo added".
  func record(_ bench: Bench) -> () -> [String] {
    let events = RecordedEvents()
    bench.kiosk.onEvent = {
      if case .source(let name, let change) = $0 { events.all.append("\(name) \(change)") }
    }
    return { events.all }
  }
}
