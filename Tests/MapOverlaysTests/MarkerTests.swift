import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Where markers are drawn, and what bounds them.
@Suite struct MarkerTests: MarkerLayerCase {
  static let views: [(Double, Double, Int)] = [
    (12, 0, 1), (12, 0, 2), (11.6, 0, 1), (12.3, 45, 1), (9, 180, 1),
  ]

  @Test(arguments: views)
  func aPinsTipIsOnThePixelOfItsPlace(_ zoom: Double, _ bearing: Double, _ scale: Int) throws {
    let place = GeoPoint(lat: 46.012, lon: 7.771)
    let layer = try layer([Marker(id: "a", place: place)], scale: scale)
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
    let art = MarkerArt(painter: painter())
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

  @Test(arguments: PictureTheme.Kind.allCases)
  func theSignOfAMarkerCanBeToldFromAnyColour(_ kind: PictureTheme.Kind) {
    let theme = PictureTheme.of(kind)
    let white = kind == .night ? theme.label : theme.shown(0xFFFF_FFFF)
    // Every icon's own colour, and some that somebody may choose.
    let colors =
      MarkerIcon.allCases.map(\.color) + [
        0xFFFB_C02D, 0xFFFF_FFFF, 0xFF00_0000, 0xFF8B_C34A, 0xFF80_8080,
      ]
    for color in colors {
      let ground = InkContrast.ground(color, theme)
      let sign = InkContrast.sign(on: ground, white, else: PictureTheme.day.ink)
      #expect(InkContrast.between(sign, ground) >= InkContrast.ofSigns)
    }
    let plain = InkContrast.ground(0xFFC6_2828, theme)
    #expect(InkContrast.sign(on: plain, white, else: PictureTheme.day.ink) == white)
  }

  @Test func inRedNothingOfAMarkerIsOfAnotherColour() {
    let painter = painter()
    painter.theme = .red
    let art = MarkerArt(painter: painter)
    for icon in MarkerIcon.allCases {
      for isHere in [false, true] {
        let image = art.icon(icon, color: 0xFF20_A0E0, isHere: isHere).image
        let pixels = UnsafeBufferPointer(start: image.pixels, count: image.width * image.height)
        #expect(pixels.allSatisfy { $0 & 0xFFFF == 0 }, "\(icon) \(isHere)")
      }
    }
  }
}
