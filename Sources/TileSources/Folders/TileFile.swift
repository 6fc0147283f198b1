import Glibc
import Platform

/// A tile in a file of its own.
package enum TileFile {
  /// Fills `buffer` with the bytes of the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - trust: Which files may be opened.
  ///   - mayBeEmpty: Whether a file without bytes is a tile, as it is on a vector map.
  ///   - buffer: Receives the bytes.
  /// - Returns: False if there is no file.
  /// - Throws: A fault if the file exists but cannot be read: no permission, empty, not a regular
  ///   file, too large.
  package static func read(
    _ path: String, _ trust: PathTrust, mayBeEmpty: Bool = false, into buffer: inout TileBuffer
  ) throws(PackFault) -> Bool {
    // Most paths tried do not exist, and checking that is cheaper than opening.
    guard try exists(path, trust) else { return false }
    do throws(PackFault) {
      let reader = try FileReader(path: path, trust: trust)
      guard reader.size > 0 || mayBeEmpty else { throw PackFault("is empty: 0 bytes") }
      guard reader.size <= UInt64(StoredTile.sizeLimit) else {
        throw PackFault("has \(reader.size) bytes: at most \(StoredTile.sizeLimit) are read")
      }
      try reader.read(at: 0, count: Int(reader.size), into: &buffer)
      return true
    } catch {
      throw error.said("the tile's file \(path) \(error.reason)")
    }
  }

  /// Whether a file exists at `path`, readable or not.
  ///
  /// - Throws: A fault if this cannot be determined.
  static func exists(_ path: String, _ trust: PathTrust) throws(PackFault) -> Bool {
    do {
      return try trust.exists(path)
    } catch {
      throw PackFault("the tile's file \(path) cannot be examined: ", error.code, trust)
    }
  }

  /// Whether `path` is a directory.
  static func isFolder(_ path: String, _ trust: PathTrust) -> Bool {
    trust.status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// The device number of the medium that holds the folder `path`; nil if there is no such folder.
  /// A mount point whose medium was removed lies on another device.
  static func medium(of path: String, _ trust: PathTrust) -> UInt64? {
    guard let status = trust.status(of: path), status.st_mode & S_IFMT == S_IFDIR else {
      return nil
    }
    return UInt64(status.st_dev)
  }

  /// The names in the folder `path`, at most `limit`, without those that begin with a dot; nil if
  /// it cannot be listed.
  static func names(in path: String, upTo limit: Int, _ trust: PathTrust) -> [String]? {
    guard let descriptor = try? trust.open(path, flags: O_RDONLY | O_DIRECTORY) else { return nil }
    defer { close(descriptor) }
    // The folder that was opened, even if the path leads elsewhere by now.
    return try? Directory.names(in: "/proc/self/fd/\(descriptor)", upTo: limit) {
      !$0.hasPrefix(".")
    }
  }

  /// The device number of the medium that `path` lies on now, if it is `known` or another medium
  /// that replaced it; nil if the medium is gone. A medium may come back under another number.
  ///
  /// Without its medium, a mount point is usually empty.
  static func returned(_ path: String, known: UInt64?, _ trust: PathTrust) -> UInt64? {
    guard let medium = medium(of: path, trust) else { return nil }
    if medium == known { return medium }
    return names(in: path, upTo: 1, trust)?.isEmpty == false ? medium : nil
  }

  /// Whether the folder `path` is another one than `identity`, which lay on `medium`.
  static func isReplaced(
    _ path: String, since identity: FileIdentity?, _ medium: UInt64?, _ trust: PathTrust
  ) -> Bool {
    guard let identity, let now = FileIdentity(path: path, trust: trust), now != identity else {
      return false
    }
    return returned(path, known: medium, trust) != nil
  }
}
