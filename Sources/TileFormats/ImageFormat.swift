/// What a blob of bytes is, told by its content and never by its name.
public enum ImageFormat: String, Sendable, CaseIterable {
  /// Formats that `TileDecoder` draws.
  case png, jpeg, webp
  /// Picture formats that it does not.
  case avif, gif, tiff
  /// Gzip data; as a tile most likely a compressed vector tile.
  case gzip
  /// An uncompressed Mapbox vector tile.
  case mvt
  /// What a server or a checkout leaves where a tile should be.
  case json, html, gitLFSPointer, text
  /// No bytes at all.
  case empty
  /// None of these.
  case unknown

  /// Whether `TileDecoder` draws this format.
  public var isDrawable: Bool {
    switch self {
    case .png, .jpeg, .webp: true
    default: false
    }
  }

  /// Looks at signatures (PNG 3rd edition §5.2, JPEG T.81 annex B, the WebP container's RIFF
  /// header, RFC 1952 §2.3, ISO 14496-12 `ftyp`), then at the framing of a vector tile, then at
  /// text. Reads no further than the bytes given; says nothing about whether the rest is whole.
  public static func sniff(_ bytes: UnsafeRawBufferPointer) -> ImageFormat {
    if bytes.isEmpty { return .empty }
    if starts(bytes, with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
    if starts(bytes, with: [0xff, 0xd8, 0xff]) { return .jpeg }
    if starts(bytes, with: "RIFF"), starts(bytes, at: 8, with: "WEBP") { return .webp }
    if starts(bytes, with: "GIF87a") || starts(bytes, with: "GIF89a") { return .gif }
    if starts(bytes, with: [0x49, 0x49, 0x2a, 0]) || starts(bytes, with: [0x4d, 0x4d, 0, 0x2a]) {
      return .tiff
    }
    if starts(bytes, with: [0x1f, 0x8b]) { return .gzip }
    if starts(bytes, at: 4, with: "ftypavif") || starts(bytes, at: 4, with: "ftypavis") {
      return .avif
    }
    if VectorTileFraming.matches(bytes) { return .mvt }
    return sniffText(bytes)
  }

  private static func sniffText(_ bytes: UnsafeRawBufferPointer) -> ImageFormat {
    let head = bytes.prefix(1024)
    // Control characters other than tab, line feed, form feed and carriage return: not text.
    let isText = head.allSatisfy { $0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 12 || $0 == 13 }
    guard isText else { return .unknown }
    if starts(bytes, with: "version https://git-lfs") { return .gitLFSPointer }
    var start = starts(bytes, with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while start < head.count, [0x20, 9, 10, 12, 13].contains(head[start]) { start += 1 }
    guard start < head.count else { return .text }
    switch head[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"): return .html
    default:
      // Text of a foreign encoding and random bytes look alike: only ASCII and UTF-8 are text.
      return isUTF8(head, isCut: head.count < bytes.count) ? .text : .unknown
    }
  }

  private static func isUTF8(_ head: Slice<UnsafeRawBufferPointer>, isCut: Bool) -> Bool {
    (0...(isCut ? 3 : 0)).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  private static func starts(
    _ bytes: UnsafeRawBufferPointer, at offset: Int = 0, with magic: StaticString
  ) -> Bool {
    starts(
      bytes, at: offset,
      with: UnsafeBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
  }

  private static func starts(
    _ bytes: UnsafeRawBufferPointer, at offset: Int = 0, with magic: some Collection<UInt8>
  ) -> Bool {
    bytes.count >= offset + magic.count && bytes.dropFirst(offset).starts(with: magic)
  }

  /// Why a blob of this format is not drawn; nil for what is.
  package var refusal: String? {
    switch self {
    case .png, .jpeg, .webp: nil
    case .avif, .gif, .tiff:
      "a picture in \(rawValue.uppercased()) format; this version draws PNG, JPEG and WebP only"
    case .gzip:
      "gzip data, likely a vector tile (MVT); this version draws raster tiles "
        + "(PNG, JPEG, WebP) only"
    case .mvt:
      "a vector tile (MVT); this version draws raster tiles (PNG, JPEG, WebP) only"
    case .json: "not an image: JSON text"
    case .html: "not an image: an HTML or XML page, perhaps a server's error message"
    case .gitLFSPointer:
      "not an image: a Git LFS pointer; fetch the real file with `git lfs pull`"
    case .text: "not an image: plain text"
    case .empty: "not an image: no bytes"
    case .unknown: "not an image that is known: neither PNG, JPEG nor WebP"
    }
  }
}
