import Platform

extension FeatureSet {
  /// Reads a file of GeoJSON, GPX or KML. The format is recognised from the bytes.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: What to read besides the geometry.
  ///   - trust: Which files may be opened.
  /// - Throws: `FeatureError` with the file and, if known, the line.
  public init(
    path: String, options: FeatureOptions = FeatureOptions(), trust: PathTrust = .anywhere
  ) throws(FeatureError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileIO.read(path, limit: FeatureLimits.fileBytes, trust: trust)
    } catch {
      throw FeatureError(file: error.file, reason: error.reason)
    }
    try self.init(bytes: bytes, name: path, options: options)
  }

  /// Reads features from memory. The format is recognised from the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - name: The file's name in errors.
  ///   - options: What to read besides the geometry.
  /// - Throws: `FeatureError` with the file name and, if known, the line.
  public init(
    bytes: [UInt8], name: String, options: FeatureOptions = FeatureOptions()
  ) throws(FeatureError) {
    guard bytes.count <= FeatureLimits.fileBytes else {
      throw FeatureError(
        file: name,
        reason: "it has \(bytes.count) bytes; at most \(FeatureLimits.fileBytes) are taken")
    }
    // A byte order mark, which parsers may ignore (RFC 8259, section 8.1).
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    while start < bytes.count, [9, 10, 13, 32].contains(bytes[start]) { start += 1 }
    func refused(_ reason: String) -> FeatureError {
      FeatureError(file: name, line: 1, reason: reason)
    }
    guard start < bytes.count else {
      throw refused("it is empty; GeoJSON, GPX or KML is expected")
    }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw refused("it is a ZIP archive (a KMZ?): unzip it and name the .kml file inside")
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      throw refused("it is compressed with gzip: decompress it first")
    }
    if isWide || bytes[start] == UInt8(ascii: "<") {
      self = try XMLFeatures.read(bytes, from: isWide ? 0 : start, file: name, options: options)
    } else if bytes[start] >= 128 || bytes[start] < 32 {
      throw refused("it is neither GeoJSON nor GPX nor KML, which are text")
    } else {
      self = try GeoJSONReader.read(bytes, from: start, file: name, options: options)
    }
  }
}
