import MapGeometry
import Platform
import TileFormats
import TileSources

/// What an archive on a server says of itself. Kept in the store, so that it is known offline.
struct ArchiveInfo: Equatable {
  /// Tells one state of the archive from another.
  var identity: String
  var levels: ClosedRange<Int>
  var bounds: GeoBounds?
  /// Plain text; empty if it has none.
  var title = ""
  /// Plain text; empty if it has none.
  var attribution = ""
  /// What it says of its tiles' format; nil: nothing, or one without a name.
  var format: TileFormat?

  /// The most bytes of `text`.
  static let longestText = 8192

  /// What `header` says, and the strings of the metadata.
  init(_ header: PMTilesHeader, identity: String, metadata: [String: String]) {
    self.identity = identity
    levels = header.minZoom...header.maxZoom
    bounds = header.bounds
    title = PlainText.stripping(html: metadata["name"] ?? "")
    attribution = PlainText.stripping(html: metadata["attribution"] ?? "")
    // PMTiles 3, section 3.
    format =
      switch header.tileType {
      case 1, 6: .mvt
      case 2: .png
      case 3: .jpeg
      case 4: .webp
      case 5: .avif
      default: nil
      }
  }

  /// Reads what `text` gave; nil if anything is wrong with it.
  init?(_ text: String) {
    guard text.utf8.count <= ArchiveInfo.longestText else { return nil }
    var values: [Substring: String] = [:]
    // By bytes: a line end after a carriage return is one character together with it.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = Substring(line).split(separator: " ", maxSplits: 1)
      if words.count == 2 { values[words[0]] = String(words[1]) }
    }
    guard let identity = values["identity"], let least = values["min_zoom"].flatMap({ Int($0) }),
      let most = values["max_zoom"].flatMap({ Int($0) }), least >= 0, least <= most,
      most <= TileID.maxLevel
    else { return nil }
    self.identity = identity
    levels = least...most
    bounds = values["bounds"].flatMap { LenientPlace.numbers($0) }.flatMap(LenientPlace.bounds)
    title = PlainText.stripping(html: values["name"] ?? "")
    attribution = PlainText.stripping(html: values["attribution"] ?? "")
    format = values["format"].flatMap { TileFormat(rawValue: $0) }
  }

  /// All of it, as lines.
  var text: String {
    var lines = ["identity \(identity)"]
    lines += ["min_zoom \(levels.lowerBound)", "max_zoom \(levels.upperBound)"]
    if let boundsText { lines.append("bounds \(boundsText)") }
    if !title.isEmpty { lines.append("name \(ProviderAnswer.line(title))") }
    if !attribution.isEmpty { lines.append("attribution \(ProviderAnswer.line(attribution))") }
    if let format { lines.append("format \(format.rawValue)") }
    return lines.joined(separator: "\n")
  }

  /// "W,S,E,N", in degrees.
  var boundsText: String? {
    bounds.map { "\($0.west),\($0.south),\($0.east),\($0.north)" }
  }

  /// What other programs that read the store know it by (MBTiles 1.3).
  var facts: [String: String] {
    var facts = ["minzoom": "\(levels.lowerBound)", "maxzoom": "\(levels.upperBound)"]
    facts["bounds"] = boundsText
    if !attribution.isEmpty { facts["attribution"] = attribution }
    return facts
  }
}
