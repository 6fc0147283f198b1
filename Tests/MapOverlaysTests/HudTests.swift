import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

@Suite struct HudTests {
  /// Sizes of screens, and pixels a point.
  static let screens: [(Int, Int, Int)] = [
    (480, 272, 1), (272, 480, 1), (480, 320, 1), (640, 480, 1), (800, 480, 1), (480, 800, 1),
    (1024, 600, 1), (1280, 720, 1), (720, 1280, 1), (1920, 1080, 1), (1080, 1920, 1),
    (800, 480, 2), (1920, 1080, 2), (3840, 2160, 3), (320, 240, 1),
  ]

  static var everything: HudContent {
    var content = HudContent()
    content.attribution = "© OpenStreetMap contributors | © swisstopo | Hiking trails: SAC"
    content.notices = [
      NoticeLine(text: "Map needs service: its settings have an error", severity: .warning)
    ]
    content.toast = "topo"
    content.card = .init(title: "No map here", text: "Home (button 17) brings you back.")
    content.legend = [
      .init(icon: .left, text: "Left"), .init(icon: .right, text: "Right"),
      .init(icon: .plus, text: "Zoom in"), .init(icon: .minus, text: "Zoom out"),
      .init(icon: .home, text: "Home"), .init(icon: .layers, text: "Next map"),
    ]
    return content
  }

