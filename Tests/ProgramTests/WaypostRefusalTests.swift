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
    (["goto", "-33.92,18.42", "1"], "'-33.92,18.42'"), (["cache", "resize", "-5"], "'-5'"),
    (["zoom", "-x"], "'-x'"), (["fit", "-1", "-2", "-3", "-x"], "'-x'"),
    (["-5"], "no command \"-5\""),
    (["display", "brightness", "-5"], "0 to 100 (per cent), not -5"),
    (["display", "brightness", "dim"], "0 to 100 (per cent), not dim"),
    (["display", "brightness", "101"], "0 to 100 (per cent), not 101"),
    (["render", "--source", "a", "--center", "-46"], "LAT,LON in degrees"),
  ])
  func aRefusedWordIsQuotedAsItWasTyped(_ words: [String], _ text: String) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent"])
    #expect(outcome.status == 64)
    #expect(outcome.text == "")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(!outcome.errors.unicodeScalars.contains("\u{10FFFE}"))
  }

  @Test(arguments: [
    ["--socket", "", "view"], ["source", "add", ""],
    ["source", "add", "a.mbtiles", ""], ["source", "add", "--provider", ""],
    ["overlay", "add", ""], ["screenshot", ""], ["render", "--source", ""],
    ["render", "--source", "a", "-o", ""], ["render", "--source", "a", "--overlay", ""],
  ])
  func anEmptyPathIsRefusedWithWhatItIs(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("it is empty, but it is "), "\(outcome.errors)")
  }

  @Test(arguments: [["view"], ["view", "--json"], ["call", "view.get"], ["--help"]])
  func aResultThatCannotBeWrittenExitsWith65(_ words: [String]) throws {
    let daemon = try Daemon()
    let outcome = try Program(path: "/bin/sh").run(
      ["-c", "exec \"$@\" >/dev/full", "sh", try Program.built("waypost").path] + words,
      environment: ["WAYPOST_SOCKET": daemon.socket])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("standard output: cannot be written: No space left on device"))
  }

  @Test func aReaderThatHasGoneIsNoFailure() throws {
    let daemon = try Daemon()
    let program = try Program.built("waypost").path
    let outcome = try Program(path: "/bin/bash").run(
      ["-c", "trap '' PIPE; exec 3> >(:); wait $!; exec \"$0\" view >&3 3>&-", program],
      environment: ["WAYPOST_SOCKET": daemon.socket])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
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
