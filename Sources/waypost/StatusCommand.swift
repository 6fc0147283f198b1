import ArgumentParser
import Control
import Platform

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Shows the daemon's status.",
    discussion: """
      Examples:
        waypost status
        waypost --json status
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(Status.self, NoParams()) { status in
      var rows = [
        [
          "waypostd",
          "\(status.version), process \(status.pid), up \(Tables.duration(status.uptime))",
        ]
      ]
      if let display = status.display {
        let place = [display.device, display.connector, display.mode].compactMap { $0 }
        let picture = "\(display.width)x\(display.height) \(display.format)"
        rows.append([
          "display",
          display.isConnected
            ? "\(([display.backend] + place).joined(separator: " ")), \(picture), \(display.power)"
            : "\(display.backend), \(picture): no screen is connected; the map is drawn in memory",
        ])
      } else {
        rows.append(["display", "none"])
      }
      rows.append(["source", status.source?.name ?? "none"])
      let view = status.view
      rows.append([
        "view",
        "\(Tables.number(view.lat)), \(Tables.number(view.lon))"
          + "  zoom \(Tables.number(view.zoom, digits: 3))"
          + "  bearing \(Tables.number(view.bearing, digits: 2))°",
      ])
      if let position = try? PositionInfo(status.position) {
        rows.append(["position", Tables.position(position)])
      }
      rows.append([
        "cache",
        "\(Tables.bytes(status.cache.bytes)) of \(Tables.bytes(status.cache.limit)),"
          + " \(status.cache.tiles) tiles",
      ])
      for item in status.health {
        rows.append([item.what, item.state + (item.detail.map { ": \($0)" } ?? "")])
      }
      return Tables.columns(rows)
    }
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
          "p99.9 \(Tables.milliseconds(frames.p999))",
        ],
        [
          "decodes", "\(decode.count)", "p50 \(Tables.milliseconds(decode.p50))",
          "p99 \(Tables.milliseconds(decode.p99))",
        ],
        [
          "inputs", "\(input.count)", "p50 \(Tables.milliseconds(input.pressToFrameP50))",
          "p99 \(Tables.milliseconds(input.pressToFrameP99))",
        ],
      ]
      let readers = stats.readers
      rows.append([
        "readers", "\(readers.threads) of \(readers.limit)", "\(readers.waiting) waiting",
      ])
      for entry in stats.memory { rows.append([entry.owner, Tables.bytes(entry.bytes)]) }
      let sources = stats.sources
      rows.append([
        "sources", "\(sources.count)", "\(sources.added) of at most \(sources.addedLimit) added",
      ])
      rows.append(["media", "\(sources.media)", "of at most \(sources.mediaLimit) packs"])
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
    if !daemon.json { Output.line("waypost \(Release.version)") }
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
