import Platform

/// The copy of the last good configuration: one file with the texts of all its files and the
/// folders they stood in, replaced in one step, so that a power cut leaves the old copy or the new
/// one.
///
/// The file is one line `waypost last good configuration 1 COUNT CHECKSUM` (CHECKSUM: FNV-1a of
/// everything behind that line, 64 bits in hexadecimal), then for each text its name's, folder's
/// and own length in bytes on one line and these bytes without anything between.
public struct ConfigurationStore: Sendable {
  /// The copy's file.
  public let path: String

  private static let title = "waypost last good configuration 1"
  /// More files than anybody has.
  private static let maxFiles = 256

  /// The store in the file at `path`, which need not exist.
  public init(path: String) { self.path = path }

  /// The store beside the saved state at `statePath`.
  public init(besideState statePath: String) {
    path = statePath + ".last-good-configuration"
  }

  /// Writes the copy if it differs from the present one.
  ///
  /// - Parameter texts: the texts of all files.
  /// - Returns: whether anything was written.
  /// - Throws: `FileError` where it cannot be written; the old copy then stays.
  @discardableResult
  public func save(_ texts: [ConfigurationText]) throws(FileError) -> Bool {
    let bytes = Self.encode(texts)
    if let old = try? FileIO.read(path, limit: bytes.count), old == bytes { return false }
    try FileIO.replace(path, with: bytes)
    return true
  }

  /// The copy's texts, for `ConfigurationLoader.load(texts:)`.
  ///
  /// - Throws: why there is no copy or why it is not to be trusted.
  public func load() throws(FileError) -> [ConfigurationText] {
    let bytes = try FileIO.read(path, limit: Self.maxFiles * (ConfigValue.maxFileBytes + 10_000))
    guard let texts = Self.decode(bytes) else {
      throw FileError(
        file: path, reason: "damaged; ignored, and written again with the next good configuration")
    }
    return texts
  }

  static func encode(_ texts: [ConfigurationText]) -> [UInt8] {
    var body: [UInt8] = []
    for text in texts {
      let (file, folder) = (Array(text.file.utf8), Array(text.directory.utf8))
      body += Array("\(file.count) \(folder.count) \(text.bytes.count)\n".utf8)
      body += file + folder + text.bytes
    }
    return Array("\(title) \(texts.count) \(checksum(body[...]))\n".utf8) + body
  }

  static func decode(_ bytes: [UInt8]) -> [ConfigurationText]? {
    var rest = bytes[...]
    guard let head = line(&rest), head.hasPrefix(title + " ") else { return nil }
    let words = head.dropFirst(title.count + 1).split(separator: " ")
    guard words.count == 2, let count = Quantities.natural(words[0]), count <= maxFiles,
      words[1] == checksum(rest)
    else { return nil }
    var texts: [ConfigurationText] = []
    for _ in 0..<count {
      guard let lengths = line(&rest)?.split(separator: " ").map({ Quantities.natural($0) }),
        lengths.count == 3, let file = take(&rest, lengths[0]),
        let folder = take(&rest, lengths[1]),
        let text = take(&rest, lengths[2])
      else { return nil }
      texts.append(
        ConfigurationText(
          file: String(decoding: file, as: UTF8.self),
          directory: String(decoding: folder, as: UTF8.self), bytes: Array(text)))
    }
    return rest.isEmpty ? texts : nil
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ count: Int?) -> ArraySlice<UInt8>? {
    guard let count, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// FNV-1a, 64 bits: enough against a torn or damaged copy; it does not guard against an attacker.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    String(FNV1a(bytes).value, radix: 16)
  }
}
