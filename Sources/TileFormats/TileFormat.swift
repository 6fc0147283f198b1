/// The format of some bytes, recognised by their contents and never by a name.
///
/// This is the only code that recognises tiles. A tile is examined once, where it is read, and its
/// format travels with its bytes from there on.
public enum TileFormat: String, Sendable, CaseIterable {
  /// Pictures that this version draws.
  case png, jpeg, webp
  /// Pictures that this version does not draw.
  case gif, avif, tiff
  /// An uncompressed Mapbox vector tile, which is painted and not decoded.
  case mvt
  /// Gzip data or a zstd frame; if it is a tile, most likely a compressed vector tile.
  case gzip, zstd
  /// Files that a server or a checkout leaves in place of a tile.
  case json, html, gitLFSPointer, text
  /// No bytes.
  case empty
  /// None of the others.
  case unknown

  /// Recognises the format of `bytes`.
  ///
  /// Examines signatures (PNG 3rd edition 5.2, ITU-T T.81 B.1, RFC 9649 2.4, GIF89a, TIFF 6.0
  /// section 2, ISO 14496-12 4.3, RFC 1952 2.3, RFC 8878 3.1.1), then the framing of a vector tile
  /// (Vector Tile Specification 2.1, 4.1), which has no signature and must be correct to the last
  /// byte, then whether it is text. It does not tell whether a picture is complete. Brotli data,
  /// which have no signature either, are unknown here.
  ///
  /// - Parameter bytes: All bytes; the beginning is enough for all formats but vector tiles.
  public init(sniffing bytes: UnsafeRawBufferPointer) {
    let start = Signature.word(of: bytes, at: 0)
    if start == Signature.png {
      self = .png
    } else if start & 0xff_ffff == Signature.jpeg {
      self = .jpeg
    } else if start & 0xffff_ffff == Signature.riff,
      Signature.word(of: bytes, at: 8) & 0xffff_ffff == Signature.webp
    {
      self = .webp
    } else {
      self = TileFormat.undrawn(bytes, start)
    }
  }

  /// Recognises the format of `bytes`; see `init(sniffing:)`.
  ///
  /// - Parameter bytes: All bytes; the beginning is enough for all formats but vector tiles.
  public init(sniffing bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { TileFormat(sniffing: $0) }
  }

  /// Whether this version decodes tiles of this format: pictures.
  public var isDrawn: Bool {
    // Swift 6.0 compares cases with raw values as strings; it does not in a switch.
    switch self {
    case .png, .jpeg, .webp: true
    default: false
    }
  }

  /// Whether maps consist of this format: a picture or a vector tile, whether drawn here or not.
  public var isMapTile: Bool {
    switch self {
    case .png, .jpeg, .webp, .gif, .avif, .tiff, .mvt: true
    case .gzip, .zstd, .json, .html, .gitLFSPointer, .text, .empty, .unknown: false
    }
  }

  /// Why a tile of this format is not drawn as a picture, and which format would be; nil for a
  /// format that is.
  public var refusal: String? {
    switch self {
    case .png, .jpeg, .webp: nil
    case .avif, .gif, .tiff:
      "a picture in \(rawValue.uppercased()) format; this version draws PNG, JPEG and WebP only"
    case .gzip, .zstd:
      "\(rawValue) data, likely a vector tile (MVT), on a map of pictures (PNG, JPEG, WebP)"
    case .mvt:
      "a vector tile (MVT) on a map of pictures (PNG, JPEG, WebP)"
    case .json: "not an image: JSON text"
    case .html: "not an image: an HTML or XML page, perhaps a server's error message"
    case .gitLFSPointer:
      "not an image: a Git LFS pointer; fetch the real file with `git lfs pull`"
    case .text: "not an image: plain text"
    case .empty: "not an image: no bytes"
    case .unknown: "not an image that is known: neither PNG, JPEG nor WebP"
    }
  }

  /// The format of bytes that are not a picture that can be drawn.
  private static func undrawn(_ bytes: UnsafeRawBufferPointer, _ start: UInt64) -> TileFormat {
    if bytes.isEmpty { return .empty }
    switch start & 0xffff_ffff_ffff {
    case Signature.gif87a, Signature.gif89a: return .gif
    default: break
    }
    switch start & 0xffff_ffff {
    case Signature.tiffBigEndian: return .tiff
    // The last byte is 0, as are those beyond the end.
    case Signature.tiffLittleEndian where bytes.count >= 4: return .tiff
    case Signature.zstd: return .zstd
    default: break
    }
    if start & 0xffff == Signature.gzip { return .gzip }
    switch Signature.word(of: bytes, at: 4) {
    case Signature.avifImage, Signature.avifSequence: return .avif
    default: break
    }
    if VectorTileFraming.matches(bytes) { return .mvt }
    return text(bytes)
  }

  /// The kind of text, judged by the first 1,024 bytes.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> TileFormat {
    let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(1024))
    // Control characters other than tab, line feed, form feed and carriage return: not text.
    let isText = head.allSatisfy { $0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 12 || $0 == 13 }
    guard isText else { return .unknown }
    if head.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
    let unmarked = head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head[...]
    switch unmarked.first(where: { ![0x20, 9, 10, 12, 13].contains($0) }) {
    case nil: return .text
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"): return .html
    default:
      // Text in another encoding looks like random bytes, so only ASCII and UTF-8 are text.
      return isUTF8(head, isCut: head.count < bytes.count) ? .text : .unknown
    }
  }

  private static func isUTF8(_ head: UnsafeRawBufferPointer, isCut: Bool) -> Bool {
    (0...(isCut ? 3 : 0)).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }
}

/// Signatures as little-endian numbers, the file's first byte lowest.
private enum Signature {
  static let png: UInt64 = 0x0a1a_0a0d_474e_5089
  static let jpeg: UInt64 = 0xff_d8ff
  static let riff: UInt64 = 0x4646_4952
  static let webp: UInt64 = 0x5042_4557
  static let gif87a: UInt64 = 0x6137_3846_4947
  static let gif89a: UInt64 = 0x6139_3846_4947
  static let tiffLittleEndian: UInt64 = 0x002a_4949
  static let tiffBigEndian: UInt64 = 0x2a00_4d4d
  static let gzip: UInt64 = 0x8b1f
  static let zstd: UInt64 = 0xfd2f_b528
  /// "ftypavif" and "ftypavis".
  static let avifImage: UInt64 = 0x6669_7661_7079_7466
  static let avifSequence: UInt64 = 0x7369_7661_7079_7466

  /// Eight bytes of `bytes` starting at `offset`, as a number; bytes beyond the end count as 0.
  static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    if bytes.count >= offset + 8 {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var word: UInt64 = 0
    for i in offset..<max(offset, bytes.count) {
      word |= UInt64(bytes[i]) << UInt64(8 * (i - offset))
    }
    return word
  }
}
