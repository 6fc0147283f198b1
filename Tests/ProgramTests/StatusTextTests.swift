import Control
import Testing

/// What `waypost status` calls well.
@Suite struct StatusTextTests {
  private func status(_ set: (inout JSONObject) -> Void) throws -> Program.Outcome {
    let daemon = try Daemon()
    var answer = try #require(Samples.results["status"]).get().object ?? [:]
    set(&answer)
    daemon.answer("status", .success(.object(answer)))
    return try daemon.waypost("status", "--check")
  }

  @Test(arguments: [("fix", "ok "), ("lost", "-  "), ("none", "-  ")])
  func onlyAPresentPositionIsOK(_ state: String, _ mark: String) throws {
    var position = PositionInfo(state: state)
    (position.lat, position.lon, position.age) = (1, 2, 38)
    let outcome = try status { $0["position"] = position.json }
    let line = outcome.text.split(separator: "\n").first { $0.contains("position") }
    #expect(line?.hasPrefix(mark) == true, "\(outcome.text)")
    #expect(outcome.status == 0)
  }

  @Test func noSourceIsAProblemWithAdvice() throws {
    let outcome = try status {
      $0["source"] = .null
      $0["health"] = [HealthItem(what: "map", state: "error", detail: "there is no source").json]
    }
    #expect(outcome.status == 2)
    #expect(outcome.text.contains("FAILED   map      there is no source"), "\(outcome.text)")
    #expect(outcome.text.contains("To do: \"waypost source add FILE\""))
    #expect(outcome.text.contains("1 problem: 1 not working."))
  }
}
