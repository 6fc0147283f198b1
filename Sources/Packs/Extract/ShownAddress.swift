/// An address as people and files may see it.
package enum ShownAddress {
  /// `address` without what may be a secret: the user with the password, the query
  /// and the fragment.
  ///
  /// - Parameter address: http or https.
  /// - Returns: the scheme, the host and the path.
  package static func of(_ address: String) -> String {
    let plain = address.prefix { $0 != "?" && $0 != "#" }
    var start = plain.startIndex
    if let colon = plain.firstIndex(of: ":"), plain[colon...].hasPrefix("://") {
      start = plain.index(colon, offsetBy: 3)
    }
    let host = plain[start...].prefix { $0 != "/" }
    guard let user = host.lastIndex(of: "@") else { return String(plain) }
    return String(plain[..<start]) + String(plain[plain.index(after: user)...])
  }
}
