import CSQLite

/// What all open packs take together.
package enum PackMemory {
  /// Bytes of SQLite's heap, of all connections, and of the PMTiles directories that are kept. Both
  /// have limits: `SQLiteLimits` and `DirectoryCache`.
  package static var bytes: Int { Int(sqlite3_memory_used()) + DirectoryCache.shared.bytes }
}
