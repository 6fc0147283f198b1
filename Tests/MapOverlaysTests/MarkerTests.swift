import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

@Suite struct MarkerTests {
  private func view(
    _ lat: Double = 46, _ lon: Double = 7.75, zoom: Double = 12, bearing: Double = 0,
    _ width: Int = 800, _ height: Int = 480, scale: Int = 1
  ) -> Viewport {
    Viewport(
      center: GeoPoint(lat: lat, lon: lon), zoom: zoom, bearing: bearing, width: width,
      height: height, scale: scale)
  }

  private func marker(
    _ id: String, _ lat: Double, _ lon: Double, _ label: String = "", icon: MarkerIcon = .pin
  ) -> Marker {
    Marker(id: id, place: GeoPoint(lat: lat, lon: lon), label: label, icon: icon)
  }

  private func layer(_ markers: [Marker]) throws -> MarkerLayer {
    let layer = MarkerLayer(painter())
    for marker in markers { try layer.set(marker) }
    return layer
  }

  /// Many markers around a place, the same every time.
  private func many(_ count: Int, spread: Double = 2) -> [Marker] {
    var numbers = Numbers(11)
    return (0..<count).map {
      marker(
        "m\($0)", 46 + (numbers.unit() - 0.5) * spread, 7.75 + (numbers.unit() - 0.5) * spread,
        $0 % 3 == 0 ? "Place \($0)" : "",
        icon: MarkerIcon.allCases[$0 % MarkerIcon.allCases.count == 0 ? 1 : $0 % 24])
    }
  }

  // MARK: Where they are

  static let views: [(Double, Double, Int)] = [
    (12, 0, 1), (12, 0, 2), (11.6, 0, 1), (12.3, 45, 1), (9, 180, 1),
  ]

  @Test(arguments: views)
  func aPinsTipIsOnThePixelOfItsPlace(_ zoom: Double, _ bearing: Double, _ scale: Int) throws {
    let place = GeoPoint(lat: 46.012, lon: 7.771)
    let layer = try layer([Marker(id: "a", place: place)])
    let view = view(zoom: zoom, bearing: bearing, scale: scale)
    #expect(layer.update(view, avoiding: []))
    let sprite = try #require(layer.markerSprites.first)
    let image = sprite.image
    // The lowest row that has ink, and the middle of it.
    var inked: [(Int, Int)] = []
    for y in 0..<image.height {
      for x in 0..<image.width where image.pixels[y * image.width + x] >> 24 > 0 {
        inked.append((x, y))
      }
    }
    let low = try #require(inked.map { $0.1 }.max())
    let columns = inked.filter { $0.1 == low }.map { $0.0 }
    let middle = (columns.min()! + columns.max()!) / 2
    let at = view.screen(place)
    let (x, y) = (at.x * Double(scale), at.y * Double(scale))
    // Rounding of the view to whole pixels is half a pixel at most.
    #expect(abs(Double(sprite.x + middle) + 0.5 - x) <= 1.01)
    #expect(abs(Double(sprite.y + low) + 0.5 - y) <= 1.01)
    if bearing == 0 {
      // As the map's own pixels: its world pixel less the view's origin.
      let world = WebMercator.project(place)
      #expect(sprite.x + middle == Int(world.x * view.worldPixels) - view.origin.x)
      #expect(sprite.y + low == Int(world.y * view.worldPixels) - view.origin.y)
    }
  }

  @Test func everyIconsMiddleOrTipIsItsPlace() throws {
    let art = MarkerArt(painter: painter(), scale: 1)
    for icon in MarkerIcon.allCases {
      let picture = art.icon(icon, color: icon.color, isHere: icon == .here)
      #expect(picture.anchorX == picture.image.width / 2)
      #expect(picture.image.width % 2 == 1)
      if icon != .pin, icon != .here { #expect(picture.anchorY == picture.image.height / 2) }
      // Something is drawn, and not everything.
      let words = (0..<picture.image.width * picture.image.height).map { picture.image.pixels[$0] }
      #expect(words.contains { $0 >> 24 == 255 })
      #expect(words[0] >> 24 == 0)
      #expect(words.contains(icon.color))
    }
  }

  @Test func panningMovesEverythingTogether() throws {
    let layer = try layer(many(300))
    let view = view(zoom: 11)
    _ = layer.update(view, avoiding: [])
    let before = layer.markerSprites
    let moved = view.panned(dx: 37, dy: -21)
    #expect(layer.update(moved, avoiding: []))
    var same = 0
    for sprite in layer.markerSprites
    where before.contains(Sprite(sprite.image, x: sprite.x + 37, y: sprite.y - 21)) {
      same += 1
    }
    // All but those that came into view.
    #expect(same > before.count / 2)
    let screen = PixelRect(x: 40, y: 40, width: 720, height: 400)
    for sprite in before where sprite.rect.intersection(screen) == sprite.rect {
      #expect(
        layer.markerSprites.contains(Sprite(sprite.image, x: sprite.x - 37, y: sprite.y + 21)))
    }
  }

