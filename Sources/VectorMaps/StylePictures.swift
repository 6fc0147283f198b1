import MapStyle
import Platform
import TileSources

/// The sources of pictures that the `raster` layers of a map's styles draw.
///
/// A layer's source is the configured one of that name, or else a pack that the style names by a
/// path. Other addresses in a style are not read.
struct StylePictures: Sendable {
  /// A source of pictures.
  struct Source: Sendable {
    /// Where its tiles are.
    var spec: SourceSpec
    /// The zooms at which layers draw it, as styles count them.
    var zooms: Range<Double>
    /// The first layer that draws it, and its style's file.
    var layer: String
    var style: String
  }

  /// The most sources of pictures that a map's styles draw.
  static let most = 4

  /// The sources, of both styles.
  private(set) var sources: [Source] = []
  /// The names that were looked for, whether found or not.
  private(set) var names: [String] = []
  /// What is not drawn.
  private(set) var findings: [StyleFileFinding] = []

  /// The files that they are read from.
  var files: [String] {
    sources.flatMap { source -> [String] in
      switch source.spec.location {
      case .path(let path): [path]
      case .paths(let paths): paths
      case .url(let template): TemplateSource.folder(of: template).map { [$0] } ?? []
      case .provider, .memory: []
      }
    }
  }

  /// Adds what the style in the file `path` draws.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - path: Its file.
  ///   - trust: Which files may be opened for what it names itself.
  ///   - lookup: Finds the source of pictures of a name.
  /// - Returns: The numbers of the style's sources in `sources`.
  mutating func add(
    _ style: MapStyle, at path: String, trust: PathTrust, _ lookup: (String) -> SourceSpec?
  ) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for layer in style.layers where layer.isVisible {
      guard case .raster = layer.kind else { continue }
      func note(_ reason: String) {
        findings.append(
          StyleFileFinding(
            file: path, finding: StyleFinding(.layer, layer: layer.id, reason: reason)))
      }
      guard let name = layer.source else {
        note("has no source; it is not drawn")
        continue
      }
      if let number = numbers[name] {
        sources[number].zooms = Self.union(sources[number].zooms, layer)
        continue
      }
      if !names.contains(name) { names.append(name) }
      guard let spec = lookup(name) ?? Self.spec(name, style, at: path, trust, note) else {
        continue
      }
      let known = sources.firstIndex { $0.spec == spec }
      if known == nil, sources.count >= Self.most {
        note("is not drawn: a map's styles draw at most \(Self.most) sources of pictures")
        continue
      }
      let number = known ?? sources.count
      if let known {
        sources[known].zooms = Self.union(sources[known].zooms, layer)
      } else {
        sources.append(
          Source(
            spec: spec, zooms: layer.minZoom..<max(layer.maxZoom, layer.minZoom), layer: layer.id,
            style: path))
      }
      numbers[name] = number
    }
    return numbers
  }

  private static func union(_ zooms: Range<Double>, _ layer: StyleLayer) -> Range<Double> {
    let least = min(zooms.lowerBound, layer.minZoom)
    return least..<max(zooms.upperBound, layer.maxZoom, least)
  }

  /// The source that a style itself has under `name`; nil: there is none, which is noted.
  private static func spec(
    _ name: String, _ style: MapStyle, at path: String, _ trust: PathTrust,
    _ note: (String) -> Void
  ) -> SourceSpec? {
    let wanted = "a [[source]] with name = \"\(name)\" and picture tiles"
    guard let stated = style.sources[name] else {
      note("is not drawn: the style has no source \"\(name)\"; what would be right is \(wanted)")
      return nil
    }
    guard stated.type == "raster" else {
      note("is not drawn: its source \"\(name)\" has the type \"\(stated.type)\", not \"raster\"")
      return nil
    }
    guard let file = Self.file(stated.url, at: path) else {
      note(
        "is not drawn: there is no source \"\(name)\"; what would be right is \(wanted), or a "
          + "pack's path as the url of the style's source (addresses are not fetched)")
      return nil
    }
    var spec = SourceSpec(name: name, location: .path(file))
    spec.trust = trust
    // The style language's default.
    let size = stated.tileSize ?? 512
    guard size == 256 || size == 512 else {
      note("is not drawn: its source \"\(name)\" has a tileSize that is neither 256 nor 512")
      return nil
    }
    spec.tileSize = Int(size)
    return spec
  }

  /// The pack at `url`: a path, relative to the style's file, or a file's address; nil: it is
  /// elsewhere.
  private static func file(_ url: String?, at style: String) -> String? {
    guard var path = url, !path.isEmpty else { return nil }
    for scheme in ["pmtiles://", "mbtiles://"] where path.hasPrefix(scheme) {
      path.removeFirst(scheme.count)
    }
    if path.hasPrefix("file://") { path.removeFirst("file://".count) }
    guard !path.isEmpty, !path.contains("://") else { return nil }
    return path.hasPrefix("/") ? path : Paths.join(Paths.directory(of: style), path)
  }
}
