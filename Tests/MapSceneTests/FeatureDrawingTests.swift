import Features
import Foundation
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapScene

@Suite struct FeatureDrawingTests {
  static let red = OverlayStyle(stroke: 0xFFFF_0000, strokeWidth: 2, fill: 0xFF00_FF00)
  static let filled = OverlayStyle(stroke: 0, strokeWidth: 0, fill: 0xFFFF_FFFF)

  static let antimeridian: [String] = {
    let folder = TestData.fixtures + "/overlays/geojson/antimeridian/expected-split"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted()
  }()

  @Test(arguments: antimeridian)
  func whatCrossesTheAntimeridianIsDrawnAsItsCut(_ name: String) throws {
    let input = try FeatureSet.fixture("geojson/antimeridian/input/" + name)
    let split = try FeatureSet.fixture("geojson/antimeridian/expected-split/" + name)
    for style in [Self.filled, Self.red] {
      let one = try OverlayPicture.world(FeatureDrawing(input, style: style), level: 2)
      let other = try OverlayPicture.world(FeatureDrawing(split, style: style), level: 2)
      let isLine = input.parts.allSatisfy { $0.kind == .line }
      #expect(other.words.contains { $0 != 0 } || isLine && style.strokeWidth == 0)
      // A cut's latitude is rounded in the files: that moves an edge by less than half a pixel.
      let wrong = one.differences(from: other, tolerance: 128)
      #expect(wrong == 0, "\(name): \(wrong) pixels")
    }
  }
}
