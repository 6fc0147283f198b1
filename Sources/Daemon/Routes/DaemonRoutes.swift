import Configuration
import Control
import Displays
import Glibc
import Kiosk
import Platform

/// `status`, `version`, `methods`, `config.reload` and `press`.
extension ControlService {
  func addDaemonRoutes() {
    routes.on(Status.self) { [unowned self] _ in status }
    routes.on(Version.self) { _ in VersionResult(version: Release.version) }
    routes.on(Methods.self) { [unowned self] _ in MethodsResult(routes.names) }
    routes.onLater(ConfigReload.self) { [unowned self] _, reply in
      reload { outcome in
        switch outcome {
        case .success(let warnings): reply.succeed(ConfigReloadResult(warnings: warnings))
        case .failure(let error): reply.fail(error)
        }
      }
    }
    routes.on(Press.self) { [unowned self] params throws(ControlError) in
      try press(params)
    }
  }

  private var status: StatusResult {
    StatusResult(
      version: Release.version, uptime: kiosk.uptime, pid: Int(getpid()), display: displayInfo,
      source: kiosk.activeEntry.map(describe), view: viewState,
      position: kiosk.hasPosition ? kiosk.positionInfo.json : .null, cache: cacheStats,
      health: healthItems, gpioLines: kiosk.inputCounts.gpioLines,
      inputDevices: kiosk.inputCounts.devices, stateFile: kiosk.configuration.state.path ?? "")
  }

  var healthItems: [HealthItem] {
    kiosk.health.entries.map {
      HealthItem(what: $0.what, state: $0.state.rawValue, since: $0.since, detail: $0.detail)
    }
  }

  private func press(_ params: PressParams) throws(ControlError) -> EmptyResult {
    let text = params.action
    guard let action = Action(text) else {
      throw .parameter(
        "action",
        "\"\(NearestName.shorten(text))\" is not an action: \(Action.advice(for: text))")
    }
    if let reason = kiosk.press(action) {
      if case .source(let name) = action { throw unknownBase(name) }
      if case .overlayToggle(let name) = action { throw unknownOverlay(name) }
      throw ControlError(
        code: ControlError.notAvailable, message: reason, data: ["action": .string(text)])
    }
    return EmptyResult()
  }
}
