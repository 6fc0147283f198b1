import Testing

@testable import Control

struct SelectionMessageTests {
  @Test(arguments: [SelectParams(name: "trails"), SelectParams(name: "trails", feature: 3)])
  func whatTheClientSendsTheDaemonReads(_ params: SelectParams) throws {
    #expect(try SelectParams(params.json) == params)
  }

  @Test(arguments: [0, 1234.56, 1e13 + 0.25, 1e15, 1e308, -1e308])
  func whatTheDaemonSendsTheClientReads(_ length: Double) throws {
    var info = SelectionInfo()
    info.length = length
    let read = try SelectionInfo(info.json)
    #expect(read.json == info.json)
    let difference = abs((read.length ?? .infinity) - length)
    #expect(difference <= 0.06)
  }

  @Test func aFeatureThatIsNoIndexIsRefused() {
    #expect(throws: ControlError.self) {
      try SelectParams(["name": "trails", "feature": -1])
    }
  }
}
