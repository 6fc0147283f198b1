import MapGeometry
import Platform
import TileFormats

/// A tile as its pack stores it, before unpacking.
public struct StoredTile: Sendable, Equatable {
  /// What a pack says of its tiles' encoding.
  public struct Encoding: Sendable, Equatable {
    /// The compression; `.unknown` if the pack does not say.
    public var compression: PackCompression
    /// Whether the pack says that it has vector tiles.
    public var isDeclaredVector: Bool

    /// Creates what a pack says; by default nothing.
    public init(compression: PackCompression = .unknown, isDeclaredVector: Bool = false) {
      self.compression = compression
      self.isDeclaredVector = isDeclaredVector
    }
  }

  /// The bytes as they are stored, perhaps compressed.
  public var bytes: [UInt8]
  /// What the pack says about the bytes.
  public var encoding: Encoding

  /// The largest tile in bytes, both stored and unpacked. The largest tile drawn has 2048 by 2048
  /// pixels, which take 16 MiB without compression.
  public static let sizeLimit = 16 << 20

  /// Creates a tile as stored. By default the pack says nothing about its bytes.
  public init(bytes: [UInt8], encoding: Encoding = Encoding()) {
    self.bytes = bytes
    self.encoding = encoding
  }

  /// The tile's unpacked bytes. Compression is recognised even if the pack does not name it.
  ///
  /// - Throws: A fault if they cannot be unpacked, or unpack to more than `sizeLimit`.
  package func unpacked() throws(PackFault) -> [UInt8] {
    guard let tile = try opened() else { return bytes }
    guard SpareMemory.has(tile.bytes.count) else { throw PackFault.noMemory(tile.bytes.count) }
    return [UInt8](tile.bytes)
  }

  /// The tile unpacked; nil: it is not packed.
  ///
  /// - Throws: A fault as `unpacked()` does.
  package func opened() throws(PackFault) -> UnpackedTile? {
    let result = bytes.withUnsafeBytes { raw -> Result<UnpackedTile?, PackFault> in
      do throws(PackFault) {
        return .success(try encoding.unpacked(raw, TileFormat(sniffing: raw)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The tile's format as its bytes show, or else as the pack says.
  package var format: TileFormat {
    do throws(PackFault) {
      return encoding.corrected(try opened()?.format ?? TileFormat(sniffing: bytes))
    } catch {
      return encoding.corrected(.unknown)
    }
  }
}

extension SourceInfo {
  /// Sets the format and the size in pixels as `tile` shows them.
  mutating func describeTiles(by tile: StoredTile) {
    format = tile.format.isMapTile ? tile.format.rawValue : nil
    tilePixels = (try? tile.unpacked()).flatMap { PictureSize(header: $0)?.width }
  }
}

extension TileBuffer {
  /// Returns the stored tile in this buffer as a payload, unpacked. Pictures are usually stored
  /// uncompressed, and then need no copy.
  ///
  /// - Parameter encoding: What the pack says of the bytes.
  /// - Returns: The unpacked bytes and their format.
  /// - Throws: A fault if the tile is empty or cannot be unpacked.
  mutating func payload(
    unpacking encoding: StoredTile.Encoding
  ) throws(PackFault) -> TilePayload {
    let format = TileFormat(sniffing: bytes)
    if format.isDrawn { return payload(format: format) }
    guard format != .empty else {
      // A vector tile without layers has no bytes.
      if encoding.isDeclaredVector { return payload(format: .mvt) }
      throw PackFault("the tile is empty: 0 bytes")
    }
    let unpacked: UnpackedTile?
    do {
      // This buffer keeps the packed bytes' memory for the next tile.
      unpacked = try encoding.unpacked(bytes, format)
    } catch {
      throw error.said("the tile \(error.reason)")
    }
    guard let unpacked else { return payload(format: encoding.corrected(format)) }
    return TilePayload(unpacked.memory, format: encoding.corrected(unpacked.format))
  }
}

/// A source that can return tiles as they are stored.
public protocol StoredTileSource: TileSource {
  /// The file or folder named in errors.
  var file: String { get }

  /// Fills `buffer` with the tile as stored.
  ///
  /// - Parameters:
  ///   - id: The tile.
  ///   - buffer: Receives the bytes. Undefined if there is no tile, or after an error.
  /// - Returns: What the pack says of the bytes; nil if it has no such tile.
  /// - Throws: `TileError` if the tile exists but cannot be read.
  func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding?
}

extension StoredTileSource {
  /// Reads a tile and unpacks it.
  ///
  /// - Throws: `TileError` if the tile exists but cannot be read or unpacked.
  public func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    guard let encoding = try readStored(id, into: &buffer) else { return .nothing }
    do {
      return .payload(try buffer.payload(unpacking: encoding))
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Reads a tile as its pack stores it.
  ///
  /// - Parameter id: The tile.
  /// - Returns: The tile; nil if the source has none.
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func storedTile(at id: TileID) throws(TileError) -> StoredTile? {
    var buffer = TileBuffer()
    guard let encoding = try readStored(id, into: &buffer) else { return nil }
    return StoredTile(bytes: [UInt8](buffer.bytes), encoding: encoding)
  }
}
