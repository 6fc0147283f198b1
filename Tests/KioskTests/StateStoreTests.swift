import Configuration
import Control
import EventLoop
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Kiosk

/// The state that outlasts a restart.
@Suite struct StateStoreTests {
  private func store(_ folder: TemporaryFolder, _ outbox: Outbox) throws -> StateStore {
    var settings = Configuration().state
    settings.path = folder["state.json"]
    return StateStore(settings, loop: try EventLoop(), outbox: outbox)
  }

  private let view = SavedState(lat: 1, lon: 2, zoom: 3, bearing: 4, source: "a")

  @Test func aStateThatDidNotChangeIsNotWrittenAgain() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, Outbox())
    store.save(view)
    store.finish()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
    try FileManager.default.removeItem(atPath: folder["state.json"])
    store.save(view)
    store.finish()
    #expect(!FileManager.default.fileExists(atPath: folder["state.json"]))
    var other = view
    other.zoom = 5
    store.save(other)
    store.finish()
    #expect(store.load() == other)
  }

  @Test func aLastStateThatCannotBeWrittenIsToldBeforeTheEnd() throws {
    let folder = try TemporaryFolder()
    let bench = try Bench([]) { $0.state.path = folder["gone/state.json"] }
    func detail() -> String? {
      bench.kiosk.health.entries.first { $0.what == "state" }?.detail
    }
    var told: [String] = []
    bench.kiosk.onEvent = { if case .health = $0, let text = detail() { told.append(text) } }
    // The loop does not run any more.
    bench.kiosk.saveState()
    #expect(told.count == 1 && told.first?.contains(folder["gone"]) == true, "\(told)")
    #expect(detail() == told.first)
  }

  @Test func anotherFileGetsTheStateAlthoughItDidNotChange() throws {
    let folder = try TemporaryFolder()
    let (loop, outbox) = (try EventLoop(), Outbox())
    var settings = Configuration().state
    settings.path = folder["state.json"]
    settings.writeEvery = 0.1
    let store = StateStore(settings, loop: loop, outbox: outbox)
    store.save(view)
    store.finish()
    settings.path = folder["other.json"]
    store.configure(settings)
    while !outbox.take(.stateDue) {
      try #require(loop.runOnce(timeout: 600_000_000_000), "nothing is due")
    }
    store.save(view)
    store.finish()
    #expect(try StateFile.read(folder["other.json"]) == view)
  }

  @Test func aStateThatChangesAllTheTimeIsDueAtMostEveryWriteEvery() throws {
    let folder = try TemporaryFolder()
    let (loop, outbox) = (try EventLoop(), Outbox())
    var settings = Configuration().state
    settings.path = folder["state.json"]
    settings.writeEvery = 0.2
    let store = StateStore(settings, loop: loop, outbox: outbox)
    var state = view
    var times: [UInt64] = []
    let end = EventLoop.now() + 600_000_000_000
    while times.count < 5 {
      try #require(EventLoop.now() < end, "it is never due")
      state.lat += 0.001
      store.changed()
      if outbox.take(.stateDue) {
        times.append(EventLoop.now())
        store.save(state)
        // What changes just after a write waits, too.
        store.changed()
      }
      loop.runOnce(timeout: 5_000_000)
    }
    for (before, after) in zip(times, times.dropFirst()) {
      #expect(after - before >= 200_000_000, "\((after - before) / 1_000_000) ms")
    }
    store.finish()
  }

  @Test(arguments: [-1.0, 31, 1e9]) func aSavedZoomThatCannotBeIsNotTaken(zoom: Double) throws {
    var json = try #require(view.json.object)
    #expect(SavedState(.object(json)) == view)
    json["zoom"] = .double(zoom)
    #expect(SavedState(.object(json)) == nil)
  }

  @Test func whatIsMoreThanIsReadBackIsLeftOutAndTold() throws {
    let folder = try TemporaryFolder()
    let outbox = Outbox()
    let store = try store(folder, outbox)
    var state = view
    let area = JSON.string(String(repeating: "x", count: 1 << 20))
    state.addedOverlays = (0..<20).map { ["name": .string("o\($0)"), "geojson": area] }
    state.markers = [["id": "m", "lat": 1, "lon": 1]]
    store.save(state)
    store.finish()
    let size = try Data(contentsOf: URL(fileURLWithPath: folder["state.json"])).count
    #expect(size <= SavedState.maxBytes)
    let back = try #require(store.load())
    #expect(back.lat == 1 && back.zoom == 3 && back.markers == state.markers)
    #expect(back.addedOverlays == Array(state.addedOverlays.prefix(back.addedOverlays.count)))
    #expect(back.addedOverlays.count >= 14)
    let note = outbox.takeNotes().last
    #expect(note?.what == "state")
    #expect(note?.detail?.contains("\(20 - back.addedOverlays.count) of 20 overlays") == true)
    // What is too much of one list leaves room for the others.
    (state.added, state.addedOverlays) = ([["name": "s", "path": .string("/a")], area], [])
    let cut = state.file(limit: 4096)
    #expect(cut.leftOut == ["1 of 2 sources"])
    #expect(StateFile.state(of: cut.bytes)?.markers == state.markers)
  }

  /// A medium whose writes hang until they are let go.
  private final class HangingMedium: Sendable {
    private let isLetGo = Mutex(false)
    private let writes = Mutex(0)
    /// The zooms that were written.
    let zooms = Mutex<[Double]>([])

    func letGo() { isLetGo.withLock { $0 = true } }

    /// How many writes were begun.
    var begun: Int { writes.withLock { $0 } }

    /// Were it on the loop, nobody would let it go.
    func write(_ bytes: [UInt8]) {
      writes.withLock { $0 += 1 }
      let end = EventLoop.now() + 20_000_000_000
      while !isLetGo.withLock({ $0 }), EventLoop.now() < end { usleep(1000) }
      let zoom = (try? JSON.parse(bytes))?["zoom"]?.double ?? -1
      zooms.withLock { $0.append(zoom) }
    }
  }

  @Test func aStateWhoseMediumHangsDoesNotHoldUpTheLoop() throws {
    let folder = try TemporaryFolder()
    var settings = Configuration().state
    settings.path = folder["state.json"]
    settings.writeEvery = 0.1
    let (loop, outbox, medium) = (try EventLoop(), Outbox(), HangingMedium())
    let store = StateStore(settings, loop: loop, outbox: outbox) { _, bytes in
      medium.write(bytes)
    }
    var state = view
    for zoom in [5.0, 6, 7, 8] {
      state.zoom = zoom
      store.save(state)
      while medium.begun == 0 { sched_yield() }
    }
    try #require(store.isWriting)
    #expect(medium.zooms.withLock { $0 } == [])
    // What found no room behind the write that hangs is due again.
    while !outbox.changes.contains(.stateDue) { loop.runOnce(timeout: 1_000_000_000) }
    #expect(outbox.takeNotes().last?.detail == StateStore.hanging)
    medium.letGo()
    store.finish()
    store.save(state)
    store.finish()
    #expect(!store.isWriting)
    #expect(medium.zooms.withLock { $0.last } == 8)
    #expect(outbox.takeNotes().allSatisfy { $0.detail == nil })
  }
}
