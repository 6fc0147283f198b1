import Control
import Foundation
import TestSupport
import Testing

/// A source that is a program of somebody else: the one in `Examples`.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
    "skipped: python3 is not installed"))
struct ProviderProgramTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Starts the example on the tiles of the tests.
  private func startProvider(_ folder: TemporaryFolder) throws -> RunningProgram {
    let program = try Program(path: "/usr/bin/python3").start(
      [Self.root + "/Examples/provider.py", folder["p"], DaemonProcess.tiles])
    return program
  }

  /// A daemon with the same tiles from a folder and from the provider at `p` in `folder`.
  private func start(_ folder: TemporaryFolder) throws -> DaemonProcess {
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles)
        + "[[source]]\nname = \"provided\"\nprovider = \"\(folder["p"])\"\n", to: "waypost.toml")
    return try DaemonProcess(folder)
  }

  private func picture(_ client: ControlConnection) throws -> String {
    try client.settled()
    return try client.call(Screenshot.self, ScreenshotParams()).base64
  }

  @Test func theExampleGivesTheMapThatItsFolderGives() throws {
    let folder = try TemporaryFolder()
    let provider = try startProvider(folder)
    #expect(waitUntil { FileManager.default.fileExists(atPath: folder["p"]) || provider.hasEnded })
    let daemon = try start(folder)
    let client = try daemon.connect()
    let map = try picture(client)
    _ = try client.call("source.use", ["name": "provided"])
    // Once the name of the source is no longer shown.
    #expect(try waitUntil { try picture(client) == map })
    let source = try client.source("provided")
    #expect(source?.healthy == true)
    #expect(try client.call(Status.self, NoParams()).health.isEmpty)
    #expect(!provider.hasEnded)
  }

  @Test func aProviderThatStartsLateOrAgainIsUsed() throws {
    let folder = try TemporaryFolder()
    let daemon = try start(folder)
    let client = try daemon.connect()
    let map = try picture(client)
    let refusal = client.refusal("source.use", ["name": "provided"])
    #expect(refusal?.code == ControlError.fileRefused)
    #expect(refusal?.message.contains("there is no provider") == true)
    for _ in 0..<2 {
      let provider = try startProvider(folder)
      #expect(
        try waitUntil {
          _ = try? client.call("source.use", ["name": "provided"])
          return try client.source("provided")?.active == true
        })
      #expect(try waitUntil { try picture(client) == map })
      #expect(try client.call(Status.self, NoParams()).health.isEmpty)
      kill(provider.pid, SIGKILL)
      #expect(waitUntil { provider.hasEnded })
      // What it does not deliver is asked for again, from the next one.
      _ = try client.call("view.set", ["lat": -40, "lon": 100])
      #expect(try waitUntil { try !client.call(Status.self, NoParams()).health.isEmpty })
      _ = try client.call("view.set", ["lat": 40.98, "lon": 11.25])
      _ = try client.call("cache.clear")
    }
    let provider = try startProvider(folder)
    #expect(try waitUntil { try picture(client) == map })
    #expect(try waitUntil { try client.call(Status.self, NoParams()).health.isEmpty })
    #expect(!provider.hasEnded)
    // Without it the other map goes on.
    _ = try client.call("source.use", ["name": "osm"])
    #expect(try waitUntil { try picture(client) == map })
  }

  @Test func theCheckOfTheConfigurationTellsWhetherItIsThere() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder)
        + "[[source]]\nname = \"provided\"\nprovider = \"\(folder["p"])\"\n", to: "waypost.toml")
    let waypostd = try Program.built("waypostd")
    let words = ["--config", folder["waypost.toml"], "--check-config"]
    let without = try waypostd.run(words)
    // It may start later.
    #expect(without.status == 0)
    #expect(without.text.contains("warning") && without.text.contains("there is no provider"))
    let provider = try startProvider(folder)
    #expect(waitUntil { FileManager.default.fileExists(atPath: folder["p"]) || provider.hasEnded })
    let with = try waypostd.run(words)
    #expect(with.status == 0 && !with.text.contains("there is no provider"))
  }
}
