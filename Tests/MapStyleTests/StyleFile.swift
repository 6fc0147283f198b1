import Glibc

@testable import MapStyle

/// Files with styles and tests.
enum StyleFile {
  struct Missing: Error { let path: String }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Missing(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  static func json(_ path: String) throws -> StyleValue {
    let bytes = try bytes(path)
    return try bytes.withUnsafeBytes { try StyleJSON.parse($0) }
  }

  /// The folders below `root` that hold a file `name`, relative to it, sorted.
  static func folders(below root: String, with name: String) -> [String] {
    var found: [String] = []
    func walk(_ path: String) {
      let full = root + (path.isEmpty ? "" : "/" + path)
      if access(full + "/" + name, R_OK) == 0 { found.append(path) }
      for entry in entries(of: full) { walk(path.isEmpty ? entry : path + "/" + entry) }
    }
    walk("")
    return found.sorted()
  }

  /// The folders in a folder.
  static func entries(of path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if entry.pointee.d_type == UInt8(DT_DIR), name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
