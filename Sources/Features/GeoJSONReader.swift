import Platform

/// Reads GeoJSON (RFC 7946): a FeatureCollection, a Feature or a bare geometry.
///
/// In valid JSON, what is not GeoJSON only drops the feature it is in, with a warning. Invalid JSON
/// is an error of the whole file.
struct GeoJSONReader {
  private var scanner: JSONScanner
  private var builder: FeatureBuilder
  private let options: FeatureOptions
  private let file: String
  /// The geometries of the feature being read.
  private var pending: [(type: String, coordinates: Coordinates)] = []
  /// Their cost together, in points.
  private var pendingCost = 0

  static func read(
    _ bytes: FileBytes, from start: Int, file: String, options: FeatureOptions
  ) throws(FeatureError) -> FeatureSet {
    var reader = GeoJSONReader(
      scanner: JSONScanner(bytes, from: start, file: file),
      builder: FeatureBuilder(kind: .geojson, file: file), options: options, file: file)
    try reader.readFile()
    return reader.builder.finished()
  }

  private init(
    scanner: JSONScanner, builder: FeatureBuilder, options: FeatureOptions, file: String
  ) {
    self.scanner = scanner
    self.builder = builder
    self.options = options
    self.file = file
  }

  /// The members of an object, which may come in any order.
  private struct Object {
    /// The line on which it begins.
    var line = 1
    var type: String?
    var coordinates: Coordinates?
    /// Whether it has a "geometries" array.
    var hasGeometries = false
    /// Whether it has a "geometry", which may be null.
    var hasGeometry = false
    /// Whether it has a "features" array.
    var hasFeatures = false
    var style = FeatureStyle()
    var label: String?
    /// How well the label's property suits.
    var labelRank = -1
    var card: [(key: Int, text: String)] = []
    var radius: Double?
    /// The first problem of its geometry; nil: none.
    var problem: String?
  }

  private enum Role { case top, feature, geometry }

  // MARK: The file

  private mutating func readFile() throws(FeatureError) {
    guard scanner.peek() == UInt8(ascii: "{") else {
      if scanner.isAtEnd { throw scanner.error("the file is empty") }
      let line = scanner.line(at: scanner.offset)
      try scanner.skip()
      throw FeatureError(
        file: file, line: line,
        reason: "not GeoJSON, which is an object: { \"type\": \"FeatureCollection\", … }")
    }
    let object = try read(.top, depth: 0)
    _ = scanner.peek()
    if !scanner.isAtEnd { throw scanner.error("there is something after its end") }
    let line = object.line
    if object.type == "FeatureCollection" {
      guard object.hasFeatures else {
        throw FeatureError(
          file: file, line: line,
          reason: "a FeatureCollection without \"features\", which is an array")
      }
    } else {
      try finish(object, line: line)
    }
    if builder.built.features.isEmpty, let first = builder.built.warnings.first {
      throw FeatureError(
        file: file, line: first.line, reason: "nothing in it can be drawn: \(first.reason)")
    }
  }

  /// Makes a feature of an object that was read, or warns why it is none.
  private mutating func finish(_ object: Object, line: Int) throws(FeatureError) {
    defer {
      pending.removeAll(keepingCapacity: pending.count < 64)
      pendingCost = 0
    }
    var problem: String?
    switch object.type {
    case "Feature":
      problem =
        object.problem
        ?? (object.hasGeometry ? nil : "a Feature without \"geometry\", which may be null")
    case nil: problem = "\"type\" is missing"
    case let type where Coordinates.isGeometry(type): problem = object.problem
    case let type?:
      problem = "\"type\" is \"\(FeatureText.quoted(type))\", which is not one of GeoJSON's"
    }
    if problem == nil {
      do throws(FeatureBuilder.Problem) {
        for geometry in pending {
          try geometry.coordinates.add(as: geometry.type, radius: object.radius, to: &builder)
        }
      } catch {
        problem = error.reason
      }
    }
    if let problem {
      if builder.isFull {
        throw FeatureError(file: file, line: line, reason: FeatureBuilder.fullReason)
      }
      builder.dropFeature()
      builder.warn(line: line, problem)
      return
    }
    builder.endFeature(style: object.style, label: object.label, card: object.card)
    if builder.isFull {
      throw FeatureError(file: file, line: line, reason: FeatureBuilder.fullReason)
    }
  }

  // MARK: Objects

  private mutating func read(_ role: Role, depth: Int) throws(FeatureError) -> Object {
    guard depth < FeatureLimits.depth else { throw scanner.error("it is nested too deeply") }
    _ = scanner.peek()
    var object = Object()
    object.line = scanner.line(at: scanner.offset)
    _ = scanner.take(UInt8(ascii: "{"))
    if scanner.take(UInt8(ascii: "}")) { return object }
    var hasOwnGeometry = false
    repeat {
      let key = try scanner.string(limit: 64)
      try scanner.colon()
      let next = scanner.peek()
      switch key {
      case "type" where next == UInt8(ascii: "\""): object.type = try scanner.string(limit: 64)
      case "coordinates" where next == UInt8(ascii: "["):
        var coordinates = Coordinates()
        try readCoordinates(&coordinates, depth: 1)
        object.coordinates = coordinates
        hasOwnGeometry = true
      case "geometries" where next == UInt8(ascii: "["):
        object.hasGeometries = true
        hasOwnGeometry = true
        try readArray { (reader: inout GeoJSONReader) throws(FeatureError) in
          let geometry = try reader.read(.geometry, depth: depth + 1)
          if let problem = geometry.problem { object.problem = object.problem ?? problem }
        }
      case "geometry" where role != .geometry && next == UInt8(ascii: "{"):
        object.hasGeometry = true
        let geometry = try read(.geometry, depth: depth + 1)
        object.problem = object.problem ?? geometry.problem
        if let radius = geometry.radius { object.radius = radius }
      case "geometry" where role != .geometry && next == UInt8(ascii: "n"):
        object.hasGeometry = true
        try scanner.skip()
      case "properties" where next == UInt8(ascii: "{"): try readProperties(&object)
      case "name" where role == .top && next == UInt8(ascii: "\""):
        if let name = try scanner.scalar() { builder.setTitle(name) }
      case "features" where role == .top && next == UInt8(ascii: "["):
        object.hasFeatures = true
        try readFeatures(depth: depth)
      default: try scanner.skip()
      }
    } while try scanner.more(UInt8(ascii: "}"))
    if role == .geometry || hasOwnGeometry || Coordinates.isGeometry(object.type) {
      addGeometry(&object, role: role)
    }
    return object
  }

