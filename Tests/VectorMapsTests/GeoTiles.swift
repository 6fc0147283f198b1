import Foundation

/// Cuts GeoJSON into vector tiles for tests, with the extent and margin that MapLibre gives its
/// GeoJSON sources.
struct GeoTiles {
  private static let extent = 8192.0
  private static let margin = 2048.0

  /// A place in the world, 0 ... 1 on each axis.
  private struct Place {
    var x: Double
    var y: Double
  }

  private struct Feature {
    /// 1: points, 2: lines, 3: rings, as in vector tiles.
    var kind: Int
    /// For areas the outer ring first, then its holes.
    var parts: [[Place]]
    var id: UInt64?
    var properties: [String: Any]
  }

  private var features: [Feature] = []

  /// Reads GeoJSON; what is not well-formed is left out.
  init(_ json: Any) { add(json, properties: [:], id: nil) }

  private mutating func add(_ json: Any, properties: [String: Any], id: UInt64?) {
    guard let object = json as? [String: Any] else { return }
    let list = object["coordinates"] as? [Any] ?? []
    func single(_ kind: Int, _ parts: [[Place]]) {
      let parts = parts.filter { !$0.isEmpty }
      guard !parts.isEmpty else { return }
      features.append(Feature(kind: kind, parts: parts, id: id, properties: properties))
    }
    switch object["type"] as? String {
    case "FeatureCollection":
      for feature in object["features"] as? [Any] ?? [] { add(feature, properties: [:], id: nil) }
    case "Feature":
      let id = (object["id"] as? NSNumber).flatMap { UInt64(exactly: $0.doubleValue) }
      add(
        object["geometry"] ?? NSNull(), properties: object["properties"] as? [String: Any] ?? [:],
        id: id)
    case "GeometryCollection":
      for part in object["geometries"] as? [Any] ?? [] { add(part, properties: properties, id: id) }
    case "Point": single(1, [Self.places([list])])
    case "MultiPoint": single(1, [Self.places(list)])
    case "LineString": single(2, [Self.places(list)])
    case "MultiLineString": single(2, list.map { Self.places($0 as? [Any] ?? []) })
    case "Polygon": single(3, Self.polygon(list))
    case "MultiPolygon":
      single(3, list.flatMap { Self.polygon($0 as? [Any] ?? []) })
    default: break
    }
  }

  private static func places(_ list: [Any]) -> [Place] {
    list.compactMap { item in
      guard let pair = item as? [Any], pair.count >= 2, let lon = (pair[0] as? NSNumber),
        let lat = (pair[1] as? NSNumber)
      else { return nil }
      let sine = sin(lat.doubleValue * .pi / 180)
      let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
      return Place(x: lon.doubleValue / 360 + 0.5, y: min(max(y, 0), 1))
    }
  }

  /// The rings, the outer one clockwise on the screen, holes the other way round.
  private static func polygon(_ rings: [Any]) -> [[Place]] {
    rings.enumerated().map { number, ring in
      var places = places(ring as? [Any] ?? [])
      if places.count > 1, let last = places.last, last.x == places[0].x, last.y == places[0].y {
        places.removeLast()
      }
      var area = 0.0
      for (index, place) in places.enumerated() {
        let next = places[(index + 1) % places.count]
        area += place.x * next.y - next.x * place.y
      }
      // As in MapLibre a ring begins where it did, for distances along it.
      return (area > 0) == (number == 0)
        ? places : places.prefix(1) + places.dropFirst().reversed()
    }
  }

  /// The layer `name` of the tile; empty if nothing lies on it.
  func layer(_ name: String, z: Int, x: Int, y: Int) -> [UInt8] {
    var keys: [String] = []
    var values: [[UInt8]] = []
    var body: [UInt8] = []
    for feature in features {
      // The copies of the world on both sides reach over its edges.
      for world in [-1.0, 0, 1] {
        let parts = feature.parts.flatMap { part in
          cut(part.map { place($0, world, z, x, y) }, kind: feature.kind)
        }
        guard !parts.isEmpty else { continue }
        var tags: [UInt8] = []
        for (key, value) in feature.properties.sorted(by: { $0.key < $1.key }) {
          guard let value = Self.value(value) else { continue }
          if !keys.contains(key) { keys.append(key) }
          if !values.contains(value) { values.append(value) }
          tags += Self.number(UInt64(keys.firstIndex(of: key) ?? 0))
          tags += Self.number(UInt64(values.firstIndex(of: value) ?? 0))
        }
        var bytes: [UInt8] = feature.id.map { Self.field(1, $0) } ?? []
        bytes += Self.field(2, tags) + Self.field(3, UInt64(feature.kind))
        bytes += Self.field(4, Self.commands(feature.kind, parts))
        body += Self.field(2, bytes)
      }
    }
    guard !body.isEmpty else { return [] }
    var layer = Self.field(15, 2) + Self.field(1, Array(name.utf8)) + body
    for key in keys { layer += Self.field(3, Array(key.utf8)) }
    for value in values { layer += Self.field(4, value) }
    return Self.field(3, layer + Self.field(5, UInt64(Self.extent)))
  }

