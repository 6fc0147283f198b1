/// A style in the MapLibre style language, compiled: what is drawn of vector tiles, and how.
///
/// It is immutable, so threads can share it. `findings` lists what it asks for but is not drawn.
public struct MapStyle: Sendable {
  /// The name that it gives itself.
  public let name: String?
  /// Its layers, the lowest first.
  public let layers: [StyleLayer]
  /// What is not drawn as the style says.
  public let findings: [StyleFinding]
  /// Its sources, by name.
  public let sources: [String: StyleSource]
  /// Its sprite sheets, the one without a prefix first.
  public let sprites: [StyleSprite]

  /// The URL or path of the first sprite sheet, as in the file, without `.json` or `.png`.
  public var sprite: String? { sprites.first?.url }

  /// Compiles a style.
  ///
  /// - Parameters:
  ///   - json: The style's file: at most 8 MiB of JSON.
  ///   - options: What its layers' strings may ask for.
  /// - Throws: `StyleError` if it is no JSON, no style, or larger than the limits.
  public init(
    json: UnsafeRawBufferPointer, options: StyleOptions = StyleOptions()
  ) throws(StyleError) {
    let root = try StyleJSON.parse(json)
    self = try StyleReader.read(root, options)
  }

  /// Compiles a style.
  ///
  /// - Parameters:
  ///   - json: The style's file: at most 8 MiB of JSON.
  ///   - options: What its layers' strings may ask for.
  /// - Throws: `StyleError` if it is no JSON, no style, or larger than the limits.
  public init(json: [UInt8], options: StyleOptions = StyleOptions()) throws(StyleError) {
    // A closure would lose the error's type, so the result carries it out.
    let result = json.withUnsafeBytes { raw -> Result<MapStyle, StyleError> in
      do throws(StyleError) {
        return .success(try MapStyle(json: raw, options: options))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  init(
    name: String?, layers: [StyleLayer], findings: [StyleFinding],
    sources: [String: StyleSource], sprites: [StyleSprite]
  ) {
    self.name = name
    self.layers = layers
    self.findings = findings
    self.sources = sources
    self.sprites = sprites
  }
}

/// What is filled into a style's strings before it is compiled, so that one file serves all
/// languages: `["get", "name:{language}"]`.
public struct StyleOptions: Sendable, Hashable {
  /// The replacement for `{language}`: a language code as in OpenStreetMap (`de`, `zh-Hans`), or
  /// `local` for local names. No tile has a name for `local`, so the style's fallback applies.
  public var language: String
  /// The replacement for `{script}`: the name of a script as in OpenMapTiles' `name:latin`.
  public var script: String
  /// The replacement for `{waypost:units}`: `metric`, or `imperial` for heights in feet.
  public var units: String

  /// Creates options.
  public init(language: String = "local", script: String = "latin", units: String = "metric") {
    self.language = language
    self.script = script
    self.units = units
  }

  /// The language, then those to use where a tile does not have it: `de-CH`, `de` (RFC 4647,
  /// section 3.4).
  var languages: [String] {
    var all = [language]
    var rest = language[...]
    while let dash = rest.lastIndex(of: "-") {
      rest = rest[..<dash]
      all.append(String(rest))
    }
    return all
  }

  /// The placeholders in all strings of the layers, each with its replacement.
  func replacements(_ language: String) -> [(String, String)] {
    [("{language}", language), ("{script}", script), ("{waypost:units}", units)]
  }
}

/// A source as a style states it.
public struct StyleSource: Sendable, Hashable {
  /// Its type in the style: `vector`, `raster` …
  public let type: String
  /// Where its description is, as in the file.
  public let url: String?
  /// The edge of its tiles in points, as in the file; nil: the file does not say.
  public let tileSize: Double?

  init(type: String, url: String? = nil, tileSize: Double? = nil) {
    self.type = type
    self.url = url
    self.tileSize = tileSize
  }
}

/// A sprite sheet as a style states it.
public struct StyleSprite: Sendable, Hashable {
  /// The prefix of its images' names, without the colon; `default`: no prefix.
  public let id: String
  /// Its URL or path, as in the file, without `.json` or `.png`.
  public let url: String
}
