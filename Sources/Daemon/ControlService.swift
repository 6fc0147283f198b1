import Configuration
import Control
import Displays
import EventLoop
import Glibc
import Kiosk
import MapGeometry
import Platform
import TileSources

/// Answers the control socket's calls with the kiosk's state and actions.
public final class ControlService {
  let kiosk: Kiosk
  private let version: String
  /// Reads the configuration anew; gives its warnings.
  private let reload: () throws(ControlError) -> [String]
  private var server: ControlServer?
  /// Calls that wait for a source to be opened, by the source's name, and what it takes the place of.
  private var opening: [String: (call: ControlCall, former: SourceEntry?)] = [:]
  /// The same of overlays.
  var openingOverlays: [String: (call: ControlCall, former: OverlayEntry?)] = [:]

  public init(
    kiosk: Kiosk, version: String, reload: @escaping () throws(ControlError) -> [String]
  ) {
    self.kiosk = kiosk
    self.version = version
    self.reload = reload
    kiosk.onEvent = { [unowned self] in publish($0) }
    kiosk.onSourceOpened = { [unowned self] in sourceOpened($0) }
    kiosk.onOverlayOpened = { [unowned self] in overlayOpened($0) }
  }

  /// Serves on `listener` until `close`.
  public func serve(on listener: ControlListener) throws(SystemError) {
    server = try ControlServer(
      loop: kiosk.loop, listener: listener,
      maxClients: kiosk.configuration.control.maxClients
    ) { [unowned self] in handle($0) }
  }

  public func close() { server?.close() }

  // MARK: Calls

  private func handle(_ call: ControlCall) {
    if call.answerSubscription() { return }
    switch call.method {
    case Control.Settle.name: settle(call)
    case SourceAdd.name: addSource(call)
    case OverlayAdd.name: addOverlay(call)
    default: call.answer { () throws(ControlError) -> JSON in try result(of: call) }
    }
  }

  private func result(of call: ControlCall) throws(ControlError) -> JSON {
    let params = call.params
    switch call.method {
    case Status.name: return try plain(params, status.json)
    case Version.name: return try plain(params, VersionResult(version: version).json)
    case Methods.name: return try plain(params, MethodsResult(Methods.names).json)
    case Stats.name: return try plain(params, stats.json)
    case ViewGet.name, ViewSet.name, ViewPan.name, ViewZoom.name, ViewFit.name, ViewHome.name:
      return try view(call.method, params)
    case SourceList.name, SourceUse.name, SourceNext.name, SourcePrevious.name, SourceRemove.name:
      return try source(call.method, params)
    case OverlayList.name, OverlayRemove.name, OverlayShow.name, OverlayHide.name, OverlayMove.name:
      return try overlay(call.method, params)
    case CacheStatsMethod.name: return try plain(params, cache.json)
    case CacheResize.name:
      kiosk.resizeCache(to: try CacheResizeParams(params).bytes)
      return cache.json
    case CacheClear.name:
      _ = try NoParams(params)
      kiosk.clearCache()
      return cache.json
    case Control.Screenshot.name: return try screenshot(params)
    case MarkerSet.name, MarkerRemove.name, MarkerList.name:
      return try marker(call.method, params)
    case Press.name: return try press(params)
    case PositionGet.name: return try plain(params, kiosk.positionInfo.json)
    case PositionSet.name:
      kiosk.setPosition(try PositionSetParams(params))
      return kiosk.positionInfo.json
    case DisplayGet.name: return try plain(params, displayState.json)
    case DisplaySet.name: return try setDisplay(DisplaySetParams(params))
    case ConfigReload.name:
      _ = try NoParams(params)
      return ConfigReloadResult(warnings: try reload()).json
    default: throw .method(call.method, known: Methods.names)
    }
  }

  private func plain(_ params: JSON, _ result: @autoclosure () -> JSON) throws(ControlError) -> JSON
  {
    _ = try NoParams(params)
    return result()
  }

  // MARK: View

