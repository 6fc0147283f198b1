import Glibc
import MapGeometry
import Platform
import TileFormats

/// A directory of `{z}/{x}/{y}.EXT`, as tile servers and download tools write them.
///
/// The extension does not tell the format. The extension of the first tile found is tried first,
/// then the others; `y@2x.EXT` comes before `y.EXT` if the display has two pixels per point or
/// more.
public final class TileFolder: StoredTileSource {
  /// What is known of the source since it was opened.
  public internal(set) var info = SourceInfo(kind: "directory", minZoom: 0, maxZoom: 0)
  /// The folder as given, for errors.
  public let file: String

  private let scheme: SourceSpec.Scheme
  private var medium: UInt64?
  private let identity: FileIdentity?
  private let trust: PathTrust
  /// What follows the row in a file's name, the likeliest first.
  private var endings: [String]

  private static let knownEndings = ["png", "jpg", "jpeg", "webp", "pbf", "mvt"]
  /// What the tiles are, as the first one found shows.
  private var encoding = StoredTile.Encoding()

  /// Opens the folder at `path`.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - scheme: Whether rows count from the north or the south.
  ///   - scale: The display's pixels per point.
  ///   - trust: Which files may be opened.
  /// - Throws: `SourceError` if it cannot be listed or has no levels.
  public init(
    path: String, scheme: SourceSpec.Scheme = .xyz, scale: Int = 1, trust: PathTrust = .anywhere
  ) throws(SourceError) {
    file = path
    self.scheme = scheme
    self.trust = trust
    medium = TileFile.medium(of: path, trust)
    identity = FileIdentity(path: path, trust: trust)
    var endings = TileFolder.knownEndings + TileFolder.knownEndings.map { $0.uppercased() }
    // Rare, and tried last.
    endings += TileFolder.knownEndings.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    self.endings = endings
    guard let names = TileFile.names(in: path, upTo: 4096, trust) else {
      throw SourceError(PackFault("the folder cannot be listed: ", errno, trust), file: path)
    }
    let levels = names.compactMap(TileFolder.number).filter { $0 <= TileID.maxLevel }.sorted()
    guard let first = levels.first, let last = levels.last else {
      throw SourceError(
        file: path,
        reason: "holds no tiles: there is no folder named after a zoom level (0 to 24), as in "
          + "{z}/{x}/{y}.png. For another layout give a url template")
    }
    (info.minZoom, info.maxZoom) = (first, last)
    learn(levels)
    if scale >= 2 {
      self.endings = self.endings.map { "@2x.\($0)" } + self.endings.map { ".\($0)" }
    } else {
      self.endings = self.endings.map { ".\($0)" } + self.endings.map { "@2x.\($0)" }
    }
  }

  /// Fills `buffer` with the tile as stored; see `StoredTileSource.readStored(_:into:)`.
  ///
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding? {
    do {
      guard let path = try path(of: id),
        try TileFile.read(
          path, trust, mayBeEmpty: encoding.isDeclaredVector, into: &buffer)
      else { return nil }
      return encoding
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether the source has the tile `id`.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    do {
      return try path(of: id) != nil
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether another folder has replaced the one that was opened. A mount point whose medium was
  /// removed does not count.
  public var isReplaced: Bool {
    TileFile.isReplaced(file, since: identity, medium, trust)
  }

  /// The path of the tile's file; nil if there is none.
  private func path(of id: TileID) throws(PackFault) -> String? {
    let row = scheme == .tms ? id.tmsRow : id.y
    let column = "\(file)/\(id.z)/\(id.x)"
    // If the column is missing, this saves trying every extension.
    if try TileFile.exists(column, trust) {
      for (index, ending) in endings.enumerated() {
        let path = "\(column)/\(row)\(ending)"
        guard try TileFile.exists(path, trust) else { continue }
        // Among extensions of one scale, the last one found is the likeliest.
        if index > 0, ending.hasPrefix("@2x") == endings[0].hasPrefix("@2x") {
          endings.remove(at: index)
          endings.insert(ending, at: 0)
        }
        return path
      }
    } else {
      guard let medium = TileFile.returned(file, known: medium, trust) else {
        throw PackFault("the folder is gone: has its medium been removed?", isTransient: true)
      }
      self.medium = medium
    }
    return nil
  }

  /// Up to `limit` tiles of the source, whichever are cheapest to find.
  public func sampleTiles(upTo limit: Int) -> [TileID] {
    var found: [TileID] = []
    for level in info.minZoom...max(info.minZoom, info.maxZoom) {
      for column in TileFile.names(in: "\(file)/\(level)", upTo: 4096, trust) ?? [] {
        guard let x = TileFolder.number(column) else { continue }
        for name in TileFile.names(in: "\(file)/\(level)/\(column)", upTo: 4096, trust) ?? [] {
          if found.count >= limit { return found }
          let stem = name.prefix { $0 != "." && $0 != "@" }
          guard let row = TileFolder.number(String(stem)),
            let tile = scheme == .tms
              ? TileID(z: level, x: x, tmsRow: row) : TileID(z: level, x: x, y: row)
          else { continue }
          found.append(tile)
        }
      }
    }
    return found
  }

  /// Learns the extension and the format from the first tile found.
  private func learn(_ levels: [Int]) {
    var buffer = TileBuffer()
    for level in levels {
      let columns = (TileFile.names(in: "\(file)/\(level)", upTo: 64, trust) ?? [])
        .filter { TileFolder.number($0) != nil }
      for column in columns {
        let folder = "\(file)/\(level)/\(column)"
        for name in TileFile.names(in: folder, upTo: 64, trust) ?? [] {
          let ending = String(name.drop { $0 != "." }.dropFirst())
          let known = endings.firstIndex(of: ending)
          // Endings of compressed tiles are rare: they are tried only where the first tile has one.
          guard known != nil || VectorTileNames.packed.contains(ending),
            (try? TileFile.read("\(folder)/\(name)", trust, into: &buffer)) == true
          else { continue }
          if let known { endings.remove(at: known) }
          endings.insert(ending, at: 0)
          describe(StoredTile(bytes: [UInt8](buffer.bytes)))
          return
        }
      }
    }
  }

  /// Learns what the tiles are from one of them.
  private func describe(_ tile: StoredTile) {
    info.describeTiles(by: tile)
    guard info.format == TileFormat.mvt.rawValue else { return }
    encoding.isDeclaredVector = true
    info.vectorLayers = statedLayers()
  }

  /// The names of the layers of a vector map as a `metadata.json` in the folder states them, which
  /// programs that unpack archives write.
  private func statedLayers() -> [String] {
    guard let reader = try? FileReader(path: "\(file)/metadata.json", trust: trust),
      reader.size <= PMTilesSource.metadataLimit,
      let text = try? reader.read(at: 0, count: Int(reader.size))
    else { return [] }
    let layers = VectorLayerNames.stated(inJSON: text)
    if !layers.isEmpty { return layers }
    // tippecanoe and mb-util leave the rows of MBTiles, whose row "json" has the layers.
    let rows = try? PackMetadata.strings(ofJSON: text, keys: ["json"])
    return rows?["json"].map { VectorLayerNames.stated(inJSON: Array($0.utf8)) } ?? []
  }

  /// The number that a name spells in decimal, without a sign or leading zeros.
  package static func number(_ name: String) -> Int? {
    guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), name == "0" || !name.hasPrefix("0")
    else { return nil }
    return Int(name)
  }
}
