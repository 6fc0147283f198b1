import MapGeometry
import Platform

/// A checked `[[source]]` of the configuration, with every path absolute.
public struct SourceSpec: Sendable, Equatable {
  /// Where the tiles come from.
  public enum Location: Sendable, Equatable {
    /// A `.mbtiles` or `.pmtiles` file, recognised by its bytes and not by its name, or a directory
    /// of `{z}/{x}/{y}.EXT`.
    case path(String)
    /// Several packs, shown as one map.
    case paths([String])
    /// A URL template: `file://` is read here, `http(s)` by the fetching program.
    case url(String)
    /// The socket of a program that answers tile requests.
    case provider(String)
    /// A PMTiles archive in memory that lives as long as the process: the bundled maps.
    case memory(StaticBytes)
  }

  /// Whether rows count from the north (`xyz`) or from the south (`tms`).
  public enum Scheme: String, Sendable, CaseIterable { case xyz, tms }
  /// The role of a source: the map itself, an overlay, or labels on top.
  public enum Role: String, Sendable, CaseIterable { case base, overlay, labels }
  /// Where an overlay lies among the map's layers.
  public enum Level: String, Sendable, CaseIterable {
    case aboveRoads = "above-roads"
    case aboveLabels = "above-labels"
  }

  /// The name that commands and other sources use.
  public var name: String
  /// Where the tiles come from.
  public var location: Location
  /// How rows count; nil: as the location's kind has it (`tms` for MBTiles, else `xyz`).
  public var scheme: Scheme?
  /// The tile's edge in points: 256 or 512.
  public var tileSize = 256
  /// The shallowest tile level; nil: what the pack says or holds.
  public var minZoom: Int?
  /// The deepest tile level; nil: what the pack says or holds.
  public var maxZoom: Int?
  /// The attribution; nil: the pack's own.
  public var attribution: String?
  /// The source's role in the map.
  public var role = Role.base
  /// Where an overlay lies.
  public var level = Level.aboveRoads
  /// The opacity, 0 ... 1.
  public var opacity = 1.0
  /// Colour filters as written; the configuration parses and checks them.
  public var filters: [String] = []
  /// The name of the source to draw where this one has nothing.
  public var fallback: String?
  /// The values that `{s}` in a template takes in turn.
  public var subdomains: [String] = []
  /// Request headers, for http(s) only.
  public var headers: [String: String] = [:]
  /// The file in which to keep visited tiles, for http(s) only.
  public var store: String?
  /// The limit of `store` in bytes.
  public var storeLimit: Int?

  /// Which files may be opened for it. Limited if the source came over the socket.
  public var trust = PathTrust.anywhere

  /// Creates a source with the default settings.
  public init(name: String, location: Location) {
    self.name = name
    self.location = location
  }
}

/// Read-only bytes that live as long as the process (a section of the program file).
public struct StaticBytes: @unchecked Sendable, Equatable {
  // Unchecked: the memory is constant and never freed.
  /// The name in errors.
  public let name: String
  /// The first byte.
  public let start: UnsafeRawPointer
  /// The number of bytes.
  public let count: Int
  /// Whether the bytes are read-only pages of the program's file, which need not stay in memory.
  let isPartOfProgram: Bool

  /// The `count` bytes at `start`.
  ///
  /// - Parameters:
  ///   - name: The name in errors.
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
