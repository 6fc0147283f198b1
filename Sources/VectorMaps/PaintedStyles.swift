import MapStyle
import Platform
import Synchronization
import TileSources

/// The compiled styles of a vector map: for the day and, if there is one, for the night.
final class PaintedStyles: Sendable {
  /// A style for day and night.
  struct Pair: Sendable {
    var day: MapStyle
    /// Nil: the theme changes the colours of `day`.
    var night: MapStyle?
  }

  /// What the styles ask for that is not drawn.
  let findings: [StyleFileFinding]
  /// Whether there is a style for the night.
  let hasNight: Bool
  private let language: String?
  private let scale: Int
  /// The styles; nil until the schema of a map that does not state its layers is known.
  private let pair: Mutex<Pair?>

  /// The largest style's file in bytes.
  static let sizeLimit = 8 << 20

  /// Trailhead for maps of `schema`; nil: the first tile shows which it is.
  ///
  /// - Throws: `SourceError` if it cannot be compiled.
  init(trailhead schema: VectorSchema?, language: String?, scale: Int) throws(SourceError) {
    findings = []
    hasNight = true
    (self.language, self.scale) = (language, scale)
    pair = Mutex(try schema.map { schema throws(SourceError) in
      try PaintedStyles.trailhead(schema, language)
    })
  }

  /// The style in the file `path`.
  ///
  /// - Parameters:
  ///   - path: The style's file.
  ///   - night: The file of the style for the night; nil: there is none.
  ///   - language: The language of names; nil: as written at the place.
  ///   - scale: Pixels per point.
  ///   - trust: Which files may be opened.
  /// - Throws: `SourceError` with the file that cannot be read or compiled.
  init(
    file path: String, night: String?, language: String?, scale: Int, trust: PathTrust
  ) throws(SourceError) {
    var found: [StyleFileFinding] = []
    let day = try PaintedStyles.read(path, language, trust, &found)
    var other: MapStyle?
    if let night { other = try PaintedStyles.read(night, language, trust, &found) }
    findings = found
    hasNight = night != nil
    (self.language, self.scale) = (language, scale)
    pair = Mutex(Pair(day: day, night: other))
  }

  /// The style for a tile.
  ///
  /// - Parameters:
  ///   - bytes: The vector tile, whose layers show the schema if it is not known yet.
  ///   - isNight: Whether it is night.
  /// - Returns: The style; nil if the tile's layers are of no known schema.
  func style(for bytes: UnsafeRawBufferPointer, isNight: Bool) -> MapStyle? {
    let known = pair.withLock { $0 } ?? learn(bytes)
    return known.map { isNight ? $0.night ?? $0.day : $0.day }
  }

  private func learn(_ bytes: UnsafeRawBufferPointer) -> Pair? {
    guard let schema = VectorSchema(tileLayers: VectorLayerNames.present(inTile: bytes)),
      let new = try? PaintedStyles.trailhead(schema, language)
    else { return nil }
    pair.withLock { $0 = new }
    return new
  }

  private static func trailhead(
    _ schema: VectorSchema, _ language: String?
  ) throws(SourceError) -> Pair {
    func compile(_ isNight: Bool) throws(SourceError) -> MapStyle {
      guard let json = Trailhead.json(schema, isNight: isNight) else {
        throw SourceError(file: "trailhead", reason: "is not part of this program")
      }
      do {
        return try MapStyle(json: json, options: options(language))
      } catch {
        throw SourceError(file: "trailhead", reason: error.reason)
      }
    }
    return Pair(day: try compile(false), night: try compile(true))
  }

  private static func read(
    _ path: String, _ language: String?, _ trust: PathTrust, _ found: inout [StyleFileFinding]
  ) throws(SourceError) -> MapStyle {
    let bytes: [UInt8]
    do {
      bytes = try FileIO.read(path, limit: sizeLimit, trust: trust)
    } catch {
      throw SourceError(file: path, reason: error.reason, isTransient: error.isTransient)
    }
    let style: MapStyle
    do {
      style = try MapStyle(json: bytes, options: options(language))
    } catch {
      throw SourceError(file: path, reason: error.reason)
    }
    found += style.findings.map { StyleFileFinding(file: path, finding: $0) }
    return style
  }

  private static func options(_ language: String?) -> StyleOptions {
    var options = StyleOptions()
    if let language { options.language = language }
    return options
  }
}
