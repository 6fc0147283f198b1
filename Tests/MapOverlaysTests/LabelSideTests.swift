import Drawing
import Foundation
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// Whether the compiler optimised: without, a layout of thousands of names takes half a second.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Labels keep their side, cover nothing, and are never cut.
@Suite struct LabelSideTests: MarkerLayerCase {
  /// As many names in the disc of `radius` pixels around the middle of a view.
  private func disc(_ count: Int, radius: Double) -> [OverlayLabel] {
    var numbers = Numbers(5)
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let reach = radius / 256 / 4096
    return (0..<count).map { n in
      let (angle, far) = (numbers.unit() * 2 * .pi, numbers.unit().squareRoot() * reach)
      return OverlayLabel(
        place: WorldPoint(x: middle.x + far * cos(angle), y: middle.y + far * sin(angle)),
        text: "Name \(n)", beside: 8)
    }
  }

  private func crowd(_ count: Int) -> [OverlayLabel] {
    var numbers = Numbers(5)
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let side = 1600.0 / 256 / 4096
    return (0..<count).map {
      OverlayLabel(
        place: WorldPoint(
          x: middle.x + (numbers.unit() - 0.5) * side, y: middle.y + (numbers.unit() - 0.5) * side),
        text: "Name \($0)", beside: 8)
    }
  }

  /// Fails where two labels on the screen overlap.
  private func expectNoneOverlaps(_ layer: MarkerLayer, _ what: String) -> Int {
    let sprites = layer.labelSprites + layer.markerSprites.filter { isLabel($0, layer) }
    var pairs = 0
    for (i, a) in sprites.enumerated() {
      for b in sprites[..<i] where a.rect.intersects(b.rect) { pairs += 1 }
    }
    #expect(pairs == 0, "\(what)")
    return sprites.count
  }

  @Test func whileTheMapTurnsNoNamesOverlapAndNoneChangesItsSide() throws {
    let layer = try layer(many(40, spread: 0.1))
    let names = disc(10_000, radius: 530)
    layer.labelSources = [ListedLabels(names)]
    func turned(_ bearing: Double) -> Viewport { view(bearing: bearing, 1920, 1080) }
    // All of them are in the view, whatever its bearing.
    for bearing in [0.0, 60, 135] {
      let view = turned(bearing)
      let count = names.count { name in
        let at = view.screen(WebMercator.unproject(name.place))
        return at.x >= 0 && at.x < 1920 && at.y >= 0 && at.y < 1080
      }
      #expect(count == names.count)
    }
    _ = layer.update(turned(0), avoiding: [])
    var sides: [String: (x: Int, y: Int)] = [:]
    var (shown, changed) = (0, 0)
    // Each step all around is a few degrees, where the compiler optimised.
    let steps = Emulation.rounds(isOptimised ? 120 : 24)
    for step in 0..<steps {
      let view = turned(Double(step) * 360 / Double(steps))
      // A few frames for each bearing, as if it turned slowly.
      for _ in 0..<(step % 3) { _ = layer.update(view, avoiding: []) }
      _ = layer.update(view, avoiding: [])
      shown += expectNoneOverlaps(layer, "step \(step)")
      for label in layer.placedLabels {
        let key = "\(label.name) \(label.rank)"
        if let side = sides[key], side != (label.dx, label.dy) { changed += 1 }
        sides[key] = (label.dx, label.dy)
      }
    }
    #expect(changed == 0)
    #expect(shown > steps * 30)
  }

  @Test func aLargeOverlayLeavesOthersTheirShare() {
    let few = crowd(10).map { OverlayLabel(place: $0.place, text: "Few " + $0.text, beside: 8) }
    var labels = OverlayLabels()
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let window = GridBox(
      minX: middle.x - 0.01, minY: middle.y - 0.01, maxX: middle.x + 0.01, maxY: middle.y + 0.01)
    let isNew = labels.update(
      [ListedLabels(crowd(20_000)), ListedLabels(few)], window: window, zoom: 12)
    #expect(isNew)
    #expect(labels.all.count <= OverlayLabels.most)
    #expect(labels.all.filter { $0.label.text.hasPrefix("Few") }.count == few.count)
  }

  @Test func everyNameOfThousandsHasItsTurnAndTheFirstOnesComeFirst() throws {
    let layer = try layer([])
    layer.labelSources = [ListedLabels(crowd(10_000))]
    _ = layer.update(view(), avoiding: [])
    let first = Set(layer.placedLabels.map(\.name))
    #expect(layer.isPlacing)
    var frames = 1
    while layer.isPlacing, frames < 1000 {
      _ = layer.update(view(), avoiding: [])
      frames += 1
    }
    #expect(!layer.isPlacing)
    _ = expectNoneOverlaps(layer, "at rest")
    // What is there stays while others come.
    let all = Set(layer.placedLabels.map(\.name))
    #expect(first.isSubset(of: all) && all.count > first.count)
    // Each of them has been compared with what is there: none would fit any more.
    #expect(!layer.update(view(), avoiding: []))
    // As if all had been tried at once, in their order.
    #expect(first.contains("Name 0"))
  }

