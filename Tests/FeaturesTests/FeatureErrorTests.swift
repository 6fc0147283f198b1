import Testing

@testable import Features

struct FeatureErrorTests {
  @Test func anErrorNamesFileAndLine() {
    let error = FeatureError(file: "a.gpx", line: 7, reason: "a reason")
    #expect(error.description == "a.gpx:7: a reason")
    #expect(FeatureError(file: "a.gpx", reason: "a reason").description == "a.gpx: a reason")
  }
}
