import MapGeometry
import TileSources

/// What an extract from a PMTiles archive reads, and what it becomes: exact, before a tile is read.
package struct ExtractPlan: Sendable {
  /// One content that several tiles may share.
  struct Content: Sendable {
    /// In the archive, from its start.
    var source: UInt64
    /// In the extract's tile section.
    var target: UInt64
    var length: UInt32
  }

  /// The wanted tiles in the order of their numbers, with offsets in the extract's tile section.
  package private(set) var entries: [PMTilesDirectory.Entry]
  /// The contents in the archive's order.
  let contents: [Content]
  /// The requests.
  package let requests: JoinedSpans
  /// Tiles that can be asked for.
  package private(set) var tiles: UInt64 = 0
  /// The same of each level.
  package private(set) var tilesOfZoom = [UInt64](repeating: 0, count: TileID.maxLevel + 1)
  /// Bytes of the extract's tile section.
  package private(set) var tileBytes: UInt64 = 0

  /// Bytes of a request, so that a few under way take little memory. One tile may have more.
  package static let requestLimit = 4 << 20

  /// Plans to take the tiles of `index`.
  ///
  /// - Parameters:
  ///   - index: of the archive.
  ///   - size: the archive's bytes.
  ///   - overfetch: the price of joining neighbours; see `JoinedSpans`.
  ///   - name: what errors name.
  ///   - requestLimit: bytes of a request.
  /// - Throws: `PackError` for an archive whose tiles overlap.
  package init(
    _ index: consuming ArchiveIndex, size: UInt64, overfetch: Double, name: String,
    requestLimit: Int = ExtractPlan.requestLimit
  ) throws(PackError) {
    let start = index.header.tiles.offset
    var entries = index.entries
    index.entries = []
    var contents = ExtractPlan.contents(of: entries, from: start)
    // Contents in the order in which they are first needed: clustered.
    var next: UInt64 = 0
    for place in entries.indices {
      let entry = entries[place]
      let found = ExtractPlan.find(start + entry.offset, entry.length, in: contents)
      if contents[found].target == .max {
        contents[found].target = next
        next += UInt64(entry.length)
        // A few bytes may be stated to be many tiles, which then overlap.
        guard next <= size else {
          throw PackError(file: name, reason: "has tiles that overlap: it is damaged")
        }
      }
      entries[place].offset = contents[found].target
      tiles += UInt64(entry.run)
      if let level = HilbertID.level(of: entry.id) { tilesOfZoom[level] += UInt64(entry.run) }
    }
    tileBytes = next
    self.entries = entries
    self.contents = contents
    requests = JoinedSpans(
      contents.map { JoinedSpans.Piece(offset: $0.source, length: $0.length) },
      overfetch: overfetch, limit: requestLimit)
  }

  /// Each content once, in the archive's order, without its place in the extract.
  private static func contents(
    of entries: [PMTilesDirectory.Entry], from start: UInt64
  ) -> [Content] {
    var contents = entries.map {
      Content(source: start + $0.offset, target: .max, length: $0.length)
    }
    contents.sort { ($0.source, $0.length) < ($1.source, $1.length) }
    var kept = 0
    for index in contents.indices {
      if kept > 0, contents[kept - 1].source == contents[index].source,
        contents[kept - 1].length == contents[index].length
      {
        continue
      }
      contents[kept] = contents[index]
      kept += 1
    }
    contents.removeSubrange(kept...)
    return contents
  }

  private static func find(_ source: UInt64, _ length: UInt32, in contents: [Content]) -> Int {
    var low = 0
    var high = contents.count - 1
    while low < high {
      let middle = (low + high) / 2
      let content = contents[middle]
      if (content.source, content.length) < (source, length) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// The levels that hold tiles; nil if there are none.
  package var zooms: ClosedRange<Int>? {
    guard let first = tilesOfZoom.firstIndex(where: { $0 > 0 }),
      let last = tilesOfZoom.lastIndex(where: { $0 > 0 })
    else { return nil }
    return first...last
  }

  /// A checksum of what is read and where it goes.
  package var signature: UInt64 {
    let words = contents.lazy.flatMap { [$0.source, $0.target, UInt64($0.length)] }
    let spans = requests.spans.lazy.flatMap { [$0.span.offset, UInt64($0.span.count)] }
    return PlanChecksum.of([PlanChecksum.of(words), PlanChecksum.of(spans), tileBytes])
  }
}
