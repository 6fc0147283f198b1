import MapGeometry
import Platform

/// One `[[source]]` of the configuration, checked, with every path absolute.
public struct SourceSpec: Sendable, Equatable {
  /// Where the tiles come from.
  public enum Location: Sendable, Equatable {
    /// A `.mbtiles` or `.pmtiles` file (told by its bytes, not its name) or a directory of
    /// `{z}/{x}/{y}.EXT`.
    case path(String)
    /// Several packs as one map.
    case paths([String])
    /// A URL template; `file://` here, `http(s)` through the fetching program.
    case url(String)
    /// A socket on which a program answers tile requests.
    case provider(String)
    /// Bytes that live as long as the process, for the bundled maps: a PMTiles archive.
    case memory(StaticBytes)
  }

  /// How rows count: from the north, or from the south.
  public enum Scheme: String, Sendable, CaseIterable { case xyz, tms }
  /// What a source is to the map: the map itself, something drawn over it, or names on top.
  public enum Role: String, Sendable, CaseIterable { case base, overlay, labels }
  /// Between which layers of the map an overlay lies.
  public enum Level: String, Sendable, CaseIterable {
    case aboveRoads = "above-roads"
    case aboveLabels = "above-labels"
  }

  /// The name that commands and other sources use.
  public var name: String
  /// Where the tiles come from.
  public var location: Location
  /// nil: the location's own (XYZ; TMS rows for MBTiles).
  public var scheme: Scheme?
  /// The tile's edge in points: 256 or 512.
  public var tileSize = 256
  /// nil: what the pack says or holds.
  public var minZoom: Int?
  /// The deepest tile level; nil: what the pack says or holds.
  public var maxZoom: Int?
  /// nil: the pack's own.
  public var attribution: String?
  /// What the source is to the map.
  public var role = Role.base
  /// Where it lies, for overlays.
  public var level = Level.aboveRoads
  /// 0...1.
  public var opacity = 1.0
  /// As written; parsed and checked by the configuration.
  public var filters: [String] = []
  /// The name of the source that is drawn where this one has nothing.
  public var fallback: String?
  /// What `{s}` in a template stands for, in turn.
  public var subdomains: [String] = []
  /// http(s) only.
  public var headers: [String: String] = [:]
  /// The file that keeps visited tiles; http(s) only.
  public var store: String?
  /// Bytes of `store`.
  public var storeLimit: Int?

  /// Which files may be opened for it: limited where it came over the socket.
  public var trust = PathTrust.anywhere

  /// A source with everything else as it is by default.
  public init(name: String, location: Location) {
    self.name = name
    self.location = location
  }
}

/// Read-only bytes that live as long as the process (a section of the program file).
public struct StaticBytes: @unchecked Sendable, Equatable {
  // Unchecked: the memory is constant and never freed.
  /// What errors name.
  public let name: String
  /// The first byte.
  public let start: UnsafeRawPointer
  /// How many bytes there are.
  public let count: Int
  /// The bytes are read-only pages of the program's file: they need not stay in memory.
  let isPartOfProgram: Bool

  /// The `count` bytes at `start`.
  ///
  /// - Parameters:
  ///   - name: what errors name.
  ///   - start: constant memory that is never freed.
  ///   - count: how many bytes there are.
  ///   - isPartOfProgram: it is a constant in the program's file; nothing else may claim that.
  public init(name: String, start: UnsafeRawPointer, count: Int, isPartOfProgram: Bool = false) {
    self.name = name
    self.isPartOfProgram = isPartOfProgram
    self.start = start
    self.count = count
  }
}
