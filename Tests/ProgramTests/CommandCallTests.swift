import Control
import Testing

/// The calls that commands for lines, translations and programs with tiles become.
@Suite struct CommandCallTests {
  @Test(arguments: [
    (["selection", "get"], "selection.get", "null"),
    (["selection", "clear"], "selection.clear", "null"),
    (["overlay", "select", "ways"], "overlay.select", #"{"name":"ways"}"#),
    (["overlay", "select", "ways", "3"], "overlay.select", #"{"name":"ways","feature":3}"#),
    (
      ["overlay", "select", "ways", "Ridge path"], "overlay.select",
      #"{"name":"ways","feature":"Ridge path"}"#
    ),
    (
      ["source", "add", "--provider", "/run/a.sock", "--name", "live"], "source.add",
      #"{"name":"live","provider":"/run/a.sock"}"#
    ),
    (
      ["source", "add", "file:///{s}/{z}/{x}/{y}.png", "--subdomains", "a,b"], "source.add",
      #"{"url":"file:///{s}/{z}/{x}/{y}.png","subdomains":["a","b"]}"#
    ),
    (
      [
        "marker", "set", "a", "1", "2", "--translation", "de=Hütte", "--translation",
        "text.pt-BR=a=b",
      ], "marker.set", #"{"id":"a","lat":1,"lon":2,"label.de":"Hütte","text.pt-BR":"a=b"}"#
    ),
    (
      [
        "overlay", "add", "/a.gpx", "--card", "sac=Difficulty", "--card", "sac.b", "--card",
        "surface", "--translation", "sac.de=Schwierigkeit", "--translation", "sac.b.fr=c=d",
        "--translation", "de=Weg", "--translation", "title.fr=Sentier",
      ], "overlay.add",
      #"{"path":"/a.gpx","title.de":"Weg","title.fr":"Sentier","card":[{"property":"sac","#
        + #""name":"Difficulty","name.de":"Schwierigkeit"},{"property":"sac.b","#
        + #""name.fr":"c=d"},"surface"]}"#
    ),
    (
      ["notice", "set", "a", "b", "--translation", "de=c"], "notice.set",
      #"{"id":"a","text":"b","text.de":"c"}"#
    ),
  ])
  func aCommandCallsItsMethod(_ words: [String], _ method: String, _ params: String) throws {
    let daemon = try Daemon()
    daemon.answer(method, .failure(.broken("seen")))
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": daemon.socket])
    #expect(outcome.errors == "waypost: seen\n")
    let expected = Daemon.Call(method: method, params: try JSON.parse(params))
    #expect(daemon.takeCalls() == [expected])
  }

  @Test func withoutASelectionThatIsSaid() throws {
    let daemon = try Daemon()
    daemon.answer("selection.get", .success(SelectionInfo().json))
    #expect(try daemon.waypost("selection", "get").text == "no line is selected\n")
  }
}
