import Testing

@testable import Control

struct SelectionMessageTests {
  @Test(arguments: [SelectParams(name: "trails"), SelectParams(name: "trails", feature: 3)])
  func whatTheClientSendsTheDaemonReads(_ params: SelectParams) throws {
    #expect(try SelectParams(params.json) == params)
  }

  @Test func aFeatureThatIsNoIndexIsRefused() {
    #expect(throws: ControlError.self) {
      try SelectParams(["name": "trails", "feature": -1])
    }
  }
}
