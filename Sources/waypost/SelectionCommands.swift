import ArgumentParser
import Control

struct SelectionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selection", abstract: "Shows or closes the card of the selected line.",
    discussion: """
      Examples:
        waypost selection get
        waypost selection clear
      """,
    subcommands: [GetCommand.self, ClearCommand.self])

  struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Shows which line is selected, and what its card shows.",
      discussion: """
        Examples:
          waypost selection get
          waypost --json selection get
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SelectionGet.self, NoParams()) {
        SelectionText.lines($0) ?? "no line is selected"
      }
    }
  }

  struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Closes the card, as overlay deselect does.",
      discussion: """
        Examples:
          waypost selection clear
        """)
    @OptionGroup var daemon: SocketOptions

    func run() throws {
      try daemon.perform(SelectionClear.self, NoParams()) { _ in nil }
    }
  }
}
