import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TileSources

/// What a provider says is wrong although its tiles come.
@Suite struct ProviderProblemTests {
  private static let greeting = "waypost-tiles 1\nproblems on-request\n\n"

  private final class Told: Sendable {
    private let all = Mutex<[String?]>([])

    func add(_ text: String?) { all.withLock { $0.append(text) } }

    var texts: [String?] { all.withLock { $0 } }

    /// Waits until `isTrue`, for 30 seconds at most.
    func comes(to isTrue: ([String?]) -> Bool) -> Bool {
      let end = Date(timeIntervalSinceNow: 30)
      while !isTrue(texts) {
        if Date() > end { return false }
        usleep(1000)
      }
      return true
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aProblemIsToldUntilTheProviderEndsItOrItsConnectionIsLost() throws {
    let provider = ScriptedProvider(folder["s"], greeting: Self.greeting) { words in
      words == ["problems"] ? Array("problem the store is full\n".utf8) : nil
    }
    let source = try ProviderSource(socket: folder["s"])
    let told = Told()
    source.whenTroubled { told.add($0?.description) }
    let full = folder["s"] + ": the provider says: the store is full"
    #expect(told.comes { $0 == [full] }, "\(told.texts)")
    provider.say(Array("problem\n".utf8))
    #expect(told.comes { $0 == [full, nil] }, "\(told.texts)")
    provider.say(Array("problem it is full again\n".utf8))
    #expect(told.comes { $0.count == 3 }, "\(told.texts)")
    provider.hangUp()
    // It is asked again over the next connection.
    #expect(told.comes { $0.count == 5 }, "\(told.texts)")
    #expect(told.texts.suffix(2) == [nil, full])
    #expect(provider.requests == ["problems", "problems"])
  }

  @Test func aProviderThatDoesNotOfferItIsNotAskedForProblems() throws {
    let provider = ScriptedProvider(folder["s"]) { words in Array("none \(words[1])\n".utf8) }
    let source = try ProviderSource(socket: folder["s"])
    guard case .later(let retry) = try source.read(.world.child(0, 0) ?? .world) else {
      Issue.record("not promised")
      return
    }
    let end = Date(timeIntervalSinceNow: 30)
    while !retry.hasFired, Date() < end { usleep(500) }
    #expect(provider.requests == ["get 1 1 0 0 1"])
  }

  @Test func aProblemThatAlwaysChangesIsToldOnceASecond() {
    var problem = ProviderProblem()
    let told = Told()
    problem.follow { told.add($0) }
    for number in 0..<1000 { problem.change(to: "error \(number)", at: UInt64(number)) }
    #expect(told.texts == ["error 0"])
    #expect(problem.due == 1000)
    problem.tell(at: 999)
    problem.tell(at: 1000)
    #expect(told.texts == ["error 0", "error 999"])
    // What is as it was told is no news.
    problem.change(to: "", at: 1001)
    problem.change(to: "error 999", at: 1002)
    #expect(problem.due == nil)
    #expect(told.texts.count == 2)
  }

  @Test func whoFollowsLaterIsToldWhatIsWrong() {
    var problem = ProviderProblem()
    problem.change(to: "full", at: 5)
    let told = Told()
    problem.follow { told.add($0) }
    #expect(told.texts == ["full"])
    problem.end()
    #expect(told.texts == ["full", nil])
  }

  @Test func aProblemsLineIsPlainTextOfLimitedLength() throws {
    #expect(try ProviderMessage(Array("problem".utf8)) == .problem(""))
    #expect(try ProviderMessage(Array("problem ".utf8)) == .problem(""))
    #expect(
      try ProviderMessage(Array("problem a <b>full</b> card".utf8)) == .problem("a full card"))
    let long = Array(("problem " + String(repeating: "x", count: 4000)).utf8)
    guard case .problem(let text) = try ProviderMessage(long) else {
      Issue.record("it is no problem")
      return
    }
    #expect(text.count <= 500)
    #expect(throws: PackFault.self) { try ProviderMessage(Array("problems 1".utf8)) }
  }
}
