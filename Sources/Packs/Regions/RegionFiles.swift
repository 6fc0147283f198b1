import Features
import MapGeometry
import Platform

extension Region {
  /// Adds the areas of a file: polygons with their holes, and circles. GeoJSON, KML too.
  ///
  /// Edges over the dateline are cut there; an edge is straight on the map.
  ///
  /// - Returns: what of the file was left out.
  /// - Throws: `PackError` if the file cannot be read, or holds no area.
  package mutating func addPolygons(file: String) throws(PackError) -> [String] {
    let set = try Region.features(file)
    var count = 0
    for feature in set.features where addAreas(of: feature, in: set) { count += 1 }
    guard count > 0 else {
      throw PackError(
        file: file,
        reason: "holds no polygon: for places use --points, for lines --route")
    }
    return Region.notes(of: set, file: file, leftOut: set.features.count - count, kind: "polygon")
  }

  /// Adds the places within half of `width` metres of a file's lines: tracks and routes of GPX,
  /// lines of GeoJSON and KML.
  ///
  /// - Returns: what of the file was left out.
  /// - Throws: `PackError` if the file cannot be read, or holds no line.
  package mutating func addRoutes(file: String, width: Double) throws(PackError) -> [String] {
    let set = try Region.features(file)
    var count = 0
    for feature in set.features {
      let lines = feature.partRange.filter { set.parts[$0].kind == .line }
      if !lines.isEmpty { count += 1 }
      for part in lines {
        let line = set.points[set.pointRange(part)].map { WorldPoint(x: $0.unitX, y: $0.unitY) }
        add(line: line, distance: width / 2)
      }
    }
    guard count > 0 else {
      throw PackError(
        file: file, reason: "holds no line: for places use --points, for areas --polygon")
    }
    return Region.notes(of: set, file: file, leftOut: set.features.count - count, kind: "line")
  }

  /// Adds the places within `radius` metres of a file's points: a CSV table with columns for
  /// latitude and longitude, points of GeoJSON and KML, waypoints of GPX.
  ///
  /// - Returns: what of the file was left out.
  /// - Throws: `PackError` if the file cannot be read, or holds no place.
  package mutating func addPoints(file: String, radius: Double) throws(PackError) -> [String] {
    let bytes = try Region.bytes(file)
    if PointTable.isTable(bytes) {
      let table = try PointTable(bytes, file: file)
      for point in table.points { add(center: point, radius: radius) }
      return table.notes
    }
    let set = try Region.features(bytes, file)
    var count = 0
    for feature in set.features {
      var hasPoint = false
      for part in feature.partRange {
        switch set.parts[part].kind {
        case .point:
          let point = set.points[set.pointRange(part).lowerBound]
          let place = WebMercator.unproject(WorldPoint(x: point.unitX, y: point.unitY))
          add(center: place, radius: radius)
          hasPoint = true
        case .circle:
          let circle = set.circle(part)
          add(center: circle.center, radius: max(circle.radius, radius))
          hasPoint = true
        case .line, .ring: break
        }
      }
      if hasPoint { count += 1 }
    }
    guard count > 0 else {
      throw PackError(
        file: file, reason: "holds no place: for lines use --route, for areas --polygon")
    }
    return Region.notes(of: set, file: file, leftOut: set.features.count - count, kind: "place")
  }

  private static func features(_ file: String) throws(PackError) -> FeatureSet {
    let bytes = try bytes(file)
    if PointTable.isTable(bytes) {
      throw PackError(
        file: file,
        reason: "is neither GeoJSON nor GPX nor KML; for the places of a table use --points")
    }
    return try features(bytes, file)
  }

  private static func bytes(_ file: String) throws(PackError) -> [UInt8] {
    do throws(FileError) {
      return try FileIO.read(file, limit: FeatureLimits.fileBytes)
    } catch {
      throw PackError(error)
    }
  }

  private static func features(_ bytes: [UInt8], _ file: String) throws(PackError) -> FeatureSet {
    do throws(FeatureError) {
      return try FeatureSet(bytes: bytes, name: file)
    } catch {
      throw PackError(
        file: error.line.map { "\(error.file):\($0)" } ?? error.file, reason: error.reason)
    }
  }

  private static func notes(
    of set: FeatureSet, file: String, leftOut: Int, kind: String
  ) -> [String] {
    var notes = set.warnings.prefix(5).map(\.description)
    if set.warningCount > notes.count {
      notes.append("\(file): and \(set.warningCount - notes.count) more of that kind")
    }
    if leftOut > 0 { notes.append("\(file): \(leftOut) features without a \(kind) are ignored") }
    return notes
  }
}
