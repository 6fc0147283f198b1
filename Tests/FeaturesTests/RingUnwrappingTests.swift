import Testing

@testable import Features

/// Lines and rings around the antimeridian, by places in degrees.
@Suite struct RingUnwrappingTests {
  private typealias Place = (lon: Double, lat: Double)

  /// Whether a place lies in pieces that are filled even-odd.
  private func holds(_ pieces: [[Place]], _ lon: Double, _ lat: Double) -> Bool {
    var inside = false
    for piece in pieces {
      guard var last = piece.last else { continue }
      for place in piece {
        if (last.lat < lat) != (place.lat < lat),
          last.lon + (place.lon - last.lon) * (lat - last.lat) / (place.lat - last.lat) > lon
        {
          inside.toggle()
        }
        last = place
      }
    }
    return inside
  }

  @Test func anEdgeOfExactlyHalfTheWorldGoesTheWayItIsWritten() throws {
    // Behind a crossing of the antimeridian, where edges are looked at one by one.
    let east = RingUnwrapping.unwrapped([(170, 0), (-170, 0), (10, 0)], alongEdge: false)
    #expect(east.map(\.lon) == [170, 190, 370])
    let west = RingUnwrapping.unwrapped([(-170, 0), (170, 0), (-10, 0)], alongEdge: false)
    #expect(west.map(\.lon) == [-170, -190, -370])
    let pieces = try #require(RingUnwrapping.pieces(line: [(170, 0), (-170, 0), (10, 0)]))
    #expect(pieces.map { $0.map(\.lon) } == [[170, 180], [-180, -170, 10]])
  }

  @Test func anEdgeOfMoreThanHalfTheWorldGoesTheShorterWay() {
    for (to, expected) in [(-10.001, 349.999), (-10, -10), (-9.999, -9.999), (10, 10)] {
      let line = RingUnwrapping.unwrapped([(170, 0), (to, 0)], alongEdge: false)
      #expect(abs(line[1].lon - expected) < 1e-9, "\(to)")
    }
    #expect(RingUnwrapping.unwrapped([(-90, 0), (91, 0)], alongEdge: false)[1].lon == -269)
    #expect(RingUnwrapping.unwrapped([(90, 0), (-91, 0)], alongEdge: false)[1].lon == 269)
  }

  @Test func aSmallRingAcrossTheAntimeridianIsItselfInBothDirections() throws {
    let ring: [Place] = [(170, -10), (-170, -10), (-170, 10), (170, 10)]
    for (name, places) in [("counterclockwise", ring), ("clockwise", ring.reversed())] {
      let pieces = try #require(
        RingUnwrapping.pieces(ring: places, isHole: false, pole: .smaller), "\(name)")
      #expect(pieces.count == 2, "\(name)")
      #expect(holds(pieces, 175, 0) && holds(pieces, -175, 0), "\(name)")
      #expect(!holds(pieces, 0, 0) && !holds(pieces, 175, 20), "\(name)")
    }
  }

  /// A ring across the antimeridian that goes round most of the world: from 100 east over 180 to
  /// 60.
  private let large: [Place] = [
    (100, -80), (-140, -80), (-40, -80), (60, -80), (60, 80), (-40, 80), (-140, 80), (100, 80),
  ]

  @Test func aLargeClockwiseRingAcrossTheAntimeridianEnclosesTheRest() throws {
    // RFC 7946, section 3.1.6: what lies to the left of an outer ring is inside.
    let pieces = try #require(
      RingUnwrapping.pieces(ring: large.reversed(), isHole: false, pole: .smaller))
    #expect(holds(pieces, 80, 0))
    for lon in [-170.0, -90, 0, 50, 110, 170] { #expect(!holds(pieces, lon, 0), "\(lon)") }
    for lon in [-170.0, 0, 80, 170] { #expect(holds(pieces, lon, 85), "\(lon)") }
  }

  @Test func aLargeCounterclockwiseRingEnclosesWhatIsInIt() throws {
    let pieces = try #require(
      RingUnwrapping.pieces(ring: large, isHole: false, pole: .smaller))
    #expect(!holds(pieces, 80, 0))
    for lon in [-170.0, -90, 0, 50, 110, 170] { #expect(holds(pieces, lon, 0), "\(lon)") }
    #expect(!holds(pieces, 0, 85))
  }

  @Test func aLargeHoleIsItselfWhateverItsDirection() throws {
    for places in [large, large.reversed()] {
      let pieces = try #require(
        RingUnwrapping.pieces(ring: places, isHole: true, pole: .smaller))
      #expect(holds(pieces, 0, 0) && holds(pieces, 170, 0) && !holds(pieces, 80, 0))
    }
  }

  @Test func aClockwiseRingOfLessThanHalfTheWorldIsItself() throws {
    // From 100 east over the antimeridian to 100 west, nearly from pole to pole: 40 % of the world.
    let ring: [Place] = [(100, 80), (-170, 80), (-100, 80), (-100, -80), (-170, -80), (100, -80)]
    let pieces = try #require(RingUnwrapping.pieces(ring: ring, isHole: false, pole: .smaller))
    #expect(holds(pieces, 170, 0) && holds(pieces, -150, 0) && !holds(pieces, 0, 0))
  }
}
