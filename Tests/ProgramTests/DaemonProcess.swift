import Control
import Foundation
import TestSupport
import Testing

/// Whether the tests run under an emulator, where times and a process's memory mean nothing.
let isEmulated = ProcessInfo.processInfo.environment["WAYPOST_EMULATED"] != nil

/// `waypostd` as a process, with a folder of its own for configuration, state and socket.
final class DaemonProcess {
  let folder: TemporaryFolder
  private(set) var program: RunningProgram
  private let environment: [String: String]
  var pid: pid_t { program.pid }
  var socket: String { folder["s"] }

  static let tiles = TestData.fixtures + "/tiles/osm"
  static let packs = TestData.fixtures + "/packs"

  /// The head of a configuration for `folder`: a headless display of 400 × 300 on the corner of
  /// four tiles of `tiles` (5/16/11 to 5/17/12), the socket, the state.
  static func head(_ folder: TemporaryFolder, view: String = "", state: String = "") -> String {
    """
    [display]
    backend = "headless"
    size = "400x300"
    [view]
    center = [40.98, 11.25]
    zoom = 5
    \(view)
    [control]
    socket = "\(folder["s"])"
    [state]
    path = "\(folder["state.json"])"
    \(state)

    """
  }

  /// A `[[source]]` table.
  static func source(_ name: String, _ path: String) -> String {
    "[[source]]\nname = \"\(name)\"\npath = \"\(path)\"\n"
  }

  /// Starts it with `waypost.toml` of `folder` as its configuration and waits until it answers.
  init(
    _ folder: TemporaryFolder, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.folder = folder
    self.environment = environment
    program = try DaemonProcess.start(folder, arguments, environment: environment)
    try untilServing()
  }

  /// Starts it with a configuration of `head` and `sources`, and waits until it answers.
  convenience init(
    sources: [(name: String, path: String)] = [("osm", DaemonProcess.tiles)], view: String = ""
  ) throws {
    let folder = try TemporaryFolder()
    let tables = sources.map { DaemonProcess.source($0.name, $0.path) }
    try folder.write(
      DaemonProcess.head(folder, view: view) + tables.joined(), to: "waypost.toml")
    try self.init(folder)
  }

  static func start(
    _ folder: TemporaryFolder, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> RunningProgram {
    // Whether memory is short on this machine is no matter of a test.
    let quiet = ["MEMORY_PRESSURE_WATCH": "/dev/null"]
    return try Program.built("waypostd").start(
      ["--config", folder["waypost.toml"]] + arguments,
      environment: quiet.merging(environment) { $1 })
  }

  /// Starts it again in the same folder.
  func restart(_ arguments: [String] = []) throws {
    program = try DaemonProcess.start(folder, arguments, environment: environment)
    try untilServing()
  }

  private func untilServing() throws {
    let path = socket
    let serves = waitUntil {
      program.hasEnded || (try? ControlConnection(path: path).call("version")) != nil
    }
    try #require(serves && !program.hasEnded, "waypostd does not serve: \(program.log)")
  }

  /// A new connection.
  func connect() throws -> ControlConnection { try ControlConnection(path: socket) }

  /// Sends `signal` and waits for the end: its exit status.
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    kill(pid, signal)
    return program.outcome().status
  }
}

extension ControlConnection {
  /// Waits until the view is drawn whole.
  @discardableResult
  func settled() throws -> SettleResult {
    let result = try call(Settle.self, SettleParams(timeout: 300), timeout: 400)
    #expect(result.complete)
    return result
  }

  /// The error that `method` is refused with; nil, and an issue, if it is not.
  func refusal(_ method: String, _ params: JSON = .null) -> ControlError? {
    do {
      let result = try call(method, params, timeout: 300)
      Issue.record("\(method) \(params.text) was not refused: \(result.text)")
    } catch ClientError.refused(let error) {
      return error
    } catch {
      Issue.record("\(method) \(params.text): \(error)")
    }
    return nil
  }

  /// What `status.health` says of `what`.
  func health(_ what: String) throws -> HealthItem? {
    try call(Status.self, NoParams(), timeout: 300).health.first { $0.what == what }
  }

  /// What `source.list` says of `name`.
  func source(_ name: String) throws -> SourceStatus? {
    try call(SourceListMethod.self, NoParams(), timeout: 300).elements.first { $0.name == name }
  }

  /// The next event of a type for which `fits` holds; nil when none comes for a minute.
  func event(_ type: EventType, where fits: (JSON) -> Bool = { _ in true }) throws -> JSON? {
    while let event = try nextEvent(timeout: isEmulated ? 600 : 60) {
      if event["type"]?.string == type.rawValue, fits(event) { return event }
    }
    return nil
  }
}

/// Waits until `condition` holds: looks every 10 ms, gives up after two minutes, ten in an
/// emulator.
func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: isEmulated ? 600 : 120)
  while try !condition() {
    if Date() > deadline { return false }
    usleep(10_000)
  }
  return true
}

extension StatsResult {
  /// The bytes of one of the owners of memory.
  func memory(_ owner: String) -> Int? { memory.first { $0.owner == owner }?.bytes }
}
