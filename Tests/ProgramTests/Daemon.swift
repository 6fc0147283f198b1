import Control
import EventLoop
import Foundation
import Synchronization
import Testing

/// Stands in for waypostd: serves the control socket on a thread of its own, notes each call, and
/// answers with results that the test may set.
final class Daemon {
  struct Call: Equatable, CustomStringConvertible {
    let method: String
    let params: JSON
    var description: String { "\(method) \(params.text)" }
  }

  let folder: String
  var socket: String { folder + "/s" }
  private let record: Record

  init() throws {
    var template = Array("/tmp/waypost-program-XXXXXX".utf8CString)
    #expect(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let record = Record()
    self.record = record
    let listener = Transfer(try ControlListener(path: folder + "/s"))
    Thread.detachNewThread {
      do {
        let loop = try EventLoop()
        var server: ControlServer?
        server = try ControlServer(loop: loop, listener: listener.value) { call in
          record.answer(call, loop, server)
        }
        loop.run()
        server?.close()
        server = nil
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  deinit {
    _ = try? ControlConnection(path: socket).call("test.quit")
    _ = try? FileManager.default.removeItem(atPath: folder)
  }

  /// The calls since the last look.
  func takeCalls() -> [Call] { record.takeCalls() }

  /// What `method` answers from now on.
  func answer(_ method: String, _ result: Result<JSON, ControlError>) {
    record.set(method, result)
  }

  /// Runs `waypost` against it.
  func waypost(_ arguments: String...) throws -> Program.Outcome {
    try Program.built("waypost").run(arguments, environment: ["WAYPOST_SOCKET": socket])
  }
}

/// What the daemon's thread and the test share.
private final class Record: Sendable {
  private struct State {
    var calls: [Daemon.Call] = []
    var results = Samples.results
  }
  private let state = Mutex(State())

  func takeCalls() -> [Daemon.Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  func set(_ method: String, _ result: Result<JSON, ControlError>) {
    state.withLock { $0.results[method] = result }
  }

  func answer(_ call: ControlCall, _ loop: EventLoop, _ server: ControlServer?) {
    if call.method == "test.quit" {
      call.succeed(true)
      return loop.stop()
    }
    let result = state.withLock { state in
      state.calls.append(Daemon.Call(method: call.method, params: call.params))
      return state.results[call.method]
    }
    let subscriptions = Routes()
    subscriptions.addSubscriptions()
    if subscriptions.names.contains(call.method) {
      subscriptions.handle(call)
      server?.publish(.view) { ["lat": -33.92, "zoom": 12] }
      server?.publish(.source) { ["name": "topo"] }
      // The events go out before the end: a watcher then sees the connection close.
      let end = loop.timer { loop.stop() }
      return end.arm(after: 300_000_000)
    }
    switch result {
    case .success(let value): call.succeed(value)
    case .failure(let error): call.fail(error)
    case nil: call.fail(.method(call.method, known: Array(Samples.results.keys)))
    }
  }
}

/// Hands a value from the thread that makes it to the one that uses it.
private struct Transfer<Value>: @unchecked Sendable {  // used by one thread at a time
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Results in the interface's shapes.
enum Samples {
  static let view = ViewState(
    lat: -33.92, lon: 18.42, zoom: 12, bearing: 0, bounds: [18, -34, 19, -33], width: 1280,
    height: 720)
  static let source = SourceStatus(
    name: "topo", kind: "mbtiles", paths: ["/maps/topo.mbtiles"], format: "png", minZoom: 0,
    maxZoom: 14, active: true, healthy: true)
  static let cache = CacheStats(
    bytes: 1_048_576, limit: 33_554_432, floor: 8_388_608, tiles: 4, hits: 5, misses: 6,
    evictions: 7, decodes: 8, decodeErrors: 9)
  static let overlay = OverlayInfo(
    name: "trails", kind: "geojson", path: "/maps/trails.geojson", level: "above-roads",
    features: 12, bytes: 34567, healthy: true)
  static let display = DisplayResult(
    info: DisplayInfo(
      backend: "headless", width: 1280, height: 720, format: "xrgb8888", isConnected: false),
    brightness: nil, theme: "night", isNight: true, hud: [])
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 255]

  static let methods = [ViewGet.name, ViewSet.name, Status.name]

  static let results: [String: Result<JSON, ControlError>] = {
    var results: [String: JSON] = [:]
    for method in ["view.get", "view.set", "view.pan", "view.zoom", "view.fit", "view.home"] {
      results[method] = view.json
    }
    for method in ["source.use", "source.next", "source.previous", "source.add"] {
      results[method] = source.json
    }
    for method in ["cache.stats", "cache.clear", "cache.resize"] { results[method] = cache.json }
    for method in ["overlay.add", "overlay.show", "overlay.hide", "overlay.remove"] {
      results[method] = overlay.json
    }
    for method in ["overlay.list", "overlay.move"] {
      results[method] = ListResult([overlay]).json
    }
    results["display.set"] = display.json
    for method in ["position.get", "position.set"] { results[method] = PositionInfo().json }
    results["source.list"] = ListResult([source]).json
    results["source.remove"] = EmptyResult().json
    results["press"] = EmptyResult().json
    results["settle"] = SettleResult(frame: 7, complete: true, missing: 2).json
    results["screenshot"] =
      ScreenshotResult(width: 1280, height: 720, frame: 7, base64: Base64.encode(png)).json
    results["stats"] = StatsResult().json
    results["config.reload"] = ConfigReloadResult(warnings: ["a.toml:3: odd"]).json
    results["version"] = VersionResult(version: "9.9").json
    results["methods"] = MethodsResult(methods).json
    results["status"] =
      StatusResult(
        version: "9.9", uptime: 3700, pid: 42,
        display: DisplayInfo(backend: "headless", width: 1280, height: 720, format: "xrgb8888"),
        source: source, view: view, cache: cache,
        health: [HealthItem(what: "display", state: "ok")]
      ).json
    return results.mapValues { .success($0) }
  }()
}
