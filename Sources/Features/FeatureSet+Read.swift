#if canImport(Glibc)
  import Glibc
#endif

extension FeatureSet {
  /// Reads a file of GeoJSON, GPX or KML; which one it is, its bytes say.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: What to take besides the geometry.
  /// - Throws: `FeatureError` with the file and, where there is one, the line.
  public init(path: String, options: FeatureOptions = FeatureOptions()) throws(FeatureError) {
    try self.init(
      bytes: FeatureSet.content(of: path), name: path, options: options)
  }

  /// Reads features from memory.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - name: What errors name as the file.
  ///   - options: What to take besides the geometry.
  /// - Throws: `FeatureError` with the file and, where there is one, the line.
  public init(
    bytes: [UInt8], name: String, options: FeatureOptions = FeatureOptions()
  ) throws(FeatureError) {
    guard bytes.count <= FeatureLimits.fileBytes else {
      throw FeatureError(
        file: name,
        reason: "it has \(bytes.count) bytes; at most \(FeatureLimits.fileBytes) are taken")
    }
    // A byte order mark (RFC 8259, section 8.1, lets parsers ignore it).
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    while start < bytes.count, [9, 10, 13, 32].contains(bytes[start]) { start += 1 }
    func refused(_ reason: String) -> FeatureError {
      FeatureError(file: name, line: 1, reason: reason)
    }
    guard start < bytes.count else {
      throw refused("it is empty; GeoJSON, GPX or KML would be right")
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

  private static func content(of path: String) throws(FeatureError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw FeatureError(
        file: path, reason: "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FeatureError(file: path, reason: "is not a file; GeoJSON, GPX or KML would be right")
    }
    let size = Int(status.st_size)
    guard size <= FeatureLimits.fileBytes else {
      throw FeatureError(
        file: path, reason: "has \(size) bytes; at most \(FeatureLimits.fileBytes) are taken")
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      count = 0
      while count < size {
        let got = read(descriptor, memory.baseAddress?.advanced(by: count), size - count)
        if got > 0 {
          count += got
        } else if got == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    guard failure == 0 else {
      throw FeatureError(
        file: path, reason: "cannot be read: \(String(cString: strerror(failure)))")
    }
    return bytes
  }
}