  private func place(_ place: Place, _ world: Double, _ z: Int, _ x: Int, _ y: Int) -> Place {
    let tiles = exp2(Double(z))
    return Place(
      x: ((place.x + world) * tiles - Double(x)) * Self.extent,
      y: (place.y * tiles - Double(y)) * Self.extent)
  }

  // MARK: Cutting

  private func cut(_ part: [Place], kind: Int) -> [[Place]] {
    let (least, most) = (-Self.margin, Self.extent + Self.margin)
    if kind == 1 {
      let inside = part.filter { $0.x >= least && $0.x <= most && $0.y >= least && $0.y <= most }
      return inside.isEmpty ? [] : [inside]
    }
    var parts = [part]
    for (isX, isLower) in [(true, true), (true, false), (false, true), (false, false)] {
      let limit = isLower ? least : most
      parts = parts.flatMap { line in
        Self.half(line, isX: isX, isLower: isLower, limit: limit, isClosed: kind == 3)
      }
    }
    return parts.filter { $0.count >= (kind == 3 ? 3 : 2) }
  }

  /// The parts of a line, or the ring, on one side of a limit.
  private static func half(
    _ line: [Place], isX: Bool, isLower: Bool, limit: Double, isClosed: Bool
  ) -> [[Place]] {
    func isInside(_ place: Place) -> Bool {
      let value = isX ? place.x : place.y
      return isLower ? value >= limit : value <= limit
    }
    func crossing(_ a: Place, _ b: Place) -> Place {
      let share = isX ? (limit - a.x) / (b.x - a.x) : (limit - a.y) / (b.y - a.y)
      return Place(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
    }
    var parts: [[Place]] = []
    var current: [Place] = []
    var last = isClosed ? line.last : nil
    for place in line {
      if let last, isInside(last) != isInside(place) { current.append(crossing(last, place)) }
      if isInside(place) {
        current.append(place)
      } else if !isClosed, !current.isEmpty {
        parts.append(current)
        current = []
      }
      last = place
    }
    if !current.isEmpty { parts.append(current) }
    return parts
  }

  // MARK: Writing

  private static func value(_ value: Any) -> [UInt8]? {
    if let text = value as? String { return field(1, Array(text.utf8)) }
    if let number = value as? NSNumber {
      if isFlag(number) { return field(7, number.boolValue ? 1 : 0) }
      var bits = number.doubleValue.bitPattern.littleEndian
      return self.number(3 << 3 | 1) + withUnsafeBytes(of: &bits) { Array($0) }
    }
    guard !(value is NSNull),
      let json = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
    else { return nil }
    return field(1, Array(json))
  }

  /// Whether a number of JSON is true or false.
  private static func isFlag(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }

  private static func commands(_ kind: Int, _ parts: [[Place]]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (x, y) = (0, 0)
    func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))) }
    for part in parts {
      for (index, place) in part.enumerated() {
        if kind == 1, index == 0 { bytes += number(UInt64(part.count) << 3 | 1) }
        if kind != 1, index == 0 { bytes += number(1 << 3 | 1) }
        if kind != 1, index == 1 { bytes += number(UInt64(part.count - 1) << 3 | 2) }
        let (toX, toY) = (Int(place.x.rounded()), Int(place.y.rounded()))
        bytes += number(zigzag(toX - x)) + number(zigzag(toY - y))
        (x, y) = (toX, toY)
      }
      if kind == 3 { bytes += number(1 << 3 | 7) }
    }
    return bytes
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    var (value, bytes): (UInt64, [UInt8]) = (value, [])
    while value > 127 {
      bytes.append(UInt8(value & 127) | 128)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    Self.number(number << 3) + Self.number(value)
  }

  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    Self.number(number << 3 | 2) + Self.number(UInt64(bytes.count)) + bytes
  }
}
