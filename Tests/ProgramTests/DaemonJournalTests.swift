import Control
import Foundation
import TestSupport
import Testing

/// What the log says of problems that `status.health` shows: each when it comes, and when it ends.
@Suite struct DaemonJournalTests {
  /// Starts `waypostd` with a configuration of one source.
  private func daemon(
    _ folder: TemporaryFolder, _ arguments: [String] = [], also: String = "",
    _ edit: (String) -> String = { $0 }
  ) throws -> DaemonProcess {
    let head = edit(DaemonProcess.head(folder, state: "write_every = \"100ms\""))
    try folder.write(
      head + DaemonProcess.source("osm", DaemonProcess.tiles) + also, to: "waypost.toml")
    return try DaemonProcess(folder, arguments)
  }

  /// Waits for a line with all of `words`.
  private func logs(_ daemon: DaemonProcess, _ words: String...) -> Bool {
    waitUntil {
      daemon.program.log.split(separator: "\n").contains { line in
        words.allSatisfy { line.contains($0) }
      }
    }
  }

  @Test func aDamagedStateIsToldAndThatItIsWellAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"lat\": 91, \"lon\":", to: "state.json")
    let daemon = try daemon(folder)
    #expect(logs(daemon, " state: ", folder["state.json"], "damaged"), "\(daemon.program.log)")
    _ = try daemon.connect().call(ViewSet.self, ViewSetParams(lat: 10))
    #expect(logs(daemon, " state: well again"), "\(daemon.program.log)")
  }

  @Test func aStateThatCannotBeWrittenIsTold() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["gone"], withIntermediateDirectories: true)
    let daemon = try daemon(folder) {
      $0.replacingOccurrences(of: "/state.json", with: "/gone/state.json")
    }
    try daemon.connect().settled()
    try FileManager.default.removeItem(atPath: folder["gone"])
    _ = try daemon.connect().call(ViewSet.self, ViewSetParams(lat: 10))
    #expect(logs(daemon, " state: ", folder["gone"], "will not outlast"), "\(daemon.program.log)")
  }

  @Test func aStateThatCannotBeWrittenAtTheEndIsTold() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["gone"], withIntermediateDirectories: true)
    // Nothing is written before the end.
    let daemon = try daemon(folder) {
      $0.replacingOccurrences(of: "/state.json", with: "/gone/state.json")
        .replacingOccurrences(of: "100ms", with: "1h")
    }
    try daemon.connect().settled()
    try FileManager.default.removeItem(atPath: folder["gone"])
    _ = try daemon.connect().call(ViewSet.self, ViewSetParams(lat: 10))
    #expect(!daemon.program.log.contains(" state: "), "\(daemon.program.log)")
    #expect(daemon.end() == 0)
    #expect(logs(daemon, " state: ", folder["gone"], "will not outlast"), "\(daemon.program.log)")
  }

  @Test func aSourceThatFailsIsToldOnceAndThatItIsWellAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("late", folder["late.mbtiles"]),
      to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    func lines() -> [Substring] {
      daemon.program.log.split(separator: "\n").filter { $0.contains(" source late: ") }
    }
    #expect(logs(daemon, " source late: ", "No such file"), "\(daemon.program.log)")
    try put("world_l1.mbtiles", in: folder)
    #expect(logs(daemon, " source late: well again"), "\(daemon.program.log)")
    #expect(lines().count == 2, "\(daemon.program.log)")
  }

  @Test func aPackThatIsGoodAndBadAgainAndAgainIsCountedAndNotToldEachTime() throws {
    let folder = try TemporaryFolder()
    try put("world_l1.mbtiles", in: folder)
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("late", folder["late.mbtiles"]),
      to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    for _ in 0..<8 {
      try put("corrupt.mbtiles", in: folder)
      #expect(try waitUntil { try client.health("source late") != nil })
      try put("world_l1.mbtiles", in: folder)
      #expect(try waitUntil { try client.health("source late") == nil })
    }
    #expect(logs(daemon, " source late: ", "it comes and goes"), "\(daemon.program.log)")
    #expect(daemon.end() == 0)
    let lines = daemon.program.log.split(separator: "\n").filter { $0.contains(" source late: ") }
    #expect(lines.count < 10, "\(daemon.program.log)")
  }

  /// Puts a pack in the place of `late.mbtiles` in one step.
  private func put(_ name: String, in folder: TemporaryFolder) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: DaemonProcess.packs + "/" + name))
    try bytes.write(to: URL(fileURLWithPath: folder["new"]))
    #expect(rename(folder["new"], folder["late.mbtiles"]) == 0)
  }

  @Test func aCacheBelowItsFloorIsTold() throws {
    let folder = try TemporaryFolder()
    let daemon = try daemon(folder, also: "[cache]\nmemory = \"1MiB\"\n")
    #expect(logs(daemon, " cache: the tile cache was to have 1 MiB; "), "\(daemon.program.log)")
  }

  @Test func aProblemOfTheStartIsToldOnce() throws {
    let folder = try TemporaryFolder()
    let daemon = try daemon(
      folder,
      also: """
        [hud]
        font = "none.ttf"
        [gpio]
        chip = "no-such-chip"
        [[gpio.button]]
        line = 17
        action = "home"
        [[gpio.chord]]
        lines = [17, 27]
        action = "back"
        """)
    #expect(logs(daemon, " gpio: ", "no-such-chip"), "\(daemon.program.log)")
    #expect(logs(daemon, " hud.font: ", "none.ttf"), "\(daemon.program.log)")
    try daemon.connect().settled()
    #expect(daemon.end() == 0)
    let lines = daemon.program.log.split(separator: "\n")
    #expect(lines.filter { $0.contains("no-such-chip") }.count == 1, "\(daemon.program.log)")
    #expect(lines.filter { $0.contains("none.ttf") }.count == 1, "\(daemon.program.log)")
  }

  @Test func whatTheCheckWarnsOfIsToldAtTheStartAndByAReload() throws {
    let folder = try TemporaryFolder()
    let wrong = "[[input.key]]\nkey = \"KEY_A\"\naction = \"source:osn\"\n"
    let daemon = try daemon(folder, also: wrong)
    let warning = "action \"source:osn\": no base source is called \"osn\"; perhaps \"osm\""
    #expect(logs(daemon, "waypost.toml:", "warning: " + warning), "\(daemon.program.log)")
    let answer = try daemon.connect().call(ConfigReload.self, NoParams())
    #expect(answer.warnings.count == 1 && answer.warnings[0].hasSuffix(warning))
  }

  @Test func aDisplayThatIsNotThereIsTold() throws {
    let folder = try TemporaryFolder()
    let daemon = try daemon(folder, ["--keep-going"]) {
      $0.replacingOccurrences(
        of: "backend = \"headless\"", with: "backend = \"fbdev\"\ndevice = \"/dev/fb99\"")
    }
    #expect(logs(daemon, " display: ", "/dev/fb99"), "\(daemon.program.log)")
    #expect(daemon.end() == 0)
  }
}