  private func view(_ screen: (Int, Int, Int), bearing: Double = 30) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 46, lon: 7.75), zoom: 13.25, bearing: bearing, width: screen.0,
      height: screen.1, scale: screen.2)
  }

  private func show(
    _ content: HudContent, _ screen: (Int, Int, Int), _ given: Hud? = nil
  ) -> Hud {
    var content = content
    content.follow(
      view(screen), scaleBar: .metric, north: true, zoom: true, coordinates: true)
    let hud = given ?? Hud(painter(Double(screen.2)))
    hud.show(content, width: screen.0, height: screen.1)
    return hud
  }

  @Test(arguments: screens)
  func nothingCoversAnythingElseOrLeavesTheScreen(_ width: Int, _ height: Int, _ scale: Int) {
    let hud = show(HudTests.everything, (width, height, scale))
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    for (i, rect) in hud.rects.enumerated() {
      #expect(rect.intersection(screen) == rect)
      for other in hud.rects[..<i] { #expect(!rect.intersects(other), "\(rect) \(other)") }
    }
    // The legend, whose data it is, and what is wrong.
    #expect(hud.rects.count >= 3)
  }

  @Test(arguments: screens)
  func aScreenOfUsualSizeHasRoomForAll(_ width: Int, _ height: Int, _ scale: Int) {
    var content = HudTests.everything
    content.notices = []
    content.card = nil
    let hud = show(content, (width, height, scale))
    // Legend, attribution, scale, arrow, toast; the numbers where they are not too wide.
    if width / scale >= 400, height / scale >= 260 { #expect(hud.rects.count == 6) }
    #expect(hud.rects.count >= 4)
  }

  @Test func nothingIsDrawnAgainThatDidNotChange() {
    let hud = Hud(painter())
    _ = show(HudTests.everything, (800, 480, 1), hud)
    let before = hud.sprites
    _ = show(HudTests.everything, (800, 480, 1), hud)
    #expect(hud.sprites == before)
    var other = HudTests.everything
    other.toast = "toner"
    _ = show(other, (800, 480, 1), hud)
    let changed = zip(hud.sprites, before).filter { $0.image !== $1.image }
    #expect(hud.sprites.count == before.count)
    #expect(changed.count == 1)
  }

  @Test func theSameAgainIsNoChange() {
    let hud = Hud(painter())
    #expect(hud.show(HudTests.everything, width: 800, height: 480))
    #expect(!hud.show(HudTests.everything, width: 800, height: 480))
    #expect(hud.show(HudTests.everything, width: 480, height: 800))
  }

  @Test func withoutContentNothingIsThere() {
    let hud = Hud(painter())
    hud.show(HudTests.everything, width: 800, height: 480)
    #expect(hud.show(HudContent(), width: 800, height: 480))
    #expect(hud.sprites.isEmpty)
    #expect(hud.bytes == 0)
  }

  @Test(arguments: [PictureTheme.Kind.night, .red])
  func theThemeRecoloursEveryPlate(_ kind: PictureTheme.Kind) throws {
    let painter = painter()
    let hud = Hud(painter)
    hud.show(HudTests.everything, width: 800, height: 480)
    let (day, rects) = (hud.sprites, hud.rects)
    painter.theme = .of(kind)
    #expect(hud.show(HudTests.everything, width: 800, height: 480))
    #expect(hud.rects == rects)
    for (night, day) in zip(hud.sprites, day) { #expect(night.image !== day.image) }
  }

  // MARK: Scale

  @Test(
    arguments: [
      // At zoom 0 and the equator a point is 40,075,016.7 / 256 m = 156,543 m.
      (0.0, 0.0, ScaleBar.Units.metric, 100.0, "10\u{A0}000 km", 64),
      (0, 13, .metric, 100, "1 km", 52),
      (60, 13, .metric, 100, "500 m", 52),
      (0, 20, .metric, 100, "10 m", 67),
      (0, 13, .imperial, 100, "1 mi", 84),
      (0, 15, .imperial, 100, "0.2 mi", 67),
      (0, 15, .imperial, 67, "1000 ft", 64),
      (0, 13, .nautical, 100, "1 NM", 97),
      (0, 15, .nautical, 100, "0.2 NM", 78),
      (0, 18, .nautical, 100, "50 m", 84),
    ] as [(Double, Double, ScaleBar.Units, Double, String, Int)])
  func theScaleIsTheLongestRoundLengthThatFits(
    _ lat: Double, _ zoom: Double, _ units: ScaleBar.Units, _ points: Double, _ text: String,
    _ pixels: Int
  ) {
    let view = Viewport(
      center: GeoPoint(lat: lat, lon: 5), zoom: zoom, width: 800, height: 480)
    let bar = ScaleBar.fitting(view, units: units, points: points)
    #expect(bar.text(.english) == text)
    #expect(bar.pixels == pixels)
    var twice = view
    twice.scale = 2
    #expect(abs(ScaleBar.fitting(twice, units: units, points: points).pixels - 2 * pixels) <= 1)
  }

  @Test func theBarIsAsLongAsItSays() throws {
    let hud = Hud(painter())
    var content = HudContent()
    content.follow(
      view((800, 480, 1), bearing: 0), scaleBar: .metric, north: true, zoom: false,
      coordinates: false)
    hud.show(content, width: 800, height: 480)
    let bar = try #require(content.scaleBar)
    // 156,543 m · cos 46° / 2^13.25 a point.
    #expect(bar.text(.english) == "1 km")
    #expect(bar.pixels == 90)
    let image = try #require(hud.sprites.first).image
    // The longest run of ink in a row.
    var longest = 0
    for y in 0..<image.height {
      var run = 0
      for x in 0..<image.width {
        run = image.pixels[y * image.width + x] == PictureTheme.day.ink ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    #expect(longest == bar.pixels)
  }

  @Test func lengthsGoInStepsOfOneTwoAndFive() {
    for (value, step) in [
      (1.0, 1.0), (1.99, 1), (2, 2), (4.99, 2), (5, 5), (9.99, 5), (10, 10), (0.2, 0.2),
      (0.1, 0.1), (0.019, 0.01), (7000, 5000),
    ] {
      #expect(ScaleBar.round125(value) == step)
    }
  }

  // MARK: The arrow and the numbers

  @Test func theArrowStandsOnlyWhereNorthIsNotUp() {
    var content = HudContent()
    for (bearing, shown) in [(0.0, nil), (30, 30), (359.7, 0), (180, 180)] as [(Double, Int?)] {
      content.follow(
        view((800, 480, 1), bearing: bearing), scaleBar: nil, north: true, zoom: false,
        coordinates: false)
      #expect(content.bearing == shown)
    }
    content.follow(
      view((800, 480, 1), bearing: 30), scaleBar: nil, north: false, zoom: false,
      coordinates: false)
    #expect(content.bearing == nil)
  }

  @Test func theArrowPointsNorth() throws {
    for (bearing, x, y) in [(90, -6.0, 0.0), (180, 0, 6), (270, 6, 0)] {
      let hud = Hud(painter())
      var content = HudContent()
      content.bearing = bearing
      hud.show(content, width: 800, height: 480)
      let (sprite, plate) = try (#require(hud.sprites.first), #require(hud.rects.first))
      let column = Double(plate.x - sprite.x) + Double(plate.width) / 2 + x
      let row = Double(plate.y - sprite.y) + Double(plate.height) / 2 + y
      let pixel = sprite.image.pixels[Int(row) * sprite.image.width + Int(column)]
      #expect(pixel == PictureTheme.day.accent, "\(bearing)")
    }
  }

  @Test(arguments: ["N", "С", "Пн", "ش", "Ш"], [1, 1.6, 3])
  func theCompassLetterIsBetweenTheTipAndTheRim(_ letter: String, _ unit: Double) throws {
    let art = HudArt(painter: painter(unit))
    for bearing in stride(from: 0, to: 360, by: 15) {
      let (with, without) = try (
        #require(art.north(bearing, letter)), #require(art.north(bearing, ""))
      )
      let (image, plain) = (with.image, without.image)
      let middle = Double(with.insetX) + Double(with.width) / 2
      let upper = Double(with.insetY) + Double(with.height) / 2
      var count = 0
      for y in 0..<image.height {
        for x in 0..<image.width {
          let (new, old) = (
            image.pixels[y * image.width + x], plain.pixels[y * image.width + x]
          )
          if new == old { continue }
          count += 1
          // The tip is not under it, and at least 2 points are free up to the rim.
          #expect(old != PictureTheme.day.accent, "\(bearing)")
          let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - upper)
          let most = (HudArt.compass / 2 - 2) * unit
          #expect((dx * dx + dy * dy).squareRoot() <= most, "\(bearing)")
        }
      }
      #expect(count > 4)
    }
  }

  @Test func theNumbersTellWhereTheMiddleIs() {
    var content = HudContent()
    var view = view((800, 480, 1))
    view.center = GeoPoint(lat: -33.924_87, lon: 18.424)
    content.follow(view, scaleBar: nil, north: false, zoom: true, coordinates: true)
    #expect(
      content.numbers == "Map centre · 33.9249°\u{A0}S, 18.4240°\u{A0}E · Zoom\u{A0}13.25")
    view.center = GeoPoint(lat: 0.05, lon: -0.000_01)
    content.follow(view, scaleBar: nil, north: false, zoom: false, coordinates: true)
    #expect(content.numbers == "Map centre · 0.0500°\u{A0}N, 0.0000°\u{A0}E")
    content.follow(view, scaleBar: nil, north: false, zoom: true, coordinates: false)
    #expect(content.numbers == "Zoom\u{A0}13.25")
  }

  @Test func theNumbersAreBrokenOnlyBetweenTheirParts() throws {
    let hud = Hud(painter())
    var (content, view) = (HudContent(), view((800, 480, 1)))
    view.center = GeoPoint(lat: -33.924_87, lon: 18.424)
    content.follow(view, scaleBar: nil, north: false, zoom: true, coordinates: true)
    func lines(_ width: Int) throws -> [String] {
      hud.show(content, width: width, height: 480)
      let key = hud.elements[Hud.Part.numbers.rawValue]?.key
      guard case .lines(let lines)? = key else { return [] }
      return lines
    }
    let (latitude, longitude) = ("33.9249°\u{A0}S,", "18.4240°\u{A0}E")
    let zoom = "Zoom\u{A0}13.25"
    let name = "Map centre"
    #expect(try lines(800) == ["\(name) · \(latitude) \(longitude) · \(zoom)"])
    #expect(try lines(300) == [name, "\(latitude) \(longitude)", zoom])
    #expect(try lines(180) == [name, latitude, longitude, zoom])
  }

  @Test(arguments: [(1920, 1080, 1), (1280, 720, 1), (800, 480, 1)])
  func theNumbersAreThereBesideAMapKey(_ width: Int, _ height: Int, _ scale: Int) throws {
    let painter = painter(Double(scale))
    let hud = Hud(painter)
    var content = HudContent()
    content.notices = [NoticeLine(text: "Bridge closed", severity: .warning)]
    content.scaleBar = ScaleBar(amount: 1, unit: .kilometers, pixels: 120)
    let items = (0..<4).map { MapKey.Item(.dot(0xFF20_60C0), "Sign \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items))
    hud.show(content, width: width, height: height)
    let parts = hud.rects.count
    (content.zoom, content.latitude, content.longitude) = (1325, 4_602_070, 774_910)
    hud.show(content, width: width, height: height)
    #expect(hud.rects.count == parts + 1)
    for (n, rect) in hud.rects.enumerated() {
      #expect(!hud.rects[..<n].contains { $0.intersects(rect) })
    }
  }
}
