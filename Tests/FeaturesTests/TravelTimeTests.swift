import Testing

@testable import Features

/// How long a way takes.
@Suite struct TravelTimeTests {
  private func minutes(_ mode: TravelTime.Mode, _ up: Double, speed: Double? = nil) -> Double {
    TravelTime(mode, speed: speed)
      .seconds(length: 1000, profile: [(0, 500), (500, 500 + up / 2), (1000, 500 + up)]) / 60
  }

  @Test func aLevelKilometreOnFootTakesWhatSwissSignsSay() {
    #expect(abs(minutes(.hiking, 0) - 14.271) < 1e-9)
    #expect(abs(TravelTime(.hiking).seconds(length: 1000, profile: []) / 60 - 14.271) < 1e-9)
  }

  @Test func climbsTakeLongerAndGentleDescentsHardlyLess() {
    // The polynomial at 10 %, 20 %, −10 % and −20 %, and the lines beyond 40 %.
    #expect(abs(minutes(.hiking, 100) - 19.999) < 0.001)
    #expect(abs(minutes(.hiking, 200) - 32.326) < 0.001)
    #expect(abs(minutes(.hiking, -100) - 14.209) < 0.001)
    #expect(abs(minutes(.hiking, -200) - 19.835) < 0.001)
    #expect(abs(minutes(.hiking, 500) - 85) < 0.001)
    #expect(abs(minutes(.hiking, -500) - 45) < 0.001)
  }

  @Test func theTimeChangesWithTheSpeed() {
    #expect(abs(minutes(.cycling, 0) - 4) < 1e-9)
    #expect(abs(minutes(.cycling, 100) - 19) < 1e-9)
    #expect(abs(minutes(.cycling, 0, speed: 30) - 2) < 1e-9)
    #expect(abs(minutes(.hiking, 100, speed: 2.102) / minutes(.hiking, 100) - 2) < 0.001)
  }

  @Test func stepsTooShortForASlopeAreTakenTogether() {
    // A receiver's noise of 10 m each 5 m is no climb of 200 %.
    let noise = (0...200).map { (distance: Double($0) * 5, elevation: $0 % 2 == 0 ? 500.0 : 510) }
    let seconds = TravelTime(.hiking).seconds(length: 1000, profile: noise)
    #expect(abs(seconds / 60 - 14.271) < 0.01)
  }
}
