import Control
import Foundation
import Testing

/// What the shell offers after `waypost …`: names that only the running daemon knows.
@Suite struct CompletionTests {
  /// Has `waypost` complete the last, empty word of `command`, `words` before it included.
  private func complete(
    _ command: String, socket: String, words: [String] = []
  ) throws -> [String] {
    let commands = command.split(separator: " ").map { String($0) }
    let outcome = try Program.built("waypost").run(
      ["---completion"] + commands + ["--", "positional@0", "\(words.count)", "0"] + words + [""],
      environment: ["WAYPOST_SOCKET": socket])
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    return outcome.text.split(separator: "\n").map { String($0) }
  }

  private func daemon() throws -> Daemon {
    let daemon = try Daemon()
    let marker = MarkerInfo(id: "here", lat: 1, lon: 2, icon: "pin")
    daemon.answer("marker.list", .success(ListResult([marker]).json))
    return daemon
  }

  @Test(arguments: [
    ("source use", "topo", "source.list"), ("source remove", "topo", "source.list"),
    ("overlay show", "trails", "overlay.list"), ("overlay hide", "trails", "overlay.list"),
    ("overlay remove", "trails", "overlay.list"), ("marker remove", "here", "marker.list"),
    ("call", "view.set", "methods"),
  ])
  func theDaemonIsAskedForItsNames(_ command: String, _ name: String, _ method: String) throws {
    let daemon = try daemon()
    let found = try complete(command, socket: daemon.socket)
    #expect(found.contains(name), "\(found)")
    #expect(daemon.takeCalls().map(\.method) == [method])
  }

  @Test func actionsAreThoseThatTakeNoNameAndOneForEachSourceAndOverlay() throws {
    let daemon = try daemon()
    let found = try complete("press", socket: daemon.socket)
    for action in ["zoom-in", "sleep", "source:topo", "overlay-toggle:trails"] {
      #expect(found.contains(action), "\(found)")
    }
    // Without a daemon there are those that take no name.
    let alone = try complete("press", socket: "/nonexistent/s")
    #expect(alone.contains("zoom-in") && !alone.contains { $0.contains(":") }, "\(alone)")
    #expect(try complete("source use", socket: "/nonexistent/s") == [])
  }

  @Test(arguments: [["--socket", ""], ["--socket="]])
  func theSocketThatTheCommandLineNamesIsAsked(_ option: [String]) throws {
    let daemon = try daemon()
    var words = ["waypost"] + option
    words[words.count - 1] += daemon.socket
    let found = try complete(
      "source use", socket: "/nonexistent/s", words: words + ["source", "use"])
    #expect(found.contains("topo"), "\(found)")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func themesAndLevelsAreInTheScript(
    _ shell: String
  ) throws {
    let script = try Program.built("waypost").run(["completions", shell]).text
    for word in ["day", "night", "auto", "above-roads", "above-labels"] {
      #expect(script.contains(word), "\(word)")
    }
  }
}