  private func view(_ method: String, _ params: JSON) throws(ControlError) -> JSON {
    switch method {
    case ViewSet.name:
      let p = try ViewSetParams(params)
      var new = kiosk.goal
      if let lat = p.lat { new.center.lat = lat }
      if let lon = p.lon { new.center.lon = lon }
      if let zoom = p.zoom { new.zoom = zoom }
      if let bearing = p.bearing { new.bearing = bearing }
      kiosk.go(to: new, animate: p.animate)
    case ViewPan.name:
      let p = try ViewPanParams(params)
      switch p.way {
      case .by(let dx, let dy): kiosk.pan(dx: dx, dy: dy, animate: p.animate)
      case .direction(let direction): kiosk.pan(direction, animate: p.animate)
      }
    case ViewZoom.name:
      let p = try ViewZoomParams(params)
      kiosk.zoom(by: p.delta, about: p.anchor.map { ($0.x, $0.y) }, animate: p.animate)
    case ViewFit.name:
      let p = try ViewFitParams(params)
      kiosk.fit(
        GeoBounds(west: p.bounds[0], south: p.bounds[1], east: p.bounds[2], north: p.bounds[3]),
        padding: p.padding)
    case ViewHome.name:
      _ = try NoParams(params)
      kiosk.home(animate: false)
    default:
      _ = try NoParams(params)
    }
    return viewState.json
  }

  private var viewState: ViewState { state(of: kiosk.goal) }

  private func state(of v: Viewport) -> ViewState {
    ViewState(
      lat: v.center.lat, lon: WebMercator.wrapLongitude(v.center.lon), zoom: v.zoom,
      bearing: v.bearing, bounds: v.bounds.array, width: Double(v.width) / Double(v.scale),
      height: Double(v.height) / Double(v.scale))
  }

  private func settle(_ call: ControlCall) {
    do throws(ControlError) {
      let p = try SettleParams(call.params)
      let isCancelled = { [weak call] in call?.isCancelled ?? true }
      kiosk.settle(timeout: p.timeout, isCancelled: isCancelled) {
        call.succeed(
          SettleResult(frame: $0.frame, complete: $0.complete, missing: $0.missing).json)
      }
    } catch {
      call.fail(error)
    }
  }

  // MARK: Sources

  private func source(_ method: String, _ params: JSON) throws(ControlError) -> JSON {
    switch method {
    case SourceUse.name:
      let name = try NameParams(params).name
      guard kiosk.use(name) else {
        throw .unknown("base source", name, known: kiosk.baseNames)
      }
    case SourceNext.name, SourcePrevious.name:
      _ = try NoParams(params)
      guard kiosk.step(by: method == SourceNext.name ? 1 : -1) else {
        throw ControlError(
          code: ControlError.notAvailable, message: "there is no base source; `source.add` adds one"
        )
      }
    case SourceRemove.name:
      let name = try NameParams(params).name
      guard kiosk.entry(name) != nil else {
        throw .unknown("source", name, known: kiosk.sources.map(\.spec.name))
      }
      kiosk.removeSource(name)
      giveUp(name, "\(name) was removed")
      return [:]
    default:
      _ = try NoParams(params)
      return SourceListResult(kiosk.sources.map(describe)).json
    }
    return kiosk.activeEntry.map { describe($0).json } ?? .null
  }

  private func describe(_ entry: SourceEntry) -> Control.SourceInfo {
    let info = entry.info
    var healthy: Bool?
    switch entry.state {
    case .closed: break
    case .open: healthy = entry.error == nil
    case .failed: healthy = false
    }
    return Control.SourceInfo(
      name: entry.spec.name, kind: info?.kind ?? entry.kindGuess, paths: entry.paths,
      format: info?.format, minZoom: entry.spec.minZoom ?? info?.minZoom,
      maxZoom: entry.spec.maxZoom ?? info?.maxZoom, bounds: info?.bounds?.array,
      attribution: entry.spec.attribution == nil && info == nil ? nil : entry.attribution,
      role: entry.spec.role.rawValue,
      active: entry.spec.role != .base || entry.spec.name == kiosk.activeSource, healthy: healthy,
      error: entry.error)
  }

