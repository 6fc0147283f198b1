import ArgumentParser
import Control
import Platform

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Shows what works, what does not, and what to do.",
    discussion: """
      Examples:
        waypost status
        waypost --json status
        waypost status --check || logger "the map kiosk needs somebody"
      """)
  @OptionGroup var daemon: SocketOptions

  @Flag(help: "Exit with 2 if something does not work, or not as configured.")
  var check = false

  func run() throws {
    let status = try daemon.perform(Status.self, NoParams()) { status in
      StatusText(
        status: status, now: SystemClock.wall(), isColored: StatusText.terminalHasColors
      ).text
    }
    if check, status.health.contains(where: { $0.state != "ok" }) { throw ExitCode(2) }
  }
}

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Shows the daemon's performance and memory.",
    discussion: """
      Examples:
        waypost stats
        watch -n 1 waypost stats
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(Stats.self, NoParams()) { stats in
      let (frames, decode, input) = (stats.frames, stats.decode, stats.input)
      var rows = [
        [
          "frames", "\(frames.presented), \(frames.late) late",
          "p50 \(Tables.milliseconds(frames.p50))", "p99 \(Tables.milliseconds(frames.p99))",
          "p99.9 \(Tables.milliseconds(frames.p999))", "max \(Tables.milliseconds(frames.max))",
        ],
        [
          "decodes", "\(decode.count)", "p50 \(Tables.milliseconds(decode.p50))",
          "p99 \(Tables.milliseconds(decode.p99))", "max \(Tables.milliseconds(decode.max))",
        ],
        [
          "inputs", "\(input.count)", "p50 \(Tables.milliseconds(input.pressToFrameP50))",
          "p99 \(Tables.milliseconds(input.pressToFrameP99))",
          "max \(Tables.milliseconds(input.pressToFrameMax))",
        ],
      ]
      let readers = stats.readers
      rows.append([
        "readers", "\(readers.threads) of \(readers.limit)", "\(readers.waiting) waiting",
      ])
      for entry in stats.memory { rows.append([entry.owner, Tables.bytes(entry.bytes)]) }
      for limit in stats.limits {
        let most = limit.name.hasSuffix("_bytes") ? Tables.bytes(limit.most) : "\(limit.most)"
        rows.append(["limit", limit.name.replacing("_", with: " "), most])
      }
      let sources = stats.sources
      rows.append([
        "sources", "\(sources.count)", "\(sources.added) of at most \(sources.addedLimit) added",
      ])
      rows.append(["media", "\(sources.media)", "of at most \(sources.mediaLimit) packs"])
      let clients = stats.clients
      rows.append([
        "connections", "\(clients.count) of \(clients.limit)",
        "\(clients.trustedLimit - clients.limit) more for root and the daemon's user",
        "\(Tables.bytes(clients.unread)) unread, of \(Tables.bytes(clients.unreadLimit))",
      ])
      let pressure = stats.pressure
      rows.append([
        "pressure", "\(pressure.count) times short of memory", "told by \(pressure.means)",
        pressure.limit.map { "cache limited to \(Tables.bytes($0))" } ?? "cache as configured",
      ])
      rows.append(["wakeups", "\(stats.wakeups)"])
      return Tables.columns(rows)
    }
  }
}

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Shows the versions of this program and of the daemon.",
    discussion: """
      Examples:
        waypost version
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    if !daemon.json { try Output.line("waypost \(Release.version)") }
    try daemon.perform(Version.self, NoParams()) { "\($0.name) \($0.version)" }
  }
}

struct MethodsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "methods", abstract: "Lists the methods that the daemon's socket offers.",
    discussion: """
      Examples:
        waypost methods
        waypost call view.get
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(Methods.self, NoParams()) { $0.names.joined(separator: "\n") }
  }
}
