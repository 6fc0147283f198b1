import TileSources

/// What can be said of a source's URL template without opening it.
enum SourceURL {
  static let placeholders = ["z", "x", "y", "-y", "scale", "ratio", "r", "quadkey", "s"]

  static func isHTTP(_ url: String) -> Bool {
    let lower = url.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// Each fault of the template, said as what would be right.
  static func faults(_ url: String, scheme: SourceSpec.Scheme?, subdomains: [String]) -> [String] {
    guard isHTTP(url) || url.hasPrefix("file://") else {
      return ["begins with file://, http:// or https://"]
    }
    var faults: [String] = []
    var used: Set<String> = []
    var rest = url[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        faults.append("a brace stands alone; a placeholder is {z}")
        break
      }
      let name = String(rest[rest.index(after: brace)..<end])
      if placeholders.contains(name) {
        used.insert(name)
      } else {
        let known = placeholders.map { "{\($0)}" }.joined(separator: " ")
        faults.append("unknown placeholder {\(String(name.prefix(20)))}; known are \(known)")
      }
      rest = rest[rest.index(after: end)...]
    }
    if !faults.isEmpty { return faults }
    let byAxes = used.isSuperset(of: ["z", "x"]) && !used.isDisjoint(with: ["y", "-y"])
    if !used.contains("quadkey"), !byAxes {
      faults.append("needs {z}, {x} and {y} (or {-y}), or {quadkey}")
    }
    if used.contains("-y"), scheme == .tms {
      faults.append(
        "{-y} counts rows from the south already; {y} with scheme = \"tms\", or no scheme")
    }
    if used.contains("s"), subdomains.isEmpty {
      faults.append("{s} needs subdomains = [\"a\", \"b\"]")
    }
    return faults
  }
}