  private func addSource(_ call: ControlCall) {
    do throws(ControlError) {
      let trusted = call.peer.uid == 0 || call.peer.uid == geteuid()
      let table = try RawParams(call.params).object
      let before = kiosk.sources
      let name = try kiosk.addSource(.object(table), trusted: trusted)
      // Answered when it is known whether it can be opened; only this connection waits.
      let former = opening[name]?.former ?? before.first { $0.spec.name == name }
      giveUp(name, "\(name) was added again")
      opening[name] = (call, former)
      // Where only its looks changed it is open already.
      if let entry = kiosk.entry(name), entry.info != nil { sourceOpened(entry) }
    } catch {
      call.fail(error)
    }
  }

  /// Answers who waits for a source that is no longer to be opened.
  private func giveUp(_ name: String, _ reason: String) {
    opening.removeValue(forKey: name)?.call.fail(
      ControlError(code: ControlError.fileRefused, message: reason))
  }

  private func sourceOpened(_ entry: SourceEntry) {
    guard let (call, former) = opening.removeValue(forKey: entry.spec.name) else { return }
    if case .failed(let error) = entry.state {
      kiosk.withdraw(entry.spec.name, for: former)
      call.fail(.file(error.file, error.reason))
    } else {
      call.succeed(describe(entry).json)
      kiosk.sourceWasAdded(entry.name)
    }
  }

  /// The `source` event: what happened, and the source as it is now.
  private func sourceEvent(_ name: String, _ change: KioskEvent.SourceChange) -> JSON {
    var event = kiosk.entry(name).flatMap { describe($0).json.object } ?? [:]
    if !name.isEmpty { event["name"] = .string(name) }
    event["change"] = .string(change.rawValue)
    return .object(event)
  }

  // MARK: The rest

  private func screenshot(_ params: JSON) throws(ControlError) -> JSON {
    _ = try ScreenshotParams(params)
    do {
      let picture = try kiosk.screenshot()
      return ScreenshotResult(
        width: picture.width, height: picture.height, frame: picture.frame, png: picture.png
      ).json
    } catch {
      throw .broken("the picture could not be made: \(error)")
    }
  }

  private func press(_ params: JSON) throws(ControlError) -> JSON {
    let text = try PressParams(params).action
    guard let action = Action(text) else {
      throw .parameter(
        "action", "\"\(text)\" is no action; one of \(Action.allNames.joined(separator: ", "))")
    }
    if let reason = kiosk.press(action) {
      if case .source(let name) = action {
        throw .unknown("base source", name, known: kiosk.baseNames)
      }
      if case .overlayToggle(let name) = action { throw unknownOverlay(name) }
      throw ControlError(
        code: ControlError.notAvailable, message: reason, data: ["action": .string(text)])
    }
    return [:]
  }

  private var cache: CacheStats {
    let c = kiosk.pipeline.cache.stats
    let l = kiosk.pipeline.loader.stats
    return CacheStats(
      bytes: c.bytes, limit: c.limit, floor: c.floor, tiles: c.tiles, hits: c.hits,
      misses: c.misses, evictions: c.evictions, decodes: l.decodes, decodeErrors: l.decodeErrors)
  }

  private var status: StatusResult {
    StatusResult(
      version: version, uptime: kiosk.uptime, pid: Int(getpid()), display: displayInfo,
      source: kiosk.activeEntry.map(describe), view: viewState,
      position: kiosk.hasPosition ? kiosk.positionInfo.json : .null, cache: cache,
      health: kiosk.health.entries.map {
        HealthItem(what: $0.what, state: $0.state.rawValue, since: $0.since, detail: $0.detail)
      })
  }

  private var displayInfo: DisplayInfo {
    let display = kiosk.pipeline.display
    let size = display.viewSize
    return DisplayInfo(
      backend: display.kind, device: display.device, connector: kiosk.screen.connector,
      mode: "\(display.width)x\(display.height)@\(Int(display.refreshRate.rounded()))",
      width: size.width, height: size.height, format: display.format.rawValue,
      rotation: display.rotation.rawValue, scale: kiosk.pipeline.scale,
      power: kiosk.isAsleep ? "off" : "on")
  }

