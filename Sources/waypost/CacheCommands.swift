import ArgumentParser
import Control
import Platform

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Shows, empties and resizes the cache of decoded tiles.",
    discussion: """
      Examples:
        waypost cache stats
        waypost cache resize 48MiB
      """,
    subcommands: [StatsCommand.self, ClearCommand.self, ResizeCommand.self])

  struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats", abstract: "Shows what the cache holds.",
      discussion: """
        Examples:
          waypost cache stats
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(CacheStatsMethod.self, NoParams(), show: Tables.cache)
    }
  }

  struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Forgets all decoded tiles.",
      discussion: """
        Examples:
          waypost cache clear
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(CacheClear.self, NoParams(), show: Tables.cache)
    }
  }

  struct ResizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resize", abstract: "Sets the cache's limit.",
      discussion: """
        Below what one view of the display can need, the limit is raised to that.

        Examples:
          waypost cache resize 48MiB
          waypost cache resize 4194304
        """)
    @Argument(
      help: "Bytes, or with a unit: KiB, MiB, GiB, kB, MB, GB.", transform: ByteSize.parse)
    var size: ByteSize
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      let stats = try daemon.perform(
        CacheResize.self, CacheResizeParams(bytes: size.bytes), show: Tables.cache)
      if size.bytes < stats.floor {
        Output.error(
          "waypost: \(ByteCount.text(size.bytes)) is less than a view of this display can need;"
            + " the limit is \(ByteCount.text(stats.limit))")
      }
    }
  }
}
