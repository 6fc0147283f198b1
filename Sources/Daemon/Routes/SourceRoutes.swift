import Control
import EventLoop
import Glibc
import Kiosk
import MapGeometry
import TileSources

/// `source.*`.
extension ControlService {
  /// How many sources can be added over the socket.
  static let maxAdded = 64

  func addSourceRoutes() {
    routes.on(SourceListMethod.self) { [unowned self] _ in
      ListResult(kiosk.sources.map(describe))
    }
    routes.onLater(SourceUse.self) { [unowned self] params, reply throws(ControlError) in
      try use(params.name, reply)
    }
    routes.on(SourceNext.self) { [unowned self] _ throws(ControlError) in try step(by: 1) }
    routes.on(SourcePrevious.self) { [unowned self] _ throws(ControlError) in try step(by: -1) }
    routes.onLater(SourceAdd.self) { [unowned self] params, reply throws(ControlError) in
      try whenAllowed(
        reply, checking: { kiosk.checkPaths(ofSource: .object(params.object), $0) },
        { [unowned self] () throws(ControlError) in try add(params, reply) })
    }
    routes.on(SourceRemove.self) { [unowned self] params throws(ControlError) in
      guard kiosk.entry(params.name) != nil else {
        throw .unknown("source", params.name, known: kiosk.sources.map(\.spec.name))
      }
      kiosk.removeSource(params.name)
      giveUp(params.name, "\(params.name) was removed")
      return EmptyResult()
    }
  }

  func unknownBase(_ name: String) -> ControlError {
    .unknown("base source", name, known: kiosk.baseNames)
  }

  private var noBase: ControlError {
    ControlError(
      code: ControlError.notAvailable, message: "there is no base source; `source.add` adds one",
      data: ["role": "base"])
  }

  /// The source as `source.list` shows it.
  func describe(_ entry: SourceEntry) -> SourceStatus {
    let info = entry.info
    var healthy: Bool?
    switch entry.state {
    case .closed: break
    case .open: healthy = entry.error == nil
    case .failed: healthy = false
    }
    var status = SourceStatus(
      name: entry.spec.name, kind: info?.kind ?? entry.spec.kindGuess, paths: entry.paths,
      format: info?.format, minZoom: entry.spec.minZoom ?? info?.minZoom,
      maxZoom: entry.spec.maxZoom ?? info?.maxZoom, bounds: info?.bounds?.array,
      attribution: entry.spec.attribution == nil && info == nil ? nil : entry.attribution,
      role: entry.spec.role.rawValue,
      active: entry.spec.isAlwaysShown || entry.spec.name == kiosk.activeSource, healthy: healthy,
      error: entry.error)
    if let drawing = info?.drawing {
      status.schema = (drawing.schema ?? drawing.learned?.schema)?.rawValue
      let layers = [info?.vectorLayers ?? [], drawing.layers, drawing.learned?.layers ?? []]
      status.layers = layers.first { !$0.isEmpty } ?? []
      status.style = drawing.style
      status.language = drawing.language
    }
    return status
  }

  // MARK: Switching

  /// Shows the next or previous base source at once, as a button would. It is not required to open,
  /// so that a broken source does not block the one after it.
  private func step(by delta: Int) throws(ControlError) -> SourceStatus {
    guard kiosk.step(by: delta), let entry = kiosk.activeEntry else { throw noBase }
    return describe(entry)
  }

  /// Shows a base source, and answers when it is open. If it cannot be opened, the call fails and
  /// the former source is shown again.
  private func use(_ name: String, _ reply: ControlReply<SourceUse>) throws(ControlError) {
    let former = kiosk.activeSource
    guard kiosk.use(name), let entry = kiosk.activeEntry else { throw unknownBase(name) }
    let waiter = SourceOpenings.Using(reply: reply, former: former == name ? nil : former)
    if case .closed = entry.state {
      openings.using[name, default: []].append(waiter)
      deadlines.add(
        reply, late(name, "it is shown as soon as it is open"),
        done: { [unowned self] in openings.dropAnswered() })
    } else {
      answer(waiter, entry)
    }
  }

  private func answer(_ waiter: SourceOpenings.Using, _ entry: SourceEntry) {
    guard case .failed(let error) = entry.state else {
      return waiter.reply.succeed(describe(entry))
    }
    if let former = waiter.former, kiosk.activeSource == entry.spec.name { _ = kiosk.use(former) }
    waiter.reply.fail(.file(error.file, error.reason))
  }

  // MARK: Adding

  private func add(
    _ params: RawParams, _ reply: ControlReply<SourceAdd>
  ) throws(ControlError) {
    let before = kiosk.sources
    let added = kiosk.sourceCount(of: .socket)
    let isNew =
      params.object["name"]?.string.map { kiosk.entry($0)?.origin != .socket } ?? true
    if added >= Self.maxAdded, isNew {
      throw ControlError(
        code: ControlError.notAvailable,
        message: "\(added) sources were added over the socket, and no more are possible;"
          + " `source.remove` makes room, and the configuration has no such limit",
        data: ["limit": .int(Int64(Self.maxAdded))])
    }
    let name = try kiosk.addSource(.object(params.object), trusted: reply.isTrusted)
    // Answered when it is known whether it can be opened; only this connection waits.
    let former = openings.adding[name]?.former ?? before.first { $0.spec.name == name }
    giveUp(name, "\(name) was added again")
    openings.adding[name] = SourceOpenings.Adding(reply: reply, former: former)
    deadlines.add(
      reply, late(name, "it is added once it is open, which a `source` event tells"))
    // If only its style changed, it is open already.
    if let entry = kiosk.entry(name), entry.info != nil { sourceOpened(entry) }
  }

  /// Answers the calls that wait for a source that will not be opened any more.
  private func giveUp(_ name: String, _ reason: String) {
    let error = ControlError(code: ControlError.fileRefused, message: reason)
    openings.adding.removeValue(forKey: name)?.reply.fail(error)
    for waiter in openings.using.removeValue(forKey: name) ?? [] { waiter.reply.fail(error) }
  }

  /// Answers the calls that wait for a source, now that it was opened or could not be.
  func sourceOpened(_ entry: SourceEntry) {
    let name = entry.spec.name
    for waiter in openings.using.removeValue(forKey: name) ?? [] { answer(waiter, entry) }
    guard let adding = openings.adding.removeValue(forKey: name) else { return }
    if case .failed(let error) = entry.state {
      kiosk.withdraw(name, for: adding.former)
      // The caller has only heard that it takes long, so the log reports the failure.
      if adding.reply.isAnswered { log?.warning("source \(name) was not added: \(error)") }
      adding.reply.fail(.file(error.file, error.reason))
    } else {
      adding.reply.succeed(describe(entry))
    }
  }
}
