import Glibc

/// Lists the contents of directories.
public enum Directory {
  /// The names in one directory, one after the other, in the file system's order. It takes the same
  /// memory however many there are.
  public final class Listing {
    private let path: String
    private let stream: OpaquePointer

    /// Opens the directory `path`; a link to one is followed.
    ///
    /// - Throws: `SystemError` if the directory cannot be opened.
    public init(of path: String) throws(SystemError) {
      guard let stream = opendir(path) else { throw SystemError("opendir", on: path) }
      self.path = path
      self.stream = stream
    }

    deinit { closedir(stream) }

    /// The next name, without "." and ".."; nil after the last one.
    ///
    /// - Throws: `SystemError` if the directory cannot be read, for instance because its medium is
    ///   gone. The names returned so far are then incomplete.
    public func next() throws(SystemError) -> String? {
      while true {
        errno = 0
        guard let entry = readdir(stream) else {
          if errno != 0 { throw SystemError("readdir", on: path) }
          return nil
        }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { return name }
      }
    }
  }

  /// The names in the directory `path`, without "." and "..", in the file system's order.
  ///
  /// - Parameters:
  ///   - path: the directory; a link to one is followed.
  ///   - limit: the most names that are returned.
  ///   - isWanted: decides which names are returned; others do not count towards the limit.
  /// - Returns: the names, unsorted.
  /// - Throws: `SystemError` if the directory cannot be opened or read.
  public static func names(
    in path: String, upTo limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) throws(SystemError) -> [String] {
    let listing = try Listing(of: path)
    var names: [String] = []
    while names.count < limit, let name = try listing.next() {
      if isWanted(name) { names.append(name) }
    }
    return names
  }

  /// The names in `path` that do not begin with a dot, unsorted; empty if it cannot be listed.
  public static func visibleNames(in path: String) -> [String] {
    (try? names(in: path) { !$0.hasPrefix(".") }) ?? []
  }
}
