extension SourceSpec {
  /// The name of a source that the configuration does not name: its file's without the extension,
  /// its folder's, or for a template its last folder before the first placeholder.
  public static func defaultName(for location: Location) -> String {
    let path: String
    switch location {
    case .path(let file), .provider(let file): path = file
    case .paths(let files): path = files.first ?? ""
    case .memory(let bytes): path = bytes.name
    case .url(let address) where namesArchive(address):
      path = String(address.prefix { $0 != "?" && $0 != "#" })
    case .url(let template):
      // The last folder without placeholders.
      let fixed = template.prefix { $0 != "{" && $0 != "?" }
      let folders = fixed.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      path = folders.last { !$0.isEmpty }.map(String.init) ?? ""
    }
    let last = path.split(separator: "/").last ?? ""
    let name = last.lastIndex(of: ".").map { $0 > last.startIndex ? last[..<$0] : last } ?? last
    return name.isEmpty ? "map" : String(name)
  }

  /// The kind of source that the location suggests, without opening anything: "mbtiles", "pmtiles",
  /// "directory", "template", "packs" or "provider". `SourceInfo.kind` tells what it is.
  public var kindGuess: String {
    switch location {
    case .path(let path):
      let lower = path.lowercased()
      return lower.hasSuffix(".mbtiles")
        ? "mbtiles" : lower.hasSuffix(".pmtiles") ? "pmtiles" : "directory"
    case .paths: return "packs"
    case .url: return isFetched ? "provider" : "template"
    case .provider: return "provider"
    case .memory: return "pmtiles"
    }
  }
}
