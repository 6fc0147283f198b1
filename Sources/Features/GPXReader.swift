/// Reads GPX 1.0 and 1.1 (topografix.com/GPX/1/1): tracks and routes as lines, waypoints as points.
///
/// Points without coordinates and features without points are left out. Styles come from extensions
/// that programs write: a line's `color`, `opacity` and `width`, and Garmin's `DisplayColor`.
final class GPXReader: XMLHandler {
  typealias Place = FeatureBuilder.Place

  private var builder: FeatureBuilder
  private let options: FeatureOptions
  private(set) var refusal: String?
  let wantsCharacters = false

  private enum Thing { case track, route, waypoint }
  private var thing: Thing?
  private var stack: [String] = []
  /// The points of the current track, route or waypoint, unless it is coloured.
  private var own = TrackPoints()
  /// The label and the style of the current track, route or waypoint.
  private var label: String?
  private var style = FeatureStyle()
  /// The coordinates of the point being read; nil if it has none.
  private var point: Place?
  private var measure = TrackMeasure()
  private var elevation = Float.nan
  private var isInPoint = false
  private var card: [(key: Int, text: String)] = []
  /// Tracks that are coloured once all tracks are known.
  private var coloured = ColouredTracks()
  /// The number of coloured segments that belong to earlier tracks.
  private var firstSegment = 0
  private var pointCount = 0
  private let maxPoints: Int

  /// - Parameters:
  ///   - file: The file's name in errors and warnings.
  ///   - options: What to read besides the geometry.
  ///   - maxPoints: The most points of all features; a larger file is refused.
  init(file: String, options: FeatureOptions, maxPoints: Int = FeatureLimits.points) {
    builder = FeatureBuilder(kind: .gpx, file: file)
    self.options = options
    self.maxPoints = maxPoints
  }

  func finished() -> FeatureSet {
    TrackColours.add(coloured, by: options.colorBy ?? .speed, to: &builder)
    coloured = ColouredTracks()
    return builder.finished()
  }

  private var isColoured: Bool { thing == .track && options.colorBy != nil }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

  // MARK: Elements

  func start(_ name: String, _ attributes: XMLAttributes, line: Int) {
    stack.append(name)
    switch name {
    case "trk" where thing == nil: begin(.track)
    case "rte" where thing == nil: begin(.route)
    case "wpt" where thing == nil:
      begin(.waypoint)
      beginPoint(attributes, line)
    case "trkseg" where thing == .track:
      endSegment()
    case "trkpt" where thing == .track, "rtept" where thing == .route:
      beginPoint(attributes, line)
    default: break
    }
  }

  private func begin(_ thing: Thing) {
    self.thing = thing
    own = TrackPoints()
    firstSegment = coloured.points.segmentCount
    label = nil
    card = []
    style = FeatureStyle()
  }

  private func beginPoint(_ attributes: XMLAttributes, _ line: Int) {
    isInPoint = true
    let lat = attributes["lat"].flatMap { XMLFeatures.number($0) }
    let lon = attributes["lon"].flatMap { XMLFeatures.number($0) }
    guard let lat, let lon, FeatureBuilder.isPlace((lon, lat)) else {
      point = nil
      builder.warn(line: line, "a point was ignored: its lat and lon are not a place on Earth")
      return
    }
    point = (lon, lat)
    measure = TrackMeasure()
    elevation = .nan
  }

  func end(_ name: String, text: String, line: Int) {
    stack.removeLast()
    switch name {
    case "trkpt", "rtept", "wpt": endPoint()
    default: break
    }
    switch (name, thing) {
    case ("trk", .track), ("rte", .route), ("wpt", .waypoint): endThing(line)
    default: takeText(name, text)
    }
  }

  private func endPoint() {
    guard isInPoint else { return }
    isInPoint = false
    guard let point, thing != nil else { return }
    if isColoured, let key = options.colorBy {
      coloured.points.append(point, elevation)
      coloured.points.measure(measure, by: key)
    } else {
      own.append(point, thing == .waypoint ? .nan : elevation)
    }
    self.point = nil
    pointCount += 1
    if pointCount > maxPoints { refusal = FeatureBuilder.fullReason }
  }

