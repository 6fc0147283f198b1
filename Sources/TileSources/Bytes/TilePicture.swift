import MapGeometry

/// A picture that a style draws between the layers of a vector tile.
package struct TilePicture: Sendable {
  /// The source that it is of, among those of its map.
  package let source: Int
  /// The file that errors name.
  package let file: String
  /// The tile whose picture it is: the one that was asked for, or an ancestor.
  package let tile: TileID
  /// The encoded picture.
  package let payload: TilePayload

  /// A picture.
  package init(source: Int, file: String, tile: TileID, payload: TilePayload) {
    self.source = source
    self.file = file
    self.tile = tile
    self.payload = payload
  }
}
