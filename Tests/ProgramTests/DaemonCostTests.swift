import Control
import Foundation
import TestSupport
import Testing

/// What `waypostd` costs: nothing while nothing happens, and memory within its bounds.
@Suite struct DaemonCostTests {
  /// Context switches of every thread of `pid`, by thread (proc_pid_status(5)).
  private func switches(_ pid: pid_t) throws -> [String: [String]] {
    let tasks = "/proc/\(pid)/task"
    var found: [String: [String]] = [:]
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      let text = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
      found[task] = text.split(separator: "\n").map { String($0) }
        .filter { $0.contains("ctxt_switches") }
    }
    return found
  }

  /// What went on before the rest.
  enum Before: CaseIterable {
    case start, movement, stateWritten, brokenSource, brokenTiles
  }

  @Test(
    .enabled(if: !isEmulated, "skipped under emulation: the emulator's own threads wake"),
    arguments: Before.allCases)
  func atRestNoThreadRuns(_ before: Before) throws {
    let folder = try TemporaryFolder()
    let every = before == .stateWritten ? "100ms" : "1h"
    try folder.write(
      DaemonProcess.head(folder, state: "write_every = \"\(every)\"")
        + DaemonProcess.source("osm", DaemonProcess.tiles)
        + DaemonProcess.source("bad", DaemonProcess.packs + "/corrupt.mbtiles")
        + DaemonProcess.source("lfs", DaemonProcess.packs + "/lfs-folder")
        // A toast goes by itself, which is a wake-up.
        + "[hud]\ntoasts = false\n"
        + "[media]\nwatch = [\"/media\", \"\(folder["media"])\"]\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    switch before {
    case .start: break
    case .movement: _ = try client.call("view.pan", ["direction": "left", "animate": true])
    case .stateWritten:
      _ = try client.call("view.set", ["lat": 42])
      let state = folder["state.json"]
      #expect(waitUntil { access(state, F_OK) == 0 })
    case .brokenSource: #expect(try client.call("source.next")["name"] == "bad")
    case .brokenTiles:
      _ = try client.call("source.use", ["name": "lfs"])
      _ = try client.call("view.set", ["lat": 52.5, "lon": 5.625])
    }
    try client.settled()
    // What lies around the view is loaded ahead. The rule is about a time: once that is done, five
    // seconds pass without a switch of any thread.
    var last = try switches(daemon.pid)
    let isAtRest = try waitUntil {
      sleep(5)
      let now = try switches(daemon.pid)
      defer { last = now }
      return now == last
    }
    #expect(isAtRest)
    #expect(last.count > 1)
    for counts in last.values { #expect(counts.count == 2) }
    #expect(try client.call(Status.self, NoParams()).pid == Int(daemon.pid))
  }

  /// The proportional set size of `pid` in bytes.
  private func proportionalSize(_ pid: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Pss:") })
    let words = line.split(separator: " ")
    return try #require(Int(words[1])) * 1024
  }

  @Test(.enabled(if: !isEmulated, "skipped under emulation: the emulator's memory counts too"))
  func itsMemoryIsCacheDisplayAndAtMost24MiB() throws {
    let daemon = try DaemonProcess(
      sources: [("osm", DaemonProcess.tiles), ("sparse", DaemonProcess.packs + "/sparse-folder")])
    let client = try daemon.connect()
    for i in 0..<50 {
      _ = try client.call(
        ViewSet.self,
        ViewSetParams(
          lat: Double(i % 7) * 8 - 20, lon: Double(i % 11) * 9 - 45, zoom: 2 + Double(i % 9) / 2,
          bearing: i % 10 == 5 ? 30 : 0))
      if i % 10 == 9 { _ = try client.call("source.next") }
      try client.settled()
      if i % 10 == 0 { _ = try client.call(Screenshot.self, ScreenshotParams()) }
    }
    let memory = try client.call(Stats.self, NoParams()).memory
    let size = try proportionalSize(daemon.pid)
    let cache = try #require(memory.first { $0.owner == "cache" }?.bytes)
    let display = try #require(memory.first { $0.owner == "display" }?.bytes)
    #expect(cache > 0)
    #expect(display >= 400 * 300 * 4)
    #expect(size - cache - display <= 24 << 20, "\(size) with \(memory)")
  }
}
