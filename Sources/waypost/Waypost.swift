import ArgumentParser
import Control
import Platform

/// The root of all commands.
struct Waypost: ParsableCommand {
  /// `CommandWords` moves these options behind the command. They are declared here for the help and
  /// the completions.
  @OptionGroup var daemon: SocketOptions

  static let configuration = CommandConfiguration(
    commandName: "waypost",
    abstract: "Controls a Waypost map display, and draws maps without one.",
    usage: "waypost [--socket PATH] [--json] COMMAND …",
    discussion: """
      Most commands talk to the daemon, waypostd, over its control socket. Try it:

        waypostd --demo &
        waypost goto 46.0207 7.7491 3
        waypost pan left
        waypost screenshot map.png

      Negative numbers are arguments like any other: waypost goto -33.92 18.42

      --socket PATH names the daemon's socket (else $WAYPOST_SOCKET, /run/waypost/control.sock, or
      a demo's); --json prints the daemon's answers as they come. Both may stand anywhere.

      Exit codes: 0 done, 1 the daemon refused, 2 "status --check" found a problem, 64 usage,
      65 the data is bad, 69 no daemon, 75 tiles could not be fetched, 130 stopped by a signal.
      """,
    version: "waypost \(Release.version)",
    subcommands: [
      StatusCommand.self, ViewCommand.self, GotoCommand.self, PanCommand.self, ZoomCommand.self,
      RotateCommand.self, HomeCommand.self, FitCommand.self, SourceCommand.self,
      OverlayCommand.self, SelectionCommand.self, MarkerCommand.self, NoticeCommand.self,
      CacheCommand.self,
      PressCommand.self, DisplayCommand.self, PositionCommand.self, ScreenshotCommand.self,
      WatchCommand.self, SettleCommand.self,
      StatsCommand.self, CallCommand.self, ConfigCommand.self, VersionCommand.self,
      MethodsCommand.self, RenderCommand.self, PackCommand.self, CompletionsCommand.self,
    ])
}
