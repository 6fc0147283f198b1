import Synchronization

/// Directories of all archives, the ones used last, within one limit of bytes.
///
/// A few KiB of a hostile file unpack to a directory of 12 MB, and there may be many such files.
package final class DirectoryCache: Sendable {
  /// The one of all sources.
  package static let shared = DirectoryCache(limit: 24 << 20)

  /// One directory: of which archive, and at which byte of it.
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

  /// What keeping one takes beside its entries, in bytes.
  private static let overhead = 256

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: bytes of all directories together; one that is larger alone is kept until
  ///   the next one comes.
  package init(limit: Int) { self.limit = limit }

  /// Bytes that are kept.
  package var bytes: Int { state.withLock { $0.bytes } }

  /// The directory under `key`, which counts as used then.
  package func find(_ key: Key) -> PMTilesDirectory? {
    state.withLock { state in
      guard let index = state.kept.index(forKey: key) else { return nil }
      state.uses += 1
      state.kept.values[index].use = state.uses
      return state.kept.values[index].directory
    }
  }

  /// Keeps `directory` as the one used last, and lets go of those used longest ago where all
  /// together take more than the limit: down to three quarters of it, so that this is rare.
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

  /// Lets go of all directories of an archive.
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