  private mutating func readFeatures(depth: Int) throws(FeatureError) {
    try readArray { (reader: inout GeoJSONReader) throws(FeatureError) in
      let object = try reader.read(.feature, depth: depth + 1)
      try reader.finish(object, line: object.line)
    }
  }

  /// Calls `body` at each object of an array. Anything else is left out with a warning.
  private mutating func readArray(
    _ body: (inout GeoJSONReader) throws(FeatureError) -> Void
  ) throws(FeatureError) {
    _ = scanner.take(UInt8(ascii: "["))
    if scanner.take(UInt8(ascii: "]")) { return }
    repeat {
      if scanner.peek() == UInt8(ascii: "{") {
        try body(&self)
      } else {
        builder.warn(
          line: scanner.line(at: scanner.offset), "there is something that is not an object")
        try scanner.skip()
      }
    } while try scanner.more(UInt8(ascii: "]"))
  }

  private mutating func readProperties(_ object: inout Object) throws(FeatureError) {
    _ = scanner.take(UInt8(ascii: "{"))
    if scanner.take(UInt8(ascii: "}")) { return }
    repeat {
      let key = try scanner.string(limit: 256)
      try scanner.colon()
      if scanner.isAtContainer() {
        try scanner.skip()
        continue
      }
      guard let value = try scanner.scalar() else { continue }
      if let rank = options.labelRank(key), rank >= object.labelRank {
        (object.label, object.labelRank) = (value, rank)
      }
      if options.closes(key, value) { object.style.isClosed = true }
      if let number = options.cardKeys.firstIndex(of: key) {
        // As with other properties, the last one of a name counts.
        object.card.removeAll { $0.key == number }
        object.card.append((number, value))
      }
      if key == "radius", let radius = Double(value), radius.isFinite, radius > 0 {
        object.radius = radius
      }
      _ = SimpleStyle.take(key, value, into: &object.style)
    } while try scanner.more(UInt8(ascii: "}"))
  }

  // MARK: Geometry

  private mutating func readCoordinates(_ into: inout Coordinates, depth: Int) throws(FeatureError)
  {
    _ = scanner.take(UInt8(ascii: "["))
    if scanner.take(UInt8(ascii: "]")) {
      into.close(depth)
      return
    }
    if scanner.isAtContainer() {
      guard depth < FeatureLimits.depth else { throw scanner.error("it is nested too deeply") }
      repeat {
        if scanner.peek() == UInt8(ascii: "[") {
          try readCoordinates(&into, depth: depth + 1)
        } else {
          into.problem = into.problem ?? "a position is not an array of numbers"
          try scanner.skip()
        }
      } while try scanner.more(UInt8(ascii: "]"))
      into.close(depth)
      return
    }
    // A position: longitude, latitude, and perhaps further numbers.
    var lon = Double.nan
    var lat = Double.nan
    var elevation = Float.nan
    var count = 0
    repeat {
      if scanner.isAtNumber() {
        let value = try scanner.number()
        if count == 0 { lon = value } else if count == 1 { lat = value }
        if count == 2 { elevation = TrailMeter.elevation(value) }
      } else {
        if count < 2 {
          into.problem = into.problem ?? "a position holds something other than numbers"
        }
        try scanner.skip()
      }
      count += 1
    } while try scanner.more(UInt8(ascii: "]"))
    if count < 2 { into.problem = into.problem ?? "a position has fewer than two numbers" }
    into.add((lon, lat), elevation: elevation, depth: depth)
    let taken = builder.built.points.count + pendingCost
    if taken + into.cost > FeatureLimits.points {
      throw FeatureError(
        file: file, line: scanner.line(at: scanner.offset), reason: FeatureBuilder.fullReason)
    }
  }

  /// Keeps an object's geometry, which is added once its feature is complete.
  private mutating func addGeometry(_ object: inout Object, role: Role) {
    guard object.problem == nil else { return }
    guard let type = object.type else {
      if role == .geometry { object.problem = "a geometry without \"type\"" }
      return
    }
    if type == "GeometryCollection" {
      if !object.hasGeometries {
        object.problem = "a GeometryCollection without \"geometries\", which is an array"
      }
      return
    }
    guard Coordinates.depths[type] != nil else {
      if role == .geometry {
        object.problem =
          "a geometry's \"type\" is \"\(FeatureText.quoted(type))\", which is not one of GeoJSON's"
      }
      return
    }
    guard let coordinates = object.coordinates, !object.hasGeometries else {
      object.problem = "a \(type) without \"coordinates\", which is an array"
      return
    }
    object.problem = coordinates.problem(as: type)
    if object.problem == nil, !coordinates.places.isEmpty {
      pending.append((type, coordinates))
      pendingCost += coordinates.cost
    }
  }
}
