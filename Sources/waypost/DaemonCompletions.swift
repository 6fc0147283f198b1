/// The completion scripts of `waypostd`, which must stay small and so has none itself.
enum DaemonCompletions {
  /// The options of `waypostd`, each with the kind of its value; nil: it takes none.
  static let options: [(name: String, values: Values?)] = [
    ("--config", .file), ("--check-config", nil), ("--demo", nil), ("--keep-going", nil),
    ("--display", .words(["auto", "drm", "fbdev", "headless"])), ("--socket", .file),
    ("--log-level", .words(["debug", "info", "notice", "warning", "error"])),
    ("--give-back-console", nil), ("--version", nil), ("--help", nil),
  ]

  enum Values {
    case file
    case words([String])
  }

  static func script(for shell: CompletionsCommand.Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static var bash: String {
    var cases = ""
    for case (let name, let values?) in options {
      switch values {
      case .file: cases += "    \(name)) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
      case .words(let words):
        cases +=
          "    \(name)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")); return ;;\n"
      }
    }
    return """
      #!/bin/bash

      _waypostd() {
        local word="${COMP_WORDS[COMP_CWORD]}"
        case "${COMP_WORDS[COMP_CWORD-1]}" in
      \(cases)  esac
        COMPREPLY=($(compgen -W "\(options.map(\.name).joined(separator: " "))" -- "$word"))
      }

      complete -F _waypostd waypostd
      """
  }

  private static var zsh: String {
    let lines = options.map { name, values in
      switch values {
      case nil: "  '\(name)'"
      case .file?: "  '*\(name):file:_files'"
      case .words(let words)?: "  '\(name):value:(\(words.joined(separator: " ")))'"
      }
    }
    return "#compdef waypostd\n\n_arguments -s \\\n" + lines.joined(separator: " \\\n")
  }

  private static var fish: String {
    var lines = ["complete -c waypostd -f"]
    for (name, values) in options {
      let long = name.dropFirst(2)
      switch values {
      case nil: lines.append("complete -c waypostd -l \(long)")
      case .file?: lines.append("complete -c waypostd -l \(long) -r -F")
      case .words(let words)?:
        lines.append("complete -c waypostd -l \(long) -x -a '\(words.joined(separator: " "))'")
      }
    }
    return lines.joined(separator: "\n")
  }
}
