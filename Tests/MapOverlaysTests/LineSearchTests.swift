import Features
import MapGeometry
import Testing

@testable import MapOverlays

/// The place on a line nearest to another place.
@Suite struct LineSearchTests {
  private func world(_ lon: Double, _ lat: Double) -> WorldPoint {
    WebMercator.project(GeoPoint(lat: lat, lon: lon))
  }

  @Test func theNearestPlaceIsThatOfEveryPieceTried() throws {
    var numbers = Numbers(7)
    let lines = (0..<40).map { _ in
      (0..<200).map { _ in (numbers.unit() * 10, 40 + numbers.unit() * 10) }
    }
    let drawing: FeatureDrawing = try lineDrawing(lines)
    let set = drawing.features
    for _ in 0..<20 {
      let place = world(numbers.unit() * 10, 40 + numbers.unit() * 10)
      let found = try #require(drawing.nearestLine(to: place, within: 0.01))
      var best = Double.infinity
      for part in set.parts.indices {
        let range = set.pointRange(part)
        for index in range.dropLast() {
          let (a, b) = (set.points[index], set.points[index + 1])
          let (dx, dy) = (b.unitX - a.unitX, b.unitY - a.unitY)
          let along = (place.x - a.unitX) * dx + (place.y - a.unitY) * dy
          let part = min(max(along / max(dx * dx + dy * dy, 1e-30), 0), 1)
          let (x, y) = (a.unitX + part * dx - place.x, a.unitY + part * dy - place.y)
          best = min(best, (x * x + y * y).squareRoot())
        }
      }
      #expect(abs(found.distance - best) < 1e-9)
    }
  }

  @Test func aPlaceTooFarAwayFindsNothing() throws {
    let drawing: FeatureDrawing = try lineDrawing([[(0, 0), (1, 0)]])
    #expect(drawing.nearestLine(to: world(0.5, 1), within: 0.001) == nil)
    #expect(drawing.nearestLine(to: world(0.5, 1), within: 0.01) != nil)
  }

  @Test func aLineIsFoundAcrossTheAntimeridian() throws {
    let drawing: FeatureDrawing = try lineDrawing([[(179, 0), (-179, 0)]])
    let hit = try #require(drawing.nearestLine(to: world(180, 0.1), within: 0.001))
    #expect(abs(drawing.part(of: hit) - 0.5) < 0.01)
    var beyond = world(179.9, 0.1)
    beyond.x += 1
    #expect(drawing.nearestLine(to: beyond, within: 0.001) != nil)
  }

  @Test func howFarAlongALineAPlaceIsGrowsFromItsStartToItsEnd() throws {
    let line = (0...500).map { step -> (Double, Double) in
      let lat: Double = step % 2 == 0 ? 45 : 45.001
      return (Double(step) / 100, lat)
    }
    let drawing: FeatureDrawing = try lineDrawing([[(0, 10), (5, 10)], line])
    var last = -1.0
    for step in 0...50 {
      let place = world(Double(step) / 10, 45)
      let hit = try #require(drawing.nearestLine(of: 1..<2, to: place, within: 0.001))
      let part = drawing.part(of: hit)
      #expect(part > last && abs(part - Double(step) / 50) < 0.01)
      last = part
    }
  }
}
