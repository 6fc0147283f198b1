import Control
import Foundation
import Testing

/// How `waypost` refuses: its messages and exit codes.
@Suite struct WaypostRefusalTests {
  @Test func aRefusalIsShownAndExitsWith1() throws {
    let daemon = try Daemon()
    daemon.answer("source.use", .failure(.unknown("source", "toppo", known: ["topo"])))
    let outcome = try daemon.waypost("source", "use", "toppo")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "waypost: no source \"toppo\"; did you mean \"topo\"?\n")
    #expect(outcome.text == "")
    #expect(try daemon.waypost("call", "no.such").status == 1)
  }

  @Test func aRefusalIsPrintedAsJSONWhereThatIsAskedFor() throws {
    let daemon = try Daemon()
    let error = ControlError.unknown("base source", "topp", known: ["topo"])
    daemon.answer("source.use", .failure(error))
    let outcome = try daemon.waypost("source", "use", "topp", "--json")
    #expect(outcome.status == 1)
    #expect(try JSON.parse(outcome.text)["error"] == error.json)
    #expect(outcome.errors == "waypost: \(error.message)\n")
    #expect(try daemon.waypost("source", "use", "topp").text == "")
  }

  @Test(arguments: [
    ["goto"], ["goto", "46"], ["goto", "x", "7"], ["goto", "1", "2", "3", "4"],
    ["goto", "nan", "0"],
    ["pan", "north"], ["zoom", "nearer"], ["fit", "1", "2", "3"], ["cache", "resize", "48Mio"],
    ["cache", "resize", "9999999999GiB"], ["no-such-command"], ["view", "--no-such-option"],
    ["--socket"],
    ["watch", "no-such-event"], ["completions", "tcsh"], ["overlay", "add"],
    ["marker", "set", "a"],
    ["overlay", "add", "a.geojson", "--grid"], ["overlay", "raise"],
    ["--json", "display", "of"], ["pack", "info"], ["render"], ["settle", "--timeout"],
    ["render", "--source", "a", "--size", "16385x1"],
    ["render", "--source", "a", "--size", "0x10"],
    ["render", "--source", "a", "--size", "10"], ["render", "--source", "a", "--scale", "5"],
    ["render", "--source", "a", "--center", "91,0"], ["render", "--source", "a", "--center", "0"],
    ["render", "--source", "a", "--zoom", "25"], ["render", "--source", "a", "--overlay"],
    ["render", "--source", "a", "--label", "name"],
    ["display", "hud", "clock", "on"], ["display", "hud", "zoom", "maybe"],
    ["notice", "set", "a", "b", "--closes", "trails", "--area", "a.geojson"],
  ])
  func wrongUsageExitsWith64AndCallsNothing(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent"])
    #expect(outcome.status == 64)
    #expect(!outcome.errors.isEmpty)
  }

  @Test(arguments: [
    (["--socket", "S", "stat"], "\"waypost status\""), (["stat"], "\"waypost stats\""),
    (["zom", "in"], "did you mean \"waypost zoom\"?"),
    (["source", "lst"], "did you mean \"waypost source list\"?"),
    (["--json", "source", "rem", "x"], "did you mean \"waypost source remove\"?"),
    (["xyzzy"], "\"waypost --help\" lists them"),
  ])
  func aMistypedCommandNamesTheOneThatWasMeant(_ words: [String], _ hint: String) throws {
    let outcome = try Program.built("waypost").run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test func badJSONExitsWith65() throws {
    let outcome = try Program.built("waypost").run(["call", "view.set", "{lat:1}"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("not JSON"))
  }

  @Test(arguments: [["view"], ["goto", "-33.92", "18.42"], ["watch"], ["screenshot", "x.png"]])
  func noDaemonExitsWith69AndAHint(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent/s"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("no daemon answers at /nonexistent/s"))
    #expect(outcome.errors.contains("waypostd --demo"))
  }

  @Test func aSocketThatIsNotForThisUserIsToldAsThat() throws {
    let daemon = try Daemon()
    #expect(chmod(daemon.socket, 0) == 0)
    let program = try Program.built("waypost")
    // Root may connect to any, unless it lacks the capability.
    let outcome =
      geteuid() == 0
      ? try Program(path: "/usr/bin/setpriv").run(
        ["--bounding-set", "-dac_override,-dac_read_search", program.path, "view"],
        environment: ["WAYPOST_SOCKET": daemon.socket])
      : try daemon.waypost("view")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("permission denied; join the group"), "\(outcome.errors)")
  }

  @Test func renderSaysWhyItCannotWrite() throws {
    let outcome = try Program.built("waypost").run(
      ["render", "--source", DaemonProcess.tiles, "--zoom", "3", "-o", "/dev/full"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
  }
}
