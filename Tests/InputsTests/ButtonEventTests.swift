import Inputs
import Testing

@Suite struct ButtonEventTests {
  @Test func phasesAreNamedAsTheSocketNamesThem() {
    #expect(ButtonEvent.Phase.press.rawValue == "press")
    #expect(ButtonEvent.Phase.hold.rawValue == "hold")
    #expect(ButtonEvent.Phase.release.rawValue == "release")
  }
}
