import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import MapScene

/// The cache's floor is enough for every view, and for every block of one with all its layers.
@Suite struct CacheFloorTests {
  private static let sizes = [(320, 240), (800, 480), (1280, 720)]

  /// Views of any place and bearing whose tiles are drawn smallest: between two levels.
  private func views(_ width: Int, _ height: Int) -> [Viewport] {
    var numbers = SeededNumbers(7)
    return (0..<600).map { n in
      let bearing = n % 3 == 0 ? 45 : n % 3 == 1 ? 0 : numbers.number(0...359)
      return Viewport(
        center: GeoPoint(lat: numbers.number(-40...40), lon: numbers.number(-170...170)),
        zoom: 8.5, bearing: bearing, width: width, height: height)
    }
  }

  /// How many cells the view has, and how many its middle block needs.
  private func counts(_ t: ViewTransform) -> (view: Int, block: Int) {
    var blocks = ScreenBlocks()
    blocks.reset(t)
    blocks.activate(within: 0) { _ in 1 }
    let all = t.cells(in: PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    var (view, block) = (0, 0)
    for row in all.rows {
      for column in all.columns where t.isVisible(column: column, row: row) {
        view += 1
        let box = t.screenBox(column: column, row: row)
        if blocks.need(of: (column, row), in: box).active { block += 1 }
      }
    }
    return (view, block)
  }

  private func demand(_ width: Int, _ height: Int, layers: Int) -> CacheFloor.Demand {
    CacheFloor.Demand(
      width: width, height: height, edge: 256, opaqueBytes: 4, layers: layers, overlays: 0, jobs: 0)
  }

  @Test(arguments: sizes)
  func noViewAndNoBlockOfOneNeedsMoreThanTheFloor(_ width: Int, _ height: Int) {
    let tile = 256 * 256 * 4
    let one = demand(width, height, layers: 1).floor / tile
    // So many that the block decides.
    let all = demand(width, height, layers: 100).floor / tile / 100
    var most = (view: 0, block: 0)
    for view in views(width, height) {
      let counts = counts(ViewTransform(view))
      most = (max(most.view, counts.view), max(most.block, counts.block))
    }
    #expect(most.view <= one)
    #expect(most.block <= all)
    // Nor is the floor much higher.
    #expect(most.view >= one * 3 / 4, "\(most.view) of \(one)")
    #expect(most.block >= all * 3 / 4, "\(most.block) of \(all)")
  }

  /// Such tiles have many sizes, of which the largest need most.
  @Test(arguments: sizes)
  func noRestingViewOfAPaintedMapNeedsMoreThanTheFloor(_ width: Int, _ height: Int) {
    func floor(_ layers: Int) -> Int {
      CacheFloor.Demand(
        width: width, height: height, edge: 363, isPainted: true, opaqueBytes: 4, layers: layers,
        overlays: 0, jobs: 0
      ).floor
    }
    let (one, all) = (floor(1), floor(100) / 100)
    var numbers = SeededNumbers(8)
    for var view in views(width, height) {
      view.zoom = numbers.number(8...9)
      let t = ViewTransform.resting(view)
      let (counts, tile) = (counts(t), t.cell * t.cell * 4)
      #expect(counts.view * tile <= one, "\(view)")
      #expect(counts.block * tile <= all, "\(view)")
    }
  }
}