  private func endSegment() {
    if isColoured { coloured.points.endSegment() } else { own.endSegment() }
  }

  private func endThing(_ line: Int) {
    endSegment()
    defer {
      thing = nil
      own = TrackPoints()
    }
    if isColoured, coloured.points.segmentCount > firstSegment {
      coloured.add(from: firstSegment, style: style, label: label, card: card)
      return
    }
    do throws(FeatureBuilder.Problem) {
      for segment in 0..<own.segmentCount {
        let range = own.points(segment)
        if thing == .waypoint {
          builder.addPoint(own.places[range.lowerBound])
        } else {
          try builder.addLine(own.places[range], elevations: own.elevations(range))
        }
      }
    } catch {
      builder.dropFeature()
      builder.warn(line: line, error.reason)
      return
    }
    builder.endFeature(style: style, label: label, card: card)
    if builder.isFull { refusal = FeatureBuilder.fullReason }
  }

  /// Takes the text of an element of the current feature or point.
  private func takeText(_ name: String, _ text: String) {
    guard let thing else {
      // GPX 1.1 has it in "metadata", 1.0 in the root.
      if name == "name", stack == ["gpx", "metadata"] || stack == ["gpx"] {
        builder.setTitle(text)
      }
      return
    }
    let parent = stack.last
    if isInPoint {
      // Elements of extensions may have the same names. Since GPX 1.1 a speed is in them.
      let isPoints = parent == "trkpt" || parent == "rtept" || parent == "wpt"
      if name == "ele", isPoints { elevation = TrailMeter.elevation(XMLFeatures.number(text)) }
      switch name {
      case "ele" where isPoints && options.colorBy == .elevation:
        measure.value = TrackMeasure.elevation(XMLFeatures.number(text))
      case "time" where isPoints && options.colorBy == .speed:
        measure.time = ISOTime.seconds(text) ?? .nan
      case "speed" where options.colorBy == .speed:
        measure.value = TrackMeasure.speed(XMLFeatures.number(text))
      default: break
      }
    }
    if !isInPoint || thing == .waypoint {
      let isOwn = parent == "trk" || parent == "rte" || parent == "wpt"
      if isOwn, name == options.labelKey { label = text }
      if isOwn, options.closes(name, text) { style.isClosed = true }
      let isExtension = stack.contains("extensions")
      if isExtension { takeStyle(name, text) }
      if isOwn || isExtension, let key = options.cardKeys.firstIndex(of: name), !text.isEmpty,
        !card.contains(where: { $0.key == key })
      {
        card.append((key, text))
      }
    }
  }

  private func takeStyle(_ name: String, _ text: String) {
    switch name {
    case "color", "colour":
      guard let color = SimpleStyle.color(text) else { return }
      style.stroke = color.rgb
      if let alpha = color.alpha { style.strokeOpacity = alpha }
    case "opacity":
      style.strokeOpacity = XMLFeatures.number(text).map { Float(min(max($0, 0), 1)) }
    case "width" where stack.last == "line":
      style.strokeWidth = XMLFeatures.number(text).map { Float(min(max($0, 0), 100)) }
    case "DisplayColor": style.stroke = GPXReader.garminColors[text] ?? style.stroke
    default: break
    }
  }

  /// DisplayColor_t of Garmin's GpxExtensions v3.
  private static let garminColors: [String: UInt32] = [
    "Black": 0x000000, "DarkRed": 0x8B0000, "DarkGreen": 0x006400, "DarkYellow": 0xB8860B,
    "DarkBlue": 0x00008B, "DarkMagenta": 0x8B008B, "DarkCyan": 0x008B8B, "LightGray": 0xD3D3D3,
    "DarkGray": 0xA9A9A9, "Red": 0xFF0000, "Green": 0x00B000, "Yellow": 0xFFE600,
    "Blue": 0x0000FF, "Magenta": 0xFF00FF, "Cyan": 0x00FFFF, "White": 0xFFFFFF,
  ]
}
