/// Data that a painter leaves with a tile, such as candidates for labels. It enters the cache with
/// the tile and is dropped with it.
///
/// The cache does not look into it; callers of `TileCache.companion(_:)` know its type. A tile
/// without a companion costs no allocation.
public protocol TileCompanion: AnyObject, Sendable {
  /// Its size in memory in bytes, which must not change. It counts towards the cache's limit, and
  /// is at most `TileCache.companionLimit`.
  var bytes: Int { get }
}
