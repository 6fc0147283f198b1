import Control
import EventLoop
import Inputs
import Kiosk
import Platform
import TileSources

/// The kiosk's events as `subscribe` delivers them. An event that nobody subscribed to is not made.
extension ControlService {
  func publish(_ event: Kiosk.Event) {
    if case .health = event { logHealth() }
    guard let server else { return }
    switch event {
    case .view: server.publish(.view) { state(of: kiosk.currentView).json }
    case .source(let name, let change):
      server.publish(.source) { sourceEvent(name, change) }
    case .tileError(let source, let error):
      server.publish(.tileError) { tileErrorEvent(source, error) }
    case .position: server.publish(.position) { kiosk.positionInfo.json }
    case .marker(let id, let change): server.publish(.marker) { markerEvent(id, change) }
    case .notice(let id, let change): server.publish(.notice) { noticeEvent(id, change) }
    case .display: server.publish(.display) { displayState.json }
    case .overlay(let name, _) where Self.isClosure(name): break
    case .overlay(let name, let change): server.publish(.overlay) { overlayEvent(name, change) }
    case .button(let button): server.publish(.button) { buttonEvent(button) }
    case .health: server.publish(.health) { ["health": .array(healthItems.map(\.json))] }
    }
  }

  /// Logs every problem that appeared, changed or ended, those too that `status` has no room for.
  func logHealth() {
    let problems = kiosk.health.all.map {
      HealthLog.Problem(what: $0.what, isError: $0.state == .error, detail: $0.detail)
    }
    for line in healthLog.update(problems, at: Double(EventLoop.now()) / 1e9) {
      log?.log(line.level, line.text, line.fields)
    }
  }

  /// What was done with a source, and the source as it is now.
  private func sourceEvent(_ name: String, _ change: KioskEvent.LayerChange) -> JSON {
    var event = kiosk.entry(name).flatMap { describe($0).json.object } ?? [:]
    if !name.isEmpty { event["name"] = .string(name) }
    event["change"] = .string(change.rawValue)
    return .object(event)
  }

  private func tileErrorEvent(_ source: String, _ error: TileError) -> JSON {
    [
      "source": .string(source), "file": .string(error.file), "z": .int(Int64(error.tile.z)),
      "x": .int(Int64(error.tile.x)), "y": .int(Int64(error.tile.y)),
      "reason": .string(error.reason),
    ]
  }

  private func buttonEvent(_ button: ButtonEvent) -> JSON {
    [
      "button": .string(button.origin), "action": .string(button.action.description),
      "phase": .string(button.phase.rawValue), "time": .double(Double(button.time) / 1e9),
    ]
  }
}
