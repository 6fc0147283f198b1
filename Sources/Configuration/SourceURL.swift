import TileSources

/// What can be said of a source's URL template without opening it.
enum SourceURL {
  static func isHTTP(_ url: String) -> Bool {
    let lower = url.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// Each fault of the template, said as what would be right.
  static func faults(_ url: String, scheme: SourceSpec.Scheme?, subdomains: [String]) -> [String] {
    guard isHTTP(url) || url.hasPrefix("file://") else {
      return ["begins with file://, http:// or https://"]
    }
    do throws(SourceError) {
      _ = try URLTemplate(url, scheme: scheme ?? .xyz, subdomains: subdomains)
      return []
    } catch {
      return [error.reason]
    }
  }
}
