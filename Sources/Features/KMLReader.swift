/// Reads KML 2.2 (OGC 07-147r2): Placemarks with points, lines, polygons and tracks, with their
/// styles.
///
/// Image overlays, models and links to other files are not drawn. A Placemark that the file hides
/// (`visibility` 0) stays hidden.
final class KMLReader: XMLHandler {
  typealias Place = FeatureBuilder.Place

  private var builder: FeatureBuilder
  private let options: FeatureOptions
  private(set) var refusal: String?
  private(set) var wantsCharacters = false

  private var stack: [String] = []
  private var styles = KMLStyles()
  private var coordinates = KMLCoordinates()
  // The current Placemark.
  private var isInPlacemark = false
  private var label: String?
  /// How well the label's property suits.
  private var labelRank = -1
  /// Whether a notice closes the present placemark.
  private var isClosed = false
  private var dataName: String?
  private var styleURL: String?
  private var isHidden = false
  private var problem: String?
  private var polygon: [[Place]]?
  /// The index of the outer ring in `polygon`; nil until it was read.
  private var outer: Int?
  /// The points of `polygon`; each ring counts as a few more.
  private var polygonCost = 0
  private var track: [Place]?
  private var trackAltitudes: [Float] = []
  /// Whether altitudes are metres above the ground, which is no elevation.
  private var isAboveGround = false
  private var card: [(key: Int, text: String)] = []
  /// Features whose shared style is resolved once all styles are known, each with the index of the
  /// style's URL in `urls`.
  private var shared: [(feature: Int32, url: Int32)] = []
  /// The different `styleUrl`s, and the index of each.
  private var urls: [String] = []
  private var urlNumbers: [String: Int32] = [:]
  /// The bytes of all `urls`.
  private var urlBytes = 0

  init(file: String, options: FeatureOptions) {
    builder = FeatureBuilder(kind: .kml, file: file)
    self.options = options
  }

  func finished() -> FeatureSet {
    urlNumbers = [:]
    for item in shared {
      guard let style = styles.shared(urls[Int(item.url)]) else { continue }
      let feature = Int(item.feature)
      let own = builder.built.styles[Int(builder.built.features[feature].style)]
      builder.setStyle(style.overridden(by: own), of: feature)
    }
    return builder.finished()
  }

  // MARK: Elements

  func start(_ name: String, _ attributes: XMLAttributes, line: Int) {
    stack.append(name)
    wantsCharacters = false
    switch name {
    case "Placemark":
      isInPlacemark = true
      (label, dataName, styleURL, problem, polygon, track) = (nil, nil, nil, nil, nil, nil)
      (isHidden, isAboveGround, card) = (false, false, [])
      (labelRank, isClosed) = (-1, false)
      styles.beginPlacemark()
    case "Style": styles.beginStyle(attributes["id"])
    case "StyleMap": styles.beginMap(attributes["id"])
    case "coordinates":
      wantsCharacters = isInPlacemark
      coordinates = KMLCoordinates()
    case "Polygon" where isInPlacemark: (polygon, outer, polygonCost) = ([], nil, 0)
    case "Track" where isInPlacemark: (track, trackAltitudes, isAboveGround) = ([], [], false)
    case "LineString" where isInPlacemark: isAboveGround = false
    case "Data", "SimpleData": dataName = attributes["name"]
    case "NetworkLink": builder.warn(line: line, "a NetworkLink is not followed")
    default: break
    }
  }

