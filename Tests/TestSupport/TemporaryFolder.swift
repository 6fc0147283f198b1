import Foundation

/// A folder that goes with its owner.
public final class TemporaryFolder {
  public let path: String

  public init() throws {
    path = NSTemporaryDirectory() + "/waypost-" + UUID().uuidString.prefix(13)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public subscript(_ name: String) -> String { path + "/" + name }

  /// Writes `text` to `name`; its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self[name]))
    return self[name]
  }
}

/// Name and SHA-256 of every file at or below `path`.
public func digests(of path: String) throws -> [String: String] {
  var isFolder: ObjCBool = false
  _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
  let names =
    isFolder.boolValue
    ? try FileManager.default.subpathsOfDirectory(atPath: path).map { path + "/" + $0 } : [path]
  var found: [String: String] = [:]
  for name in names {
    var inner: ObjCBool = false
    if FileManager.default.fileExists(atPath: name, isDirectory: &inner), !inner.boolValue {
      found[name] = sha256Hex([UInt8](try Data(contentsOf: URL(fileURLWithPath: name))))
    }
  }
  return found
}
