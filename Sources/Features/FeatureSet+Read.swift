import Platform

#if canImport(Glibc)
  import Glibc
#endif

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
    let bytes: FileBytes
    do throws(FileError) {
      var size = 0
      let descriptor = try FileIO.openRegular(path, size: &size, trust: trust)
      defer { close(descriptor) }
      bytes = try FileBytes.read(
        descriptor, of: path, size: size, limit: FeatureLimits.fileBytes)
    } catch {
      throw FeatureError(file: error.file, reason: error.reason)
    }
    try self.init(file: bytes, name: path, options: options)
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
    try self.init(file: FileBytes(bytes), name: name, options: options)
  }

  /// Reads features from a file's bytes, and gives back their memory on the way. The format is
  /// recognised from the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents, which cannot be read again.
  ///   - name: The file's name in errors.
  ///   - options: What to read besides the geometry.
  /// - Throws: `FeatureError` with the file name and, if known, the line.
  package init(
    file bytes: FileBytes, name: String, options: FeatureOptions = FeatureOptions()
  ) throws(FeatureError) {
    let head = Array(bytes[0..<4])
    // A byte order mark, which parsers may ignore (RFC 8259, section 8.1).
    var start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let isWide = head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE])
    while start < bytes.count, [9, 10, 13, 32].contains(bytes.pointer[start]) { start += 1 }
    func refused(_ reason: String) -> FeatureError {
      FeatureError(file: name, line: 1, reason: reason)
    }
    guard start < bytes.count else {
      throw refused("it is empty; GeoJSON, GPX or KML is expected")
    }
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw refused("it is a ZIP archive (a KMZ?): unzip it and name the .kml file inside")
    }
    if head.starts(with: [0x1F, 0x8B]) {
      throw refused("it is compressed with gzip: decompress it first")
    }
    let first = bytes.pointer[start]
    if isWide || first == UInt8(ascii: "<") {
      self = try XMLFeatures.read(bytes, from: isWide ? 0 : start, file: name, options: options)
    } else if first >= 128 || first < 32 {
      throw refused("it is neither GeoJSON nor GPX nor KML, which are text")
    } else {
      self = try GeoJSONReader.read(bytes, from: start, file: name, options: options)
    }
  }
}
