import MapGeometry
import TileSources

/// What tiles take, measured from a sample of a pack that exists.
package struct TileSizes: Sendable, Equatable {
  /// Bytes of a tile where nothing is known.
  package static let usual = 100_000.0
  /// Tiles of a level that are looked at.
  static let sample = 100

  /// Mean bytes of the looked-at tiles of each level, missing ones counted as 0.
  private var means: [Int: Double] = [:]
  /// The same without the missing ones.
  private var meansOfFound: [Int: Double] = [:]
  /// Tiles that were looked at, and those that the pack has.
  package private(set) var looked = 0
  package private(set) var found = 0

  /// Nothing is known.
  package init() {}

  /// Looks at some tiles of `tiles` in `source`, spread evenly.
  ///
  /// - Throws: `PackError` if the source cannot be read at all.
  package init(of source: any TileSource, tiles: TileSet) throws(PackError) {
    var buffer = TileBuffer()
    var failure: TileError?
    for zoom in tiles.zooms ?? 0...0 {
      var bytes = 0
      var count = 0
      var here = 0
      for tile in tiles.spread(zoom: zoom, upTo: TileSizes.sample) {
        do throws(TileError) {
          if let size = try TileSizes.size(of: tile, in: source, &buffer) {
            bytes += size
            here += 1
          }
          count += 1
        } catch {
          failure = error
        }
      }
      looked += count
      found += here
      // A level of which nothing is there says nothing: the pack may not reach it.
      if here > 0 {
        means[zoom] = Double(bytes) / Double(count)
        meansOfFound[zoom] = Double(bytes) / Double(here)
      }
    }
    if looked == 0, let failure { throw PackError(file: failure.file, reason: failure.reason) }
  }

  /// As stored where the source can tell; nil if it has no such tile.
  private static func size(
    of tile: TileID, in source: any TileSource, _ buffer: inout TileBuffer
  ) throws(TileError) -> Int? {
    if let stored = source as? any StoredTileSource {
      return try stored.readStored(tile, into: &buffer) == nil ? nil : buffer.count
    }
    guard case .payload(let payload) = try source.read(tile, into: &buffer) else { return nil }
    return payload.bytes.count
  }

  /// Whether anything was measured.
  package var isMeasured: Bool { !means.isEmpty }

  /// Mean bytes of a tile of `zoom`: measured there, else at the nearest level, else usual.
  package func mean(zoom: Int) -> Double { Self.nearest(means, zoom) ?? TileSizes.usual }

  /// About how many bytes tiles that exist take.
  ///
  /// - Parameter counts: How many there are of each zoom, from 0.
  /// - Returns: The bytes; nil if nothing was measured.
  package func bytes(of counts: [UInt64]) -> UInt64? {
    guard isMeasured else { return nil }
    var sum = 0.0
    for (zoom, count) in counts.enumerated() where count > 0 {
      sum += Double(count) * (Self.nearest(meansOfFound, zoom) ?? 0)
    }
    return sum < 0x1p63 ? UInt64(sum.rounded()) : UInt64(Int64.max)
  }

  /// What was measured at `zoom`, else at the nearest level.
  private static func nearest(_ means: [Int: Double], _ zoom: Int) -> Double? {
    means.min {
      abs($0.key - zoom) * 2 + ($0.key < zoom ? 1 : 0)
        < abs($1.key - zoom) * 2 + ($1.key < zoom ? 1 : 0)
    }?.value
  }
}
