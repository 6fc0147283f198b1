import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

/// Styles and tiles that ask for more labels than any map has cost bounded work and memory.
@Suite struct LimitTests {
  private func streets(_ count: Int, spacing: Float) -> [LabelCandidate] {
    let look = LabelScene.look {
      $0.placement = .line
      $0.spacing = spacing
    }
    return (0..<count).map { number in
      let y = Float(number) / Float(count)
      return LabelCandidate(
        layer: 0, text: FormattedText("\(number)"), look: look,
        points: [TilePoint(0.01, y), TilePoint(0.99, y)])
    }
  }

  @Test func placesThatAreConsideredAreLimited() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    placer.itemLimit = 100
    let lines = placer.place(LabelScene.request(streets(40, spacing: 1)), after: nil)
    #expect(lines.candidates == 100)
    let points = (0..<300).map { LabelScene.point("\($0)", Float($0) / 300, 0.5) }
    #expect(placer.place(LabelScene.request(points), after: nil).candidates == 100)
  }

  @Test func linesAreLimited() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    placer.pathLimit = 5
    let placement = placer.place(LabelScene.request(streets(40, spacing: 4096)), after: nil)
    #expect((1...5).contains(placement.candidates))
  }

  @Test func comparisonsOfEqualLabelsAreLimited() {
    var run = LabelRun(LabelScene.request([]), nil)
    let first = run.mayCompare(LabelRun.maxComparisons)
    let next = run.mayCompare()
    #expect(first && !next)
  }

  @Test func aFullGridEndsThePlacement() throws {
    var grid = LabelGrid()
    let hasCells = grid.reset(PixelRect(x: 0, y: 0, width: 4096, height: 4096))
    #expect(hasCells)
    let all = LabelBox(left: 0, top: 0, right: 4096, bottom: 4096)
    var count = 0
    while !grid.isFull, count < 100_000 {
      grid.insert(all, shared: true)
      count += 1
    }
    #expect(grid.isFull)
    let bytes = grid.bytes
    for _ in 0..<100 { grid.insert(all, shared: true) }
    #expect(grid.bytes == bytes)
    #expect(bytes < 8 << 20)
    let hasCellsAgain = grid.reset(PixelRect(x: 0, y: 0, width: 64, height: 64))
    #expect(hasCellsAgain)
    #expect(!grid.isFull)
  }

  @Test func aLabelWithAnEnormousPictureIsLeftOut() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let look = LabelScene.look {
      $0.textSize = 256
      $0.textMaxWidth = 3
    }
    let text = "enormous words on many lines"
    let placement = placer.place(
      LabelScene.request([LabelScene.point(text, 0.5, 0.5, look)]), after: nil)
    #expect(placement.labels.isEmpty)
  }
}
