import Configuration
import Control
import Displays
import Kiosk
import Pixels

/// `display.*` and `screenshot`.
extension ControlService {
  func addDisplayRoutes() {
    routes.on(DisplayGet.self) { [unowned self] _ in displayState }
    routes.on(DisplaySet.self) { [unowned self] params throws(ControlError) in
      try setDisplay(params)
    }
    routes.onLater(Screenshot.self) { [unowned self] _, reply in screenshots.add(reply) }
  }

  var displayInfo: DisplayInfo {
    let display = kiosk.pipeline.display
    let size = display.viewSize
    return DisplayInfo(
      backend: display.kind, device: display.device, connector: kiosk.screen.connector,
      mode: "\(display.width)x\(display.height)@\(Int(display.refreshRate.rounded()))",
      width: size.width, height: size.height, format: display.format.rawValue,
      rotation: display.rotation.rawValue, scale: kiosk.pipeline.scale,
      power: kiosk.isAsleep ? "off" : "on", isConnected: kiosk.screen.isConnected,
      awaited: kiosk.screen.awaited)
  }

  var displayState: DisplayResult {
    let hud = kiosk.hud
    var state = DisplayResult(
      info: displayInfo, brightness: try? kiosk.backlight?.brightness(),
      theme: kiosk.themeMode.rawValue, isNight: kiosk.isNight,
      hud: DisplaySetParams.hudParts.compactMap { name in
        Configuration.Hud.parts[name].map { (name, hud[keyPath: $0]) }
      })
    state.language = kiosk.language
    return state
  }

  private func setDisplay(_ params: DisplaySetParams) throws(ControlError) -> DisplayResult {
    if let language = params.language, !kiosk.setLanguage(language) {
      let known = kiosk.configuration.hud.languages
      let error = ControlError.unknown("language", language, known: known)
      let rest =
        known.isEmpty
        ? "; hud.languages names none" : "; hud.languages has \(known.joined(separator: ", "))"
      throw ControlError(code: error.code, message: error.message + rest, data: error.data)
    }
    if let brightness = params.brightness { try setBrightness(brightness) }
    if !params.hud.isEmpty { kiosk.showHud(params.hud) }
    if let theme = params.theme.flatMap({ Configuration.Theme.Mode(rawValue: $0) }) {
      kiosk.setTheme(theme)
    }
    switch params.isOn {
    case true?: kiosk.wake()
    case false?: kiosk.sleep()
    case nil: break
    }
    return displayState
  }

  private func setBrightness(_ percent: Int) throws(ControlError) {
    guard kiosk.backlight != nil else {
      throw ControlError(
        code: ControlError.notAvailable,
        message: "no backlight: /sys/class/backlight has no device that display.backlight allows",
        data: ["parameter": "brightness"])
    }
    do throws(BacklightError) {
      try kiosk.setBrightness(percent)
    } catch {
      throw ControlError(
        code: ControlError.notAvailable, message: "\(error)", data: ["parameter": "brightness"])
    }
  }
}
