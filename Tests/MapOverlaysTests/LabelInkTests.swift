import Drawing
import MapGeometry
import MapScene
import Testing

@testable import MapOverlays

/// Words on the map are light or dark by what lies under each of them.
@Suite struct LabelInkTests: MarkerLayerCase {
  /// Two markers with labels, one in the west and one in the east of the view.
  private func layer() throws -> (MarkerLayer, SpritePainter) {
    let painter = painter()
    let layer = MarkerLayer(painter)
    try layer.set(marker("a", 46, 7.70, "West"))
    try layer.set(marker("b", 46, 7.80, "East"))
    _ = layer.update(view(), avoiding: [])
    #expect(layer.placedLabels.count == 2)
    return (layer, painter)
  }

  /// Whether the words of labels are light, by their texts.
  private func isLight(_ layer: MarkerLayer) -> [String: Bool] {
    var all: [String: Bool] = [:]
    for label in layer.placedLabels {
      let pixels = UnsafeBufferPointer(
        start: label.image.pixels, count: label.image.width * label.image.height)
      all[label.name] =
        pixels.filter { $0 == PictureTheme.night.label }.count
        > pixels.filter { $0 == PictureTheme.day.label }.count
    }
    return all
  }

  /// Chooses over a map of which the western half is so light, and the eastern half white.
  private func choose(_ layer: MarkerLayer, west: Int, keeping: Bool = false) -> Bool {
    let middle = view().width / 2
    let isNews = layer.chooseInks(ground: west, keeping: keeping) { rect in
      rect.x + rect.width / 2 < middle ? west : 255
    }
    #expect(layer.update(view(), avoiding: []) == isNews)
    return isNews
  }

  @Test func eachWordFollowsItsOwnGround() throws {
    let (layer, _) = try layer()
    #expect(isLight(layer) == ["West": false, "East": false])
    #expect(choose(layer, west: 30))
    #expect(isLight(layer) == ["West": true, "East": false])
    // The same again is nothing new.
    #expect(!choose(layer, west: 30))
    #expect(choose(layer, west: 200))
    #expect(isLight(layer) == ["West": false, "East": false])
  }

  @Test func groundThatIsNeitherLightNorDarkChangesNothing() throws {
    let (layer, _) = try layer()
    #expect(!choose(layer, west: 100))
    #expect(choose(layer, west: 60))
    #expect(!choose(layer, west: 101))
    #expect(isLight(layer)["West"] == true)
  }

  @Test func aChoiceIsHeldWhileTheViewIsCarried() throws {
    let (layer, _) = try layer()
    #expect(choose(layer, west: 30, keeping: true))
    #expect(isLight(layer)["West"] == true)
    #expect(!choose(layer, west: 250, keeping: true))
    #expect(isLight(layer)["West"] == true)
  }

  @Test func wordsKeepTheirPlacesAndTheirChoiceWhenTheViewMoves() throws {
    let (layer, _) = try layer()
    let before = layer.placedLabels.map { [$0.dx, $0.dy] }
    #expect(choose(layer, west: 30))
    #expect(layer.placedLabels.map { [$0.dx, $0.dy] } == before)
    _ = layer.update(view().panned(dx: 20, dy: 10), avoiding: [])
    #expect(isLight(layer) == ["West": true, "East": false])
  }

  @Test func byNightAllWordsAreLightWhateverIsUnderThem() throws {
    let (layer, painter) = try layer()
    painter.theme = .night
    _ = layer.update(view(), avoiding: [])
    #expect(!choose(layer, west: 30))
    #expect(isLight(layer) == ["West": true, "East": true])
  }

  @Test func wordsInAColourOfTheirOwnHaveTheHaloFromWhichTheyDifferMost() {
    let painter = painter()
    #expect(painter.halo(around: 0xFF00_2060) == PictureTheme.day.halo)
    #expect(painter.halo(around: 0xFFFF_F0A0) == PictureTheme.night.halo)
    painter.theme = .red
    #expect(painter.halo(around: 0xFFFF_0000) == PictureTheme.red.halo)
  }
}
