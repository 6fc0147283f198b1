import TestSupport
import Testing

@testable import MapStyle

/// Styles that are in use: what is drawn of them.
@Suite(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct RealStyleTests {
  /// How many layers each has, and the findings by kind.
  private static let expected: [String: (layers: Int, findings: [StyleFinding.Kind: Int])] = [
    "ofm-bright": (112, [.property: 1]), "ofm-dark": (47, [:]),
    "ofm-liberty": (111, [.property: 1]),
    "ofm-positron": (55, [:]), "omt-dark-matter": (47, [:]), "omt-fiord": (48, [:]),
    "omt-maptiler-basic": (48, [:]), "omt-osm-bright": (123, [:]),
    "omt-osm-liberty": (105, [.property: 1]), "omt-positron": (50, [:]),
    "omt-terrain": (51, [:]), "protomaps-dark": (71, [:]),
    "protomaps-grayscale": (69, [:]),
    "protomaps-light": (71, [:]), "protomaps-white": (69, [:]),
    "versatiles-colorful-en": (310, [:]), "versatiles-graybeard-en": (310, [:]),
    "versatiles-neutrino-en": (195, [:]), "versatiles-shadow-en": (310, [:]),
  ]

  /// Their names.
  static var names: [String] { expected.keys.sorted() }

  @Test func stylesInUseCompileWithTheListedFindings() throws {
    let data = try #require(TestData.large)
    for (name, expected) in RealStyleTests.expected {
      let style = try MapStyle(json: StyleFile.bytes(data + "/vector/styles/\(name).json"))
      var findings: [StyleFinding.Kind: Int] = [:]
      for finding in style.findings { findings[finding.kind, default: 0] += 1 }
      #expect(style.layers.count == expected.layers, "\(name)")
      #expect(findings == expected.findings, "\(name): \(style.findings)")
    }
  }
}
