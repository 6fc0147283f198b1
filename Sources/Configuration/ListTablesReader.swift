import Drawing
import MapGeometry
import Pixels
import Platform
import TileSources

/// Checks one marker, from `[[marker]]` in a file or from `marker.set` over the socket.
///
/// - Returns: the marker, or nil if a finding is an error; and the findings.
public func parseMarker(_ table: ConfigValue) -> (Configuration.Marker?, [Finding]) {
  let findings = Findings()
  guard let entries = table.table else {
    findings.error("marker = \(table.shown): a table", at: table.origin)
    return (nil, findings.all)
  }
  let reader = TableReader("marker", entries, table.origin, findings)
  let marker = ConfigurationReader(findings: findings).marker(reader)
  reader.finish()
  let bad = findings.all.contains { $0.severity == .error }
  return (bad ? nil : marker, findings.all)
}

/// `[[overlay]]` and `[[marker]]`.
extension ConfigurationReader {
  func overlays(_ root: TableReader) -> [Configuration.Overlay] {
    var all: [Configuration.Overlay] = []
    root.tables("overlay") { t in
      if let overlay = overlay(t, isInline: false) { all.append(overlay) }
      if all.count == Configuration.Overlay.maxCount + 1 {
        t.findings.error(
          "overlay: there are more than \(Configuration.Overlay.maxCount), which is the "
            + "most", at: t.origin)
      }
    }
    return all
  }

  /// Reads one overlay.
  ///
  /// - Parameters:
  ///   - t: the overlay's table.
  ///   - isInline: whether the features come with the call, so that the table names neither file
  ///     nor kind.
  ///   - isCall: whether features may come with a call.
  /// - Returns: the overlay; nil if it has no name or no content, with a finding.
  func overlay(
    _ t: TableReader, isInline: Bool, isCall: Bool = false
  ) -> Configuration.Overlay? {
    let named = name(t, "name")
    let kind = t.read("kind", "\"grid\"") { $0.string == "grid" ? "grid" : nil }
    let path = t.resolvedPath("path", "a GeoJSON, GPX or KML file")
    let level = t.choice("level", SourceSpec.Level.self)
    let stroke = t.read("stroke", Expected.color) { $0.color }
    let width = t.number("stroke_width", 0...100, "points")
    let fill = t.read("fill", Expected.color) { $0.color }
    let label = t.text("label", "a property's name")
    let colorBy = t.choice("color_by", Configuration.Overlay.ColorBy.self)
    let minZoom = t.number("min_zoom", 0...24, "a zoom") ?? 0
    let casing = t.read("casing", Expected.casing) { $0.casing }
    let dash = t.read("dash", Expected.dash) { $0.dash }
    let attribution = t.text("attribution", "a text")
    let cards = cardKeys(t)
    let isGrid = kind != nil
    guard
      let content = content(t, path: path, isGrid: isGrid, isInline: isInline, isCall: isCall),
      let name = overlayName(t, named: named, path: path, isGrid: isGrid)
    else { return nil }
    var overlay = Configuration.Overlay(
      name: name, content: content,
      level: level ?? (isGrid ? .aboveLabels : .aboveRoads))
    overlay.stroke = stroke
    overlay.strokeWidth = width
    overlay.fill = fill
    overlay.label = label
    overlay.colorBy = colorBy
    overlay.minZoom = minZoom
    overlay.casing = casing ?? .auto
    overlay.dash = dash ?? []
    overlay.attribution = attribution
    (overlay.title, overlay.titles) = cards.title
    (overlay.card, overlay.travelSpeed) = (cards.properties, cards.speed)
    overlay.travel = cards.travel ?? .hiking
    return overlay
  }

  /// What it draws: exactly one of a file, features that come with the call, and the grid.
  private func content(
    _ t: TableReader, path: String?, isGrid: Bool, isInline: Bool, isCall: Bool
  ) -> Configuration.Overlay.Content? {
    let given = (isGrid ? 1 : 0) + (path == nil ? 0 : 1) + (isInline ? 1 : 0)
    guard given == 1 else {
      if given > 1 || (t.value("kind") == nil && t.value("path") == nil) {
        t.findings.error(
          isInline
            ? "overlay: one of path, geojson and kind, not \(given)"
            : isCall
              ? "overlay: one of path, geojson and kind = \"grid\" is required"
              : "overlay: one of path and kind = \"grid\"", at: t.origin)
      }
      return nil
    }
    return path.map { .file($0) } ?? (isInline ? .geoJSON("") : .grid)
  }

  /// The name that the table gives, or that of its file, or "grid".
  private func overlayName(
    _ t: TableReader, named: String?, path: String?, isGrid: Bool
  ) -> String? {
    let fileName = path.map(Paths.stem).flatMap { $0.isEmpty ? nil : $0 }
    guard let name = named ?? fileName ?? (isGrid ? "grid" : nil) else {
      if t.value("name") == nil {
        t.findings.error("overlay: name is missing; only a file gives its own", at: t.origin)
      }
      return nil
    }
    guard !name.hasPrefix(Configuration.Overlay.closurePrefix) else {
      t.findings.error(
        "overlay.name = \"\(name.escaped)\": another name; those that begin with "
          + "\"\(Configuration.Overlay.closurePrefix)\" are of what notices close",
        at: named == nil ? t.origin : t.place("name"))
      return nil
    }
    return name
  }

  func markers(_ root: TableReader) -> [Configuration.Marker] {
    var all: [Configuration.Marker] = []
    root.tables("marker") { t in
      guard let marker = marker(t) else { return }
      all.append(marker)
      if all.count == Configuration.Marker.most + 1 {
        t.findings.error(
          "marker: more than \(Configuration.Marker.most); put that many places into an overlay's "
            + "file", at: t.origin)
      }
    }
    return all
  }

  func marker(_ t: TableReader) -> Configuration.Marker? {
    let id = name(t, "id")
    let lat = t.number("lat", -90...90, "degrees")
    let lon = t.number("lon", -540...540, "degrees")
    for key in ["id", "lat", "lon"] where t.value(key) == nil {
      t.findings.error("marker: \(key) is missing; id, lat and lon are required", at: t.origin)
    }
    let label = t.localText("label", Configuration.Marker.longestLabel)
    let text = t.localText("text", Configuration.Marker.longestText)
    let color = t.read("color", Expected.color) { $0.color }
    var icon: MarkerIcon?
    if let value = t.value("icon") {
      icon = value.string.flatMap(MarkerIcon.init(rawValue:))
      if icon == nil {
        let nearest = value.string.flatMap {
          t.findings.nearest(to: $0, in: MarkerIcon.names)
        }
        t.wrong(
          "icon", value,
          (nearest.map { "perhaps \"\($0)\"; " } ?? "") + "one of "
            + MarkerIcon.names.joined(separator: ", "))
      }
    }
    guard let id, let lat, let lon else { return nil }
    var marker = Configuration.Marker(
      id: id, place: GeoPoint(lat: lat, lon: lon), label: label.text, text: text.text,
      color: color, icon: icon)
    (marker.labels, marker.texts) = (label.others, text.others)
    return marker
  }

  /// A name: not empty, at most 100 bytes, no control characters.
  func name(_ t: TableReader, _ key: String) -> String? {
    t.read(key, "a name of 1 to 100 bytes without control characters") { value in
      guard let text = value.string, (1...100).contains(text.utf8.count), text.escaped == text
      else { return nil }
      return text
    }
  }
}
