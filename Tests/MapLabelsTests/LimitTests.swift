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

  private func names(_ request: LabelRequest) -> [LabelLayoutCache.BlockKey] {
    request.tiles.flatMap { tile in tile.labels.records.map { tile.labels.blockKey($0) } }
  }

  @Test func lettersOfALinesNameAreMeasuredOnlyIfItFindsAPlace() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let look = LabelScene.look { $0.placement = .line }
    let lines = [Float(0.02), 0.9].map { length in
      LabelCandidate(
        layer: 0, text: FormattedText("Street of \(length)"), look: look,
        points: [TilePoint(0.05, length), TilePoint(0.05 + length, length)])
    }
    let request = LabelScene.request(lines)
    #expect(placer.place(request, after: nil).labels.count == 1)
    let names = names(request)
    #expect(names.count == 2)
    #expect(names.allSatisfy { placer.cache.extent(of: $0) != nil })
    #expect(names.map { placer.cache[$0] != nil } == [false, true])
  }

  @Test func theExtentsOfNamesThatAreKeptAreLimited() throws {
    var cache = LabelLayoutCache()
    let key = try #require(names(LabelScene.request(streets(1, spacing: 1))).first)
    let names = (0...LabelLayoutCache.maxExtents).map { number in
      var name = key
      name.textHash = number
      return name
    }
    let extent = TextBlock.Extent(width: 1, roomWidth: 1, height: 1, isEmpty: false)
    for name in names.dropLast() { cache.insert(extent, for: name) }
    let full = cache.bytes
    let hasAll = names.dropLast().allSatisfy { cache.extent(of: $0) != nil }
    #expect(hasAll)
    for name in names.suffix(1) { cache.insert(extent, for: name) }
    #expect(cache.bytes < full / 2)
    let kept = names.indices.filter { cache.extent(of: names[$0]) != nil }
    #expect(kept == [LabelLayoutCache.maxExtents])
  }

  @Test func aFontStackKeepsItsFaceAmongManyOthers() throws {
    let type = try LabelScene.type()
    let faces = ["Regular", "Italic", "Bold", "Bold Italic", "Medium"]
    let stacks = (0..<40).flatMap { number in faces.map { ["Font \(number) \($0)"] } }
    for stack in stacks {
      for _ in 0..<2 { #expect(type.face(stack) == LabelFonts.face(stack)) }
    }
  }
}
