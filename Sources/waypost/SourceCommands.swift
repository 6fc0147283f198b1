import ArgumentParser
import Control
import Glibc

struct SourceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "source", abstract: "Lists, changes, adds and removes the maps' sources.",
    discussion: """
      Examples:
        waypost source list
        waypost source use topo
        waypost source add /media/stick/valley.pmtiles
      """,
    subcommands: [
      ListCommand.self, UseCommand.self, NextCommand.self, PreviousCommand.self, AddCommand.self,
      RemoveCommand.self,
    ])

  static func short(_ source: SourceStatus) -> String { Tables.sources([source]) }

  struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the sources; * marks the one in use.",
      discussion: """
        Examples:
          waypost source list
          waypost source list --json
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SourceListMethod.self, NoParams()) { Tables.sources($0.elements) }
    }
  }

  struct UseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "use", abstract: "Shows a source; the view stays.",
      discussion: """
        Examples:
          waypost source use topo
        """)
    @Argument(
      help: "The source's name.", completion: Completions.sources, transform: CommandWords.restore)
    var name: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SourceUse.self, NameParams(name: name), show: SourceCommand.short)
    }
  }

  struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "next", abstract: "Shows the next source.",
      discussion: """
        Examples:
          waypost source next
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SourceNext.self, NoParams(), show: SourceCommand.short)
    }
  }

  struct PreviousCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "previous", abstract: "Shows the previous source.",
      discussion: """
        Examples:
          waypost source previous
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SourcePrevious.self, NoParams(), show: SourceCommand.short)
    }
  }

  struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes a source.",
      discussion: """
        Examples:
          waypost source remove valley
        """)
    @Argument(
      help: "The source's name.", completion: Completions.sources, transform: CommandWords.restore)
    var name: String
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SourceRemove.self, NameParams(name: name)) { _ in nil }
    }
  }
}
