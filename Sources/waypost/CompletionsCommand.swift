import ArgumentParser

struct CompletionsCommand: ParsableCommand {
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Prints a completion script for a shell.",
    discussion: """
      Examples:
        waypost completions bash > /etc/bash_completion.d/waypost
        waypost completions bash waypostd > /etc/bash_completion.d/waypostd
        waypost completions zsh > ~/.zsh/completions/_waypost
        waypost completions fish > ~/.config/fish/completions/waypost.fish
      """)
  /// The program whose command line is completed.
  enum Program: String, CaseIterable, ExpressibleByArgument {
    case waypost, waypostd
  }

  @Argument(help: "bash, zsh or fish.") var shell: Shell
  @Argument(help: "waypost or waypostd.") var program = Program.waypost

  func run() throws {
    if program == .waypostd { return try Output.line(DaemonCompletions.script(for: shell)) }
    guard let known = CompletionShell(rawValue: shell.rawValue) else {
      throw Failure(Failure.usage, "no completions for \(shell.rawValue)")
    }
    try Output.line(Waypost.completionScript(for: known))
  }
}
