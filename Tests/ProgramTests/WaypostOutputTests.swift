import Control
import Foundation
import Platform
import Testing

/// What `waypost` prints.
@Suite struct WaypostOutputTests {
  @Test func peopleGetLinesAndTables() throws {
    let daemon = try Daemon()
    #expect(
      try daemon.waypost("view").text == """
        center   -33.92, 18.42
        zoom     12
        bearing  0°
        bounds   18 -34 19 -33
        size     1280x720 points

        """)
    #expect(
      try daemon.waypost("source", "list").text == """
           NAME  KIND     FORMAT  ZOOM  ROLE  STATE  PATH
        *  topo  mbtiles  png     0-14  base  ok     /maps/topo.mbtiles

        """)
    let status = try daemon.waypost("status").text
    #expect(status.contains("waypostd  9.9, process 42, up 1 h 1 min\n"))
    #expect(status.contains("ok       display  headless, 1280x720 xrgb8888, on\n"))
    #expect(try daemon.waypost("press", "home").text == "")
    #expect(try daemon.waypost("version").text == "waypost \(Release.version)\nwaypostd 9.9\n")
    #expect(
      try daemon.waypost("methods").text.split(separator: "\n").count == Samples.methods.count)
    #expect(try daemon.waypost("config", "reload").text == "a.toml:3: odd\n")
  }

  @Test func controlCharactersOfOthersAreEscaped() throws {
    let daemon = try Daemon()
    var source = Samples.source
    source.name = "A\u{1b}[31mRED\u{9b}2J\u{7}\nB"
    daemon.answer("source.list", .success(ListResult([source]).json))
    let text = try daemon.waypost("source", "list").text
    #expect(text.contains("A\\u{1b}[31mRED\\u{9b}2J\\u{7}\\nB  mbtiles"), "\(text)")
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0.value < 127 })
    let error = ControlError(code: ControlError.unknownName, message: "no \u{1b}[2J\u{9b}")
    daemon.answer("source.use", .failure(error))
    let refused = try daemon.waypost("source", "use", "x")
    #expect(refused.errors == "waypost: no \\u{1b}[2J\\u{9b}\n")
  }

  @Test func turningShowsTheView() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("rotate", "left")
    #expect(outcome.text.hasPrefix("center   -33.92, 18.42\n"))
    #expect(daemon.takeCalls().map(\.method) == ["press", "view.get"])
    #expect(try JSON.parse(daemon.waypost("rotate", "right", "--json").text) == Samples.view.json)
  }

  @Test func aScreenshotIsWrittenWholeOrToStandardOutput() throws {
    let daemon = try Daemon()
    let file = daemon.folder + "/map.png"
    let outcome = try daemon.waypost("screenshot", file)
    #expect(outcome.text == "\(file): frame 7, 1280x720 pixels\n")
    let written = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(Array(written) == Samples.png)
    #expect(try daemon.waypost("screenshot", "-").output == Samples.png)
    let names = try FileManager.default.contentsOfDirectory(atPath: daemon.folder)
    #expect(names.sorted() == ["map.png", "s"])
    let failed = try daemon.waypost("screenshot", daemon.folder + "/no/such/folder.png")
    #expect(failed.status == 65)
    #expect(failed.errors.contains("no/such/folder.png"))
    let device = try daemon.waypost("screenshot", "/dev/null")
    #expect(device.status == 0)
    #expect(access("/dev/null", W_OK) == 0)
  }

  @Test func aViewThatDoesNotSettleExitsWith1() throws {
    let daemon = try Daemon()
    #expect(try daemon.waypost("settle").text == "frame 7 is complete, 2 tiles are missing\n")
    daemon.answer("settle", .success(SettleResult(frame: 8, complete: false, missing: 0).json))
    #expect(try daemon.waypost("settle").status == 1)
  }

  @Test func aSizeBelowTheFloorIsTold() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("cache", "resize", "4MB")
    #expect(daemon.takeCalls().last?.params == ["bytes": 4_000_000])
    #expect(outcome.errors.contains("the limit is 32 MiB"), "\(outcome.errors)")
    #expect(try daemon.waypost("cache", "resize", "48MiB").errors == "")
  }

  @Test func watchPrintsALineAnEventUntilTheDaemonEnds() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("watch", "view", "source")
    #expect(outcome.text == "view lat=-33.92 zoom=12\nsource name=\"topo\"\n")
    #expect(outcome.status == 69)
    #expect(daemon.takeCalls().first?.params == ["events": ["view", "source"]])
    let other = try Daemon()
    let json = try other.waypost("watch", "view", "--json")
    #expect(json.text == #"{"type":"view","lat":-33.92,"zoom":12}"# + "\n")
  }

  @Test func callPrintsTheRawResult() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("call", "view.get")
    #expect(outcome.text == Samples.view.json.text + "\n")
  }
}
