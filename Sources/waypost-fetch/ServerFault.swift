import Fetching

/// What is wrong with a server's answer, for people. The sentence's subject is the address.
enum ServerFault {
  /// Statuses after which it is worth asking again.
  private static let busy: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Whether asking again may help after a status of 400 or more.
  static func passes(status: Int) -> Bool { busy.contains(status) }

  /// What a status of 400 or more means.
  static func text(status: Int) -> String {
    let meaning =
      switch status {
      case 401, 403, 407: ": it is not open to everybody"
      case 404, 410: ": nothing is there; is the address right?"
      case 429: ": it was asked too often"
      case 500...599: ": it has trouble"
      default: ""
      }
    return "the server answers with HTTP \(status)\(meaning)"
  }

  /// Why no whole answer came.
  static func text(of failure: HTTPFailure) -> String {
    switch failure.kind {
    case .untrusted:
      // The fix is to install or update the package of certificates.
      "cannot be fetched: \(failure.text) (ca-certificates has those that are trusted)"
    default: "cannot be fetched: \(failure.text)"
    }
  }
}