  func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    coordinates.add(bytes)
    checkRoom(for: coordinates.places.count)
  }

  private func checkRoom(for count: Int) {
    let taken = builder.built.points.count + polygonCost
    if taken + count > FeatureLimits.points { refusal = FeatureBuilder.fullReason }
  }

  func end(_ name: String, text: String, line: Int) {
    stack.removeLast()
    wantsCharacters = false
    switch name {
    case "Style", "StyleMap", "Pair": styles.end(name)
    case "Placemark" where isInPlacemark: endPlacemark(line)
    case "coordinates" where isInPlacemark: endCoordinates()
    case "Polygon":
      if var rings = polygon {
        // The outer ring goes first, wherever it is in the file.
        if let outer { rings.swapAt(0, outer) }
        let whole = rings.map { $0[...] }
        add { (builder: inout FeatureBuilder) throws(FeatureBuilder.Problem) in
          try builder.addPolygon(whole)
        }
      }
      (polygon, outer, polygonCost) = (nil, nil, 0)
    case "coord" where track != nil:
      let numbers = text.split(whereSeparator: { $0.isWhitespace })
        .map { XMLFeatures.number(String($0)) }
      if numbers.count >= 2, let lon = numbers[0], let lat = numbers[1] {
        appendTrack((lon, lat), numbers.count > 2 ? numbers[2] : nil)
      }
    case "Track":
      if let line = track, !line.isEmpty {
        let elevations = elevations(trackAltitudes)
        add { (builder: inout FeatureBuilder) throws(FeatureBuilder.Problem) in
          try builder.addLine(line[...], elevations: elevations[...])
        }
      }
      (track, trackAltitudes) = (nil, [])
    default: takeText(name, text)
    }
  }

  private func appendTrack(_ place: Place, _ altitude: Double?) {
    guard FeatureBuilder.isPlace(place) else {
      problem = problem ?? "a place of a track is not on Earth"
      return
    }
    track?.append(place)
    trackAltitudes.append(TrailMeter.elevation(altitude))
    checkRoom(for: track?.count ?? 0)
  }

  private func takeText(_ name: String, _ text: String) {
    let parent = stack.last ?? ""
    if styles.take(name, text, parent: parent) { return }
    guard isInPlacemark else {
      if name == "name", stack == ["kml", "Document"] || stack == ["kml", "Folder"] {
        builder.setTitle(text)
      }
      return
    }
    takeCard(name, text, parent: parent)
    switch name {
    case "altitudeMode": isAboveGround = text == "relativeToGround"
    case "styleUrl" where parent == "Placemark": styleURL = text
    case "visibility" where parent == "Placemark":
      isHidden = XMLFeatures.number(text) == 0
    case "value" where parent == "Data" && dataName != nil, "SimpleData" where dataName != nil:
      takeLabel(dataName ?? "", text)
    default:
      if parent == "Placemark" { takeLabel(name, text) }
    }
  }

  private func takeLabel(_ key: String, _ text: String) {
    if let rank = options.labelRank(key), rank >= labelRank { (label, labelRank) = (text, rank) }
    if options.closes(key, text) { isClosed = true }
  }

  private func takeCard(_ name: String, _ text: String, parent: String) {
    let isData = name == "SimpleData" || name == "value" && parent == "Data"
    guard isData || parent == "Placemark" else { return }
    let wanted = isData ? dataName : name
    guard let wanted, let key = options.cardKeys.firstIndex(of: wanted), !text.isEmpty,
      !card.contains(where: { $0.key == key })
    else { return }
    card.append((key, text))
  }

  // MARK: Geometry

  private func endCoordinates() {
    coordinates.finish()
    let parent = stack.last ?? ""
    defer { coordinates = KMLCoordinates() }
    let count = coordinates.places.count
    if let reason = coordinates.problem {
      problem = problem ?? "the coordinates of a \(FeatureText.quoted(parent)) \(reason)"
      return
    }
    switch parent {
    case "Point": if let place = coordinates.places.first { builder.addPoint(place) }
    case "LineString" where count == 1: problem = problem ?? "a LineString of one place"
    case "LineString" where count > 0:
      let places = coordinates.places
      let elevations = elevations(coordinates.altitudes)
      add { (builder: inout FeatureBuilder) throws(FeatureBuilder.Problem) in
        try builder.addLine(places[...], elevations: elevations[...])
      }
    case "LinearRing":
      if polygon != nil {
        addRing(coordinates.places)
      } else if count >= 2 {
        let closed = coordinates.takeClosed()
        add { (builder: inout FeatureBuilder) throws(FeatureBuilder.Problem) in
          try builder.addLine(closed[...])
        }
      }
    default: break
    }
  }

  /// The altitudes as elevations; empty if they are none. Many programs write 0 for "unknown".
  private func elevations(_ altitudes: [Float]) -> [Float] {
    isAboveGround || altitudes.allSatisfy { $0.isNaN || $0 == 0 } ? [] : altitudes
  }

  private func addRing(_ places: [Place]) {
    if places.isEmpty { return }
    if stack.contains("outerBoundaryIs") {
      if outer != nil { problem = problem ?? "a Polygon has more than one outerBoundaryIs" }
      outer = polygon?.count
    }
    polygon?.append(places)
    polygonCost += places.count + 8
    checkRoom(for: 0)
  }

  private func add(_ geometry: (inout FeatureBuilder) throws(FeatureBuilder.Problem) -> Void) {
    do throws(FeatureBuilder.Problem) {
      try geometry(&builder)
    } catch {
      problem = problem ?? error.reason
    }
  }

  private func endPlacemark(_ line: Int) {
    isInPlacemark = false
    var own = styles.placemark
    own.isClosed = isClosed
    styles.endPlacemark()
    if let problem { builder.warn(line: line, problem) }
    if problem != nil || isHidden { return builder.dropFeature() }
    let count = builder.built.features.count
    builder.endFeature(style: own, label: label, card: card)
    if builder.built.features.count > count, let styleURL {
      if let index = number(of: styleURL) {
        shared.append((Int32(truncatingIfNeeded: count), index))
      } else {
        builder.warn(line: line, KMLStyles.fullReason)
      }
    }
    if builder.isFull { refusal = FeatureBuilder.fullReason }
  }

  /// The index of a `styleUrl`; nil if there are too many.
  private func number(of url: String) -> Int32? {
    if let known = urlNumbers[url] { return known }
    guard urls.count < FeatureLimits.sharedStyles,
      urlBytes + url.utf8.count <= FeatureLimits.styleNames
    else { return nil }
    urlBytes += url.utf8.count
    let number = Int32(truncatingIfNeeded: urls.count)
    urlNumbers[url] = number
    urls.append(url)
    return number
  }
}