  @Test func whatIsShownDoesNotDependOnTheWayThere() throws {
    let (a, b) = (try layer(many(2000)), try layer(many(2000)))
    var view = view(45.9, 7.6, zoom: 10)
    for _ in 0..<40 {
      view = view.panned(dx: 13, dy: -7)
      _ = a.update(view, avoiding: [])
    }
    _ = b.update(view, avoiding: [])
    #expect(a.markerSprites.map(\.rect) == b.markerSprites.map(\.rect))
  }

  @Test func theSameViewAgainIsNoChange() throws {
    let layer = try layer(many(50))
    #expect(layer.update(view(), avoiding: []))
    #expect(!layer.update(view(), avoiding: []))
    try layer.set(marker("m1", 46, 7.8))
    #expect(layer.update(view(), avoiding: []))
    #expect(!layer.update(view(), avoiding: []))
  }

  @Test func aTurnLeavesWordsUpright() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    _ = layer.update(view(), avoiding: [])
    let upright = layer.markerSprites.map(\.image)
    _ = layer.update(view(bearing: 77), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    let areSame = layer.markerSprites.map(\.image).elementsEqual(upright, by: ===)
    #expect(areSame)
  }

  @Test func everyCopyOfTheWorldOnTheScreenHasItsMarker() throws {
    let layer = try layer([marker("a", 0, 179)])
    _ = layer.update(view(0, 0, zoom: 0), avoiding: [])
    // 800 points show the world of 256 points three times and a bit.
    let columns = layer.markerSprites.map(\.x).sorted()
    #expect(columns.count >= 3)
    #expect(zip(columns, columns.dropFirst()).allSatisfy { $1 - $0 == 256 })
    _ = layer.update(view(0, -179, zoom: 8), avoiding: [])
    #expect(layer.markerSprites.count == 1)
  }

  // MARK: Clusters

