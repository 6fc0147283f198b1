import Glibc
import MapGeometry
import Platform
import TileSources

/// All tiles of a pack, one after the other, in the order of PMTiles' numbers.
///
/// Memory does not grow with the pack. What is wrong with single tiles does not end the reading.
package protocol PackReader: AnyObject {
  /// The file or folder, as it was given.
  var file: String { get }
  /// What it is.
  var kind: PackKind { get }
  /// What it says of itself.
  var description: PackDescription { get }
  /// How many tiles there will be, as far as that is known: for telling how far the reading is.
  var expectedTiles: UInt64? { get }
  /// What is wrong with the pack's index so far.
  var problems: ProblemList { get }

  /// Parts of the index so far that cannot be read, each with all tiles that it leads to.
  var lostParts: UInt64 { get }

  /// Whether tiles are read, or only listed. To be set before the first one.
  var readsContents: Bool { get set }

  /// Reads the next stretch of equal tiles.
  ///
  /// - Parameter buffer: gets the tile as stored; means nothing where the tile has a fault.
  /// - Returns: which tiles; nil after the last.
  /// - Throws: `PackError` if the pack cannot be read any further.
  func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch?
}

extension PackReader {
  package var lostParts: UInt64 { 0 }
}

/// Tiles that follow each other on PMTiles' curve and are stored as one.
package struct PackStretch: Equatable, Sendable {
  /// The number of the first of them.
  package var first: UInt64
  /// How many, 1 or more.
  package var count: UInt64
  /// What the pack says of the bytes.
  package var encoding: StoredTile.Encoding
  /// Why the tile cannot be read; nil: it was.
  package var fault: String?
  /// Where the content lies in the pack; nil if that says nothing. Equal places are equal
  /// contents.
  package var place: UInt64?

  package init(
    first: UInt64, count: UInt64 = 1, encoding: StoredTile.Encoding, fault: String? = nil,
    place: UInt64? = nil
  ) {
    (self.first, self.count, self.encoding) = (first, count, encoding)
    (self.fault, self.place) = (fault, place)
  }
}

/// What is wrong with a pack, counted by kind, with the first examples of each.
package struct ProblemList: Equatable, Sendable {
  /// One kind of problem.
  package struct Kind: Equatable, Sendable {
    package var what: String
    package var count: UInt64
    package var examples: [String]
  }

  /// The kinds in the order in which they were first found.
  package private(set) var kinds: [Kind] = []
  private static let examples = 5
  /// Kinds are made by the program; what a pack can vary is in the examples.
  private static let most = 64

  package init() {}

  package var isEmpty: Bool { kinds.isEmpty }

  /// Adds a problem, `count` times. `example` is made only where there is room for it.
  package mutating func add(
    _ what: String, _ example: @autoclosure () -> String? = nil, count: UInt64 = 1
  ) {
    let index: Int
    if let known = kinds.firstIndex(where: { $0.what == what }) {
      index = known
      kinds[index].count &+= count
    } else {
      guard kinds.count < ProblemList.most else { return }
      index = kinds.count
      kinds.append(Kind(what: what, count: count, examples: []))
    }
    guard kinds[index].examples.count < ProblemList.examples else { return }
    if let example = example() { kinds[index].examples.append(example) }
  }

  /// Adds all of another list.
  package mutating func add(_ other: ProblemList) {
    for kind in other.kinds {
      add(kind.what, count: kind.count)
      for example in kind.examples { add(kind.what, example, count: 0) }
    }
  }
}

/// Opens packs for reading all of them.
package enum PackReaders {
  /// Opens the pack at `path`: a folder of tiles, an MBTiles or a PMTiles file, told by its bytes.
  ///
  /// - Parameters:
  ///   - path: the pack.
  ///   - scratch: the folder for temporary files; nil: the system's for those.
  ///   - scheme: how its rows count; nil: as its kind has it.
  /// - Returns: its reader.
  /// - Throws: `PackError` if it cannot be opened, or is not a pack.
  package static func open(
    _ path: String, scratch: String? = nil, scheme: SourceSpec.Scheme? = nil
  ) throws(PackError) -> any PackReader {
    let scratch = scratch ?? temporaryFolder
    let kind: PackKind
    do {
      kind = try PackKind(path: path)
    } catch {
      throw PackError(error, file: path)
    }
    switch kind {
    case .folder: return try FolderReader(path: path, scratch: scratch, scheme: scheme ?? .xyz)
    case .mbtiles: return try MBTilesReader(path: path, scratch: scratch, scheme: scheme ?? .tms)
    case .pmtiles: return try PMTilesReader(path: path)
    }
  }

  /// `TMPDIR`, else `/var/tmp`, which is on a disk where `/tmp` may be in memory.
  package static var temporaryFolder: String {
    guard let raw = getenv("TMPDIR"), raw.pointee != 0 else { return "/var/tmp" }
    return String(cString: raw)
  }
}
