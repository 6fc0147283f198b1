import TileSources

/// Checks of a source's url that need no file to be opened.
enum SourceURL {
  static func isHTTP(_ url: String) -> Bool {
    let lower = url.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// The faults of a url, each described by what would be right.
  static func faults(_ url: String, scheme: SourceSpec.Scheme?, subdomains: [String]) -> [String] {
    guard isHTTP(url) || url.hasPrefix("file://") else {
      return ["begins with file://, http:// or https://"]
    }
    if isHTTP(url), SourceSpec.namesArchive(url) {
      // An archive's url has no placeholders, so it goes to the server as it is (RFC 3986, section
      // 2).
      let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
      return isPlain ? [] : ["has characters that an address writes as %XX"]
    }
    do throws(SourceError) {
      _ = try URLTemplate(url, scheme: scheme ?? .xyz, subdomains: subdomains)
      return []
    } catch {
      return [error.reason]
    }
  }
}
