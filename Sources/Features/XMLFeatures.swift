import Platform

/// Reads GPX and KML.
enum XMLFeatures {
  static func read(
    _ bytes: FileBytes, from start: Int, file: String, options: FeatureOptions
  ) throws(FeatureError) -> FeatureSet {
    var gpx: GPXReader?
    var kml: KMLReader?
    try XMLScanner.read(bytes, from: start, file: file) { root in
      switch root {
      case "gpx": gpx = GPXReader(file: file, options: options)
      case "kml", "Document", "Folder", "Placemark":
        kml = KMLReader(file: file, options: options)
      default: return nil
      }
      return gpx ?? kml
    }
    if let gpx { return gpx.finished() }
    if let kml { return kml.finished() }
    throw FeatureError(file: file, reason: "there is nothing in it")
  }

  /// A number in XML, with or without white space around it; nil for anything else.
  static func number(_ text: String) -> Double? {
    var bytes = Substring(text).utf8
    while let first = bytes.first, first <= 32 { bytes.removeFirst() }
    while let last = bytes.last, last <= 32 { bytes.removeLast() }
    // Excludes "nan", "inf" and "0x10".
    guard bytes.allSatisfy({ $0 < 58 || $0 | 32 == UInt8(ascii: "e") }) else { return nil }
    return Double(Substring(bytes)).flatMap { $0.isFinite ? $0 : nil }
  }
}
