import Configuration
import EventLoop
import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing

@testable import Kiosk

/// What the start does with the last run's state where its medium fails.
@Suite struct RestoredStateTests {
  private let folder: TemporaryFolder
  private var path: String { folder["state.json"] }

  init() throws { folder = try TemporaryFolder() }

  private func bench() throws -> Bench {
    let path = path
    return try Bench([]) {
      $0.state.path = path
      $0.state.writeEvery = 0.1
    }
  }

  /// Writes the states of two views one after the other.
  private func save() throws {
    for zoom in [6.0, 7] {
      let state = SavedState(lat: 10, lon: 20, zoom: zoom, bearing: 0, source: "")
      try StateFile.write(state.file().bytes, to: path)
    }
  }

  @Test func aStateWhoseMediumHangsIsRestoredOnceItAnswersAndNotOverwrittenBefore() throws {
    try save()
    let before = try FileIO.read(path, limit: SavedState.maxBytes)
    let bench = try bench()
    let isLetGo = Gate(false)
    bench.kiosk.book.files.looks = FileLooks(
      stamp: {
        // Were it on the loop, nobody would let it go.
        let end = EventLoop.now() + 30_000_000_000
        while !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
        return FileStamp($0)
      }, resolve: { $0 })
    bench.kiosk.restoreState()
    bench.drain()
    let health = { bench.kiosk.health.entries.first { $0.what == "state" }?.detail }
    #expect(health() == StateStore.hanging)
    #expect(bench.kiosk.view.goal.zoom == 3)
    bench.kiosk.pan(dx: 10, dy: 0, animate: false)
    // As at the end of the program.
    bench.kiosk.saveState()
    #expect(try FileIO.read(path, limit: SavedState.maxBytes) == before)
    isLetGo.locked { $0 = true }
    #expect(bench.run { bench.kiosk.view.goal.zoom == 7 })
    bench.drain()
    #expect(health() == nil)
    bench.kiosk.saveState()
    #expect(try StateFile.read(path).zoom == 7)
  }

  @Test func aStateThatAnswersIsRestored() throws {
    try save()
    let bench = try bench()
    bench.kiosk.restoreState()
    #expect(bench.kiosk.view.goal.zoom == 7)
  }

  /// Were it not written, the next start would find no file, and begin anew.
  @Test func aStateThatCouldNotBePutBackIsWrittenAlthoughNothingChanges() throws {
    try save()
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
    // In the way of the link; as on a file system without links, or if another user's file.
    #expect(mkdir(folder["state.json.damaged.new"], 0o700) == 0)
    let bench = try bench()
    bench.kiosk.restoreState()
    #expect(bench.kiosk.view.goal.zoom == 6)
    #expect(access(path, F_OK) != 0)
    #expect(bench.run { access(path, F_OK) == 0 && !bench.kiosk.states.isWriting })
    #expect(try StateFile.read(path).zoom == 6)
  }
}
