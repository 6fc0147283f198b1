import TileFormats

/// A tile that was packed, unpacked.
package struct UnpackedTile {
  let memory: TileBytes
  /// How it was packed.
  package let compression: PackCompression
  /// What the unpacked bytes are.
  package let format: TileFormat

  /// The unpacked bytes. Valid while the tile or a copy of it exists.
  package var bytes: UnsafeRawBufferPointer { memory.bytes }
}

extension StoredTile.Encoding {
  /// Unpacks the bytes of a tile, which look like `format`.
  ///
  /// Gzip and zstd data are recognised even if the pack does not name them. Brotli data have no
  /// signature (RFC 7932): bytes of no known format are such if they unpack to a vector tile.
  ///
  /// - Returns: The tile; nil: the bytes are not packed.
  /// - Throws: A fault if they cannot be unpacked, or unpack to more than `StoredTile.sizeLimit`.
  package func unpacked(
    _ bytes: UnsafeRawBufferPointer, _ format: TileFormat
  ) throws(PackFault) -> UnpackedTile? {
    guard let compression = compression(of: format) else {
      return mayBeBrotli(bytes, format) ? try brotliTile(bytes) : nil
    }
    do throws(PackFault) {
      return try StoredTile.Encoding.unpack(bytes, compression)
    } catch {
      // A brotli stream may begin with gzip's two bytes.
      guard isSilent, compression == .gzip, !error.lacksMemory, let tile = try brotliTile(bytes)
      else { throw error }
      return tile
    }
  }

  /// `format`, or `.mvt` if that is not a format of maps and the pack states vector tiles.
  func corrected(_ format: TileFormat) -> TileFormat {
    isDeclaredVector && !format.isMapTile ? .mvt : format
  }

  /// Whether the pack names no compression. Some say "none" although their tiles are packed.
  private var isSilent: Bool { compression == .unknown || compression == .none }

  /// How to unpack bytes that look like `format`; nil: they are not packed, or it does not show.
  private func compression(of format: TileFormat) -> PackCompression? {
    switch compression {
    case .unknown, .none:
      switch format {
      case .gzip: .gzip
      case .zstd: .zstd
      default: nil
      }
    // Some archives promise compression although pictures were stored unchanged.
    case .gzip, .brotli, .zstd: format.isDrawn ? nil : compression
    }
  }

  /// The longest brotli stream of nothing, in bytes: a window's size and an empty last block
  /// (RFC 7932, 9.1 and 9.2).
  private static let emptyStream = 2

  private func mayBeBrotli(_ bytes: UnsafeRawBufferPointer, _ format: TileFormat) -> Bool {
    switch format {
    case .unknown: true
    // The stream of nothing may be a semicolon.
    case .text: isDeclaredVector && bytes.count <= StoredTile.Encoding.emptyStream
    default: false
    }
  }

  /// The vector tile that the brotli data in `bytes` are; nil: they are not.
  private func brotliTile(_ bytes: UnsafeRawBufferPointer) throws(PackFault) -> UnpackedTile? {
    let tile: UnpackedTile
    do throws(PackFault) {
      tile = try StoredTile.Encoding.unpack(bytes, .brotli)
    } catch {
      if error.lacksMemory { throw error }
      return nil
    }
    switch tile.format {
    case .mvt: return tile
    // A vector tile without layers.
    case .empty where isDeclaredVector && bytes.count <= StoredTile.Encoding.emptyStream:
      return tile
    default: return nil
    }
  }

  private static func unpack(
    _ bytes: UnsafeRawBufferPointer, _ compression: PackCompression
  ) throws(PackFault) -> UnpackedTile {
    let memory = TileBytes()
    try Unpacking.unpack(bytes, compression, limit: StoredTile.sizeLimit, into: memory)
    return UnpackedTile(
      memory: memory, compression: compression, format: TileFormat(sniffing: memory.bytes))
  }
}
