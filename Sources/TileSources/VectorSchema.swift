/// How the layers of a vector map are named and what they contain: which of the known schemas.
public enum VectorSchema: String, Sendable, CaseIterable {
  /// Protomaps basemap, version 4.
  case protomaps = "Protomaps"
  /// OpenMapTiles 3.
  case openMapTiles = "OpenMapTiles"
  /// Shortbread 1.
  case shortbread = "Shortbread"
  /// Natural Earth's layers, as in the bundled world.
  case naturalEarth = "Natural Earth"

  /// Whom a map of this schema has to name where its pack names nobody: the data is
  /// OpenStreetMap's, and OpenMapTiles asks for a credit of its own. Nil: nobody need be named.
  public var credit: String? {
    switch self {
    case .protomaps, .shortbread: "© OpenStreetMap contributors"
    case .openMapTiles: "© OpenMapTiles © OpenStreetMap contributors"
    case .naturalEarth: nil
    }
  }

  /// The schema of a map with these layers; nil: none that is known.
  public init?(layers: some Sequence<String>) {
    let names = Set(layers)
    guard let schema = Self.allCases.first(where: { $0.isSchema(of: names) }) else { return nil }
    self = schema
  }

  /// The schema that is likeliest for a single tile with these layers, which need not have all of
  /// the map's; nil: none has two of them.
  public init?(tileLayers: some Sequence<String>) {
    let names = Set(tileLayers)
    if let schema = VectorSchema(layers: names) {
      self = schema
      return
    }
    let counts = Self.allCases.map { ($0, $0.commonLayers.intersection(names).count) }
    guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 >= 2,
      counts.filter({ $0.1 == best.1 }).count == 1
    else { return nil }
    self = best.0
  }

  private func isSchema(of names: Set<String>) -> Bool {
    switch self {
    case .protomaps: names.isSuperset(of: ["earth", "roads", "places"])
    case .openMapTiles: names.isSuperset(of: ["transportation", "water", "place"])
    case .shortbread:
      names.contains("street_labels") || names.isSuperset(of: ["streets", "water_polygons"])
    case .naturalEarth:
      names.isSuperset(of: ["admin", "country_label", "water"])
    }
  }

  /// Layers that tell a tile of this schema from others.
  private var commonLayers: Set<String> {
    switch self {
    case .protomaps:
      [
        "earth", "water", "landcover", "landuse", "roads", "buildings", "boundaries", "places",
        "pois",
      ]
    case .openMapTiles:
      [
        "water", "waterway", "landcover", "landuse", "park", "boundary", "transportation",
        "transportation_name", "building", "water_name", "place", "poi", "housenumber",
        "mountain_peak", "aeroway", "aerodrome_label",
      ]
    case .shortbread:
      [
        "ocean", "water_polygons", "water_lines", "land", "sites", "streets", "street_labels",
        "street_polygons", "buildings", "boundaries", "boundary_labels", "place_labels", "pois",
        "addresses", "ferries", "bridges", "public_transport",
      ]
    case .naturalEarth:
      [
        "land", "water", "river", "urban", "ice", "playa", "admin", "country_label", "state_label",
        "marine_label", "lake_label", "place_label", "road", "railroad",
      ]
    }
  }

  /// The names of all schemas, for messages.
  public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
