import MapGeometry
import TileFormats

/// A tile as its pack holds it, before anything is unpacked.
///
/// This is where a vector decoder will stand: it takes `unpacked()` of a tile whose format is
/// `.mvt`, while `raster(file:tile:)` is what the sources of today give out.
public struct StoredTile: Sendable, Equatable {
  /// The stored bytes.
  public var bytes: [UInt8]
  /// What the pack says of `bytes`; `.unknown` where it says nothing.
  public var compression: PackCompression
  /// Whether the pack says that its tiles are vector tiles.
  public var isDeclaredVector: Bool

  /// The largest tile in bytes, stored and unpacked. A tile of 2048 by 2048 pixels, the largest that
  /// is drawn, takes 16 MiB without any compression.
  public static let sizeLimit = 16 << 20

  public init(
    bytes: [UInt8], compression: PackCompression = .unknown, isDeclaredVector: Bool = false
  ) {
    self.bytes = bytes
    self.compression = compression
    self.isDeclaredVector = isDeclaredVector
  }

  /// The tile's own bytes. Where the pack does not say how it compresses, gzip is recognised.
  package func unpacked() throws(PackFault) -> [UInt8] {
    let isGzip = bytes.count > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b
    if compression == .unknown {
      return isGzip
        ? try Unpacking.unpack(bytes, .gzip, limit: StoredTile.sizeLimit) : bytes
    }
    // Archives whose header promises compression although the pictures went in as they were exist.
    if compression != .none, TileFormat(sniffing: bytes)?.isDrawn == true { return bytes }
    if compression == .none, isGzip {
      return try Unpacking.unpack(bytes, .gzip, limit: StoredTile.sizeLimit)
    }
    return try Unpacking.unpack(bytes, compression, limit: StoredTile.sizeLimit)
  }

  /// Makes of the stored bytes in `buffer` the encoded picture for a raster decoder, as `raster` does.
  /// Those that are a picture as they are, which is the rule, stay where they are.
  ///
  /// - Parameters:
  ///   - compression: what the pack says of the bytes.
  ///   - isDeclaredVector: whether the pack says that its tiles are vector tiles.
  static func makeRaster(
    _ buffer: TileBuffer, _ compression: PackCompression, isDeclaredVector: Bool, file: String,
    tile: TileID
  ) throws(TileError) {
    if TileFormat(sniffing: buffer.bytes)?.isDrawn == true { return }
    let stored = StoredTile(
      bytes: [UInt8](buffer.bytes), compression: compression, isDeclaredVector: isDeclaredVector)
    buffer.set(try stored.raster(file: file, tile: tile))
  }

  /// What the tile is, as its bytes show, or as the pack says where they do not.
  package var format: TileFormat? {
    if let bytes = try? unpacked(), let format = TileFormat(sniffing: bytes) { return format }
    return isDeclaredVector ? .mvt : nil
  }

  /// The encoded picture for a raster decoder.
  ///
  /// - Throws: a `TileError` for a vector tile and for bytes that are known to be no picture.
  public func raster(file: String, tile: TileID) throws(TileError) -> [UInt8] {
    func refuse(_ reason: String) -> TileError { TileError(file: file, tile: tile, reason: reason) }
    guard !bytes.isEmpty else { throw refuse("the tile is empty: 0 bytes") }
    let picture: [UInt8]
    do {
      picture = try unpacked()
    } catch {
      throw refuse(isDeclaredVector ? StoredTile.vectorRefusal : "the tile \(error.reason)")
    }
    switch TileFormat(sniffing: picture) {
    case .png, .jpeg, .webp: return picture
    case .mvt: throw refuse(StoredTile.vectorRefusal)
    case .gif: throw refuse("a GIF picture: tiles are PNG, JPEG or WebP")
    case .avif: throw refuse("an AVIF picture: this version draws PNG, JPEG and WebP")
    case nil: break
    }
    if isDeclaredVector { throw refuse(StoredTile.vectorRefusal) }
    if picture.starts(with: Array("version https://git-lfs".utf8)) {
      throw refuse("a Git LFS pointer instead of the tile: fetch the tiles with 'git lfs pull'")
    }
    return picture
  }

  static let vectorRefusal =
    "a vector tile (MVT): this version draws raster tiles (PNG, JPEG, WebP); render the map to raster"
}

/// A source that can hand out tiles as they are stored.
public protocol StoredTileSource: TileSource {
  /// The file or folder that errors name.
  var file: String { get }

  /// The tile `id` as stored, or nil where the source has none.
  func storedTile(at id: TileID) throws(TileError) -> StoredTile?
}

extension StoredTileSource {
  public func tile(at id: TileID) throws(TileError) -> [UInt8]? {
    guard let stored = try storedTile(at: id) else { return nil }
    return try stored.raster(file: file, tile: id)
  }
}
