import Control
import Foundation
import TestSupport
import Testing

/// A configuration that is bad, at the start and while `waypostd` runs.
@Suite struct DaemonConfigurationTests {
  private static let bad = "[view]\nzom = 5\n"

  /// A good configuration, then `text`.
  private func configuration(_ folder: TemporaryFolder, and text: String = "") -> String {
    DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles) + text
  }

  /// The line of `text` that begins with `start`, counted from 1.
  private func line(of start: String, in text: String) -> Int {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.firstIndex { $0.hasPrefix(start) } ?? -1) + 1
  }

  @Test func aBadOneEndsTheStartWith78() throws {
    let folder = try TemporaryFolder()
    let text = configuration(folder, and: "zoom = 4\n")
    try folder.write(text, to: "waypost.toml")
    let outcome = try DaemonProcess.start(folder).outcome()
    #expect(outcome.status == 78)
    let line = line(of: "zoom = 4", in: text)
    #expect(outcome.errors.contains("\(folder["waypost.toml"]):\(line): error: "))
    #expect(access(folder["s"], F_OK) != 0)
  }

  @Test(arguments: ["zoom = 4\n", "\n[[[\n"])
  func keptGoingTheLastGoodOneIsShown(_ mistake: String) throws {
    let folder = try TemporaryFolder()
    let good = configuration(folder)
    try folder.write(good, to: "waypost.toml")
    let daemon = try DaemonProcess(folder, ["--keep-going"])
    #expect(try daemon.connect().health("configuration") == nil)
    try daemon.connect().settled()
    let plain = try daemon.connect().call(Screenshot.self, ScreenshotParams()).png()
    #expect(daemon.end() == 0)

    try folder.write(good + mistake, to: "waypost.toml")
    try daemon.restart(["--keep-going"])
    let client = try daemon.connect()
    #expect(try client.settled().missing == 0)
    #expect(try client.call(Status.self, NoParams()).source?.name == "osm")
    let health = try client.health("configuration")
    #expect(health?.state == "error")
    #expect(health?.detail?.contains("\(folder["waypost.toml"]):") == true)
    #expect(health?.detail?.contains("last good configuration") == true)

    // The reason stands on the screen, too.
    let isTold = try client.call(Screenshot.self, ScreenshotParams()).png() != plain
    #expect(isTold)

    // Mended, it is taken over, and all is well.
    try folder.write(good, to: "waypost.toml")
    _ = try client.call(ConfigReload.self, NoParams())
    #expect(try client.health("configuration") == nil)
    try client.settled()
    let isPlain = try client.call(Screenshot.self, ScreenshotParams()).png() == plain
    #expect(isPlain)
  }

  @Test func thatNoCopyCanBeKeptIsTold() throws {
    let folder = try TemporaryFolder()
    try folder.write(configuration(folder), to: "waypost.toml")
    // A folder where the copy belongs.
    let copy = folder["state.json.last-good-configuration"]
    try FileManager.default.createDirectory(
      atPath: copy + "/a", withIntermediateDirectories: true)
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    let health = try client.health("last-good")
    #expect(health?.state == "warning")
    #expect(health?.detail?.contains("no copy of the configuration is kept") == true)
    try FileManager.default.removeItem(atPath: copy)
    _ = try client.call(ConfigReload.self, NoParams())
    #expect(try client.health("last-good") == nil)
  }

  @Test func keptGoingWithoutAGoodOneTheBundledMapIsShown() throws {
    let folder = try TemporaryFolder()
    try folder.write(configuration(folder, and: "zoom = 4\n"), to: "waypost.toml")
    let daemon = try DaemonProcess(folder, ["--keep-going"])
    let client = try daemon.connect()
    try client.settled()
    // Where a copy of this machine's own configuration lies, that is shown.
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/var/lib/waypost")
    let isCopyThere = (names ?? []).contains { $0.hasSuffix("last-good-configuration") }
    let name = try client.call(Status.self, NoParams()).source?.name
    #expect(name == "natural-earth" || isCopyThere)
    let health = try client.health("configuration")
    #expect(health?.state == "error")
    #expect(health?.detail?.contains("bundled map") == true || isCopyThere)
    #expect(health?.detail?.contains("\(folder["waypost.toml"]):") == true)
  }

  @Test func keptGoingOnTheBundledMapItServesWhereItAlwaysDid() throws {
    let folder = try TemporaryFolder()
    let inner = folder["a folder"]
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let text = configuration(folder, and: "zoom = 4\n").replacingOccurrences(
      of: "socket = \"\(folder["s"])\"", with: "socket = 'a folder/s' # here")
    try folder.write(text, to: "waypost.toml")
    let daemon = try DaemonProcess.start(folder, ["--keep-going"])
    let path = inner + "/s"
    #expect(
      waitUntil {
        daemon.hasEnded || (try? ControlConnection(path: path).call("version")) != nil
      })
    #expect(!daemon.hasEnded, "\(daemon.log)")
    #expect(try ControlConnection(path: path).health("configuration")?.state == "error")
  }

  @Test func keptGoingWithoutAFileAtAllItServesTheSocketItWasGiven() throws {
    let folder = try TemporaryFolder()
    let daemon = try DaemonProcess(folder, ["--keep-going", "--socket", folder["s"]])
    let health = try daemon.connect().health("configuration")
    #expect(health?.detail?.contains(folder["waypost.toml"]) == true)
  }

  @Test func aBadReloadIsRefusedWholeAndTheOldOneRuns() throws {
    let folder = try TemporaryFolder()
    let good = configuration(folder)
    try folder.write(good, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    let view = try client.call(ViewGet.self, NoParams())

    let bad =
      good + DaemonProcess.source("sparse", DaemonProcess.packs + "/sparse-folder")
      + "opaque = 1\nnight = 2\n"
    try folder.write(bad, to: "waypost.toml")
    let error = client.refusal("config.reload")
    #expect(error?.code == ControlError.fileRefused)
    let findings = (error?.data?["findings"]?.array ?? []).compactMap { $0.string }
    #expect(findings.count == 2)
    for (finding, key) in zip(findings, ["opaque", "night"]) {
      let line = line(of: key, in: bad)
      #expect(finding.hasPrefix("\(folder["waypost.toml"]):\(line): error: "))
      #expect(finding.contains(key))
    }
    #expect(try client.source("sparse") == nil)
    #expect(try client.call(ViewGet.self, NoParams()) == view)
    #expect(try client.settled().missing == 0)
    #expect(try client.health("configuration")?.state == "error")
    // Each error is told once: the first one as the health's.
    #expect(waitUntil { daemon.program.log.contains(" configuration: ") })
    for key in ["opaque", "night"] {
      let place = "waypost.toml:\(line(of: key, in: bad)): error: "
      #expect(daemon.program.log.components(separatedBy: place).count == 2, "\(key)")
    }

    try folder.write(good, to: "waypost.toml")
    #expect(try client.call(ConfigReload.self, NoParams()).warnings.isEmpty)
    #expect(try client.health("configuration") == nil)
    #expect(waitUntil { daemon.program.log.contains(" configuration: well again") })
  }

  @Test func aBadReloadLeavesTheLastGoodCopy() throws {
    let folder = try TemporaryFolder()
    try folder.write(configuration(folder), to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    try folder.write(configuration(folder, and: "nonsense = 4\n"), to: "waypost.toml")
    let error = try daemon.connect().refusal("config.reload")
    #expect(error?.code == ControlError.fileRefused)
    #expect(daemon.end(SIGKILL) == -SIGKILL)
    // Started on the bad one, it falls back on the copy of the one before.
    try daemon.restart(["--keep-going"])
    let client = try daemon.connect()
    #expect(try client.call(Status.self, NoParams()).source?.name == "osm")
    let detail = try client.health("configuration")?.detail
    #expect(detail?.contains("last good configuration") == true, "\(detail ?? "none")")
  }

  @Test func hangingUpReadsItAgain() throws {
    let folder = try TemporaryFolder()
    let good = configuration(folder)
    try folder.write(good, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.health]))

    try folder.write(good + "opaque = 1\n", to: "waypost.toml")
    kill(daemon.pid, SIGHUP)
    let event = try client.event(.health) { event in
      event["health"]?.array?.contains { $0["what"] == "configuration" } == true
    }
    #expect(event != nil)
    #expect(!daemon.program.hasEnded)
    #expect(try client.source("osm") != nil)

    try folder.write(
      good + DaemonProcess.source("sparse", DaemonProcess.packs + "/sparse-folder"),
      to: "waypost.toml")
    kill(daemon.pid, SIGHUP)
    #expect(try waitUntil { try client.source("sparse") != nil })
    #expect(try client.health("configuration") == nil)
  }

  @Test func newRootsAreTakenOverAtOnceAndAnotherSocketIsNot() throws {
    let folder = try TemporaryFolder()
    let good = configuration(folder)
    try folder.write(good, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    for (key, count) in [("roots = [\"/srv\"]", 0), ("max_clients = 7", 1)] {
      let new = good.replacingOccurrences(of: "[control]", with: "[control]\n\(key)")
      try folder.write(new, to: "waypost.toml")
      let answer = try client.call("config.reload", [:])
      #expect(answer["warnings"]?.array?.count == count, "\(key): \(answer)")
    }
  }

  @Test func aGoodReloadIsTakenOverAndWhatWasAddedStays() throws {
    let folder = try TemporaryFolder()
    let good = configuration(folder)
    try folder.write(good, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    let added = try client.call(
      "source.add", ["name": "mine", "path": .string(DaemonProcess.packs + "/world_l1.mbtiles")])
    #expect(added["healthy"] == true)
    _ = try client.call(ViewSet.self, ViewSetParams(lat: 10, lon: 20, zoom: 6))

    let new =
      good.replacingOccurrences(of: "400x300", with: "320x240")
      .replacingOccurrences(of: "[control]", with: "max_zoom = 5.5\n[control]")
      + DaemonProcess.source("sparse", DaemonProcess.packs + "/sparse-folder")
    try folder.write(new, to: "waypost.toml")
    _ = try client.call(ConfigReload.self, NoParams())
    let names = try client.call(SourceListMethod.self, NoParams()).elements.map(\.name)
    #expect(names == ["osm", "sparse", "mine"])
    let view = try client.call(ViewGet.self, NoParams())
    #expect([view.lat, view.lon, view.zoom, view.width] == [10, 20, 5.5, 320])
    try client.settled()
    let picture = try client.call(Screenshot.self, ScreenshotParams())
    #expect(picture.width == 320)
    #expect(picture.height == 240)
    _ = try client.call("source.use", ["name": "mine"])
    try client.settled()
    #expect(try client.source("mine")?.healthy == true)
  }

  @Test(arguments: [false, true])
  func whatWasAddedOutlastsARestartIfTheStateSaysSo(_ isKept: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder, state: "keep_added = \(isKept)")
        + DaemonProcess.source("osm", DaemonProcess.tiles), to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let path = JSON.string(DaemonProcess.packs + "/world_l1.mbtiles")
    _ = try daemon.connect().call("source.add", ["name": "mine", "path": path])
    _ = try daemon.connect().call("source.add", ["path": path])
    #expect(daemon.end() == 0)
    try daemon.restart()
    let client = try daemon.connect()
    for name in ["mine", "world_l1"] {
      #expect(try (client.source(name) != nil) == isKept, "\(name)")
      if !isKept { continue }
      // It can be opened, though it lies below none of the roots.
      _ = try client.call("source.use", ["name": .string(name)])
      #expect(try client.source(name)?.healthy == true, "\(name)")
    }
  }
}
