import MapGeometry
import Platform
import TileSources

/// The tiles of a complete draft, in order.
final class FetchedReader: PackReader {
  let file: String
  let kind = PackKind.folder
  let description: PackDescription
  let expectedTiles: UInt64?
  let problems = ProblemList()
  var readsContents = true

  private let draft: FetchDraft
  private let rows: RecordSorter
  /// The last of the rows that were read, and not given yet.
  private var ahead: RecordSorter.Record?

  private static let lengthBits: UInt64 = 25

  /// - Parameters:
  ///   - draft: all tiles.
  ///   - name: of the pack, for messages.
  ///   - description: what the pack says of itself.
  /// - Throws: `PackError` where they cannot be read.
  init(_ draft: FetchDraft, name: String, _ description: PackDescription) throws(PackError) {
    self.draft = draft
    file = name
    self.description = description
    expectedTiles = draft.marks.count - min(draft.absent, draft.marks.count)
    let rows = RecordSorter(folder: Paths.directory(of: draft.path))
    self.rows = rows
    var sequence: UInt64 = 0
    let tiles = draft.marks.tiles
    try draft.entries { entry throws(PackError) in
      guard tiles.contains(entry.number) else { return }
      sequence += 1
      // Offsets have 39 bits; a tile that the server does not have any more has no length.
      let packed = entry.place.map { $0.offset << FetchedReader.lengthBits | $0.length } ?? 0
      try rows.add(RecordSorter.Record(key: entry.number, a: sequence, b: packed))
    }
    ahead = try rows.next()
  }

  func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    while var row = ahead {
      ahead = try rows.next()
      while let other = ahead, other.key == row.key {
        row = other
        ahead = try rows.next()
      }
      let length = Int(row.b & (1 << FetchedReader.lengthBits - 1))
      if length == 0 { continue }
      if readsContents {
        buffer.set(try draft.read(at: row.b >> FetchedReader.lengthBits, length))
      }
      return PackStretch(first: row.key, encoding: StoredTile.Encoding())
    }
    return nil
  }
}
