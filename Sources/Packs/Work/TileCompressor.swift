import TileFormats
import TileSources

/// Has all vector tiles of a pack compressed in one way, as PMTiles states it once for all.
///
/// The first vector tile decides: gzip or not at all. What is the same already, which is the rule,
/// keeps its bytes; pictures always do. Brotli and zstd become gzip, unless all packs state them.
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
    let isStated = encoding.compression == .brotli || encoding.compression == .zstd
    if isStated, encoding.compression == kept { return nil }
    switch format {
    case .gzip where !isStated:
      if chosen == nil { chosen = .gzip }
      if chosen == .gzip { return nil }
      changed += 1
      return try Unpacking.unpack([UInt8](bytes), .gzip, limit: StoredTile.sizeLimit)
    case .mvt where !isStated:
      if chosen == nil { chosen = PackCompression.none }
      if chosen != .gzip { return nil }
      changed += 1
      return Gzip.compress(bytes)
    default:
      // What a pack wrongly calls gzip data stays as it is.
      guard encoding.compression != .gzip, let tile = try encoding.unpacked(bytes, format) else {
        return nil
      }
      changed += 1
      if chosen == nil { chosen = .gzip }
      return chosen == .gzip ? Gzip.compress(tile.bytes) : [UInt8](tile.bytes)
    }
  }
}
