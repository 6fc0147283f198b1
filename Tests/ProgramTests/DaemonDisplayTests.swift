import Control
import Foundation
import TestSupport
import Testing

/// `display.get`, `display.set`, `press` and their events, at the daemon's socket.
@Suite struct DaemonDisplayTests {
  @Test func theDisplayIsDescribedWithPowerBrightnessThemeAndHud() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let display = try client.call(DisplayGet.self, NoParams())
    #expect(display.info.backend == "headless")
    #expect(display.info.power == "on")
    #expect(display.info.width == 400 && display.info.height == 300)
    #expect(!display.info.isConnected)
    #expect(display.brightness == nil)
    #expect(display.theme == "day")
    #expect(display.hud.map(\.name) == DisplaySetParams.hudParts)
  }

  @Test func whileTheDisplayIsOffNothingIsDrawnAndTheViewSettlesAllTheSame() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    _ = try client.settled()
    let off = try client.call(DisplaySet.self, DisplaySetParams(isOn: false))
    #expect(off.info.power == "off")
    let before = try client.call(Stats.self, NoParams()).frames.presented
    _ = try client.call(ViewSet.self, ViewSetParams(lat: 30))
    let settled = try client.call(Control.Settle.self, SettleParams(timeout: 300), timeout: 400)
    #expect(settled.complete)
    #expect(try client.call(Stats.self, NoParams()).frames.presented == before)
    _ = try client.call(DisplaySet.self, DisplaySetParams(isOn: true))
    #expect(try client.settled().frame > before)
  }

  @Test func aPressWhileOffOnlyLightsTheDisplay() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let zoom = try client.call(ViewGet.self, NoParams()).zoom
    _ = try client.call(Press.self, PressParams(action: "sleep"))
    #expect(try client.call(DisplayGet.self, NoParams()).info.power == "off")
    _ = try client.call(Press.self, PressParams(action: "zoom-in"))
    #expect(try client.call(DisplayGet.self, NoParams()).info.power == "on")
    #expect(try client.call(ViewGet.self, NoParams()).zoom == zoom)
    _ = try client.call(Press.self, PressParams(action: "zoom-in"))
    #expect(try client.call(ViewGet.self, NoParams()).zoom == zoom + 1)
  }

  @Test func theThemeIsSetAndToggledAndToldToWhoSubscribed() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.display]))
    let night = try client.call(DisplaySet.self, DisplaySetParams(theme: "night"))
    #expect(night.theme == "night" && night.isNight)
    #expect(try client.event(.display) { $0["theme"] == "night" } != nil)
    _ = try client.call(Press.self, PressParams(action: "theme-toggle"))
    let day = try client.call(DisplayGet.self, NoParams())
    #expect(day.theme == "day" && !day.isNight)
  }

  @Test func theHudsPartsAreShownAndHidden() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let set = try client.call(DisplaySet.self, DisplaySetParams(hud: ["attribution": false]))
    #expect(set.hud.first { $0.name == "attribution" }?.isShown == false)
    #expect(set.hud.first { $0.name == "toasts" }?.isShown == true)
  }

  static let refused: [(params: String, code: Int, culprit: String)] = [
    (#"{"brightness":50}"#, -32005, "brightness"),
    (#"{"brightness":101}"#, -32602, "brightness"), (#"{"power":"dim"}"#, -32602, "power"),
    (#"{"theme":"dusk"}"#, -32602, "theme"), (#"{"hud":{"clock":true}}"#, -32602, "clock"),
    (#"{"hud":true}"#, -32602, "hud"), (#"{"gamma":2}"#, -32602, "gamma"),
  ]

  @Test func whatCannotBeSetIsRefusedByName() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    for (params, code, culprit) in Self.refused {
      do {
        _ = try client.call("display.set", try JSON.parse(params))
        Issue.record("\(params) was taken")
      } catch let error as ClientError {
        guard case .refused(let refusal) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(refusal.code == code, "\(params)")
        #expect(refusal.data?["parameter"]?.string == culprit, "\(params)")
      }
    }
  }
}
