import TileSources

/// Checks of a source's URL template that need no file to be opened.
enum SourceURL {
  static func isHTTP(_ url: String) -> Bool {
    let lower = url.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// The faults of the template, each described by what would be right.
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
