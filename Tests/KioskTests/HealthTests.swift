import Testing

@testable import Kiosk

/// What is wrong is told, however much is.
@Suite struct HealthTests {
  private func health(sources: Int) -> Health {
    var health = Health()
    for n in 0..<sources {
      let isNews = health.report("source \(n)", .error, "is not there", at: Double(n))
      #expect(isNews)
    }
    return health
  }

  @Test func sourcesThatAreTooManyMakeRoomForEverythingElse() {
    var health = health(sources: 100)
    let isNews = health.report("display", .error, "is gone", at: 200)
    #expect(isNews)
    let listed = health.entries
    #expect(listed.count == Health.capacity)
    #expect(listed.contains { $0.what == "display" })
    #expect(listed.last?.what == "more")
    #expect(listed.last?.detail.hasPrefix("38 more problems") == true, "\(listed.last as Any)")
    let isCleared = health.clear("display")
    #expect(isCleared)
    #expect(!health.entries.contains { $0.what == "display" })
  }

  @Test func whatWasLeftOutIsListedOnceThereIsRoom() {
    var health = health(sources: 100)
    for n in 0..<40 {
      let isCleared = health.clear("source \(n)")
      #expect(isCleared)
    }
    #expect(health.entries.map(\.what) == (40..<100).map { "source \($0)" })
    #expect(health.entries[59].since == 99)
    let isNews = health.report("source 99", .error, "is not there", at: 300)
    #expect(!isNews)
  }
}
