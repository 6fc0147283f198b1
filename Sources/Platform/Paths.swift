/// Operations on paths as text; nothing here accesses files.
package enum Paths {
  /// `path` relative to `directory`; an absolute path is returned as it is.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty { return path }
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return directory.hasSuffix("/") ? directory + rest : "\(directory)/\(rest)"
  }

  /// The folder that contains the file `path`: "." for a bare name.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component without its extension: "topo" for "/maps/topo.mbtiles".
  package static func stem(of path: String) -> String {
    guard let last = path.split(separator: "/").last else { return "" }
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
    return String(last[..<dot])
  }
}
