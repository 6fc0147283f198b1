import ArgumentParser
import Control

struct PositionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "position", abstract: "Shows where the unit is, or sets it without a receiver.",
    discussion: """
      Examples:
        waypost position get
        waypost position set 46.02 7.75 --heading 90
      """,
    subcommands: [GetCommand.self, SetCommand.self])

  struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Shows where the unit is.",
      discussion: """
        Examples:
          waypost position get
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws { try daemon.perform(PositionGet.self, NoParams(), show: Tables.position) }
  }

  struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Sets the position of a unit without a receiver.",
      discussion: """
        Five seconds after the last one, the position counts as lost.

        Examples:
          waypost position set 46.02 7.75
          waypost position set -33.92 18.42 --heading 90 --speed 1.4 --accuracy 5
        """)
    @Argument(help: "Degrees north, -90 to 90.") var lat: Number
    @Argument(help: "Degrees east.") var lon: Number
    @Option(help: "The course in degrees clockwise from north, 0 to 360.") var heading: Number?
    @Option(help: "Metres per second.") var speed: Number?
    @Option(help: "The radius within which it lies, in metres.") var accuracy: Number?
    @OptionGroup var daemon: SocketOptions

    func validate() throws { try PlaceArguments.check(lat: lat, lon: lon) }

    func run() throws {
      let params = PositionSetParams(
        lat: lat.value, lon: lon.value, heading: heading?.value, speed: speed?.value,
        accuracy: accuracy?.value)
      try daemon.perform(PositionSet.self, params, show: Tables.position)
    }
  }
}
