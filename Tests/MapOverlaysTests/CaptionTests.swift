import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Where the caption of the tour stands.
@Suite struct CaptionTests {
  struct Screen: Sendable {
    var width: Int
    var height: Int
    var unit: Double
  }

  private static let long =
    "Wien: die Hauptstadt Österreichs an der Donau, zwischen Alpen und Karpaten gelegen, mit fast "
    + "zwei Millionen Einwohnern"

  private func content(_ caption: String, buttons: Int = 3) -> HudContent {
    var content = HudContent()
    content.caption = caption
    content.attribution = "© OpenStreetMap"
    content.legend = (0..<buttons).map {
      .init(icon: .right, text: "Button \($0)", below: "Hold: something")
    }
    return content
  }

  private func show(_ content: HudContent, _ screen: Screen) -> Hud {
    let painter = painter(screen.unit)
    var content = content
    let view = Viewport(
      center: GeoPoint(lat: 48.2, lon: 16.4), zoom: 5, width: screen.width, height: screen.height,
      scale: 1)
    content.follow(
      view, scaleBar: .metric, north: false, zoom: false, coordinates: false, size: screen.unit)
    let hud = Hud(painter)
    hud.show(content, width: screen.width, height: screen.height)
    return hud
  }

  private func caption(_ hud: Hud) throws -> PixelRect {
    let rect = try #require(hud.elements[Hud.Part.caption.rawValue]?.rect)
    #expect(hud.rects.count { $0.intersects(rect) } == 1)
    #expect(rect.intersection(hud.view) == rect)
    return rect
  }

  @Test(arguments: [
    Screen(width: 1280, height: 720, unit: 1), Screen(width: 800, height: 480, unit: 1.6),
    Screen(width: 480, height: 800, unit: 1), Screen(width: 1920, height: 1080, unit: 3),
  ])
  func aShortOneIsInTheMiddleOfTheLowerEdge(_ screen: Screen) throws {
    let rect = try caption(show(content("Rom"), screen))
    #expect(abs(rect.x + rect.width / 2 - screen.width / 2) <= 1)
    #expect(rect.y > screen.height / 2)
  }

  @Test func besideAMapKeyItDoesNotRiseToTheMiddle() throws {
    var content = content(CaptionTests.long, buttons: 8)
    let items = (0..<3).map {
      MapKey.Item(.dot(0xFF20_60C0), "A sign of which there is much to say, number \($0)")
    }
    content.panel = .key(MapKey(title: "Map key", items: items))
    let hud = show(content, Screen(width: 1280, height: 720, unit: 1))
    let rect = try caption(hud)
    let key = try #require(hud.panelRect)
    #expect(!rect.intersects(hud.middle))
    #expect(rect.y > hud.middle.maxY && rect.x > key.maxX)
  }

  @Test func itIsAtTheTopWhereThePinOfHereLeavesNoRoomBelow() throws {
    var content = content("Montmartre: der Hügel der Maler, heute mit Standseilbahn erreichbar")
    content.captionPins = [PixelRect(x: 728, y: 530, width: 144, height: 264)]
    let hud = show(content, Screen(width: 1920, height: 1080, unit: 3))
    let rect = try caption(hud)
    #expect(rect.maxY <= hud.middle.y)
    #expect(!rect.intersects(content.captionPins[0]))
  }

  @Test(arguments: [
    Screen(width: 1280, height: 720, unit: 1), Screen(width: 800, height: 480, unit: 1.6),
    Screen(width: 1920, height: 1080, unit: 3), Screen(width: 480, height: 800, unit: 1),
  ])
  func itHidesNoPinOfHere(_ screen: Screen) throws {
    for text in ["Rom", "Montmartre: der Hügel der Maler"] {
      var content = content(text)
      for column in 0..<8 {
        for row in 0..<8 {
          let (width, height) = (Int(48 * screen.unit), Int(88 * screen.unit))
          content.captionPins = [
            PixelRect(
              x: screen.width * column / 8, y: screen.height * row / 8, width: width,
              height: height)
          ]
          let rect = try caption(show(content, screen))
          #expect(!rect.intersects(content.captionPins[0]), "\(text) \(column) \(row)")
        }
      }
    }
  }

  @Test func aLongOneIsNotCutWhereThereIsRoomForMoreLines() throws {
    let text =
      CaptionTests.long + " und dem größten Wald einer Stadt in Mitteleuropa, dem Wienerwald"
    let hud = show(content(text), Screen(width: 1280, height: 720, unit: 1))
    guard case .lines(let lines)? = hud.elements[Hud.Part.caption.rawValue]?.key else {
      Issue.record("no caption")
      return
    }
    #expect(lines.count > 3)
    #expect(lines.joined(separator: " ") == text)
  }
}
