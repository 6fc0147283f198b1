// The entry point of `waypost`: rearranges the shell's words for the argument parser, runs one
// command, and turns its failure into an exit code.
import ArgumentParser
import Glibc

do {
  let words = try CommandWords.prepare(Array(CommandLine.arguments.dropFirst()))
  var command = try Waypost.parseAsRoot(words)
  let kind = type(of: command)
  if !kind.configuration.subcommands.isEmpty {
    // A group by itself does nothing.
    Output.error(Waypost.helpMessage(for: kind))
    exit(Failure.usage)
  }
  try command.run()
} catch let failure as Failure {
  failure.report()
  exit(failure.code)
} catch {
  // A message of the parser quotes the words that it got. What was asked for, such as help, goes to
  // standard output.
  let message = CommandWords.unmarked(Waypost.fullMessage(for: error))
  let code = Waypost.exitCode(for: error)
  if code.isSuccess, !message.isEmpty {
    do {
      try Output.line(message)
    } catch {
      error.report()
      exit(error.code)
    }
  } else if !message.isEmpty {
    Output.error(message)
  }
  exit(code.rawValue)
}
