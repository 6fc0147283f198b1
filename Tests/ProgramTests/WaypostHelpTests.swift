import Control
import Foundation
import Platform
import TestSupport
import Testing

/// The help and the completions of `waypost`.
@Suite struct WaypostHelpTests {
  @Test func everyCommandsHelpHasExamples() throws {
    let waypost = try Program.built("waypost")
    for command in [
      "status", "view", "goto", "pan", "zoom", "rotate", "home", "fit", "source", "source list",
      "source use", "source next", "source previous", "source add", "source remove", "cache",
      "cache stats", "cache clear", "cache resize", "press", "screenshot", "watch", "settle",
      "stats", "call", "config", "config reload", "version", "methods", "render", "completions",
      "pack", "pack info", "pack plan", "pack fetch", "pack extract", "pack import",
      "pack export", "pack convert", "pack merge", "pack verify", "pack coverage",
    ] {
      let words = command.split(separator: " ").map { String($0) }
      let outcome = try waypost.run(words + ["--help"])
      #expect(outcome.status == 0)
      #expect(
        outcome.text.contains("Examples:\n  waypost \(command.prefix(3))") || command == "stats"
          || command == "settle")
    }
    #expect(try waypost.run(["--version"]).text == "waypost \(Release.version)\n")
  }

  @Test func everyOptionThatTakesAValueIsKnown() throws {
    let dump = try Program.built("waypost").run(["--experimental-dump-help"])
    var options: Set<String> = []
    func collect(_ command: JSON) {
      for argument in command["arguments"]?.array ?? [] where argument["kind"] == "option" {
        for name in argument["names"]?.array ?? [] {
          let word = name["name"]?.string ?? ""
          options.insert((name["kind"] == "short" ? "-" : "--") + word)
        }
      }
      for sub in command["subcommands"]?.array ?? [] { collect(sub) }
    }
    collect(try #require(try JSON.parse(dump.text)["command"]))
    #expect(options.count > 20)
    // A value that looks like an option tells: it is taken for one where the option is not known.
    for option in options.sorted() {
      let source = try String(
        contentsOfFile: TestData.fixtures + "/../../Sources/waypost/CommandWords.swift",
        encoding: .utf8)
      #expect(source.contains("\"\(option)\""), "\(option)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsKnowTheCommands(_ shell: String) throws
  {
    let outcome = try Program.built("waypost").run(["completions", shell])
    #expect(outcome.status == 0)
    for word in ["goto", "screenshot", "completions", "--json"] {
      #expect(
        outcome.text.contains(
          shell == "fish" ? word.replacingOccurrences(of: "--", with: "") : word))
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsOfTheDaemonKnowItsOptions(_ shell: String) throws {
    let script = try Program.built("waypost").run(["completions", shell, "waypostd"]).text
    let help = try Program.built("waypostd").run(["--help"]).text
    for match in help.matches(of: #/\n  --([a-z-]+)/#) {
      #expect(script.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test func completionsAskTheDaemonForNames() throws {
    let daemon = try Daemon()
    let script = try Program.built("waypost").run(["completions", "bash"]).text
    #expect(script.contains("---completion"))
    let names = try daemon.waypost(
      "---completion", "source", "use", "--", "positional@0", "0", "0", "")
    #expect(names.text.contains("topo"), "\(names)")
  }
}
