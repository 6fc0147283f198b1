import MapGeometry
import TileSources

/// What an extract from a PMTiles archive reads, and what it becomes: exact, before a tile is read.
///
/// An entry takes 36 bytes of memory while the directories are made, and 16 afterwards.
package struct ExtractPlan: Sendable {
  /// One content that several tiles may share.
  struct Content: Sendable {
    /// In the archive, from its start.
    var source: UInt64
    /// In the extract's tile section.
    var target: UInt64
    var length: UInt32
  }

  /// The contents in the archive's order.
  struct Contents: RandomAccessCollection, Sendable {
    fileprivate var places: [ContentPlace]
    fileprivate var targets: [UInt64]

    var startIndex: Int { 0 }
    var endIndex: Int { places.count }
    subscript(index: Int) -> Content {
      let place = places[index]
      return Content(
        source: place.offset, target: targets[index], length: UInt32(place.length))
    }
  }

  /// The contents in the archive's order.
  let contents: Contents
  /// The requests.
  package let requests: JoinedSpans
  /// Entries of the extract's directories.
  let entryCount: Int
  /// Tiles that can be asked for.
  package private(set) var tiles: UInt64 = 0
  /// The same of each level.
  package private(set) var tilesOfZoom = [UInt64](repeating: 0, count: TileID.maxLevel + 1)
  /// Bytes of the extract's tile section.
  package private(set) var tileBytes: UInt64 = 0
  /// The wanted tiles in the order of their numbers.
  private var entries: [PlannedEntry]

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
    var entries = index.entries
    index.entries = []
    let places = ExtractPlan.places(of: entries)
    var targets = [UInt64](repeating: .max, count: places.count)
    // Contents in the order in which they are first needed: clustered.
    var next: UInt64 = 0
    for place in entries.indices {
      let entry = entries[place]
      let found = ExtractPlan.find(entry.place, in: places)
      if targets[found] == .max {
        targets[found] = next
        next += UInt64(places[found].length)
        // A damaged index can turn a few bytes into many tiles, which then overlap.
        guard next <= size else {
          throw PackError(file: name, reason: "has tiles that overlap: it is damaged")
        }
      }
      entries[place].content = found
      tiles += UInt64(entry.run)
      if let level = HilbertID.level(of: entry.id) { tilesOfZoom[level] += UInt64(entry.run) }
    }
    tileBytes = next
    self.entries = entries
    entryCount = entries.count
    contents = Contents(places: places, targets: targets)
    requests = JoinedSpans(
      places.lazy.map { JoinedSpans.Piece(offset: $0.offset, length: UInt32($0.length)) },
      overfetch: overfetch, limit: requestLimit)
  }

  /// Each content once, in the archive's order.
  private static func places(of entries: [PlannedEntry]) -> [ContentPlace] {
    var places = entries.map(\.place)
    places.sort()
    var kept = 0
    for index in places.indices where kept == 0 || places[kept - 1] != places[index] {
      places[kept] = places[index]
      kept += 1
    }
    places.removeSubrange(kept...)
    return places
  }

  private static func find(_ place: ContentPlace, in places: [ContentPlace]) -> Int {
    var low = 0
    var high = places.count - 1
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Entries of the extract's directories, with offsets in its tile section.
  func directoryEntries(_ range: Range<Int>) -> [PMTilesDirectory.Entry] {
    entries[range].map { entry in
      let content = contents[entry.content]
      return PMTilesDirectory.Entry(
        id: entry.id, offset: content.target, length: content.length, run: entry.run)
    }
  }

  /// Forgets the entries, when the directories are made.
  mutating func dropEntries() { entries = [] }

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
