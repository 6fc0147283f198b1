import Fetching
import Glibc

/// Exit codes (sysexits(3)).
enum ExitCode {
  static let ok: Int32 = 0
  static let usage: Int32 = 64
  static let unavailable: Int32 = 69
  static let software: Int32 = 70
  static let ioError: Int32 = 74
  static let configuration: Int32 = 78
}

/// What goes to standard error.
enum Complaint {
  static func print(_ text: String) {
    let bytes = Array("waypost-fetch: \(text)\n".utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The command line of `waypost-fetch ranges`.
struct FetchOptions {
  /// An address on an http or https server.
  var address: String
  private var contact: String?

  /// Why the command line cannot be followed.
  struct Misuse: Error { var text: String }

  static let help = """
    Usage: waypost-fetch ranges [--contact TEXT] URL
           waypost-fetch tiles [--contact TEXT] [--connections N]
           waypost-fetch serve [--config FILE]... [--sockets DIR] [--contact TEXT]

    Reads parts of the file at URL, an http or https address, for "waypost pack extract", or tiles
    for "waypost pack fetch"; these start it. Questions come on standard input, answers go to
    standard output. "serve" fetches for waypostd as a service; see "waypost-fetch serve --help".

      --contact TEXT   goes into the User-Agent, so that the server's owner can ask: an address
      --connections N  so many at the same time: 1 to 6, else 2
      --help, --version

    """

  /// Reads the words after "ranges".
  ///
  /// - Throws: `Misuse`.
  init(_ words: [String]) throws(Misuse) {
    var rest = words[...]
    var addresses: [String] = []
    while let word = rest.popFirst() {
      if word == "--contact" {
        guard let text = rest.popFirst() else { throw Misuse(text: "--contact: TEXT is missing") }
        contact = text
      } else if word.hasPrefix("-") {
        throw Misuse(text: "no option \"\(word)\"; --help lists them")
      } else {
        addresses.append(word)
      }
    }
    guard addresses.count == 1, let address = addresses.first else {
      throw Misuse(text: "one URL is needed; --help says how")
    }
    self.address = address
    let start = address.prefix(8).lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else {
      throw Misuse(text: "\(address): an address begins with https:// or http://")
    }
    try FetchOptions.check(contact: contact)
  }

  /// - Throws: `Misuse` for a contact that no header can carry.
  static func check(contact: String?) throws(Misuse) {
    guard contact.map(UserAgent.canCarry) != false else {
      throw Misuse(text: "--contact: plain ASCII is needed, as in maps@example.org")
    }
  }

  var userAgent: String { UserAgent.text(contact: contact) }
}
