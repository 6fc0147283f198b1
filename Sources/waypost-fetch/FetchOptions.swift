import Glibc
import Platform

/// Exit codes (sysexits(3)).
enum ExitCode {
  static let ok: Int32 = 0
  static let usage: Int32 = 64
  static let unavailable: Int32 = 69
  static let software: Int32 = 70
  static let ioError: Int32 = 74
}

/// What goes to standard error.
enum Complaint {
  static func print(_ text: String) {
    let bytes = Array("waypost-fetch: \(text)\n".utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The command line.
struct FetchOptions {
  /// An address on an http or https server.
  var address: String
  private var contact: String?

  /// Why the command line cannot be followed.
  struct Misuse: Error { var text: String }

  static let help = """
    Usage: waypost-fetch ranges [--contact TEXT] URL

    Reads parts of the file at URL, an http or https address, for "waypost pack extract", which
    starts it. Questions come on standard input, answers go to standard output: waypost-fetch(1).

      --contact TEXT  goes into the User-Agent, so that the server's owner can ask: an address
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
    guard isSecure || address.lowercased().hasPrefix("http://") else {
      throw Misuse(text: "\(address): an address begins with https:// or http://")
    }
    guard contact?.unicodeScalars.allSatisfy({ (0x20..<0x7f).contains($0.value) }) != false else {
      throw Misuse(text: "--contact: plain ASCII is needed, as in maps@example.org")
    }
  }

  private var isSecure: Bool { address.lowercased().hasPrefix("https://") }

  /// What may be used: an address with TLS does not lead to one without.
  var schemes: String { isSecure ? "https" : "http,https" }

  /// "waypost-fetch/0.1.0 (offline maps; maps@example.org)".
  var userAgent: String {
    "waypost-fetch/\(Release.version) (offline maps\(contact.map { "; \($0)" } ?? ""))"
  }
}
