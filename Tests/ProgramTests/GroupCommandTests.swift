import Control
import Testing

/// What `waypost` does where a command, or a part of it, is missing or unknown.
@Suite struct GroupCommandTests {
  @Test(arguments: [
    [], ["source"], ["display"], ["cache"], ["overlay"], ["marker"], ["notice"], ["pack"],
    ["config"], ["position"], ["selection"], ["--json", "source"],
  ])
  func withoutACommandTheHelpIsOnStandardErrorAndTheCode64(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(words)
    #expect(outcome.status == 64)
    #expect(outcome.text == "")
    #expect(outcome.errors.contains("USAGE: waypost"), "\(outcome.errors)")
    #expect(outcome.errors.contains("SUBCOMMANDS:"))
  }

  @Test(arguments: [["--help"], ["help"], ["help", "source"], ["help", "source", "add"]])
  func helpThatIsAskedForIsOnStandardOutput(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(words)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("USAGE: waypost") && outcome.errors == "")
  }

  @Test(arguments: [
    (["help", "nope"], "no command \"nope\""),
    (["help", "source", "lst"], "did you mean \"waypost source list\"?"),
  ])
  func helpOfAnUnknownCommandIsRefused(_ words: [String], _ message: String) throws {
    let outcome = try Program.built("waypost").run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["goto", "95", "10"], "LAT is -90 to 90"), (["goto", "1", "-541"], "LON is -540 to 540"),
    (["marker", "set", "c", "99", "0"], "LAT is -90 to 90"),
    (["position", "set", "1", "999"], "LON is -540 to 540"),
    (["zoom", "foo"], "in, out or a zoom level, such as 12.5"),
    (["rotate", "north"], "left, right or degrees, such as 90"),
    (["cache", "resize", "foo"], "bytes, such as 4194304, or has a unit, such as 48MiB"),
    (["source", "add", "https://a.example/{z}/{x}/{y}.png"], "belongs in waypost.toml"),
    (["source", "add"], "at least one PATH or a --provider"),
    (["source", "add", "a", "--provider", "/b"], "at least one PATH or a --provider"),
    (["marker", "set", "a", "1", "2", "--translation", "de"], "LANGUAGE=TEXT"),
    (["overlay", "add", "a.gpx", "--translation", "=Weg"], "LANGUAGE=TEXT"),
    (["overlay", "add", "a.gpx", "--card", "sac="], "PROPERTY=NAME"),
    (["screenshot", "a.jpeg"], "give a.png"), (["pack", "coverage", "a", "-o", "b.gif"], "b.png"),
  ])
  func aWrongWordSaysWhatWouldBeRight(_ words: [String], _ hint: String) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(hint), "\(outcome.errors)")
  }
}
