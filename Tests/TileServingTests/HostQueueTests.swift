import MapGeometry
import Testing

@testable import TileServing

/// What is asked of one server, and when.
@Suite struct HostQueueTests {
  private final class Case {
    let fetcher = HeldFetcher()
    var now: UInt64 = 0
    var replies: [String] = []
    var log: [String] = []
    lazy var queue = HostQueue(
      "http://x", fetcher: fetcher, clock: { [unowned self] in now * 1_000_000_000 },
      problem: { [unowned self] in log.append($0 ?? "well again") })

    func ask(_ name: String, isBehind: Bool = false) {
      queue.ask(FetchQuestion(address: name, headers: []), isBehind: isBehind) { [unowned self] in
        switch $0 {
        case .success(let outcome): replies.append("\(name): \(outcome)")
        case .failure(let error): replies.append("\(name): \(error.refusal)")
        }
      }
    }

    /// What `name` was told, in one word.
    func reply(to name: String) -> String? {
      replies.last { $0.hasPrefix("\(name): ") }
        .map { String($0.dropFirst(name.count + 2).prefix { $0 != "(" }) }
    }
  }

  private static let tile = FetchOutcome.tile([1], FetchOutcome.Terms())

  @Test func twoQuestionsAreAskedAtOnceAndWantedOnesFirst() {
    let it = Case()
    for name in ["a", "b", "c"] { it.ask(name) }
    it.ask("behind", isBehind: true)
    it.ask("d")
    #expect(it.fetcher.asked == ["a", "b"])
    for _ in 0..<5 { it.fetcher.answer(Self.tile) }
    #expect(it.fetcher.asked == ["a", "b", "c", "d", "behind"])
    #expect(it.replies.count == 5)
  }

  @Test func theFirstFailureAnswersEveryQuestionAtOnce() {
    let it = Case()
    for number in 0..<40 { it.ask("\(number)") }
    it.fetcher.answer(.unreachable("no route"))
    // The other one that was on its way is still open.
    #expect(it.replies.count == 39)
    #expect(it.reply(to: "39") == "unreachable")
    #expect(it.fetcher.asked.count == 2)
    it.fetcher.answer(.unreachable("no route"))
    it.ask("next")
    #expect(it.reply(to: "next") == "unreachable")
    #expect(it.fetcher.asked.count == 2)
    #expect(it.log.count == 1)
  }

