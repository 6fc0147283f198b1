import Control
import MapGeometry

/// The state that survives a restart: the view, the source, overlays and the theme.
public struct SavedState: Sendable, Equatable {
  /// The centre's latitude in degrees north, −90 ... 90.
  public var lat: Double
  /// The centre's longitude in degrees east, −540 ... 540: it may lie beyond the antimeridian.
  public var lon: Double
  /// The view's zoom, 0 ... 30; a level is a factor of two.
  public var zoom: Double
  /// What is up, in degrees clockwise from north, −360 ... 360.
  public var bearing: Double
  /// The name of the base source on the screen; nil: there was none.
  public var source: String?
  /// The sources added over the socket, as `[[source]]` tables; empty unless the configuration
  /// keeps them.
  public var added: [JSON]
  /// The markers set over the socket, as `[[marker]]` tables; empty unless the configuration keeps
  /// them.
  public var markers: [JSON]
  /// The notices set over the socket, as `[[notice]]` tables; empty unless the configuration keeps
  /// them.
  public var notices: [JSON] = []
  /// The overlays in their order, with the changes of each.
  public var overlays: [SavedOverlay] = []
  /// The names of the configured overlays, in their order, when `overlays` was recorded.
  public var configuredOverlays: [String] = []
  /// The overlays added over the socket, as their parameters; empty unless the configuration keeps
  /// them.
  public var addedOverlays: [JSON] = []
  /// The names of the sources in `added` that may open any file. All others, and all in an older
  /// state file, are limited to `control.roots`.
  public var trustedSources: [String] = []
  /// Like `trustedSources`, for overlays.
  public var trustedOverlays: [String] = []
  /// The pack on a medium that is on the screen, or will be when its medium is back; nil: there is
  /// none.
  var medium: MissedPack?
  /// The requested theme, "day", "night" or "auto"; nil: the configuration's.
  public var theme: String?

  /// Creates a state without overlays and theme.
  public init(
    lat: Double, lon: Double, zoom: Double, bearing: Double, source: String?, added: [JSON] = [],
    markers: [JSON] = []
  ) {
    self.lat = lat
    self.lon = lon
    self.zoom = zoom
    self.bearing = bearing
    self.source = source
    self.added = added
    self.markers = markers
  }

  /// The largest state file to read, in bytes.
  public static let maxBytes = 16 << 20

  /// Reads what `json` wrote. Nil for anything else: a lost state is not an error.
  public init?(_ json: JSON) {
    guard let lat = json["lat"]?.double, let lon = json["lon"]?.double,
      let zoom = json["zoom"]?.double, let bearing = json["bearing"]?.double,
      abs(lat) <= 90, abs(lon) <= 540, (0...30).contains(zoom), abs(bearing) <= 360
    else { return nil }
    self.init(
      lat: lat, lon: lon, zoom: zoom, bearing: bearing, source: json["source"]?.string,
      added: json["sources"]?.array ?? [], markers: json["markers"]?.array ?? [])
    overlays = (json["overlays"]?.array ?? []).prefix(1024).compactMap { SavedOverlay($0) }
    let configured = (json["configured_overlays"]?.array ?? []).prefix(1024)
    configuredOverlays = configured.compactMap { $0.string }
    addedOverlays = json["added_overlays"]?.array ?? []
    trustedSources = (json["trusted_sources"]?.array ?? []).compactMap { $0.string }
    trustedOverlays = (json["trusted_overlays"]?.array ?? []).compactMap { $0.string }
    if let name = json["medium"]?["name"]?.string, let path = json["medium"]?["path"]?.string {
      medium = MissedPack(name: name, path: path)
    }
    theme = json["theme"]?.string
    notices = json["notices"]?.array ?? []
  }

  /// Whether the added source with this table may open any file.
  func isTrusted(source table: JSON) -> Bool {
    // It may have its name from its file.
    guard let spec = try? SocketTable.source(table) else { return false }
    return trustedSources.contains(spec.name)
  }

  /// Whether the added overlay with this table may open any file.
  func isTrusted(overlay table: JSON) -> Bool {
    guard let spec = try? SocketTable.overlay(table) else { return false }
    return trustedOverlays.contains(spec.name)
  }

  /// The contents of the state file; lists that are empty are left out.
  public var json: JSON {
    var json: JSONObject = [
      "lat": .double(lat), "lon": .double(lon), "zoom": .double(zoom),
      "bearing": .double(bearing), "source": .optional(source),
    ]
    if !added.isEmpty { json["sources"] = .array(added) }
    if !markers.isEmpty { json["markers"] = .array(markers) }
    if !notices.isEmpty { json["notices"] = .array(notices) }
    if !overlays.isEmpty { json["overlays"] = .array(overlays.map(\.json)) }
    if !configuredOverlays.isEmpty {
      json["configured_overlays"] = .array(configuredOverlays.map { .string($0) })
    }
    if !addedOverlays.isEmpty { json["added_overlays"] = .array(addedOverlays) }
    if !trustedSources.isEmpty {
      json["trusted_sources"] = .array(trustedSources.map { .string($0) })
    }
    if !trustedOverlays.isEmpty {
      json["trusted_overlays"] = .array(trustedOverlays.map { .string($0) })
    }
    if let medium {
      json["medium"] = ["name": .string(medium.name), "path": .string(medium.path)]
    }
    if let theme { json["theme"] = .string(theme) }
    return .object(json)
  }
}

extension SavedState {
  /// The state file, at most `limit` bytes. If there is no room for everything added over the
  /// socket, the last entries of each list are left out.
  ///
  /// - Returns: The file, and what was left out: "5 of 20 overlays".
  func file(limit: Int = SavedState.maxBytes) -> (bytes: [UInt8], leftOut: [String]) {
    let whole = StateFile.sealed(json.text)
    if whole.count <= limit { return (whole, []) }
    var state = self
    (state.added, state.markers, state.addedOverlays) = ([], [], [])
    // Reserve room for the keys and brackets of the three lists, and the checksum.
    var room = limit - state.json.text.utf8.count - 64 - StateFile.checksumBytes
    var leftOut: [String] = []
    func keep(_ all: [JSON], _ what: String) -> [JSON] {
      var kept: [JSON] = []
      for table in all {
        let bytes = table.text.utf8.count + 1
        if bytes > room { break }
        room -= bytes
        kept.append(table)
      }
      let count = all.count - kept.count
      if count > 0 { leftOut.append("\(count) of \(all.count) \(what)") }
      return kept
    }
    state.added = keep(added, "sources")
    state.markers = keep(markers, "markers")
    state.addedOverlays = keep(addedOverlays, "overlays")
    return (StateFile.sealed(state.json.text), leftOut)
  }
}

/// An overlay in the saved state: whether it is shown, and its level where it was moved.
public struct SavedOverlay: Sendable, Equatable {
  /// The name under which it is configured or was added.
  public var name: String
  /// Whether it was shown when the state was saved.
  public var isShown: Bool
  /// "above-roads" or "above-labels" if it was moved to another level; empty: the configured level.
  public var level: String

  /// Creates the record of an overlay; `level` empty: the configured one.
  public init(name: String, isShown: Bool, level: String) {
    self.name = name
    self.isShown = isShown
    self.level = level
  }

  init?(_ json: JSON) {
    guard let name = json["name"]?.string, let isShown = json["shown"]?.bool else { return nil }
    self.init(name: name, isShown: isShown, level: json["level"]?.string ?? "")
  }

  var json: JSON {
    var json: JSONObject = ["name": .string(name), "shown": .bool(isShown)]
    if !level.isEmpty { json["level"] = .string(level) }
    return .object(json)
  }
}
