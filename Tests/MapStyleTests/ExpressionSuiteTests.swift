import TestSupport
import Testing

@testable import MapStyle

/// MapLibre's tests of expressions: those that Waypost passes are passed.
@Suite(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct ExpressionSuiteTests {
  /// The folder of the suite; nil without the large data set.
  private static let folder = TestData.large.map { $0 + "/vector/expression-tests" }

  /// Those that need what Waypost does not have: `within` and `distance` (the feature's geometry),
  /// states of features, heat maps and heights, and the order of letters in each language.
  static let failing: Set<String> = [
    "collator/variable-gt", "collator/variable-lteq", "elevation/basic", "feature-state/basic",
    "feature-state/expression-arg", "heatmap-density/basic",
  ]

  private static func isGeometric(_ name: String) -> Bool {
    name.hasPrefix("within/") || name.hasPrefix("distance/")
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
      guard !ExpressionSuiteTests.isGeometric(name) else { continue }
      let isListed = ExpressionSuiteTests.failing.contains(name)
      #expect(differences.isEmpty != isListed, "\(name): \(differences)")
    }
    // Of the geometric ones those pass that expect an error.
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