  private var displayState: DisplayResult {
    let hud = kiosk.configuration.hud
    return DisplayResult(
      info: displayInfo, isConnected: kiosk.screen.isConnected,
      brightness: try? kiosk.backlight?.brightness(),
      theme: kiosk.themeMode.rawValue, isNight: kiosk.isNight,
      hud: [
        ("attribution", hud.attribution), ("scale_bar", hud.scaleBar), ("north", hud.north),
        ("zoom", hud.zoom), ("coordinates", hud.coordinates), ("buttons", hud.buttons),
        ("toasts", hud.toasts),
      ])
  }

  private func setDisplay(_ p: DisplaySetParams) throws(ControlError) -> JSON {
    if let brightness = p.brightness {
      guard let backlight = kiosk.backlight else {
        throw ControlError(
          code: ControlError.notAvailable,
          message: "no backlight: /sys/class/backlight has none that display.backlight means",
          data: ["parameter": "brightness"])
      }
      do throws(BacklightError) {
        try backlight.setBrightness(brightness)
      } catch {
        throw ControlError(
          code: ControlError.notAvailable, message: "\(error)", data: ["parameter": "brightness"])
      }
    }
    if !p.hud.isEmpty { kiosk.showHud(p.hud) }
    if let theme = p.theme.flatMap({ Configuration.Theme.Mode(rawValue: $0) }) {
      kiosk.setTheme(theme)
    }
    switch p.isOn {
    case true?: kiosk.wake()
    case false?: kiosk.sleep()
    case nil: if p.brightness != nil || !p.hud.isEmpty { kiosk.onEvent?(.display) }
    }
    return displayState.json
  }

  private var stats: StatsResult {
    var result = StatsResult()
    result.frames.presented = kiosk.presentedFrames
    result.frames.late = kiosk.lateFrames
    result.frames.p50 = kiosk.frameTimes.milliseconds(at: 0.5)
    result.frames.p99 = kiosk.frameTimes.milliseconds(at: 0.99)
    result.frames.p999 = kiosk.frameTimes.milliseconds(at: 0.999)
    result.decode.count = kiosk.decodeTimes.count
    result.decode.p50 = kiosk.decodeTimes.milliseconds(at: 0.5)
    result.decode.p99 = kiosk.decodeTimes.milliseconds(at: 0.99)
    result.input.count = kiosk.inputTimes.count
    result.input.pressToFrameP50 = kiosk.inputTimes.milliseconds(at: 0.5)
    result.input.pressToFrameP99 = kiosk.inputTimes.milliseconds(at: 0.99)
    let readers = kiosk.readerThreads
    result.readers.threads = readers.count
    result.readers.waiting = readers.waiting
    result.readers.limit = readers.limit
    result.memory = kiosk.memory.map { .init($0.name, $0.bytes) }
    result.memory.append(.init("clients", server?.stats.queuedBytes ?? 0))
    result.wakeups = kiosk.loop.wakeups
    return result
  }

  // MARK: Events

  private func publish(_ event: Kiosk.Event) {
    guard let server else { return }
    switch event {
    case .view: server.publish(.view) { state(of: kiosk.currentView).json }
    case .source(let name, let change):
      server.publish(.source) { sourceEvent(name, change) }
    case .tileError(let source, let error):
      server.publish(.tileError) {
        [
          "source": .string(source), "file": .string(error.file),
          "z": .int(Int64(error.tile.z)), "x": .int(Int64(error.tile.x)),
          "y": .int(Int64(error.tile.y)), "reason": .string(error.reason),
        ]
      }
    case .position: server.publish(.position) { kiosk.positionInfo.json }
    case .marker(let id, let change):
      server.publish(.marker) { markerEvent(id, change) }
    case .display: server.publish(.display) { displayState.json }
    case .overlay(let name, let change): server.publish(.overlay) { overlayEvent(name, change) }
    case .button(let button):
      server.publish(.button) {
        [
          "button": .string(button.origin), "action": .string(button.action.description),
          "phase": .string(button.phase.rawValue), "time": .double(Double(button.time) / 1e9),
        ]
      }
    case .health: server.publish(.health) { ["health": .array(status.health.map(\.json))] }
    }
  }
}
