/// What a painter may leave beside a tile's pixels, such as candidates for labels. It travels with
/// the tile into the cache and is dropped with it.
///
/// The cache does not look into it: whoever asks `TileCache.companion(_:)` knows what it is. A tile
/// without one costs no allocation.
public protocol TileCompanion: AnyObject, Sendable {
  /// What it takes in memory, in bytes. It must not change. Counts towards the cache's limit; at
  /// most `TileCache.companionLimit`.
  var bytes: Int { get }
}
