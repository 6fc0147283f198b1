/// The styles of a KML file: shared styles by ID, style maps, and a Placemark's own style.
struct KMLStyles {
  private var byID: [String: FeatureStyle] = [:]
  /// The ID of each map's "normal" style, by the map's ID.
  private var maps: [String: String] = [:]
  /// The bytes of all IDs and URLs that are kept.
  private var nameBytes = 0
  private(set) var placemark = FeatureStyle()
  private var isInPlacemark = false
  private var style: (id: String?, style: FeatureStyle)?
  private var map: String?
  private var pair: (key: String, url: String) = ("", "")

  mutating func beginPlacemark() {
    isInPlacemark = true
    placemark = FeatureStyle()
  }

  mutating func endPlacemark() { isInPlacemark = false }

  mutating func beginStyle(_ id: String?) { style = (id, FeatureStyle()) }

  mutating func beginMap(_ id: String?) {
    map = id ?? ""
    pair = ("", "")
  }

  mutating func end(_ name: String) {
    switch name {
    case "Style":
      guard let ended = style else { return }
      style = nil
      if let map {
        // A style within a map's pair.
        if pair.key == "normal", byID[map] == nil, keeps(map) { byID[map] = ended.style }
      } else if isInPlacemark {
        placemark = ended.style
      } else if let id = ended.id {
        let isKnown = byID[id] != nil
        if isKnown || keeps(id) { byID[id] = ended.style }
      }
    case "Pair":
      if let map, pair.key == "normal", !pair.url.isEmpty, keeps(map + pair.url) {
        maps[map] = pair.url
      }
      pair = ("", "")
    case "StyleMap": map = nil
    default: break
    }
  }

  /// Why a style is not used.
  static let fullReason =
    "its style is not used: there are more than \(FeatureLimits.sharedStyles) shared styles, or "
    + "their names have more than \(FeatureLimits.styleNames >> 20) MiB"

  /// Whether there is room for another style of these names.
  private mutating func keeps(_ names: String) -> Bool {
    guard byID.count + maps.count < FeatureLimits.sharedStyles,
      nameBytes + names.utf8.count <= FeatureLimits.styleNames
    else { return false }
    nameBytes += names.utf8.count
    return true
  }

  /// Takes an element's text. Returns false if it is not part of a style.
  mutating func take(_ name: String, _ text: String, parent: String) -> Bool {
    if parent == "Pair" {
      if name == "key" { pair.key = text.filter { !$0.isWhitespace } }
      if name == "styleUrl" { pair.url = text }
      return true
    }
    guard style != nil else { return false }
    let number = XMLFeatures.number(text)
    switch (parent, name) {
    case ("LineStyle", "color"):
      if let color = KMLStyles.color(text) {
        style?.style.stroke = color.rgb
        style?.style.strokeOpacity = color.alpha
      }
    case ("LineStyle", "width"):
      style?.style.strokeWidth = number.map { Float(min(max($0, 0), 100)) }
    case ("PolyStyle", "color"):
      if let color = KMLStyles.color(text) {
        style?.style.fill = color.rgb
        if style?.style.fillOpacity != 0 { style?.style.fillOpacity = color.alpha }
      }
    case ("PolyStyle", "fill"): if number == 0 { style?.style.fillOpacity = 0 }
    case ("PolyStyle", "outline"): if number == 0 { style?.style.strokeWidth = 0 }
    case ("IconStyle", "color"): style?.style.markerColor = KMLStyles.color(text)?.rgb
    case ("IconStyle", "scale"):
      style?.style.markerScale = number.map { Float(min(max($0, 0.3), 3)) }
    default: break
    }
    return true
  }

  /// The style that a `styleUrl` refers to; nil if the file has no such style.
  func shared(_ url: String) -> FeatureStyle? {
    var url = url
    // A map may refer to another one; more than a few steps are a loop.
    for _ in 0..<4 {
      let id = String(url.filter { !$0.isWhitespace }.split(separator: "#").last ?? "")
      if let style = byID[id] { return style }
      guard let next = maps[id] else { return nil }
      url = next
    }
    return nil
  }

  /// Reads "aabbggrr" (OGC 07-147r2, section 16.3).
  static func color(_ text: String) -> (rgb: UInt32, alpha: Float)? {
    let digits = text.filter { !$0.isWhitespace && $0 != "#" }
    guard digits.utf8.count == 8, let value = UInt32(digits, radix: 16) else { return nil }
    let rgb = (value & 255) << 16 | value & 0xFF00 | value >> 16 & 255
    return (rgb, Float(value >> 24) / 255)
  }
}

extension FeatureStyle {
  /// This style, with the properties that `own` sets replaced.
  func overridden(by own: FeatureStyle) -> FeatureStyle {
    var style = self
    style.stroke = own.stroke ?? stroke
    style.strokeOpacity = own.strokeOpacity ?? strokeOpacity
    style.strokeWidth = own.strokeWidth ?? strokeWidth
    style.fill = own.fill ?? fill
    style.fillOpacity = own.fillOpacity ?? fillOpacity
    style.markerColor = own.markerColor ?? markerColor
    style.markerScale = own.markerScale ?? markerScale
    style.isClosed = own.isClosed || isClosed
    return style
  }
}
