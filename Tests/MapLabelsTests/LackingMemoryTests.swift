import MapGeometry
import MapStyle
import Platform
import Testing

@testable import MapLabels

/// Without memory for all labels some are missing, which is told, and the program goes on.
@Suite struct LackingMemoryTests {
  /// As many bytes as one list may take in these tests.
  private static let little = 40_000

  private func points(_ count: Int) -> [LabelCandidate] {
    (0..<count).map { LabelScene.point("\($0)", Float($0) / Float(count), 0.5) }
  }

  private func lines(_ count: Int, points: Int = 2) -> [LabelCandidate] {
    let look = LabelScene.look { $0.placement = .line }
    return (0..<count).map { number in
      let y = Float(number) / Float(count)
      return LabelCandidate(
        layer: 0, text: FormattedText("\(number)"), look: look,
        points: (0..<points).map { TilePoint(0.01 + 0.98 * Float($0) / Float(points - 1), y) })
    }
  }

  private func lacking<Value>(_ body: () -> Value) -> Value {
    SpareMemory.$most.withValue(Self.little, operation: body)
  }

  @Test func placesThatFindNoMemoryAreLeftOut() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let request = LabelScene.request(points(2000))
    let few = lacking { placer.place(request, after: nil) }
    #expect(few.lacksMemory)
    #expect(few.candidates > 0)
    #expect(placer.items.capacity * MemoryLayout<LabelItem>.stride <= Self.little)
    let all = placer.place(request, after: nil)
    #expect(all.candidates > few.candidates)
    #expect(!all.lacksMemory)
  }

  @Test func linesThatFindNoMemoryAreLeftOut() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let request = LabelScene.request(lines(2000))
    let few = lacking { placer.place(request, after: nil) }
    #expect(few.lacksMemory)
    #expect(few.candidates < 2000)
    #expect(placer.paths.capacity * MemoryLayout<LabelPath>.stride <= Self.little)
    #expect(!placer.place(request, after: nil).lacksMemory)
  }

  @Test func aLineOfTooManyPointsIsLeftOutAlone() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let request = LabelScene.request(lines(1, points: 5000) + lines(3))
    let few = lacking { placer.place(request, after: nil) }
    #expect(few.lacksMemory)
    #expect(few.labels.count == 3)
  }

  @Test func labelsStayWhereThereIsNoMemoryToPlaceThemAnew() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let look = LabelScene.look { ($0.textOverlap, $0.textSize) = (.always, 8) }
    let candidates = (0..<500).map {
      LabelScene.point("\($0)", Float($0 % 25) / 25, Float($0 / 25) / 20, look)
    }
    let first = placer.place(LabelScene.request(candidates), after: nil)
    #expect(first.labels.count == 500)
    let next = lacking { placer.place(LabelScene.request(points(3)), after: first) }
    #expect(next.lacksMemory)
    #expect(next.labels.map(\.id) == first.labels.map(\.id))
  }

  @Test func aPlacementOfTooFewCandidatesLacksMemory() throws {
    var request = LabelScene.request(points(3))
    request.lacksMemory = true
    let placer = LabelPlacer(type: try LabelScene.type())
    #expect(placer.place(request, after: nil).lacksMemory)
  }

  @Test func aGridWithoutMemoryTakesNoLabels() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    var request = LabelScene.request(points(1))
    (request.view.width, request.view.height) = (8192, 8192)
    let none = lacking { placer.place(request, after: nil) }
    #expect(none.lacksMemory)
    #expect(none.labels.isEmpty)
    // Those that are shown stay.
    let before = placer.place(LabelScene.request(points(3)), after: nil)
    #expect(before.labels.count == 3)
    let same = lacking { placer.place(request, after: before) }
    #expect(same.lacksMemory)
    #expect(same.labels.map(\.id) == before.labels.map(\.id))
  }

  @Test func aFullListOfTheGridEndsThePlacement() throws {
    let box = LabelBox(left: 0, top: 0, right: 480, bottom: 480)
    lacking {
      var grid = LabelGrid()
      let hasCells = grid.reset(PixelRect(x: 0, y: 0, width: 480, height: 480))
      #expect(hasCells)
      for _ in 0..<1000 { grid.insert(box, shared: true) }
      #expect(grid.lacksMemory && grid.isFull)
      #expect(grid.bytes < 2 * Self.little)
    }
  }
}
