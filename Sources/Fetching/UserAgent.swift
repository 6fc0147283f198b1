import Platform

/// How waypost-fetch names itself to servers.
package enum UserAgent {
  /// The value of the header User-Agent.
  ///
  /// - Parameter contact: how the one who fetches can be reached; nil: not said.
  /// - Returns: "waypost-fetch/0.1.0 (offline maps; maps@example.org)".
  package static func text(contact: String?) -> String {
    "waypost-fetch/\(Release.version) (offline maps\(contact.map { "; \($0)" } ?? ""))"
  }

  /// Whether a header can carry `contact`: printable ASCII.
  package static func canCarry(_ contact: String) -> Bool {
    contact.unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) }
  }
}
