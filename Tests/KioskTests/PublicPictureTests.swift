import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

private let pictures = ProcessInfo.processInfo.environment["WAYPOST_PICTURES"]

/// Pictures for people to look at, in the folder `WAYPOST_PICTURES`: notices, caption, focus and
/// legend in every language.
@Suite(.enabled(if: pictures != nil)) struct PublicPictureTests: MarkerCase {
  @Test(arguments: ["en", "de", "ar", "ja", "hi", "ru"], [(800, 480), (480, 800), (480, 320)])
  func aScene(_ language: String, _ size: (Int, Int)) throws {
    let folder = try #require(pictures)
    let bench = try bench(width: size.0, height: size.1) {
      $0.hud = Configuration.Hud()
      $0.hud.languages = [language]
      ($0.hud.buttons, $0.hud.coordinates, $0.hud.zoom) = (true, true, true)
      $0.gpio.buttons = [
        .init(line: .offset(1), action: .selectNext, hold: .action(.mapKey)),
        .init(line: .offset(2), action: .select, hold: .action(.languageNext)),
        .init(line: .offset(3), action: .back, hold: .action(.home)),
      ]
      $0.markers = [marker("hut", 41.3, 11.8, "Hut", "Open")]
      $0.theme.mode = size.0 == 480 ? .night : .day
    }
    for (id, severity, text) in [
      (
        "a", "danger",
        "Ridge path closed: falling rocks between the hut and the pass until further notice"
      ),
      ("b", "warning", "Bridge closed until June"), ("c", "info", "The bus runs every hour"),
      ("d", "info", "Another one"), ("e", "info", "And another one"),
    ] {
      _ = try bench.kiosk.setNotice([
        "id": .string(id), "severity": .string(severity), "text": .string(text),
      ])
    }
    try bench.settle()
    bench.kiosk.overMap.setCaption("The valley and its lakes")
    _ = bench.kiosk.press(.selectNext)
    // The fonts of other scripts are read beside the loop.
    let end = Date().addingTimeInterval(2)
    while Date() < end { bench.loop.runOnce(timeout: 50_000_000) }
    try bench.settle()
    let shot = try bench.kiosk.screenshot()
    let file = "\(folder)/\(language)-\(size.0)x\(size.1).png"
    try Data(shot.png).write(to: URL(fileURLWithPath: file))
  }
}
