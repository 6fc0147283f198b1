import Glibc

/// Lists the contents of directories.
public enum Directory {
  /// The names in the directory `path`, without "." and "..", in the file system's order.
  ///
  /// - Parameters:
  ///   - path: the directory; a link to one is followed.
  ///   - limit: the most names that are returned.
  ///   - isWanted: decides which names are returned; others do not count towards the limit.
  /// - Returns: the names, unsorted.
  /// - Throws: `SystemError` if the directory cannot be opened.
  public static func names(
    in path: String, upTo limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError("opendir", on: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }

  /// The names in `path` that do not begin with a dot, unsorted; empty if it cannot be listed.
  public static func visibleNames(in path: String) -> [String] {
    (try? names(in: path) { !$0.hasPrefix(".") }) ?? []
  }
}
