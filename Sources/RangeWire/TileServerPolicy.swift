/// Servers whose owners prohibit that tiles are fetched for offline use.
package enum TileServerPolicy {
  private static let prohibited = ["tile.openstreetmap.org", "tile.osm.org"]

  /// Looks whether tiles may be fetched from `host`.
  ///
  /// - Parameter host: as `host(of:)` gives it.
  /// - Returns: why they may not; nil: nothing is known against it.
  package static func refusal(host: String) -> String? {
    guard prohibited.contains(where: { host == $0 || host.hasSuffix("." + $0) }) else { return nil }
    return "\(host) may not be used to make offline maps: its policy prohibits it, "
      + "https://operations.osmfoundation.org/policies/tiles/ ; name a server that permits it, "
      + "or make the tiles from OpenStreetMap's data yourself"
  }

  /// The host that an address leads to, in lower case, without a port.
  ///
  /// - Parameter address: http or https.
  /// - Returns: nil where programs may disagree: there is no host, it is not ASCII, it has escapes,
  ///   or there is more than one `@`.
  package static func host(of address: String) -> String? {
    guard let colon = address.range(of: "://") else { return nil }
    // RFC 3986, section 3.2.
    let authority = address[colon].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    var host = authority[...]
    if let at = host.firstIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      return host[...end].lowercased()
    }
    if let port = host.firstIndex(of: ":") { host = host[..<port] }
    while host.hasSuffix(".") { host.removeLast() }
    let isPlain = host.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "\\")
        && $0 != UInt8(ascii: "@")
    }
    return host.isEmpty || !isPlain ? nil : host.lowercased()
  }
}

extension String {
  /// The text after the first `mark` as a range; the standard library searches characters only.
  fileprivate func range(of mark: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(mark) {
        return index(start, offsetBy: mark.count)..<endIndex
      }
      start = index(after: start)
    }
    return nil
  }
}