  @Test func whatWouldCoverEachOtherIsOneWithItsCount() throws {
    let near = (0..<7).map { marker("n\($0)", 46 + Double($0) * 1e-4, 7.75) }
    let layer = try layer(near + [marker("far", 46.05, 7.85)])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    #expect(
      layer.nearest(1).first.map {
        if case .cluster(let ids, _) = $0 { ids.count == 7 } else { false }
      } == true)
    // Closer they stand apart.
    _ = layer.update(view(zoom: 20), avoiding: [])
    #expect(layer.nearest(20).count < 7)
    #expect(MarkerArt.countText(7) == "7")
    #expect(MarkerArt.countText(999) == "999")
    #expect(MarkerArt.countText(1234) == "1.2k")
    #expect(MarkerArt.countText(20_000) == "20k")
  }

  @Test func whereOneIsIsNeverPartOfACluster() throws {
    let others = (0..<20).map { marker("n\($0)", 46, 7.75) }
    let layer = try layer(others + [marker("Here", 46, 7.75, "You are here", icon: .flag)])
    _ = layer.update(view(zoom: 5), avoiding: [])
    #expect(layer.markerSprites.count == 3)
    // In front of all, and its words too.
    let here = layer.markerSprites[1].image
    #expect(here.height > 60)
    #expect(layer.nearest(9).contains(.marker("Here")))
  }

  @Test func tenThousandMarkersAreFewOnTheScreen() throws {
    for spread in [0.01, 0.5, 20.0] {
      let layer = try layer(many(10_000, spread: spread))
      for zoom in stride(from: 4.0, through: 18, by: 1.4) {
        _ = layer.update(view(zoom: zoom, 1920, 1080), avoiding: [])
        #expect(layer.nearest(10_000).count <= MarkerLayer.mostShown, "\(spread) \(zoom)")
      }
      #expect(layer.bytes < 12 << 20)
    }
  }

  @Test func allMarkersAreSomewhere() throws {
    let layer = try layer(many(500, spread: 0.3))
    for zoom in [8.0, 10, 12] {
      _ = layer.update(view(zoom: zoom, 1920, 1080), avoiding: [])
      var ids: [String] = []
      for hit in layer.nearest(10_000) {
        switch hit {
        case .marker(let id): ids.append(id)
        case .cluster(let some, _): ids += some
        }
      }
      #expect(Set(ids).count == ids.count)
      if zoom < 12 { #expect(ids.count == 500) }
    }
  }

  // MARK: Words

  @Test func wordsCoverNeitherMarkersNorEachOther() throws {
    let layer = try layer(many(600))
    for bearing in [0.0, 33] {
      _ = layer.update(view(zoom: 10, bearing: bearing), avoiding: [])
      let icons = layer.markerSprites.filter { $0.image.height > 26 || $0.image.height == 17 }
      let words = layer.markerSprites.filter { $0.image.height <= 26 && $0.image.height != 17 }
      #expect(words.count > 3)
      for (i, word) in words.enumerated() {
        for icon in icons { #expect(!word.rect.intersects(icon.rect)) }
        for other in words[..<i] { #expect(!word.rect.intersects(other.rect)) }
      }
    }
  }

  @Test func wordsThatWouldStandUnderAPlateAreLeftOut() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    let view = view()
    _ = layer.update(view, avoiding: [])
    #expect(layer.markerSprites.count == 2)
    let words = layer.markerSprites[0].rect
    #expect(layer.update(view, avoiding: [words]))
    #expect(layer.markerSprites.count == 1)
  }

  /// Words of an overlay for the tests.
  private final class Words: LabelAnchors {
    var labelVersion = 1
    var anchors: [LabelAnchor]
    init(_ anchors: [LabelAnchor]) { self.anchors = anchors }

    func forEachLabel(
      minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
      _ body: (LabelAnchor) -> Void
    ) {
      for anchor in anchors
      where (minX...maxX).contains(anchor.place.x) && (minY...maxY).contains(anchor.place.y) {
        body(anchor)
      }
    }
  }

  @Test func wordsOfOverlaysStandWhereNoMarkerIs() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    let here = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let there = WebMercator.project(GeoPoint(lat: 46.04, lon: 7.75))
    let words = Words([
      LabelAnchor(place: here, text: "Hidden"), LabelAnchor(place: there, text: "Shown"),
      LabelAnchor(place: there, text: "Second"),
    ])
    layer.labelSources = [words]
    #expect(layer.update(view(), avoiding: []))
    #expect(layer.labelSprites.count == 1)
    // In the middle of its place.
    let at = view().screen(GeoPoint(lat: 46.04, lon: 7.75))
    let rect = layer.labelSprites[0].rect
    #expect(abs(Double(rect.x) + Double(rect.width) / 2 - at.x) <= 1.5)
    words.anchors = []
    #expect(!layer.update(view(), avoiding: []))
    words.labelVersion = 2
    #expect(layer.update(view(), avoiding: []))
    #expect(layer.labelSprites.isEmpty)
  }

  @Test func anAreaTooSmallForItsWordsHasNone() throws {
    let layer = MarkerLayer(painter())
    let place = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    layer.labelSources = [
      Words([LabelAnchor(place: place, text: "Liechtenstein", extent: 1.0 / 4096 / 16)])
    ]
    // 16 points at zoom 12, 256 at 16.
    _ = layer.update(view(zoom: 12), avoiding: [])
    #expect(layer.labelSprites.isEmpty)
    _ = layer.update(view(zoom: 16), avoiding: [])
    #expect(layer.labelSprites.count == 1)
  }

  // MARK: Touching

  @Test func whatCanBeTouchedIsAtLeast44PointsLarge() throws {
    for scale in [1, 2] {
      let layer = try layer([marker("a", 46, 7.75, icon: .dot)])
      _ = layer.update(view(scale: scale), avoiding: [])
      let (x, y) = (400.0 / Double(scale), 240.0 / Double(scale))
      #expect(layer.hit(x: x + 21, y: y - 21) == .marker("a"))
      #expect(layer.hit(x: x - 21, y: y + 21) == .marker("a"))
      #expect(layer.hit(x: x + 24, y: y) == nil)
      #expect(layer.hit(x: x, y: y - 24) == nil)
    }
  }

  @Test func theNearestOfSeveralIsTouched() throws {
    let layer = try layer([marker("a", 46, 7.75, icon: .dot), marker("b", 46, 7.7667, icon: .dot)])
    _ = layer.update(view(), avoiding: [])
    // 48.6 points between them at zoom 12.
    #expect(layer.hit(x: 405, y: 240) == .marker("a"))
    #expect(layer.hit(x: 440, y: 240) == .marker("b"))
  }

  @Test func aClusterTellsTheBoxOfItsMarkersAcrossTheDateline() throws {
    let layer = try layer([marker("a", 1, 179.9), marker("b", 2, -179.9)])
    _ = layer.update(view(1.5, 180, zoom: 3), avoiding: [])
    let hit = try #require(layer.nearest(1).first)
    guard case .cluster(let ids, let box) = hit else {
      Issue.record("\(hit)")
      return
    }
    #expect(ids == ["a", "b"])
    #expect(abs(box.west - 179.9) < 1e-6 && abs(box.east + 179.9) < 1e-6)
    #expect(abs(box.south - 1) < 1e-6 && abs(box.north - 2) < 1e-6)
  }

  // MARK: The callout

  @Test func whatIsSelectedSaysItsTextOnTheScreenWhereverItIs() throws {
    let text = String(repeating: "The way to the hut takes two hours. ", count: 40)
    for (width, height) in [(480, 272), (272, 480), (800, 480), (1920, 1080)] {
      let layer = try layer([
        Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: text)
      ])
      let screen = PixelRect(x: 0, y: 0, width: width, height: height)
      let base = view(46, 7.75, zoom: 12, width, height)
      for (dx, dy) in [(0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let moved = base.panned(
          dx: Double(dx * (width / 2 - 3)), dy: Double(dy * (height / 2 - 3)))
        layer.select("a")
        _ = layer.update(moved, avoiding: [])
        #expect(layer.calloutSprites.count == 2)
        for sprite in layer.calloutSprites.prefix(1) {
          #expect(sprite.rect.intersection(screen) == sprite.rect)
        }
      }
      // Out of view it is gone, and comes back with the marker.
      _ = layer.update(base.panned(dx: 5000, dy: 0), avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
      _ = layer.update(base, avoiding: [])
      #expect(layer.calloutSprites.count == 2)
      layer.select(nil)
      _ = layer.update(base, avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
    }
  }

  @Test func removingTheSelectedMarkerClosesItsCallout() throws {
    let layer = try layer([marker("a", 46, 7.75, "A")])
    layer.select("a")
    _ = layer.update(view(), avoiding: [])
    #expect(!layer.calloutSprites.isEmpty)
    layer.remove("a")
    #expect(layer.selected == nil)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.calloutSprites.isEmpty && layer.markerSprites.isEmpty)
    #expect(!layer.update(view(zoom: 5), avoiding: []))
  }

  // MARK: Bounds

  @Test func thereAreAtMostTwentyThousand() throws {
    var store = MarkerStore()
    for i in 0..<MarkerStore.capacity { try store.set(marker("m\(i)", 0, 0)) }
    #expect(throws: MarkerError.tooMany) { try store.set(marker("one more", 0, 0)) }
    try store.set(marker("m5", 1, 1))
    #expect(store.all.count == MarkerStore.capacity)
    #expect(store["m5"]?.place.lat == 1)
    store.remove("m0")
    try store.set(marker("one more", 0, 0))
    #expect(store.all.last?.id == "one more")
    #expect(store.all.first?.id == "m1")
  }

  @Test func theirTextsTogetherAreBounded() throws {
    var store = MarkerStore()
    let text = String(repeating: "x", count: 8000)
    var count = 0
    #expect(throws: MarkerError.tooMuchText) {
      for i in 0..<5000 {
        try store.set(Marker(id: "m\(i)", place: GeoPoint(lat: 0, lon: 0), text: text))
        count += 1
      }
    }
    #expect(count > 500)
    #expect(store.bytes <= MarkerStore.maxBytes)
  }

  @Test func picturesAreBounded() throws {
    let layer = MarkerLayer(painter())
    for i in 0..<3000 {
      try layer.set(
        Marker(
          id: "m\(i)", place: GeoPoint(lat: 46 + Double(i % 60) / 20, lon: 7 + Double(i / 60) / 20),
          label: "A long label of its own, number \(i)", color: 0xFF00_0000 | UInt32(i * 5000)))
    }
    for zoom in [9.0, 10, 11, 12, 13] {
      for step in 0..<6 {
        _ = layer.update(view(46 + Double(step) / 2, 8, zoom: zoom, 1920, 1080), avoiding: [])
      }
    }
    #expect(layer.bytes - layer.store.bytes < 6 << 20)
  }
}
