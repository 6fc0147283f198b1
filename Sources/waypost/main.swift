// Where `waypost` begins: the shell's words are brought into the shape that the argument parser
// takes, one command runs, and its failure becomes an exit code.
import ArgumentParser
import Glibc

do {
  let words = try CommandWords.prepare(Array(CommandLine.arguments.dropFirst()))
  var command = try Waypost.parseAsRoot(words)
  try command.run()
} catch let failure as Failure {
  failure.report()
  exit(failure.code)
} catch {
  Waypost.exit(withError: error)
}