  @Test func namesOfManyPointsAreSpreadOverTheBoxHoweverTheFileIsSorted() throws {
    let points = (0..<2000).map { n in
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"P\(n)\"},\"geometry\":"
        + "{\"type\":\"Point\",\"coordinates\":[\(Double(n) / 100),\(Double(n % 40) / 10)]}}"
    }
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(points.joined(separator: ","))]}"
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    let labels = drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: OverlayLabels.most)
    #expect(labels.count == 2000)
    #expect(Set(labels.map(\.text)).count == 2000)
    // The first hundred reach from west to east.
    let places = labels.prefix(100).map { WebMercator.unproject($0.place).lon }
    #expect((places.min() ?? 20) < 2)
    #expect((places.max() ?? 0) > 18)
  }

  private func isLabel(_ sprite: Sprite, _ layer: MarkerLayer) -> Bool {
    layer.placedLabels.contains { $0.image === sprite.image }
  }

  @Test func whileTheMapIsPannedNoNameChangesItsSide() throws {
    let layer = try layer([])
    layer.labelSources = [ListedLabels(crowd(3000))]
    var view = view()
    var sides: [String: (x: Int, y: Int)] = [:]
    for step in 0..<60 {
      view = view.panned(dx: 17, dy: step % 2 == 0 ? 9 : -3)
      _ = layer.update(view, avoiding: [])
      var now: [String: (x: Int, y: Int)] = [:]
      for label in layer.placedLabels { now[label.name] = (label.dx, label.dy) }
      for (name, side) in sides {
        if let other = now[name] { #expect(side == other, "\(name), step \(step)") }
      }
      sides = now
    }
  }

  @Test(arguments: [(1, 0.0), (2, 0), (1, 33)])
  func noNameIsCutByTheScreensEdge(_ scale: Int, _ bearing: Double) throws {
    let layer = try layer(many(60, spread: 0.3))
    layer.labelSources = [ListedLabels(crowd(500))]
    for step in 0..<40 {
      let view = view(bearing: bearing, 480, 320, scale: scale).panned(dx: Double(step * 7), dy: 3)
      _ = layer.update(view, avoiding: [])
      let screen = PixelRect(x: 0, y: 0, width: 480, height: 320)
      for sprite in layer.labelSprites + layer.markerSprites.filter({ isLabel($0, layer) }) {
        #expect(sprite.rect.intersection(screen) == sprite.rect)
      }
    }
  }

  @Test func aNameThatIsMovedInsideDoesNotCoverWhatItNames() throws {
    let place = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let layer = try layer([])
    layer.labelSources = [ListedLabels([OverlayLabel(place: place, text: "Ankara", beside: 8)])]
    var shown = 0
    for x in -4..<140 {
      // The point is that far from the right edge.
      _ = layer.update(view().panned(dx: -400 + Double(x), dy: 0), avoiding: [])
      guard let name = layer.labelSprites.first?.rect else { continue }
      shown += 1
      let point = PixelRect(x: 797 - x, y: 237, width: 6, height: 6)
      #expect(!name.intersects(point), "\(x)")
    }
    #expect(shown > 0)
  }

  @Test func aNameIsNotReadAsThatOfAnotherPointUnlessThereIsNoOtherRoom() throws {
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    /// A point that many pixels from the middle of the view.
    func point(_ text: String, _ x: Double, _ y: Double) -> OverlayLabel {
      let place = WorldPoint(x: middle.x + x / 256 / 4096, y: middle.y + y / 256 / 4096)
      return OverlayLabel(place: place, text: text, beside: 8)
    }
    /// Where the name of the point in the middle stands, from its disc on.
    func name(among others: [(x: Double, y: Double)]) throws -> (dx: Int, dy: Int, width: Int) {
      let points = others.enumerated().map { point("\($0)", $1.x, $1.y) }
      let layer = try layer([])
      layer.labelSources = [ListedLabels([point("Sarajevo", 0, 0)] + points)]
      _ = layer.update(view(), avoiding: [])
      let label = try #require(layer.placedLabels.first { $0.name == "Sarajevo" })
      return (label.dx, label.dy, label.image.width)
    }
    let alone = try name(among: [])
    #expect(alone.dx > 0)
    // The name to the right would end beside another point.
    let right = (x: Double(alone.dx + alone.width + 6), y: 0.0)
    #expect(try name(among: [right]).dx < 0)
    // Now the one to the left would, too.
    let left = (x: -right.x, y: 0.0)
    let beyond = try name(among: [right, left])
    #expect(abs(beyond.dx + beyond.width / 2) < alone.dx)
    // Rather so than not at all.
    var around: [(x: Double, y: Double)] = []
    for y in [-14.0, 0, 14] { around += [(right.x, y), (left.x, y)] }
    for x in stride(from: right.x, through: left.x, by: -12) { around += [(x, -40), (x, 40)] }
    _ = try name(among: around)
  }

  @Test func atTheEdgeTheNameOfHereIsWhole() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    for (x, y) in [(-380.0, 0.0), (380, 0), (0, -220), (0, 220), (380, 220), (-390, -230)] {
      let view = view().panned(dx: x, dy: y)
      _ = layer.update(view, avoiding: [])
      let label = try #require(layer.markerSprites.last)
      let screen = PixelRect(x: 0, y: 0, width: 800, height: 480)
      #expect(label.rect.intersection(screen) == label.rect, "\(x), \(y)")
    }
  }

  @Test func theNameOfHereStandsClearOfPlatesOrNowhere() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    let screen = PixelRect(x: 0, y: 0, width: 800, height: 480)
    // A legend as high as half of the screen, and a plate above its left part.
    let plates = [
      PixelRect(x: 0, y: 240, width: 800, height: 240),
      PixelRect(x: 0, y: 170, width: 300, height: 70),
    ]
    var shown = 0
    for y in stride(from: -235.0, through: 235, by: 10) {
      for x in [-390.0, -200, 0, 200, 390] {
        _ = layer.update(view().panned(dx: x, dy: y), avoiding: plates)
        let names = layer.markerSprites.filter { $0.image.width > 100 }
        #expect(names.count <= 1)
        guard let name = names.first else { continue }
        shown += 1
        #expect(name.rect.intersection(screen) == name.rect)
        #expect(!plates.contains { $0.intersects(name.rect) }, "\(x), \(y)")
      }
    }
    #expect(shown > 60)
  }

  @Test func aNameThatIsTooLongHasTwoLinesOfAboutTheSameLength() throws {
    let layer = try layer([
      marker("a", 46, 7.75, "Schwarzsee Paradise Bergrestaurant"),
      marker("b", 46.03, 7.75, "Hut"),
    ])
    _ = layer.update(view(), avoiding: [])
    let heights = layer.placedLabels.map { $0.image.height }.sorted()
    #expect(heights.count == 2)
    #expect(heights[1] > heights[0] * 3 / 2)
    let widest = layer.placedLabels.map { $0.image.width }.max() ?? 0
    #expect(widest <= 14 * 15 + 12)
  }

  @Test func aNameTriesEightSides() throws {
    // Seven obstacles around a marker leave one side.
    let site = LabelSite(left: -8, right: 8, top: -8, bottom: 8, middle: 0, gap: 2)
    var rects: [PixelRect] = []
    for slot in LabelSlot.allCases {
      let offset = site.offset(slot, 60, 20)
      let rect = PixelRect(x: offset.x, y: offset.y, width: 60, height: 20)
      #expect(!rect.intersects(PixelRect(x: -8, y: -8, width: 16, height: 16)), "\(slot)")
      #expect(!rects.contains(rect))
      rects.append(rect)
    }
    #expect(rects.count == 8)
  }

  @Test func onADarkMapWordsAreLightByDay() throws {
    let painter = painter()
    let layer = MarkerLayer(painter)
    try layer.set(marker("a", 46, 7.75, "Zermatt"))
    func inks() -> (word: Int, halo: Int) {
      _ = layer.update(view(), avoiding: [])
      guard let image = layer.placedLabels.first?.image else { return (0, 0) }
      let pixels = UnsafeBufferPointer(start: image.pixels, count: image.width * image.height)
      let (word, halo) = painter.wordsOnMap
      return (pixels.filter { $0 == word }.count, pixels.filter { $0 == halo }.count)
    }
    #expect(painter.wordsOnMap == (PictureTheme.day.label, PictureTheme.day.halo))
    let light = inks()
    painter.isGroundDark = true
    #expect(painter.wordsOnMap == (PictureTheme.night.label, PictureTheme.night.halo))
    let dark = inks()
    #expect(light.word > 20 && light.halo > 100)
    #expect(dark == light)
    painter.theme = .red
    #expect(painter.wordsOnMap == (PictureTheme.red.label, PictureTheme.red.halo))
  }

  @Test func theNameOfTheSelectedMarkerIsNotThereTwice() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    layer.select("a")
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 1)
    #expect(!layer.calloutSprites.isEmpty)
    layer.select(nil)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
  }

  @Test func theSelectedIconIsLargerAndHasARingInTheAccentColour() throws {
    let art = MarkerArt(painter: painter())
    for icon in [MarkerIcon.pin, .dot, .hut] {
      let plain = art.icon(icon, color: 0xFF00_40C0, isHere: false)
      let selected = art.selected(icon, color: 0xFF00_40C0, isHere: false)
      let ratio = Double(selected.image.height - 6) / Double(plain.image.height)
      #expect(abs(ratio - 1.25) < 0.06)
      let count = selected.image.width * selected.image.height
      let accent = art.painter.theme.accent
      #expect((0..<count).contains { selected.image.pixels[$0] == accent })
      #expect(
        (0..<plain.image.width * plain.image.height).allSatisfy {
          plain.image.pixels[$0] != accent
        })
      // The same place.
      #expect(abs(selected.anchorX - selected.image.width / 2) <= 1)
    }
  }
}
