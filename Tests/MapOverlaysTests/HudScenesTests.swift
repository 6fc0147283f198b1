import Drawing
import Foundation
import Images
import MapGeometry
import Pixels
import TestSupport
import Testing
import Words

@testable import MapOverlays
@testable import MapScene

/// Scenes of the whole HUD on screens of many sizes. With `WAYPOST_SCENES` set to a folder, their
/// pictures are written there.
@Suite struct HudScenesTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var width: Int
    var height: Int
    var scale = 1
    var size = 1.0
    var theme = PictureTheme.Kind.day
    var testDescription: String { "\(width)x\(height)@\(scale)-\(size)-\(theme)" }
  }

  static let scenes: [Scene] =
    [
      (480, 320), (800, 480), (1280, 720), (1920, 1080), (480, 800),
    ].flatMap { width, height in
      [1, 1.6, 3].map { Scene(width: width, height: height, size: $0) }
    } + [
      Scene(width: 800, height: 480, theme: .night), Scene(width: 800, height: 480, theme: .red),
      Scene(width: 1280, height: 720, scale: 2, theme: .night),
    ]

  static var content: HudContent {
    var content = HudContent()
    content.attribution = "© OpenStreetMap contributors | © swisstopo"
    content.legend = [
      .init(icon: .left, text: "Left"), .init(icon: .right, text: "Right"),
      .init(icon: .plus, text: "Zoom in", below: "hold: Sleep"),
      .init(icon: .minus, text: "Zoom out"),
      .init(icon: .home, text: "Home", below: "hold: Day or night"),
      .init(icon: .layers, text: "Next map"),
    ]
    return content
  }

  /// As the kiosk does: never so large that a small screen has no room.
  static func painter(_ scene: Scene) -> SpritePainter {
    let side = Double(min(scene.width, scene.height)) / Double(scene.scale)
    let painter = MapOverlaysTests.painter(
      Double(scene.scale) * min(scene.size, max(1, side / 240)))
    painter.leastUnit = Double(scene.scale)
    painter.theme = .of(scene.theme)
    return painter
  }

  private func show(_ content: HudContent, _ scene: Scene, _ painter: SpritePainter) -> Hud {
    var content = content
    let view = Viewport(
      center: GeoPoint(lat: 46, lon: 7.75), zoom: 13.25, bearing: 30, width: scene.width,
      height: scene.height, scale: scene.scale)
    content.follow(
      view, scaleBar: .metric, north: true, zoom: true, coordinates: true,
      size: painter.unit / Double(scene.scale))
    let hud = Hud(painter)
    hud.show(content, width: scene.width, height: scene.height)
    return hud
  }

  @Test(arguments: [(720, 1280, 1.0), (480, 800, 1.0), (720, 1280, 1.6), (800, 1280, 1.6)])
  func threeButtonsAreInOneRow(_ width: Int, _ height: Int, _ size: Double) throws {
    let painter = HudScenesTests.painter(Scene(width: width, height: height, size: size))
    let items: [HudContent.LegendItem] = [
      .init(icon: .right, text: "Next place", below: "hold: Next map"),
      .init(icon: .select, text: "Select", below: "hold: Home"),
      .init(icon: .back, text: "Back", below: "hold: Next language"),
    ]
    var content = HudContent()
    content.legend = items
    let hud = Hud(painter)
    hud.show(content, width: width, height: height)
    let legend = try #require(hud.rects.first)
    // Two rows would be higher than that in the least size.
    #expect(legend.height <= painter.px(HudStyle.legendRow))
    #expect(legend.height < 2 * Int(HudStyle.legendRow))
  }

  @Test(arguments: [(720, 1280), (1280, 720), (480, 800)])
  func theLegendOfAWallHasItsPicturesInPortraitToo(_ width: Int, _ height: Int) throws {
    let painter = HudScenesTests.painter(Scene(width: width, height: height, size: 3))
    func legend(_ hasIcons: Bool) throws -> PlatePicture {
      let items: [HudContent.LegendItem] = [
        .init(icon: hasIcons ? .right : nil, text: "Next place"),
        .init(icon: hasIcons ? .select : nil, text: "Select", below: "hold: Home"),
        .init(icon: hasIcons ? .back : nil, text: "Back", below: "hold: Language"),
      ]
      return try #require(
        LegendArt(painter: painter, viewWidth: width, viewHeight: height).picture(items))
    }
    func ink(_ picture: PlatePicture) -> Set<Int> {
      let pixels = picture.image.pixels
      return Set(
        (0..<picture.image.width * picture.image.height).filter {
          pixels[$0] == PictureTheme.day.legendInk
        }.map { $0 % picture.image.width * 6 / picture.image.width })
    }
    let with = try legend(true)
    // Without pictures the words may be larger.
    #expect(try legend(false).height >= with.height)
    #expect(with.height > Int(HudStyle.legendRow))
    #expect(ink(with) == Set(0..<6))
    // Neither words nor pictures touch the edges of the row.
    let edges = (0..<with.image.width).flatMap { x in
      [2, with.image.height - 3].map { with.image.pixels[$0 * with.image.width + x] }
    }
    #expect(!edges.contains(PictureTheme.day.legendInk))
    let rows = (0..<with.image.height).filter { y in
      (0..<with.image.width).contains {
        with.image.pixels[y * with.image.width + $0] == PictureTheme.day.legendInk
      }
    }
    // Two lines of words at most, with space around them.
    let least = try #require(rows.min())
    #expect(least * 8 > with.image.height)
  }

  @Test(arguments: scenes)
  func everyPartIsThereAndNoneCoversAnother(_ scene: Scene) throws {
    let painter = HudScenesTests.painter(scene)
    let hud = show(HudScenesTests.content, scene, painter)
    for (i, rect) in hud.rects.enumerated() {
      for other in hud.rects[..<i] { #expect(!rect.intersects(other)) }
    }
    // Legend, attribution, scale and compass; the numbers where there is room.
    #expect(hud.rects.count >= 4)
    try write(hud.sprites, scene, "hud")
    var content = HudScenesTests.content
    content.card = .init(title: "No map here", text: "Press Home")
    content.toast = "Night"
    let lost = show(content, scene, painter)
    #expect(lost.rects.count >= 5)
    let middle = PixelRect(x: scene.width / 2, y: 0, width: 1, height: scene.height * 3 / 5)
    #expect(lost.rects.contains { $0.intersects(middle) && $0.width > Int(120 * painter.unit) })
    try write(lost.sprites, scene, "card")
  }

  @Test(arguments: scenes)
  func theLegendOfThreeButtonsIsOneRowOfAtMostASixth(_ scene: Scene) throws {
    let painter = HudScenesTests.painter(scene)
    let items: [HudContent.LegendItem] = [
      .init(icon: .right, text: "Nächster Ort"),
      .init(icon: .select, text: "Auswählen", below: "Halten: Start"),
      .init(icon: .back, text: "Zurück", below: "Halten: Sprache"),
    ]
    let legend = try #require(
      LegendArt(painter: painter, viewWidth: scene.width, viewHeight: scene.height).picture(items))
    let row = Int(HudStyle.legendRow) * scene.scale
    #expect(legend.height >= row)
    #expect(legend.height <= max(row, scene.height / 6))
    #expect(painter.unit >= painter.leastUnit)
  }

  @Test(arguments: scenes)
  func theAttributionIsNoLargerThanTheLegendsWords(_ scene: Scene) throws {
    let painter = HudScenesTests.painter(scene)
    func unit(_ hud: Hud) throws -> Double {
      let key = try #require(hud.elements[Hud.Part.attribution.rawValue]).key
      guard case .attribution(_, let unit) = key else { return .infinity }
      return unit
    }
    let hud = show(HudScenesTests.content, scene, painter)
    let words = try #require(hud.legendPlan?.wordSize)
    #expect(try unit(hud) * HudStyle.fine <= Double(words) + 0.5)
    // Without a legend it grows, but less than the rest of the HUD.
    var content = HudScenesTests.content
    content.legend = []
    let alone = try unit(show(content, scene, painter))
    #expect(alone >= painter.leastUnit && alone <= painter.unit)
    if painter.unit > painter.leastUnit {
      #expect(alone > painter.leastUnit && alone < painter.unit * 0.9)
    }
  }

  @Test(arguments: [scenes[0], scenes[5]])
  func everyWordOfEveryNoticeIsOnOneOfItsPages(_ scene: Scene) throws {
    let painter = HudScenesTests.painter(scene)
    let long = (0..<30).map { "word\($0)" }.joined(separator: " ")
    for count in [1, 3] {
      let notices = (0..<count).map {
        NoticeLine(text: $0 == 1 ? "short" : "\(long) end\($0)", severity: .info)
      }
      let height = scene.height / 3
      let pages = NoticeBanner.pages(
        notices, painter, .english,
        in: NoticeSpace(width: scene.width - Int(24 * painter.unit), height: height))
      for n in 0..<count {
        let parts = pages.flatMap(\.rows).filter { $0.notice == n }
        var said: [String] = []
        for (k, part) in parts.enumerated() {
          var text = part.lines.joined(separator: " ")
          // Each page says whether it goes on, and whether something was before.
          let (isFirst, isLast) = (k == 0, k + 1 == parts.count)
          #expect(text.hasPrefix(NoticeParts.wentBefore) != isFirst)
          #expect(text.hasSuffix(NoticeParts.goesOn) != isLast)
          if !isFirst { text = String(text.dropFirst(2)) }
          if !isLast { text = String(text.dropLast(2)) }
          said.append(text)
        }
        #expect(said.joined(separator: " ") == notices[n].text)
      }
      for page in pages {
        #expect(!page.rows.isEmpty)
        let (size, first) = (
          [page.width, page.lines, page.most], [pages[0].width, pages[0].lines, pages[0].most]
        )
        #expect(size == first)
        #expect(page.rest.isEmpty == (count == 1))
      }
      let images = pages.compactMap { NoticeArt(painter: painter).picture($0) }
      #expect(Set(images.map(\.height)).count == 1)
      if let image = images.first { #expect(image.height <= scene.height / 2) }
    }
  }

  @Test func theCompassHasTheLetterOfTheLanguage() throws {
    let art = HudArt(painter: MapOverlaysTests.painter())
    func picture(_ language: String) throws -> [UInt32] {
      let image = try #require(art.north(40, Words(language: language)(.northLetter))).image
      return Array(UnsafeBufferPointer(start: image.pixels, count: image.width * image.height))
    }
    let english = try picture("en")
    let german = try picture("de")
    let russian = try picture("ru")
    #expect(english == german)
    #expect(english != russian)
  }

  @Test func rightToLeftTextEndsAtTheRightEdge() throws {
    let painter = MapOverlaysTests.painter()
    let hud = Hud(painter)
    var content = HudContent()
    content.notices = [
      NoticeLine(
        text: "שביל סגור בגלל מפולת שלגים עד סוף החודש ולכן יש לחזור\nגשר", severity: .warning)
    ]
    hud.show(content, width: 320, height: 240)
    let image = try #require(hud.sprites.first).image
    // The last line is short, and its ink is in the right half.
    let ink = PictureTheme.day.ink
    // Below the plate's last line are its padding and its shadow.
    let lower = image.height - 38..<image.height
    let columns = lower.flatMap { y in
      (0..<image.width).filter { image.pixels[y * image.width + $0] == ink }
    }
    let least = try #require(columns.min())
    #expect(least > image.width / 2)
  }

  /// Writes sprites over a plain ground as a PNG, if pictures are wanted.
  private func write(_ sprites: [Sprite], _ scene: Scene, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["WAYPOST_SCENES"] else { return }
    var pixels = [UInt32](repeating: 0, count: scene.width * scene.height)
    for y in 0..<scene.height {
      for x in 0..<scene.width {
        let isEven = (x / 64 + y / 64) % 2 == 0
        pixels[y * scene.width + x] =
          scene.theme == .day
          ? (isEven ? 0xFFE8_EBD8 : 0xFFC9_DDB4) : (isEven ? 0xFF2A_2E26 : 0xFF1E_2A1C)
      }
    }
    for sprite in sprites {
      let image = sprite.image
      for row in 0..<image.height {
        for column in 0..<image.width {
          let (x, y) = (sprite.x + column, sprite.y + row)
          guard x >= 0, y >= 0, x < scene.width, y < scene.height else { continue }
          let top = image.pixels[row * image.width + column]
          let under = pixels[y * scene.width + x]
          let rest = 255 - (top >> 24)
          var mixed: UInt32 = 0xFF00_0000
          for shift in [0, 8, 16] as [UInt32] {
            let value = (top >> shift & 255) + ((under >> shift & 255) * rest + 127) / 255
            mixed |= min(255, value) << shift
          }
          pixels[y * scene.width + x] = mixed
        }
      }
    }
    let path = "\(folder)/\(name)-\(scene.testDescription).png"
    try pixels.withUnsafeBytes { bytes in
      var data = Data()
      let sink = PNGSink.closure {
        data.append(contentsOf: $0)
        return true
      }
      let writer = try PNGWriter(width: scene.width, height: scene.height, to: sink)
      try writer.writeRows(
        UnsafeRawBufferPointer(bytes).baseAddress!, rowBytes: scene.width * 4, count: scene.height)
      try writer.finish()
      try data.write(to: URL(fileURLWithPath: path))
    }
  }
}
