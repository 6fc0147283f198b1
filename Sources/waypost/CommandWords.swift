import ArgumentParser
import Platform

/// Rearranges the words of the command line for the argument parser, which takes every word with a
/// dash for an option and accepts options only after their command. People expect neither.
enum CommandWords {
  /// Marks a word that is not an option although it begins with a dash. It is a noncharacter, so no
  /// shell passes one. `restore` removes it.
  private static let mark: Character = "\u{10FFFE}"

  /// Options whose value is the next word, whatever it begins with.
  static let takingValue: Set<String> = [
    "--above", "--accuracy", "--area", "--around", "--attribution", "--bbox", "--bearing",
    "--below", "--card", "--casing", "--center", "--closes", "--color", "--color-by",
    "--connections", "--contact", "--dash", "--fallback", "--feature", "--fill", "--filter",
    "--header", "--header-file", "--heading", "--icon", "--label", "--language", "--level",
    "--max-zoom", "--min-zoom", "--name", "--night", "-o", "--opacity", "--output", "--overfetch",
    "--overlay", "--padding", "--picture", "--points", "--polygon", "--provider", "--role",
    "--route", "--scale", "--scheme", "--severity", "--size", "--socket", "--source", "--speed",
    "--stroke", "--stroke-width", "--style", "--style-night", "--subdomains", "--target", "--text",
    "--theme", "--tile-size", "--timeout", "--title", "--translation", "--travel",
    "--travel-speed", "--until", "--url", "--zoom",
  ]

  /// - Throws: `Failure` if the words name no command, with the nearest one.
  static func prepare(_ words: [String]) throws -> [String] {
    // Requests of the completion scripts are passed to the parser unchanged.
    if words.first?.hasPrefix("---") == true { return words }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let protected = protect(words[..<end])
    let (globals, others) = separateGlobals(protected)
    try check(others)
    return others + globals + Array(words[end...])
  }

  /// The word as it was typed.
  @Sendable static func restore(_ word: String) -> String {
    word.first == mark ? String(word.dropFirst()) : word
  }

  /// A message about words that `prepare` returned, with the words as they were typed.
  static func unmarked(_ message: String) -> String {
    message.replacing(String(mark), with: "")
  }

  /// Marks values that begin with a dash: those after an option that takes one, and those that
  /// cannot be an option ("-33.92", "-1.5 degrees").
  private static func protect(_ words: ArraySlice<String>) -> [String] {
    var isValue = false
    return words.map { word in
      defer { isValue = !isValue && takingValue.contains(word) }
      let isProtected = isValue ? word.hasPrefix("-") : word.hasPrefix("-") && !isOption(word)
      return isProtected && word != "-" ? String(mark) + word : word
    }
  }

  /// "--name", "--name=value", "-h", "-o" and "-oFILE".
  private static func isOption(_ word: String) -> Bool {
    if word.hasPrefix("--") {
      return word.dropFirst(2).prefix { $0 != "=" }.allSatisfy { $0.isLetter || $0 == "-" }
    }
    return word == "-h" || word.hasPrefix("-o")
  }

  /// Moves `--socket PATH` and `--json`, which may be anywhere, behind the command's words.
  private static func separateGlobals(
    _ words: [String]
  ) -> (globals: [String], others: [String]) {
    var globals: [String] = []
    var others: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--json" || word.hasPrefix("--socket=") {
        globals.append(word)
      } else if word == "--socket" {
        globals.append(word)
        if let path = rest.popFirst() { globals.append(path) }
      } else {
        others.append(word)
        // A value is never a global option, whatever it is.
        if takingValue.contains(word), let value = rest.popFirst() { others.append(value) }
      }
    }
    return (globals, others)
  }

  /// Suggests a command if the first word, or the second one of a group, is unknown.
  private static func check(_ words: [String]) throws {
    var commands = Waypost.configuration.subcommands
    var path = "waypost"
    for word in words {
      guard !word.hasPrefix("-"), !commands.isEmpty else { return }
      let names = commands.compactMap { $0.configuration.commandName }
      if let i = names.firstIndex(of: word) {
        commands = commands[i].configuration.subcommands
        path += " \(word)"
        continue
      }
      if word == "help" { continue }
      var meant = names.filter { $0.hasPrefix(word) }
      if meant.isEmpty, let nearest = NearestName.find(word, among: names) { meant = [nearest] }
      let hint =
        meant.isEmpty
        ? "\"\(path) --help\" lists them"
        : "did you mean \(meant.map { "\"\(path) \($0)\"" }.joined(separator: " or "))?"
      throw Failure(
        Failure.usage, "no command \"\(NearestName.shorten(restore(word)))\"; \(hint)")
    }
  }
}
