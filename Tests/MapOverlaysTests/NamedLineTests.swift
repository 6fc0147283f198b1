import Features
import MapGeometry
import Platform
import Testing

@testable import MapOverlays

/// What a tile shows of lines that have names.
@Suite struct NamedLineTests {
  private func drawing(_ features: [String]) throws -> FeatureDrawing {
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    return FeatureDrawing(
      try FeatureSet(
        bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: "name")))
  }

  private func line(_ name: String?, _ positions: [(Double, Double)]) -> String {
    let list = positions.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    let properties = name.map { "{\"name\":\"\($0)\",\"stroke\":\"#c62828\"}" } ?? "{}"
    return "{\"type\":\"Feature\",\"properties\":\(properties),"
      + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(list)]}}"
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileID {
    try #require(TileID(z: z, x: x, y: y))
  }

  @Test func eachTileOfALineHasItsStretchAndOneHasTheMiddle() throws {
    let drawing = try drawing([line("Ridge", [(-80, 10), (80, 10)])])
    #expect(drawing.hasNamedLines)
    let west = try #require(drawing.namedLines(on: tile(1, 0, 0))?.first)
    let east = try #require(drawing.namedLines(on: tile(1, 1, 0))?.first)
    #expect(west.text == "Ridge" && west.color == 0xFFC6_2828)
    #expect(west.stretches.count == 1 && east.stretches.count == 1)
    #expect([west.middle, east.middle].compactMap { $0 }.count == 1)
    #expect(drawing.namedLines(on: try tile(1, 0, 1))?.isEmpty == true)
    #expect(abs(west.length - 160.0 / 360) < 1e-6)
  }

  @Test func whatHasNoNameOrIsAnAreaIsNone() throws {
    let area =
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"Park\"},\"geometry\":{\"type\":\"Polygon\","
      + "\"coordinates\":[[[0,0],[9,0],[9,9],[0,0]]]}}"
    let drawing = try drawing([line(nil, [(0, 0), (9, 0)]), area])
    #expect(!drawing.hasNamedLines)
    #expect(drawing.namedLines(on: .world)?.isEmpty == true)
  }

  @Test func aTileHasNothingOfWhatIsFarAway() throws {
    // A thousand points from west to east, of which a tile of level 6 has sixteen.
    let positions = (0..<1000).map { (Double($0) * 0.36 - 179.9, 5.0) }
    let drawing = try drawing([line("Parallel", positions)])
    let found = try #require(drawing.namedLines(on: tile(6, 20, 31))?.first)
    let points = found.stretches.flatMap { $0 }
    // Blocks of 64 points are taken whole.
    #expect(points.count < 200)
    #expect(points.contains { $0.x >= 0 && $0.x <= 1 })
    let stretch = try #require(found.stretches.first)
    #expect(zip(stretch, stretch.dropFirst()).allSatisfy { $0.x < $1.x })
    #expect((stretch.first?.x ?? 1) <= 0 && (stretch.last?.x ?? 0) >= 1)
  }

  @Test func aLineAcrossTheAntimeridianIsOnBothItsSides() throws {
    let drawing = try drawing([line("Date line", [(170, 10), (-170, 10)])])
    // It is in two parts, each of which ends there.
    for (x, edge) in [(0, 0), (7, 1)] as [(Int, Float)] {
      let found = try #require(drawing.namedLines(on: try tile(3, x, 3)))
      let ends = found.flatMap(\.stretches).flatMap { [$0.first, $0.last].compactMap { $0 } }
      #expect(ends.contains { abs($0.x - edge) < 1e-5 }, "tile \(x)")
      #expect(ends.contains { $0.x > 0.1 && $0.x < 0.9 }, "tile \(x)")
    }
  }

  @Test func jitterIsLeftOutAndBothEndsStay() throws {
    var numbers = Numbers(3)
    let positions = (0..<400).map { n in
      (Double(n) * 0.1 + numbers.unit() * 0.2, numbers.unit() * 0.2)
    }
    let drawing = try drawing([line("Track", positions)])
    let stretch = try #require(drawing.namedLines(on: .world)?.first?.stretches.first)
    #expect(stretch.count < 30)
    let last = try #require(positions.last)
    #expect(abs(Double(stretch.last?.x ?? 0) - (last.0 / 360 + 0.5)) < 1e-5)
  }

  @Test func aTileLooksAtALimitedNumberOfPoints() throws {
    let many = (0..<20).map { n in
      line("Line \(n)", (0..<2000).map { (Double($0) * 0.05, Double(n)) })
    }
    let drawing = try drawing(many)
    let found = try #require(drawing.namedLines(on: .world))
    #expect((1..<20).contains(found.count))
  }

  @Test func withoutMemoryForThemThereAreNone() throws {
    let many = try drawing(
      (0..<2000).map { line("Line \($0)", [(0, Double($0) / 50), (10, Double($0) / 50)]) })
    #expect(many.namedLines(on: .world)?.count == 2000)
    #expect(SpareMemory.$most.withValue(40_000) { many.namedLines(on: .world) } == nil)
  }
}
