import MapLabels
import MapStyle
import Platform
import TileSources
import VectorPainting

/// The painters of a vector map: for the day and, if there is a style for it, for the night.
final class PaintedStyles: Sendable {
  /// A style that is ready to paint.
  struct Painter: Sendable {
    let painter: VectorPainter
    let images: SpriteImages
    /// The numbers of the sources of pictures, by their names in the style.
    let pictures: [String: Int]

    init(_ style: MapStyle, _ images: SpriteImages, pictures: [String: Int] = [:]) {
      self.images = images
      self.pictures = pictures
      painter = VectorPainter(style: style, images: images, cache: .shared)
    }
  }

  /// The painters of day and night.
  struct Pair: Sendable {
    var day: Painter
    /// Nil: the theme changes the colours of `day`.
    var night: Painter?
    /// The painter of red nights once one was shown, and the schema to make it for; nil: there is
    /// no style for red nights.
    var red: Painter?
    var redSchema: VectorSchema?

    func painter(isNight: Bool) -> Painter { isNight ? night ?? day : day }
  }

  /// What the styles ask for that is not drawn.
  let findings: [StyleFileFinding]
  /// Why little or nothing of the map is drawn in a style made for other maps; nil: the style fits.
  let misfit: SourceError?
  /// The files of the styles' sprite sheets, and of the pictures that they draw.
  let files: [String]
  /// The sources of pictures that the styles draw.
  let pictures: StylePictures
  /// Whether there is a style for the night.
  let hasNight: Bool
  private let options: StyleOptions
  private let scale: Int
  /// The painters; nil until the schema of a map that does not state its layers is known.
  private let pair: Lock<Pair?>

  /// The largest style's file in bytes.
  static let sizeLimit = 8 << 20

  /// Records which layers the first tile shows; nil: they are not recorded.
  private let learned: LearnedLayers?

  /// Trailhead for maps of `schema`; nil: the first tile shows which it is.
  ///
  /// - Throws: `SourceError` if it cannot be compiled.
  init(
    trailhead schema: VectorSchema?, options: StyleOptions, scale: Int,
    learned: LearnedLayers? = nil
  ) throws(SourceError) {
    (findings, files, self.learned, misfit) = ([], [], learned, nil)
    pictures = StylePictures()
    hasNight = true
    (self.options, self.scale) = (options, scale)
    var first: Pair?
    if let schema { first = try PaintedStyles.trailhead(schema, options, scale) }
    pair = Lock(first)
  }

  /// The style in the file `path`.
  ///
  /// - Parameters:
  ///   - path: The style's file.
  ///   - night: The file of the style for the night; nil: there is none.
  ///   - options: What the styles are completed with, such as the language of names.
  ///   - scale: Pixels per point.
  ///   - map: The map's name, which tells its source from others in the style.
  ///   - layers: The layers of the map.
  ///   - trust: Which files may be opened.
  ///   - lookup: Finds the source of pictures of a name.
  ///   - willRead: Called before sprite sheets are read, with their files and those of pictures.
  /// - Throws: `SourceError` with the file that cannot be read or compiled.
  init(
    file path: String, night: String?, options: StyleOptions, scale: Int, map: String,
    layers: StyleLayers, trust: PathTrust, pictures lookup: (_ name: String) -> SourceSpec?,
    willRead: (_ files: [String]) -> Void
  ) throws(SourceError) {
    var found: [StyleFileFinding] = []
    // Reads both styles before the first sprite sheet, so that no sheet is read for a broken style.
    func read(_ path: String) throws(SourceError) -> MapStyle {
      try PaintedStyles.read(path, options, trust).limited(toMap: map, with: layers.map)
    }
    let day = try read(path)
    var dark: MapStyle?
    if let night { dark = try read(night) }
    var pictures = StylePictures()
    let dayNumbers = pictures.add(day, at: path, trust: trust, lookup)
    let nightNumbers =
      dark.map { pictures.add($0, at: night ?? path, trust: trust, lookup) } ?? [:]
    func painter(
      _ style: MapStyle, _ path: String, isNight: Bool, _ numbers: [String: Int]
    ) -> Painter {
      if let gap = layers.gap(of: style) {
        found.append(StyleFileFinding(file: path, finding: gap))
      }
      found += style.findings.map { StyleFileFinding(file: path, finding: $0) }
      let images = SpriteImages.of(
        style, at: path, isNight: isNight, scale: scale, trust: trust, &found)
      return Painter(style, images, pictures: numbers)
    }
    files =
      SpriteImages.files(of: day, at: path, scale: scale)
      + (dark.map { SpriteImages.files(of: $0, at: night ?? path, scale: scale) } ?? [])
      + pictures.files
    willRead(files)
    let first = painter(day, path, isNight: false, dayNumbers)
    let other = dark.map { painter($0, night ?? path, isNight: true, nightNumbers) }
    findings = found + pictures.findings
    if let reason = layers.misfit(of: day) {
      misfit = SourceError(file: path, reason: reason)
    } else {
      misfit = dark.flatMap { layers.misfit(of: $0) }.map {
        SourceError(file: night ?? path, reason: $0)
      }
    }
    self.pictures = pictures
    hasNight = night != nil
    (self.options, self.scale, learned) = (options, scale, nil)
    pair = Lock(Pair(day: first, night: other))
  }

