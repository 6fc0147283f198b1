import MapGeometry
import MapStyle
import TileLoading
import TileSources

/// Opens sources, and has those of vector tiles painted.
public enum VectorMap {
  /// Opens a source. If it has vector tiles, they are painted as `style` and `language` of `spec`
  /// say; its info then has a `drawing`.
  ///
  /// - Parameters:
  ///   - spec: The source.
  ///   - scale: The display's pixels per point, 1 to 4.
  ///   - willRead: Called before sprite sheets and pictures are read, with the files of all that
  ///     were named so far: `drawing.files` of the source's info, in the same order.
  ///   - pictures: Finds the source of pictures that a style's `raster` layers name.
  /// - Returns: The source, open.
  /// - Throws: A `SourceError` that names the pack or the style's file, and says what would be
  ///   right.
  public static func open(
    _ spec: SourceSpec, scale: Int = 1, willRead: (_ files: [String]) -> Void = { _ in },
    pictures: (_ name: String) -> SourceSpec? = { _ in nil }
  ) throws(SourceError) -> any TileSource {
    try painted(
      try spec.open(scale: scale), spec, scale: scale, willRead: willRead, pictures: pictures)
  }

  /// Tries sources of pictures that could not be opened (`VectorDrawing.missing`), and closes them.
  ///
  /// - Parameters:
  ///   - specs: The sources.
  ///   - scale: The display's pixels per point, 1 to 4.
  /// - Returns: Why none of them can be opened fully; nil: one can.
  public static func whyMissing(_ specs: [SourceSpec], scale: Int = 1) -> SourceError? {
    var reason: SourceError?
    for spec in specs {
      do throws(SourceError) {
        let source = try spec.open(scale: scale)
        guard let problem = source.problems.first(where: \.isTransient) else { return nil }
        reason = reason ?? problem
      } catch {
        reason = reason ?? error
      }
    }
    return reason
  }

  /// What the styles of an open source ask for that is not drawn; none for pictures.
  public static func findings(of source: any TileSource) -> [StyleFileFinding] {
    (source as? VectorMapSource)?.findings ?? []
  }

  /// Why little or nothing of an open source is drawn although its tiles can be read: its style is
  /// made for the layers of other maps. One of the source's `problems`; nil if the style fits.
  public static func misfit(of source: any TileSource) -> SourceError? {
    (source as? VectorMapSource)?.misfit
  }

  /// `source` itself if it has pictures; otherwise its tiles painted.
  static func painted(
    _ source: any TileSource, _ spec: SourceSpec, scale: Int, kept: KeptTiles = .shared,
    willRead: (_ files: [String]) -> Void = { _ in },
    pictures: (_ name: String) -> SourceSpec? = { _ in nil }
  ) throws(SourceError) -> any TileSource {
    let format = source.info.format
    let isVector =
      format == "mvt" || (format == nil && (spec.style != nil || spec.namesVectorTiles))
    guard isVector, !(source is any DrawnSource) else { return source }
    let schema = schema(of: source)
    let language = spec.language.flatMap { $0 == "local" ? nil : $0 }
    let options = StyleOptions(
      language: language ?? "local", script: "latin", units: spec.usesFeet ? "imperial" : "metric")
    let styles: PaintedStyles
    let learned = schema.layers.isEmpty ? LearnedLayers() : nil
    switch spec.style ?? .trailhead {
    case .trailhead:
      // Where nothing is known of the layers, the first tile shows them.
      if schema.found == nil, !schema.layers.isEmpty {
        throw SourceError(
          file: spec.places.first ?? spec.name, reason: unknownSchema(schema.layers))
      }
      styles = try PaintedStyles(
        trailhead: schema.found, options: options, scale: scale, learned: learned)
    case .file(let path):
      styles = try PaintedStyles(
        file: path, night: spec.nightStyle, options: options, scale: scale, map: spec.name,
        layers: StyleLayers(
          map: schema.layers, areStated: !source.info.vectorLayers.isEmpty),
        trust: spec.trust, pictures: pictures, willRead: willRead)
    }
    let sources = PictureSources(styles.pictures, scale: scale)
    var drawing = VectorDrawing(
      schema: schema.found, style: (spec.style ?? .trailhead).text, language: language)
    (drawing.layers, drawing.learned) = (schema.layers, learned)
    drawing.files = styles.files
    (drawing.pictures, drawing.missing) = (styles.pictures.names, sources.missing)
    return VectorMapSource(
      source, drawing, painter: PartPainter(styles, kept: kept),
      findings: styles.findings, misfit: styles.misfit, kept: kept, pictures: sources,
      credit: spec.attribution == nil ? schema.found?.credit : nil)
  }

  /// Why a map with these layers cannot be drawn as trailhead.
  static func unknownSchema(_ layers: [String]) -> String {
    let names = layers.prefix(6).joined(separator: ", ") + (layers.count > 6 ? ", …" : "")
    return "the style trailhead knows the layers of \(VectorSchema.names); this map's layers are "
      + "\(names): give it a style of its own, such as \(styleAdvice)"
  }

  /// How errors write the key that gives a map a style of its own.
  public static let styleAdvice = "style = \"mine.json\""

  /// How many tiles are read to learn the layers of a map that does not state them.
  private static let sample = 8

  /// The schema of a map, and its layers: those that it states, else those of some of its tiles.
  private static func schema(
    of source: any TileSource
  ) -> (found: VectorSchema?, layers: [String]) {
    let stated = source.info.vectorLayers
    if !stated.isEmpty { return (VectorSchema(layers: stated), stated) }
    var names: [String] = []
    for tile in source.sampleTiles(upTo: sample) {
      guard case .payload(let payload)? = try? source.read(tile) else { continue }
      for name in VectorLayerNames.present(inTile: payload.bytes) where !names.contains(name) {
        names.append(name)
      }
    }
    return (VectorSchema(tileLayers: names), names)
  }
}

extension SourceSpec {
  /// The files or folders that errors name.
  var places: [String] {
    switch location {
    case .path(let path), .provider(let path): [path]
    case .paths(let paths): paths
    case .url(let url): [url]
    case .memory(let bytes): [bytes.name]
    }
  }

  /// Whether it is a template of files that are called as vector tiles are.
  fileprivate var namesVectorTiles: Bool {
    guard case .url(let url) = location else { return false }
    return VectorTileNames.areNamed(by: url.prefix { $0 != "?" && $0 != "#" })
  }
}

/// What a style asks for that is not drawn.
public struct StyleFileFinding: Sendable, Equatable, CustomStringConvertible {
  /// The style's file.
  public let file: String
  /// What is not drawn, with the layer's id.
  public let finding: StyleFinding

  /// The file, the layer and the reason.
  public var description: String { "\(file): \(finding)" }
}
