import Configuration
import Control
import Glibc
import Kiosk
import TileSources

/// `overlay.*`.
extension ControlService {
  func overlay(_ method: String, _ params: JSON) throws(ControlError) -> JSON {
    switch method {
    case OverlayShow.name, OverlayHide.name:
      let name = try NameParams(params).name
      guard kiosk.showOverlay(name, method == OverlayShow.name) else { throw unknownOverlay(name) }
      return try overlay(named: name).json
    case OverlayRemove.name:
      let name = try NameParams(params).name
      let removed = try overlay(named: name)
      kiosk.removeOverlay(name)
      giveUpOverlay(name, "\(name) was removed")
      kiosk.onEvent?(.overlay(name: name, change: "removed"))
      return removed.json
    case OverlayMove.name:
      let p = try OverlayMoveParams(params)
      try kiosk.moveOverlay(p.name, p.place)
    default:
      _ = try NoParams(params)
    }
    return OverlayListResult(kiosk.overlaysInOrder.map(describe)).json
  }

  private func overlay(named name: String) throws(ControlError) -> OverlayInfo {
    guard let i = kiosk.overlayIndex(name) else { throw unknownOverlay(name) }
    return describe(kiosk.overlays[i])
  }

  func unknownOverlay(_ name: String) -> ControlError {
    .unknown("overlay", name, known: kiosk.overlays.map(\.name))
  }

  func describe(_ entry: OverlayEntry) -> OverlayInfo {
    var info = OverlayInfo(
      name: entry.name, kind: entry.kindGuess, path: entry.path,
      level: entry.spec.level.rawValue, shown: entry.isShown, minZoom: entry.spec.minZoom,
      label: entry.spec.label, error: entry.error)
    switch entry.state {
    case .closed: break
    case .open(let source):
      info.kind = source.format ?? source.kind
      // Features are kept to some millimetres.
      info.bounds = source.bounds?.array.map { ($0 * 1e6).rounded() / 1e6 }
      info.healthy = entry.error == nil
      (info.features, info.bytes) = kiosk.overlaySize(entry)
    case .failed: info.healthy = false
    }
    return info
  }

  func addOverlay(_ call: ControlCall) {
    do throws(ControlError) {
      let trusted = call.peer.uid == 0 || call.peer.uid == geteuid()
      let table = try RawParams(call.params).object
      let before = kiosk.overlays
      let name = try kiosk.addOverlay(.object(table), trusted: trusted)
      // Answered when it is known whether it can be read; only this connection waits.
      let former = openingOverlays[name]?.former ?? before.first { $0.name == name }
      giveUpOverlay(name, "\(name) was added again")
      openingOverlays[name] = (call, former)
    } catch {
      call.fail(error)
    }
  }

  private func giveUpOverlay(_ name: String, _ reason: String) {
    openingOverlays.removeValue(forKey: name)?.call.fail(
      ControlError(code: ControlError.fileRefused, message: reason, data: ["name": .string(name)]))
  }

  func overlayOpened(_ entry: OverlayEntry) {
    guard let (call, former) = openingOverlays.removeValue(forKey: entry.name) else { return }
    if case .failed(let error) = entry.state {
      kiosk.withdrawOverlay(entry.name, for: former)
      if entry.path != nil {
        call.fail(.file(error.file, error.reason))
      } else {
        call.fail(
          ControlError(
            code: ControlError.fileRefused, message: "\(error)", data: ["parameter": "geojson"]))
      }
    } else {
      call.succeed(describe(entry).json)
      kiosk.onEvent?(.overlay(name: entry.name, change: "added"))
    }
  }

  /// The `overlay` event: what happened, and the overlay as it is now.
  func overlayEvent(_ name: String, _ change: String) -> JSON {
    var event = kiosk.overlayIndex(name).flatMap { describe(kiosk.overlays[$0]).json.object } ?? [:]
    event["name"] = .string(name)
    event["change"] = .string(change)
    return .object(event)
  }
}

extension OverlayEntry {
  /// What the overlay's place says of its kind before it is open.
  fileprivate var kindGuess: String {
    switch spec.content {
    case .grid: return "grid"
    case .geoJSON: return "geojson"
    case .file(let path):
      let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      return ["gpx", "kml", "geojson"].first { $0 == ending } ?? "file"
    }
  }
}
