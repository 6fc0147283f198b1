import TestSupport
import Testing

@testable import MapStyle

/// Some of MapLibre's tests of expressions, which the project carries.
@Suite struct SmallExpressionTests {
  @Test func theFixturesPass() throws {
    let folder = TestData.fixtures + "/styles/expressions"
    let names = StyleFile.folders(below: folder, with: "test.json")
    #expect(names.count == 24)
    for name in names {
      let fixture = try ExpressionFixture(folder: folder + "/" + name)
      let differences = fixture.differences()
      #expect(differences.isEmpty, "\(name): \(differences)")
    }
  }
}
