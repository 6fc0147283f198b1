import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// The words of the pin of "here" and the selected line.
@Suite struct HereLineTests: MarkerLayerCase {
  @Test func itsWordsAreNotAcrossTheSelectedLineWhereThereIsRoom() throws {
    // So near to the right edge that there is no room to the right of the pin.
    let layer = try layer([marker("here", 46, 7.8187, "You are here", icon: .here)])
    func words() throws -> PixelRect {
      _ = layer.update(view(), avoiding: [])
      return try #require(layer.markerSprites.last { $0.image.width > 2 * $0.image.height }).rect
    }
    let before = try words()
    // A line from top to bottom, through the words.
    let x = before.x + before.width / 3
    let lon = 7.75 + Double(x - 400) * 360 / (256 * 4096)
    let line = try lineDrawing([[(lon, 45.9), (lon, 46.1)]])
    layer.selectedLine = SelectedLine(line, line: 0..<1)
    let after = try words()
    #expect(after.x > x + 4 || after.maxX < x - 4)
    #expect(after.x >= 0 && after.maxX <= 800)
  }

  /// A line through pixels of `view()`, as one of several that are selected together.
  private func selected(_ lines: [[(Double, Double)]]) throws -> SelectedLine {
    let drawing = try lineDrawing(
      lines.map { line in
        line.map { at in
          let place = WebMercator.unproject(view().world(x: at.0, y: at.1))
          return (place.lon, place.lat)
        }
      })
    return SelectedLine(drawing, line: 0..<lines.count)
  }

  @Test func itsWordsStandFurtherAlongThePinWhereEachSideIsAcrossTheSelectedLine() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    _ = layer.update(view(), avoiding: [])
    let pin = try #require(layer.markerSprites.first).rect
    // One through the pin's middle from the top down, and three across the words beside it.
    let (top, middle) = (Double(pin.y), Double(pin.x) + Double(pin.width) / 2)
    let rows = [top + 16, top + 44, Double(pin.maxY)]
    var lines: [[(Double, Double)]] = rows.map { [(0, $0), (800, $0)] }
    lines.append([(middle, 0), (middle, 480)])
    layer.selectedLine = try selected(lines)
    _ = layer.update(view(), avoiding: [])
    let words = try #require(layer.markerSprites.last).rect
    #expect(layer.markerSprites.count == 2 && words.width > 100)
    #expect(!words.intersects(pin))
    #expect(Double(words.x) > middle || Double(words.maxX) < middle)
    for row in rows { #expect(Double(words.y) > row || Double(words.maxY) < row) }
    // It is still beside the pin.
    #expect(words.maxY >= pin.y && words.x < pin.maxX && words.maxX > pin.x)
  }

  @Test func itsWordsAreLeftOutWhereEveryPlaceIsAcrossTheSelectedLine() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    let lines: [[(Double, Double)]] = stride(from: 4.0, to: 800, by: 24).map { x in
      [(x, 0), (x, 480)]
    }
    layer.selectedLine = try selected(lines)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 1)
    // They are back with the next line, or none.
    layer.selectedLine = nil
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
  }
}
