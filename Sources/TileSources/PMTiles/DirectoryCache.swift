import Platform

/// The most recently used directories of all archives, within one limit in bytes.
///
/// The limit is shared because a few KiB of a hostile file unpack to a directory of 12 MB, and
/// there may be many such files.
package final class DirectoryCache: Sendable {
  /// The cache of all sources.
  package static let shared = DirectoryCache(limit: 24 << 20)

  /// A directory: its archive, and its offset there in bytes.
  package struct Key: Hashable, Sendable {
    package var owner: ObjectIdentifier
    package var offset: UInt64

    package init(owner: ObjectIdentifier, offset: UInt64) {
      self.owner = owner
      self.offset = offset
    }
  }

  private struct Kept {
    var directory: PMTilesDirectory
    var use: UInt64
  }

  private struct State {
    var kept: [Key: Kept] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  /// Bytes that a kept directory takes beside its entries.
  private static let overhead = 256

  private let state = Lock(State())
  private let limit: Int

  /// Creates an empty cache.
  ///
  /// - Parameter limit: The most bytes of all directories together. A single larger directory is
  ///   kept until the next one is inserted.
  package init(limit: Int) { self.limit = limit }

  /// Bytes of the directories kept.
  package var bytes: Int { state.withLock { $0.bytes } }

  /// The directory with `key`, which becomes the most recently used.
  package func find(_ key: Key) -> PMTilesDirectory? {
    state.withLock { state in
      guard let index = state.kept.index(forKey: key) else { return nil }
      state.uses += 1
      state.kept.values[index].use = state.uses
      return state.kept.values[index].directory
    }
  }

  /// Keeps `directory` as the most recently used. If all together exceed the limit, drops the least
  /// recently used ones down to three quarters of it, so that this happens rarely.
  package func insert(_ key: Key, _ directory: PMTilesDirectory) {
    state.withLock { state in
      state.uses += 1
      let old = state.kept.updateValue(Kept(directory: directory, use: state.uses), forKey: key)
      if let old { state.bytes -= DirectoryCache.cost(old.directory) }
      state.bytes += DirectoryCache.cost(directory)
      guard state.bytes > limit else { return }
      for (old, kept) in state.kept.sorted(by: { $0.value.use < $1.value.use })
      where state.bytes > limit / 4 * 3 && old != key {
        state.bytes -= DirectoryCache.cost(kept.directory)
        state.kept[old] = nil
      }
    }
  }

  /// Drops all directories of an archive.
  package func remove(owner: ObjectIdentifier) {
    state.withLock { state in
      for (key, kept) in state.kept where key.owner == owner {
        state.bytes -= DirectoryCache.cost(kept.directory)
        state.kept[key] = nil
      }
    }
  }

  private static func cost(_ directory: PMTilesDirectory) -> Int { directory.cost + overhead }
}
