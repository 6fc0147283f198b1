import MapGeometry
import Platform
import TileFormats

/// Tiles in files whose names follow a template: `file:///srv/tiles/Tile-{z}-{x}-{y}.png`.
public final class TemplateSource: StoredTileSource {
  /// What is known of the source. Its levels are those given to the initialiser.
  public internal(set) var info: SourceInfo
  /// The template as given, for errors.
  public let file: String
  private let template: URLTemplate
  private let levels: ClosedRange<Int>
  /// The longest folder of the path without placeholders. If it is gone, so is the medium.
  private let root: String
  private var medium: UInt64?
  private let identity: FileIdentity?
  private let trust: PathTrust

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - text: A path or a `file://` URL with placeholders (see `URLTemplate`).
  ///   - scheme: `.tms`: {y} counts from the south.
  ///   - subdomains: The values that {s} takes in turn.
  ///   - scale: The display's pixels per point.
  ///   - levels: The tile levels to request.
  ///   - trust: Which files may be opened.
  /// - Throws: `SourceError` if the template is wrong or its folder does not exist.
  public init(
    _ text: String, scheme: SourceSpec.Scheme = .xyz, subdomains: [String] = [], scale: Int = 1,
    levels: ClosedRange<Int> = 0...22, trust: PathTrust = .anywhere
  ) throws(SourceError) {
    file = text
    template = try URLTemplate(text, scheme: scheme, subdomains: subdomains, scale: scale)
    self.levels = levels
    self.trust = trust
    let fixed = try URLTemplate.filePath(template.fixedStart, of: text)
    let rootEnd = fixed.lastIndex(of: "/") ?? fixed.startIndex
    root = rootEnd == fixed.startIndex ? "/" : String(fixed[..<rootEnd])
    info = SourceInfo(kind: "template", minZoom: levels.lowerBound, maxZoom: levels.upperBound)
    if VectorTileNames.areNamed(by: text) {
      info.format = TileFormat.mvt.rawValue
    }
    medium = TileFile.medium(of: root, trust)
    identity = FileIdentity(path: root, trust: trust)
    guard medium != nil else {
      throw SourceError(
        file: text, reason: "there is no folder \(root): is the template right, the medium there?",
        isTransient: true)
    }
  }

  /// The folder that all files of the template `text` are in; nil if that is not a template of
  /// files.
  package static func folder(of text: String) -> String? {
    let start = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "{") }, as: UTF8.self)
    guard let fixed = try? URLTemplate.filePath(start, of: text),
      let end = fixed.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return nil }
    return end == fixed.startIndex ? "/" : String(fixed[..<end])
  }

  /// Fills `buffer` with the tile as stored; see `StoredTileSource.readStored(_:into:)`.
  ///
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding? {
    guard levels.contains(id.z) else { return nil }
    do {
      let isVector = info.format == TileFormat.mvt.rawValue
      if try TileFile.read(path(of: id), trust, mayBeEmpty: isVector, into: &buffer) {
        return StoredTile.Encoding(isDeclaredVector: isVector)
      }
      try checkRoot()
      return nil
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether the source has the tile `id`.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    guard levels.contains(id.z) else { return false }
    do {
      guard try TileFile.exists(path(of: id), trust) else {
        try checkRoot()
        return false
      }
      return true
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether another folder has replaced the longest one without placeholders. A mount point whose
  /// medium was removed does not count.
  public var isReplaced: Bool {
    TileFile.isReplaced(root, since: identity, medium, trust)
  }

  /// The file of tile `id`. Only digits and words of the template are substituted, and `trust`
  /// checks the path when the file is opened.
  package func path(of id: TileID) throws(PackFault) -> String {
    do {
      return try URLTemplate.filePath(template.filled(for: id), of: file)
    } catch {
      throw PackFault(error.reason)
    }
  }

  private func checkRoot() throws(PackFault) {
    guard let medium = TileFile.returned(root, known: medium, trust) else {
      throw PackFault(
        "the folder \(root) is gone: has its medium been removed?", isTransient: true)
    }
    self.medium = medium
  }
}
