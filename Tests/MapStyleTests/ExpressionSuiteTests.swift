import TestSupport
import Testing

@testable import MapStyle

/// MapLibre's tests of expressions: those that Waypost passes are passed.
@Suite(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct ExpressionSuiteTests {
  /// The folder of the suite; nil without the large data set.
  private static let folder = TestData.large.map { $0 + "/vector/expression-tests" }

  /// Those that need what Waypost does not have: states of features, heat maps and heights, and the
  /// order of letters in each language. `within` and `distance` need the feature's geometry: all of
  /// their tests fail but `passing`.
  static let failing: Set<String> = [
    "collator/variable-gt", "collator/variable-lteq", "elevation/basic", "feature-state/basic",
    "feature-state/expression-arg", "heatmap-density/basic",
  ]

  /// Tests of `within` and `distance` that pass: they expect that the expression is refused.
  static let passing: Set<String> = [
    "distance/invalid-geometry", "distance/missing-geometry", "within/expression-geojson",
    "within/invalid-geojson", "within/missing-geojson",
  ]

  /// Whether a test is known to fail.
  private static func isFailing(_ name: String) -> Bool {
    if name.hasPrefix("within/") || name.hasPrefix("distance/") { return !passing.contains(name) }
    return failing.contains(name)
  }

  @Test func theListedTestsFailAndAllOthersPass() throws {
    let folder = try #require(ExpressionSuiteTests.folder)
    let names = StyleFile.folders(below: folder, with: "test.json")
    #expect(names.count == 426)
    var passing = 0
    for name in names {
      let fixture = try ExpressionFixture(folder: folder + "/" + name)
      let differences = fixture.differences()
      if differences.isEmpty { passing += 1 }
      let isListed = ExpressionSuiteTests.isFailing(name)
      #expect(differences.isEmpty != isListed, "\(name): \(differences)")
    }
    #expect(ExpressionSuiteTests.passing.isSubset(of: names))
    #expect(passing == 375)
  }

  @Test func everyTestOfTheSubsetPasses() throws {
    let folder = try #require(ExpressionSuiteTests.folder)
    let list = String(decoding: try StyleFile.bytes(folder + "/subset.txt"), as: UTF8.self)
    let names = list.split(separator: "\n")
    #expect(names.count == 150)
    for name in names {
      let fixture = try ExpressionFixture(folder: "\(folder)/\(name)")
      let differences = fixture.differences()
      #expect(differences.isEmpty, "\(name): \(differences)")
    }
  }
}
