import CSQLite

/// What all open packs take together.
package enum PackMemory {
  /// Bytes of SQLite's heap, of all connections, of the PMTiles directories that are kept, and of
  /// the answers of providers. They have limits: `SQLiteLimits`, `DirectoryCache`, `ProviderLink`.
  package static var bytes: Int {
    Int(sqlite3_memory_used()) + DirectoryCache.shared.bytes + ProviderMemory.bytes
  }
}
