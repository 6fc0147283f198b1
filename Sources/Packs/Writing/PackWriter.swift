import TileSources

/// Writes a new pack, tile by tile in the order of PMTiles' numbers.
///
/// The pack is written under a temporary name beside its own, and gets that when it is complete. A
/// writer that is given up, or whose process ends, leaves what had the name before.
package protocol PackWriter: AnyObject {
  /// Adds the tiles `first ..< first + count`, which are all the same.
  ///
  /// - Parameters:
  ///   - first: the number of the first of them (`HilbertID`), above those added before.
  ///   - count: how many tiles follow each other, 1 or more.
  ///   - bytes: the tile as it is to be stored: valid during the call.
  /// - Throws: `PackError` if it cannot be written.
  func add(first: UInt64, count: UInt64, _ bytes: UnsafeRawBufferPointer) throws(PackError)

  /// Checks whether `count` more tiles fit on the medium, as far as that is known. `add` checks its
  /// own tiles.
  ///
  /// - Throws: `PackError` if they do not.
  func checkRoom(for count: UInt64) throws(PackError)

  /// Completes the pack, syncs it to its medium and gives it its name.
  ///
  /// - Parameter description: what it says of itself. What follows from the tiles themselves
  ///   (zooms, counts, the format) is not taken from it.
  /// - Returns: what was written.
  /// - Throws: `PackError`; the target is as it was then.
  func finish(_ description: PackDescription) throws(PackError) -> PackTotals

  /// Gives the pack up, and removes what was written. Does nothing once it is finished.
  func abandon()
}

extension PackWriter {
  package func checkRoom(for count: UInt64) throws(PackError) {}
}

/// What a writer wrote.
package struct PackTotals: Equatable, Sendable {
  /// Tiles that can be asked for.
  package var addressed: UInt64 = 0
  /// Contents that were stored.
  package var contents: UInt64 = 0
  /// Bytes of the pack.
  package var bytes: UInt64 = 0

  package init(addressed: UInt64 = 0, contents: UInt64 = 0, bytes: UInt64 = 0) {
    self.addressed = addressed
    self.contents = contents
    self.bytes = bytes
  }
}
