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
  Waypost.exit(withError: error)
}
