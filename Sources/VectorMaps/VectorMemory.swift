import VectorPainting

/// What all vector maps of this process keep beside the painted tiles, so that the tiles painted
/// from one vector tile read and parse it once.
package enum VectorMemory {
  /// The most bytes of vector tiles as they were read, and of pictures likewise. A larger one is
  /// kept alone.
  package static let keptLimit = KeptTiles.mostBytes

  /// Bytes of the vector tiles and their pictures as they were read, of those that were parsed, of
  /// the painting threads' buffers, and of pictures that are being painted. They have limits:
  /// `KeptTiles`, `ParsedTileCache`, `PaintWorkPool`, `PicturePainter`. Takes no lock.
  package static var bytes: Int {
    KeptTiles.shared.bytes + KeptTiles.pictures.bytes + ParsedTileCache.shared.bytes
      + PaintWorkPool.shared.bytes + PictureMemory.bytes
  }

  /// Frees all of it.
  package static func removeAll() {
    for _ in 0..<2 { age() }
  }

  /// Frees what was not used since it was called last.
  package static func age() {
    KeptTiles.shared.age()
    KeptTiles.pictures.age()
    ParsedTileCache.shared.age()
    PaintWorkPool.shared.removeAll()
  }
}
