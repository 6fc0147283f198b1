extension SourceSpec {
  /// The name that a source gets where the configuration gives none: its file's without the ending,
  /// its folder's, or the first such part of a template.
  public static func defaultName(for location: Location) -> String {
    let path: String
    switch location {
    case .path(let file), .provider(let file): path = file
    case .paths(let files): path = files.first ?? ""
    case .memory(let bytes): path = bytes.name
    case .url(let template):
      // The last folder that no tile changes.
      let fixed = template.prefix { $0 != "{" && $0 != "?" }
      let folders = fixed.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      path = folders.last { !$0.isEmpty }.map(String.init) ?? ""
    }
    let last = path.split(separator: "/").last ?? ""
    let name = last.lastIndex(of: ".").map { $0 > last.startIndex ? last[..<$0] : last } ?? last
    return name.isEmpty ? "map" : String(name)
  }

  /// What the location looks like, by its name alone and without opening anything: "mbtiles",
  /// "pmtiles", "directory", "template", "packs" or "provider". `SourceInfo.kind` says what it is.
  public var kindGuess: String {
    switch location {
    case .path(let path):
      let lower = path.lowercased()
      return lower.hasSuffix(".mbtiles")
        ? "mbtiles" : lower.hasSuffix(".pmtiles") ? "pmtiles" : "directory"
    case .paths: return "packs"
    case .url: return "template"
    case .provider: return "provider"
    case .memory: return "pmtiles"
    }
  }
}