  /// The painter for a tile.
  ///
  /// - Parameters:
  ///   - bytes: The vector tile, whose layers show the schema if it is not known yet.
  ///   - isNight: Whether it is night.
  ///   - isRed: Whether the night is shown in red only.
  /// - Returns: The painter; nil if the tile's layers are of no known schema.
  func painter(
    for bytes: UnsafeRawBufferPointer, isNight: Bool, isRed: Bool = false
  ) -> Painter? {
    let known = pair.withLock { $0 } ?? learn(bytes)
    if isNight, isRed, let schema = known?.redSchema { return known?.red ?? makeRed(schema) }
    return known?.painter(isNight: isNight)
  }

  /// Makes the painter of red nights, which few screens show, when it is first needed. Several
  /// threads may make one at once; the first is kept.
  private func makeRed(_ schema: VectorSchema) -> Painter? {
    guard let night = pair.withLock({ $0?.night }) else { return nil }
    let json = Trailhead.redJSON(schema)
    let style = json.flatMap { try? MapStyle(json: $0, options: options) }
    let made = style.map { Painter($0, night.images) } ?? night
    return pair.withLock { known in
      if known?.red == nil { known?.red = made }
      return known?.red
    }
  }

  /// The icons of labels by day or night; none until the schema is known.
  func icons(isNight: Bool) -> LabelIcons {
    pair.withLock { $0 }?.painter(isNight: isNight).images.icons ?? .none
  }

  private func learn(_ bytes: UnsafeRawBufferPointer) -> Pair? {
    let layers = VectorLayerNames.present(inTile: bytes)
    guard let schema = VectorSchema(tileLayers: layers),
      let new = try? PaintedStyles.trailhead(schema, options, scale)
    else { return nil }
    return pair.withLock { known in
      // Another thread may have been first.
      if known == nil {
        known = new
        learned?.learn(schema, layers)
      }
      return known
    }
  }

  private static func trailhead(
    _ schema: VectorSchema, _ options: StyleOptions, _ scale: Int
  ) throws(SourceError) -> Pair {
    func compile(_ isNight: Bool) throws(SourceError) -> Painter {
      guard let json = Trailhead.json(schema, isNight: isNight) else {
        throw SourceError(file: "trailhead", reason: "is not part of this program")
      }
      do {
        let style = try MapStyle(json: json, options: options)
        return Painter(style, SpriteImages.trailhead(isNight: isNight, scale: scale))
      } catch {
        throw SourceError(file: "trailhead", reason: error.reason)
      }
    }
    return Pair(day: try compile(false), night: try compile(true), redSchema: schema)
  }

  private static func read(
    _ path: String, _ options: StyleOptions, _ trust: PathTrust
  ) throws(SourceError) -> MapStyle {
    let bytes: [UInt8]
    do {
      bytes = try FileIO.read(path, limit: sizeLimit, trust: trust)
    } catch {
      throw SourceError(file: path, reason: error.reason, isTransient: error.isTransient)
    }
    do {
      return try MapStyle(json: bytes, options: options)
    } catch {
      throw SourceError(file: path, reason: error.reason)
    }
  }
}
