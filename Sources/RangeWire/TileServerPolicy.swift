/// Servers whose owners prohibit that tiles are fetched for offline use.
package enum TileServerPolicy {
  private static let prohibited = ["tile.openstreetmap.org", "tile.osm.org"]

  /// Looks whether tiles may be fetched from `host`.
  ///
  /// - Parameter host: as `host(of:)` gives it.
  /// - Returns: why they may not; nil: no known objection.
  package static func refusal(host: String) -> String? {
    guard prohibited.contains(where: { host == $0 || host.hasSuffix("." + $0) }) else { return nil }
    return "\(host) may not be used to make offline maps: its policy prohibits it, "
      + "https://operations.osmfoundation.org/policies/tiles/ ; name a server that permits it, "
      + "or make the tiles from OpenStreetMap's data yourself"
  }

  /// The host of an address, in lower case, without a port. It is parsed byte by byte, as the
  /// fetching library parses it.
  ///
  /// - Parameter address: http or https.
  /// - Returns: nil where programs may disagree: there is no host, it has escapes, the authority is
  ///   not printable ASCII, or there is more than one `@`.
  package static func host(of address: String) -> String? {
    let bytes = Array(address.utf8)
    // Without a scheme, or with one slash or three, libraries guess.
    guard let start = ["http://", "https://"].first(where: { begins(bytes, with: $0) }) else {
      return nil
    }
    // RFC 3986, section 3.2.
    let authority = bytes[start.utf8.count...].prefix { !"/?#".utf8.contains($0) }
    guard authority.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    var host = authority
    if let at = host.firstIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
    guard !host.contains(UInt8(ascii: "@")), !host.contains(UInt8(ascii: "%")) else { return nil }
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")),
        end + 1 == host.endIndex || host[end + 1] == UInt8(ascii: ":")
      else { return nil }
      return String(decoding: host[...end], as: UTF8.self).lowercased()
    }
    host = host.prefix { $0 != UInt8(ascii: ":") }
    while host.last == UInt8(ascii: ".") { host.removeLast() }
    return host.isEmpty ? nil : String(decoding: host, as: UTF8.self).lowercased()
  }

  /// Whether `bytes` begin with `start`, which is in lower case, whatever their case.
  private static func begins(_ bytes: [UInt8], with start: String) -> Bool {
    bytes.prefix(start.utf8.count).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
      .elementsEqual(start.utf8)
  }
}
