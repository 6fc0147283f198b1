import MapGeometry
import Platform

/// A checked `[[source]]` of the configuration, with every path absolute.
public struct SourceSpec: Sendable, Equatable {
  /// How many packs and folders one source may have. All are open while it is.
  public static let mostPaths = 64

  /// The locations that tiles can be read from.
  public enum Location: Sendable, Equatable {
    /// A `.mbtiles` or `.pmtiles` file, recognised by its bytes and not by its name, or a directory
    /// of `{z}/{x}/{y}.EXT`.
    case path(String)
    /// Several packs that are shown as one map (`PackStack`).
    case paths([String])
    /// A URL template: `file://` is read here, `http(s)` by the fetching program. Or the http(s)
    /// address of a PMTiles archive.
    case url(String)
    /// The socket of a program that answers tile requests.
    case provider(String)
    /// A PMTiles archive in memory that lives as long as the process: the bundled maps.
    case memory(StaticBytes)
  }

  /// Whether rows count from the north (`xyz`) or from the south (`tms`).
  public enum Scheme: String, Sendable, CaseIterable { case xyz, tms }
  /// The role of a source: the map itself, an overlay, labels on top, or pictures that are drawn
  /// only by the styles of vector maps whose layers name it.
  public enum Role: String, Sendable, CaseIterable { case base, overlay, labels, style }
  /// The part of the map's layers that an overlay lies above: the roads, or the labels too.
  public enum Level: String, Sendable, CaseIterable {
    case aboveRoads = "above-roads"
    case aboveLabels = "above-labels"
  }

  /// What the night does to a source's colours.
  public enum Night: String, Sendable, CaseIterable {
    /// What the theme does to all maps, or the style that it has for the night.
    case theme
    /// Darkens what it shows by day, for pictures that must not be inverted, such as imagery.
    case dim
    /// Leaves what it shows by day.
    case keep
  }

  /// How a vector map is drawn.
  public enum Style: Sendable, Equatable {
    /// Waypost's own style.
    case trailhead
    /// A style in MapLibre's language, in the file at this absolute path.
    case file(String)

    /// "trailhead" or the path.
    public var text: String {
      switch self {
      case .trailhead: "trailhead"
      case .file(let path): path
      }
    }
  }

  /// The name in commands and in other sources' `fallback`, unique among sources.
  public var name: String
  /// Where the source's tiles are read from.
  public var location: Location
  /// How rows count; nil: as the location's kind has it (`tms` for MBTiles, else `xyz`).
  public var scheme: Scheme?
  /// The tile's edge in points: 256 or 512.
  public var tileSize = 256
  /// The shallowest tile level; nil: the one that the pack states or contains.
  public var minZoom: Int?
  /// The deepest tile level; nil: the one that the pack states or contains.
  public var maxZoom: Int?
  /// The attribution as plain text; nil: the pack's own.
  public var attribution: String?
  /// What the source is used as: the base map, an overlay, labels, or a part of a style.
  public var role = Role.base
  /// Which layers of the map it lies above, if it is an overlay.
  public var level = Level.aboveRoads
  /// The opacity with which its tiles are drawn, 0 ... 1.
  public var opacity = 1.0
  /// Colour filters as written; the configuration parses and checks them.
  public var filters: [String] = []
  /// What the night does to its colours.
  public var night = Night.theme
  /// How its tiles are drawn if it is a vector map; nil: as trailhead.
  public var style: Style?
  /// The file of the style for the night, if `style` is a file; nil: the theme changes the colours
  /// of `style`.
  public var nightStyle: String?
  /// The language of names on a vector map: a BCP 47 tag, or "local" for names as written at the
  /// place; nil: "local".
  public var language: String?
  /// Whether heights on a vector map are in feet.
  public var usesFeet = false
  /// The name of the source to draw where this one has nothing; nil: none.
  public var fallback: String?
  /// The values that `{s}` in a template takes in turn.
  public var subdomains: [String] = []
  /// HTTP headers of requests, by their names; for http(s) only.
  public var headers: [String: String] = [:]
  /// The file in which to keep fetched tiles, for http(s) only; nil: none.
  public var store: String?
  /// The limit of `store` in bytes; nil: none is given.
  public var storeLimit: Int?

  /// Which files may be opened for it. Limited if the source came over the socket.
  public var trust = PathTrust.anywhere

  /// The files of its styles, absolute paths.
  public var styleFiles: [String] {
    var files: [String] = []
    if case .file(let path)? = style { files.append(path) }
    if let nightStyle { files.append(nightStyle) }
    return files
  }

  /// Creates a source; everything but its name and location has its default.
  public init(name: String, location: Location) {
    self.name = name
    self.location = location
  }
}

/// Read-only bytes that live as long as the process (a section of the program file).
///
/// Unchecked: the memory is constant and never freed. Only the program's own bundled data have this
/// type, never what a file or a client sent.
public struct StaticBytes: @unchecked Sendable, Equatable {
  /// What errors name as the file.
  public let name: String
  /// The address of the first byte.
  public let start: UnsafeRawPointer
  /// The number of bytes.
  public let count: Int
  /// Whether the bytes are read-only pages of the program's file, which need not stay in memory.
  let isPartOfProgram: Bool

  /// The `count` bytes at `start`.
  ///
  /// - Parameters:
  ///   - name: What errors name as the file.
  ///   - start: Constant memory that is never freed.
  ///   - count: The number of bytes.
  ///   - isPartOfProgram: Whether they are a constant in the program's file. Their pages may then
  ///     be dropped, so do not set it for other memory.
  public init(name: String, start: UnsafeRawPointer, count: Int, isPartOfProgram: Bool = false) {
    self.name = name
    self.isPartOfProgram = isPartOfProgram
    self.start = start
    self.count = count
  }
}
