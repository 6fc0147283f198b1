import TileFormats
import TileSources

/// Has all vector tiles of a pack compressed in one way, as PMTiles states it once for all.
///
/// The first vector tile decides: gzip or not at all. What is the same already, which is the rule,
/// keeps its bytes; pictures always do.
struct TileCompressor {
  /// Brotli and zstd stay as they are where the target can state them.
  private let kept: PackCompression?
  private var chosen: PackCompression?
  /// Tiles that were compressed anew.
  private(set) var changed: UInt64 = 0
  /// The format of the tile that was looked at last, as it is stored.
  private(set) var format = TileFormat.empty

  /// - Parameter kept: what all tiles are said to be compressed with and may stay.
  init(keeping kept: PackCompression?) { self.kept = kept }

  /// What is to be stored of a tile.
  enum Stored {
    case asItIs
    case changed([UInt8])
    case fault(PackFault)
  }

  /// What to store for `bytes`.
  mutating func stored(
    _ bytes: UnsafeRawBufferPointer, _ encoding: StoredTile.Encoding
  ) -> Stored {
    do throws(PackFault) {
      return try replacement(for: bytes, encoding).map { .changed($0) } ?? .asItIs
    } catch {
      return .fault(error)
    }
  }

  private mutating func replacement(
    for bytes: UnsafeRawBufferPointer, _ encoding: StoredTile.Encoding
  ) throws(PackFault) -> [UInt8]? {
    format = TileFormat(sniffing: bytes)
    if format.isDrawn { return nil }
    switch format {
    case .gzip:
      if chosen == nil { chosen = .gzip }
      if chosen == .gzip { return nil }
      changed += 1
      return try Unpacking.unpack([UInt8](bytes), .gzip, limit: StoredTile.sizeLimit)
    case .mvt where encoding.compression != .brotli && encoding.compression != .zstd:
      if chosen == nil { chosen = PackCompression.none }
      if chosen != .gzip { return nil }
      changed += 1
      return Gzip.compress(bytes)
    default:
      guard encoding.compression == .brotli || encoding.compression == .zstd,
        encoding.compression != kept
      else { return nil }
      let tile = try Unpacking.unpack(
        [UInt8](bytes), encoding.compression, limit: StoredTile.sizeLimit)
      changed += 1
      if chosen == nil { chosen = .gzip }
      return chosen == .gzip ? Gzip.compress(tile) : tile
    }
  }
}