  @Test func onePauseIsFollowedByOneQuestionAndALongerPause() {
    let it = Case()
    var pauses: [UInt64] = []
    var last: UInt64 = 0
    it.ask("first")
    it.fetcher.answer(.unreachable("no route"))
    for round in 0..<10 {
      let count = it.fetcher.asked.count
      while it.fetcher.asked.count == count {
        it.now += 1
        it.ask("\(round)-a")
        it.ask("\(round)-b")
      }
      pauses.append(it.now - last)
      last = it.now
      // The other one waits for the answer to the first.
      #expect(it.fetcher.open == 1)
      it.fetcher.answer(.unreachable("no route"))
      #expect(it.reply(to: "\(round)-b") == "unreachable")
      #expect(it.fetcher.open == 0)
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300])
    it.now += 300
    it.ask("back")
    it.ask("too")
    it.fetcher.answer(Self.tile)
    it.fetcher.answer(Self.tile)
    #expect(it.reply(to: "too") == "tile")
    #expect(it.log == ["no route; only stored tiles are shown", "well again"])
    it.ask("a")
    it.ask("b")
    #expect(it.fetcher.open == 2)
  }

  @Test func aServerThatWantsToBeLeftAloneIs() {
    let it = Case()
    for name in ["a", "b", "c"] { it.ask(name) }
    it.fetcher.answer(.refused(status: 429, retryAfter: 90))
    #expect(it.replies.contains("c: later(91)"))
    // What was on its way is an answer, and no leave to ask on.
    it.fetcher.answer(Self.tile)
    #expect(it.reply(to: "b") == "tile")
    it.now = 89
    it.ask("d")
    #expect(it.replies.last == "d: later(2)")
    it.now = 91
    it.ask("e")
    #expect(it.fetcher.asked == ["a", "b", "e"])
  }

  @Test func aLongerRetryAfterLengthensThePauseAndAShorterOneDoesNot() {
    for (second, end) in [(900, 900), (30, 90)] {
      for first in [FetchOutcome.refused(status: 503, retryAfter: 90), .unreachable("no route")] {
        let it = Case()
        for name in ["a", "b"] { it.ask(name) }
        it.fetcher.answer(first)
        it.fetcher.answer(.refused(status: 429, retryAfter: second))
        // A server that cannot be reached is left alone for 5 seconds.
        let isShort = first == .unreachable("no route")
        let expected = UInt64(isShort ? second : end)
        it.now = expected - 1
        it.ask("early")
        #expect(it.replies.last == "early: later(2)", "\(first) \(second)")
        it.now = expected + 1
        it.ask("late")
        #expect(it.fetcher.asked == ["a", "b", "late"], "\(first) \(second)")
      }
    }
  }

  @Test func aCutIsOneTilesAndThreeInARowAreTheServers() {
    let it = Case()
    for round in 0..<3 {
      it.ask("\(round)")
      it.fetcher.answer(.cut("timeout"))
      #expect(it.reply(to: "\(round)") == "cut")
    }
    it.ask("next")
    #expect(it.reply(to: "next") == "unreachable")
    // After the pause they are counted anew.
    it.now = 6
    for round in 3..<5 {
      it.ask("\(round)")
      it.fetcher.answer(.cut("timeout"))
    }
    it.ask("last")
    #expect(it.fetcher.asked.last == "last")
  }

  @Test func answersThatAreNoTilesStopNoServer() {
    let it = Case()
    for round in 0..<20 {
      it.ask("\(round)")
      it.fetcher.answer(round % 3 == 2 ? .broken("a web page") : .cut("timeout"))
    }
    #expect(it.fetcher.asked.count == 20)
    for round in 20..<40 {
      it.ask("\(round)")
      it.fetcher.answer(.broken("a web page"))
    }
    #expect(it.fetcher.asked.count == 40)
  }

  @Test func aRefusedTileIsThatTilesAndANetworkThatWantsALoginStopsAll() {
    for status in [401, 403, 404, 500] {
      let it = Case()
      it.ask("a")
      it.fetcher.answer(.refused(status: status, retryAfter: nil))
      #expect(it.reply(to: "a") == "refused")
      it.ask("b")
      #expect(it.fetcher.asked == ["a", "b"], "\(status)")
    }
    for status in [407, 511] {
      let it = Case()
      it.ask("a")
      it.fetcher.answer(.refused(status: status, retryAfter: nil))
      it.ask("b")
      #expect(it.reply(to: "b") == "unreachable", "\(status)")
    }
  }

  @Test func whatIsWrongIsToldAnewWhenItIsSomethingElse() {
    let it = Case()
    var outcomes: [FetchOutcome] = [
      .unreachable("no route"), .unreachable("no route"), .refused(status: 511, retryAfter: nil),
      .refused(status: 502, retryAfter: nil), .broken("sends a web page"),
    ]
    outcomes += [.cut("timeout"), .cut("timeout"), .cut("timeout")]
    for outcome in outcomes {
      // Each after the longest pause.
      it.now += 300
      it.ask("a")
      it.fetcher.answer(outcome)
    }
    it.now += 300
    it.ask("a")
    it.fetcher.answer(Self.tile)
    it.ask("a")
    it.fetcher.answer(.refused(status: 502, retryAfter: nil))
    #expect(
      it.log == [
        "no route; only stored tiles are shown",
        "answers with HTTP 511: the network wants a login; only stored tiles are shown",
        "answers with HTTP 502; only stored tiles are shown",
        "sends a web page; only stored tiles are shown", "timeout; only stored tiles are shown",
        "well again",
      ])
  }

  @Test func aUselessAnswerFromBeforeAPauseDoesNotHideItsReason() {
    let it = Case()
    for name in ["a", "b"] { it.ask(name) }
    it.fetcher.answer(.unreachable("no route"))
    it.fetcher.answer(.refused(status: 502, retryAfter: nil))
    #expect(it.log == ["no route; only stored tiles are shown"])
  }

  @Test func whatMayBeMendedIsTriedAtOnce() {
    for outcome in [
      FetchOutcome.unreachable("no route"), .refused(status: 511, retryAfter: nil),
      .refused(status: 429, retryAfter: 900),
    ] {
      let it = Case()
      it.ask("a")
      it.fetcher.answer(outcome)
      it.queue.retry()
      it.ask("b")
      it.ask("c")
      // One question shows whether it is.
      #expect(it.fetcher.asked == ["a", "b"], "\(outcome)")
    }
  }
}
