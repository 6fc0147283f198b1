import Configuration
import Control
import Kiosk
import TileSources

/// A call that waits until an added overlay is open, and the overlay that it replaced.
struct OverlayOpening {
  let reply: ControlReply<OverlayAdd>
  let former: OverlayEntry?
}

/// `overlay.*`.
extension ControlService {
  func addOverlayRoutes() {
    routes.on(OverlayListMethod.self) { [unowned self] _ in overlayList }
    routes.onLater(OverlayAdd.self) { [unowned self] params, reply throws(ControlError) in
      try whenAllowed(
        reply, checking: { kiosk.checkPaths(ofOverlay: .object(params.object), $0) },
        { [unowned self] () throws(ControlError) in try add(params, reply) })
    }
    routes.on(OverlayRemove.self) { [unowned self] params throws(ControlError) in
      try removeOverlay(params.name)
    }
    routes.on(OverlayShow.self) { [unowned self] params throws(ControlError) in
      try show(params.name, true)
    }
    routes.on(OverlayHide.self) { [unowned self] params throws(ControlError) in
      try show(params.name, false)
    }
    routes.on(OverlayMove.self) { [unowned self] params throws(ControlError) in
      try refuseClosure(params.name)
      switch params.place {
      case .above(let other), .below(let other): try refuseClosure(other)
      }
      try kiosk.moveOverlay(params.name, params.place)
      return overlayList
    }
  }

  private var overlayList: ListResult<OverlayInfo> {
    ListResult(kiosk.overlaysInOrder.filter { !Self.isClosure($0.name) }.map(describe))
  }

  /// Whether an overlay draws what a notice closes: it comes and goes with the notice.
  static func isClosure(_ name: String) -> Bool {
    name.hasPrefix(Configuration.Overlay.closurePrefix)
  }

  private func refuseClosure(_ name: String) throws(ControlError) {
    guard Self.isClosure(name), kiosk.overlayIndex(name) != nil else { return }
    let notice = String(name.dropFirst(Configuration.Overlay.closurePrefix.count))
    throw ControlError(
      code: ControlError.unknownName,
      message: "\"\(name)\" is what the notice \"\(notice)\" closes; `notice.set` and "
        + "`notice.remove` change it", data: ["name": .string(name)])
  }

  private func show(_ name: String, _ isShown: Bool) throws(ControlError) -> OverlayInfo {
    try refuseClosure(name)
    guard kiosk.showOverlay(name, isShown) else { throw unknownOverlay(name) }
    return try overlay(named: name)
  }

  private func removeOverlay(_ name: String) throws(ControlError) -> OverlayInfo {
    try refuseClosure(name)
    let removed = try overlay(named: name)
    kiosk.removeOverlay(name)
    giveUpOverlay(name, "\(name) was removed")
    return removed
  }

  private func overlay(named name: String) throws(ControlError) -> OverlayInfo {
    guard let i = kiosk.overlayIndex(name) else { throw unknownOverlay(name) }
    return describe(kiosk.overlays[i])
  }

  /// The names of the overlays that are not a notice's.
  var ownOverlays: [String] { kiosk.overlays.map(\.name).filter { !Self.isClosure($0) } }

  func unknownOverlay(_ name: String) -> ControlError {
    .unknown("overlay", name, known: ownOverlays)
  }

  private func describe(_ entry: OverlayEntry) -> OverlayInfo {
    var info = OverlayInfo(
      name: entry.name, kind: entry.kindGuess, path: entry.path,
      level: entry.spec.level.rawValue, shown: entry.isShown, minZoom: entry.spec.minZoom,
      label: entry.spec.label, error: entry.error)
    info.title = kiosk.overlayTitle(entry)
    if entry.spec.content != .grid {
      info.casing = entry.spec.casing.description
      info.look = entry.spec.look
    }
    info.dash = entry.spec.dash.isEmpty ? nil : entry.spec.dash
    info.attribution = entry.attribution.isEmpty ? nil : entry.attribution
    switch entry.state {
    case .closed: break
    case .open(let source):
      info.kind = source.format ?? source.kind
      // Features are stored to within a few millimetres.
      info.bounds = source.bounds?.array.map { ($0 * 1e6).rounded() / 1e6 }
      info.healthy = entry.error == nil
      (info.features, info.bytes) = kiosk.overlaySize(entry)
    case .failed: info.healthy = false
    }
    return info
  }

  private func add(
    _ params: RawParams, _ reply: ControlReply<OverlayAdd>
  ) throws(ControlError) {
    let before = kiosk.overlays
    let name = try kiosk.addOverlay(.object(params.object), trusted: reply.isTrusted)
    // Answered when it is known whether it can be read; only this connection waits.
    let former = overlayOpenings[name]?.former ?? before.first { $0.name == name }
    giveUpOverlay(name, "\(name) was added again")
    overlayOpenings[name] = OverlayOpening(reply: reply, former: former)
    deadlines.add(
      reply, late(name, "it is added once it is open, which an `overlay` event tells"))
  }

  private func giveUpOverlay(_ name: String, _ reason: String) {
    overlayOpenings.removeValue(forKey: name)?.reply.fail(
      ControlError(code: ControlError.fileRefused, message: reason, data: ["name": .string(name)]))
  }

  /// Answers the calls that wait for an overlay, now that it was opened or could not be.
  func overlayOpened(_ entry: OverlayEntry) {
    guard let opening = overlayOpenings.removeValue(forKey: entry.name) else { return }
    if case .failed(let error) = entry.state {
      kiosk.withdrawOverlay(entry.name, for: opening.former)
      if opening.reply.isAnswered { log?.warning("overlay \(entry.name) was not added: \(error)") }
      if entry.path != nil {
        opening.reply.fail(.file(error.file, error.reason))
      } else {
        opening.reply.fail(
          ControlError(
            code: ControlError.fileRefused, message: "\(error)", data: ["parameter": "geojson"]))
      }
    } else {
      opening.reply.succeed(describe(entry))
    }
  }

  /// The `overlay` event: what happened, and the overlay as it is now.
  func overlayEvent(_ name: String, _ change: KioskEvent.LayerChange) -> JSON {
    var event = kiosk.overlayIndex(name).flatMap { describe(kiosk.overlays[$0]).json.object } ?? [:]
    event["name"] = .string(name)
    event["change"] = .string(change.rawValue)
    return .object(event)
  }
}

extension Configuration.Overlay {
  /// How its features are drawn, and what the cards of its lines show.
  fileprivate var look: OverlayLook {
    var look = OverlayLook()
    (look.stroke, look.fill) = (stroke?.description, fill?.description)
    (look.strokeWidth, look.colorBy) = (strokeWidth, colorBy?.rawValue)
    look.card = card.map(\.property)
    (look.travel, look.travelSpeed) = (travel.rawValue, travelSpeed)
    return look
  }
}

extension OverlayEntry {
  /// The overlay's kind by its path, before it is open.
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
