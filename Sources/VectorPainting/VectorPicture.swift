import Glibc
import MapGeometry
import Platform
import Synchronization
import TileSources

/// A picture that a style's `raster` layers draw in a part of a vector tile.
public struct VectorPicture: Sendable {
  /// What the style calls its source.
  public var source: String
  /// The file that errors name.
  public var file: String
  /// The tile whose picture it is.
  public var tile: TileID
  /// The part of the picture that is painted.
  public var part: VectorTilePart
  /// The encoded picture.
  public var payload: TilePayload

  /// Creates a picture to draw.
  public init(
    source: String, file: String, tile: TileID, part: VectorTilePart, payload: TilePayload
  ) {
    self.source = source
    self.file = file
    self.tile = tile
    self.part = part
    self.payload = payload
  }
}

/// Memory for decoded pictures while they are painted.
public enum PictureMemory {
  private static let used = Atomic<Int>(0)

  /// Bytes of the pictures that are being painted now. Takes no lock.
  public static var bytes: Int { used.load(ordering: .relaxed) }

  /// Calls `body` with memory for `count` pixels; nil if there is none.
  static func with<Result>(
    _ count: Int, _ body: (UnsafeMutablePointer<UInt32>) -> Result
  ) -> Result? {
    let bytes = count * 4
    guard let room = SpareMemory.allocate(bytes) else { return nil }
    used.add(bytes, ordering: .relaxed)
    defer {
      used.subtract(bytes, ordering: .relaxed)
      free(room)
    }
    return body(room.bindMemory(to: UInt32.self, capacity: count))
  }
}
