import ArgumentParser
import Control

/// Shell completions that only the running daemon knows. Without a daemon there are none.
enum Completions {
  static let sources = CompletionKind.custom { words, _, _ in
    ask(SourceListMethod.self, words)?.elements.map(\.name) ?? []
  }
  static let overlays = CompletionKind.custom { words, _, _ in
    ask(OverlayListMethod.self, words)?.elements.map(\.name) ?? []
  }
  static let markers = CompletionKind.custom { words, _, _ in
    ask(MarkerListMethod.self, words)?.elements.map(\.id) ?? []
  }
  static let notices = CompletionKind.custom { words, _, _ in
    ask(NoticeListMethod.self, words)?.elements.map(\.id) ?? []
  }
  static let methods = CompletionKind.custom { words, _, _ in ask(Methods.self, words)?.names ?? []
  }
  static let themes = CompletionKind.list(["day", "night", "auto"])
  static let travels = CompletionKind.list(["hiking", "cycling", "none"])
  static let levels = CompletionKind.list(["above-roads", "above-labels"])
  static let actions = CompletionKind.custom { words, _, _ in
    plainActions + (ask(SourceListMethod.self, words)?.elements.map { "source:\($0.name)" } ?? [])
      + (ask(OverlayListMethod.self, words)?.elements.map { "overlay-toggle:\($0.name)" } ?? [])
  }

  /// The actions that take no name.
  static let plainActions = [
    "pan-left", "pan-right", "pan-up", "pan-down", "zoom-in", "zoom-out", "home", "source-next",
    "source-previous", "theme-toggle", "follow", "rotate-left", "rotate-right", "north-up",
    "select", "select-next", "back", "map-key", "language-next", "sleep", "none",
  ]

  /// How long the shell waits for the daemon, in seconds.
  private static let patience = 1.0

  private static func ask<Method: ControlMethod>(
    _ method: Method.Type, _ words: [String]
  ) -> Method.Result? where Method.Params == NoParams {
    var given: String?
    for (word, next) in zip(words, words.dropFirst()) where word == "--socket" { given = next }
    for word in words where word.hasPrefix("--socket=") { given = String(word.dropFirst(9)) }
    let path = ControlSocketPath.find(given: given)
    guard let connection = try? ControlConnection(path: path) else { return nil }
    return try? connection.call(method, NoParams(), timeout: patience)
  }
}
