import Fetching
import Glibc

/// The command line of `waypost-fetch serve`.
struct ServeOptions {
  /// Configuration files in the order given; empty: the default files.
  var configFiles: [String] = []
  /// Where the sockets are made.
  var folder: String
  private var contact: String?

  static let help = """
    Usage: waypost-fetch serve [--config FILE]... [--sockets DIR] [--contact TEXT]

    Answers waypostd's requests for tiles of http(s) sources, and keeps what was visited where the
    source has a store: waypost-fetch(1).

      --config FILE   as for waypostd; without: /etc/waypost/waypost.toml and conf.d
      --sockets DIR   where a socket for each source is made; without: $RUNTIME_DIRECTORY, else
                      /run/waypost-fetch
      --contact TEXT  goes into the User-Agent, so that a server's owner can ask: an address
      --help, --version

    """

  /// Reads the words after "serve".
  ///
  /// - Throws: `Misuse`.
  init(_ words: [String]) throws(FetchOptions.Misuse) {
    let runtime = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
    folder = runtime?.split(separator: ":").first.map(String.init) ?? "/run/waypost-fetch"
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard ["--config", "--sockets", "--contact"].contains(parts[0]) else {
        throw FetchOptions.Misuse(text: "no option \"\(word)\"; serve --help lists them")
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw FetchOptions.Misuse(text: "\(word): a value is missing; serve --help says which")
      }
      switch parts[0] {
      case "--config": configFiles.append(value)
      case "--sockets": folder = value
      default: contact = value
      }
    }
    guard contact.map(UserAgent.canCarry) != false else {
      throw FetchOptions.Misuse(text: "--contact: plain ASCII is needed, as in maps@example.org")
    }
  }

  var userAgent: String { UserAgent.text(contact: contact) }
}
