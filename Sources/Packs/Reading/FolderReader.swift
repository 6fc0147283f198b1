import Glibc
import MapGeometry
import Platform
import TileSources

/// All tiles of a folder of `{z}/{x}/{y}.EXT`, in the order of PMTiles' numbers.
///
/// Names are listed and sorted first. Where several files are one tile, `y.EXT` goes before
/// `y@2x.EXT`, and endings in the order of `endings`.
package final class FolderReader: PackReader {
  package let file: String
  package let kind = PackKind.folder
  package let description: PackDescription
  package private(set) var problems = ProblemList()
  package var readsContents = true
  package private(set) var expectedTiles: UInt64?

  /// The levels that have a folder.
  let levels: ClosedRange<Int>
  /// Which tiles are listed at all, by their numbers. To be set before the first one.
  var isWanted: (UInt64) -> Bool = { _ in true }

  private let scheme: SourceSpec.Scheme
  private let sorter: RecordSorter
  private var isListed = false
  private var last: UInt64?

  /// Endings of tiles, in lower case, the likeliest first.
  static let endings =
    ["png", "jpg", "jpeg", "webp", "pbf", "mvt", "avif", "gif"] + VectorTileNames.packed
    + ["tif", "tiff"]
  private static let metadataLimit = 4 << 20
  /// What is written after the row, as it was found: upper and lower case are the same to a map.
  private var spellings: [String] = []
  private static let mostSpellings = 1000

  /// Opens the folder at `path`.
  ///
  /// - Throws: `PackError` if it cannot be listed, or holds no levels.
  package init(path: String, scratch: String, scheme: SourceSpec.Scheme) throws(PackError) {
    file = path
    self.scheme = scheme
    sorter = RecordSorter(folder: scratch)
    let names: [String]
    do {
      names = try Directory.names(in: path)
    } catch {
      throw FolderReader.unlisted(path, error)
    }
    let zooms = names.compactMap(TileFolder.number).filter { $0 <= TileID.maxLevel }
    guard let first = zooms.min(), let last = zooms.max() else {
      throw PackError(
        file: path,
        reason: "holds no tiles: there is no folder named after a zoom level (0 to 24), as in "
          + "{z}/{x}/{y}.png")
    }
    levels = first...last
    var problems = ProblemList()
    var description = PackDescription()
    if names.contains(FolderTree.metadataName) {
      do throws(FileError) {
        let text = try FileIO.read(
          "\(path)/\(FolderTree.metadataName)", limit: FolderReader.metadataLimit)
        for problem in FolderReader.describe(text, &description) { problems.add(problem) }
      } catch {
        problems.add("metadata.json \(error.reason)")
      }
    }
    self.description = description
    self.problems = problems
  }

  /// Takes `metadata.json` over, whose members are rows of MBTiles' metadata.
  private static func describe(
    _ text: [UInt8], _ description: inout PackDescription
  ) -> [String] {
    var members = PackDescription()
    var problems: [String] = []
    do {
      try members.addMembers(ofJSON: text)
    } catch {
      problems.append("metadata.json \(error.reason)")
    }
    // Tools write lists of numbers as well.
    let rows = members.values.map { name, value in
      switch value {
      case .text(let text): (name, text)
      case .json(let json) where PackDescription.placed.contains(name):
        (name, json.filter { $0 != "[" && $0 != "]" })
      case .json(let json): (name, json)
      }
    }
    problems += description.add(rows: rows)
    // What was not a text stays JSON.
    for (name, value) in members.values {
      if case .json = value, description[name] != nil { description[name] = value }
    }
    problems.removeAll { $0.isEmpty }
    return problems
  }

  package func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    if !isListed { try list() }
    while let record = try sorter.next() {
      guard let tile = HilbertID.tile(record.key) else { continue }
      let row = scheme == .tms ? tile.tmsRow : tile.y
      let name = "\(tile.z)/\(tile.x)/\(row)\(spellings[Int(record.b)])"
      if record.key == last {
        problems.add("tiles have more than one file; only one is used", "not \(name)")
        continue
      }
      last = record.key
      var stretch = PackStretch(first: record.key, encoding: StoredTile.Encoding())
      guard readsContents else { return stretch }
      do throws(PackFault) {
        guard try TileFile.read("\(file)/\(name)", .anywhere, into: &buffer) else {
          problems.add("tiles disappeared while the folder was read", name)
          continue
        }
      } catch {
        // The medium is to blame, and not the tile.
        if error.isTransient { throw PackError(error, file: file) }
        stretch.fault = error.reason
      }
      return stretch
    }
    return nil
  }

  // MARK: Listing

  private func list() throws(PackError) {
    isListed = true
    try each(in: file) { level throws(PackError) in
      guard let z = TileFolder.number(level), z <= TileID.maxLevel else {
        if level != FolderTree.metadataName { stray(level) }
        return
      }
      try each(in: "\(file)/\(level)") { column throws(PackError) in
        guard let x = TileFolder.number(column) else { return stray("\(level)/\(column)") }
        try each(in: "\(file)/\(level)/\(column)") { name throws(PackError) in
          try add(name, z, x)
        }
      }
    }
    expectedTiles = sorter.count
  }

  private func stray(_ name: String) {
    problems.add("names are not of the form {z}/{x}/{y}.png and are ignored", name)
  }

  /// Calls `body` with the names in the folder `path`; a file of that name is left out.
  private func each(
    in path: String, _ body: (String) throws(PackError) -> Void
  ) throws(PackError) {
    let listing: Directory.Listing
    do {
      listing = try Directory.Listing(of: path)
    } catch {
      if error.code == ENOTDIR { return stray(String(path.dropFirst(file.utf8.count + 1))) }
      throw FolderReader.unlisted(path, error)
    }
    while true {
      let next: String?
      do {
        next = try listing.next()
      } catch {
        throw FolderReader.unlisted(path, error)
      }
      guard let name = next else { return }
      if !name.hasPrefix(".") { try body(name) }
    }
  }

  private static func unlisted(_ path: String, _ error: SystemError) -> PackError {
    PackError(file: path, reason: "the folder cannot be listed: \(error.text)")
  }

  private func add(_ name: String, _ z: Int, _ x: Int) throws(PackError) {
    let stem = name.prefix { $0 != "." && $0 != "@" }
    let rest = String(name.dropFirst(stem.count))
    guard let row = TileFolder.number(String(stem)), let rank = FolderReader.rank(of: rest) else {
      return stray("\(z)/\(x)/\(name)")
    }
    let tile =
      scheme == .tms ? TileID(z: z, x: x, tmsRow: row) : TileID(z: z, x: x, y: row)
    guard let tile else {
      problems.add("files are outside the map", "\(z)/\(x)/\(name)")
      return
    }
    let number = HilbertID.number(of: tile)
    guard isWanted(number) else { return }
    try sorter.add(
      RecordSorter.Record(
        key: number, a: UInt64(rank), b: UInt64(spelling(rest))))
  }

  /// Which goes first of several files that are one tile; nil for what is not a tile.
  private static func rank(of rest: String) -> Int? {
    let lower = rest.lowercased()
    let isLarge = lower.hasPrefix("@2x.")
    guard isLarge || lower.hasPrefix(".") else { return nil }
    guard let index = endings.firstIndex(of: String(lower.dropFirst(isLarge ? 4 : 1))) else {
      return nil
    }
    return index + (isLarge ? endings.count : 0)
  }

  /// Whether a file of this name in a column is a tile.
  static func isTile(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." && $0 != "@" }
    return TileFolder.number(String(stem)) != nil
      && rank(of: String(name.dropFirst(stem.count))) != nil
  }

  private func spelling(_ rest: String) -> Int {
    if let known = spellings.firstIndex(of: rest) { return known }
    // A few letters in upper and lower case have fewer spellings than this.
    guard spellings.count < FolderReader.mostSpellings else { return 0 }
    spellings.append(rest)
    return spellings.count - 1
  }
}
