import MapGeometry
import TileFormats

/// A tile as its pack holds it, before anything is unpacked.
public struct StoredTile: Sendable, Equatable {
  /// What a pack says of the bytes of its tiles.
  public struct Encoding: Sendable, Equatable {
    /// How they are compressed; `.unknown` where the pack does not say.
    public var compression: PackCompression
    /// Whether the pack says that its tiles are vector tiles.
    public var isDeclaredVector: Bool

    /// What a pack says; nothing by default.
    public init(compression: PackCompression = .unknown, isDeclaredVector: Bool = false) {
      self.compression = compression
      self.isDeclaredVector = isDeclaredVector
    }
  }

  /// The stored bytes.
  public var bytes: [UInt8]
  /// What the pack says of them.
  public var encoding: Encoding

  /// The largest tile in bytes, stored and unpacked. A tile of 2048 by 2048 pixels, the largest
  /// that is drawn, takes 16 MiB without any compression.
  public static let sizeLimit = 16 << 20

  /// A tile of a pack that says `encoding` of it.
  public init(bytes: [UInt8], encoding: Encoding = Encoding()) {
    self.bytes = bytes
    self.encoding = encoding
  }

  /// The tile's own bytes. Where the pack does not say how it compresses, gzip is recognised.
  ///
  /// - Throws: a fault where they cannot be unpacked, or unpack to more than `sizeLimit`.
  package func unpacked() throws(PackFault) -> [UInt8] {
    guard let compression = encoding.compression(of: TileFormat(sniffing: bytes)) else {
      return bytes
    }
    return try Unpacking.unpack(bytes, compression, limit: StoredTile.sizeLimit)
  }

  /// What the tile is, as its bytes show, or as the pack says where they do not.
  package var format: TileFormat {
    let format = (try? unpacked()).map { TileFormat(sniffing: $0) } ?? .unknown
    return encoding.corrected(format)
  }
}

extension StoredTile.Encoding {
  /// How bytes that look like `format` are to be unpacked; nil: they are the tile as they are.
  fileprivate func compression(of format: TileFormat) -> PackCompression? {
    switch compression {
    // Some packs say nothing, or say "none", of tiles that are gzip data.
    case .unknown, .none: format == .gzip ? .gzip : nil
    // Some archives' headers promise compression although the pictures went in as they were.
    case .gzip, .brotli, .zstd: format.isDrawn ? nil : compression
    }
  }

  /// What the pack says, where the bytes do not show that they are a tile.
  fileprivate func corrected(_ format: TileFormat) -> TileFormat {
    isDeclaredVector && !format.isMapTile ? .mvt : format
  }
}

extension SourceInfo {
  /// States format and size of the tiles as `tile` shows them.
  mutating func describeTiles(by tile: StoredTile) {
    format = tile.format.isMapTile ? tile.format.rawValue : nil
    tilePixels = (try? tile.unpacked()).flatMap { PictureSize(header: $0)?.width }
  }
}

extension TileBuffer {
  /// Hands out the stored tile that was read into this buffer, unpacked. A picture that was stored
  /// as it is, which is the rule, stays where it is.
  ///
  /// - Parameters:
  ///   - encoding: what the pack says of the bytes.
  ///   - file: what an error names.
  ///   - tile: likewise.
  /// - Returns: the tile's own bytes and what they are.
  /// - Throws: a `TileError` for an empty tile and for one that cannot be unpacked.
  mutating func payload(
    unpacking encoding: StoredTile.Encoding, file: String, tile: TileID
  ) throws(TileError) -> TilePayload {
    let format = TileFormat(sniffing: bytes)
    if format.isDrawn { return payload(format: format) }
    guard format != .empty else {
      throw TileError(file: file, tile: tile, reason: "the tile is empty: 0 bytes")
    }
    guard let compression = encoding.compression(of: format) else {
      return payload(format: encoding.corrected(format))
    }
    do {
      set(try Unpacking.unpack([UInt8](bytes), compression, limit: StoredTile.sizeLimit))
    } catch {
      throw TileError(file: file, tile: tile, reason: "the tile \(error.reason)")
    }
    return payload(format: encoding.corrected(TileFormat(sniffing: bytes)))
  }
}

/// A source that can hand out tiles as they are stored.
public protocol StoredTileSource: TileSource {
  /// The file or folder that errors name.
  var file: String { get }

  /// Fills `buffer` with the tile as stored.
  ///
  /// - Parameters:
  ///   - id: the tile.
  ///   - buffer: what is in it where there is no tile, or after an error, means nothing.
  /// - Returns: what the pack says of the bytes; nil where it has no such tile.
  /// - Throws: `TileError` where the tile is there but cannot be read.
  func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding?
}

extension StoredTileSource {
  /// Reads one tile and unpacks it.
  ///
  /// - Throws: `TileError` where the tile is there but cannot be read or unpacked.
  public func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    guard let encoding = try readStored(id, into: &buffer) else { return .nothing }
    return .payload(try buffer.payload(unpacking: encoding, file: file, tile: id))
  }

  /// Reads one tile as its pack holds it.
  ///
  /// - Parameter id: the tile.
  /// - Returns: nil where the source has none.
  /// - Throws: `TileError` where the tile is there but cannot be read.
  public func storedTile(at id: TileID) throws(TileError) -> StoredTile? {
    var buffer = TileBuffer()
    guard let encoding = try readStored(id, into: &buffer) else { return nil }
    return StoredTile(bytes: [UInt8](buffer.bytes), encoding: encoding)
  }
}
