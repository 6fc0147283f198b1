/// What a tile's bytes are, told by the bytes and never by a name.
public enum TileFormat: String, Sendable, CaseIterable {
  case png, jpeg, webp, gif, avif
  /// A Mapbox vector tile, unpacked.
  case mvt

  /// The format that `bytes` begin like, or nil where they begin like none of these.
  ///
  /// The signatures are those of the PNG specification 5.2, ITU-T T.81 B.1, RFC 9649 2.4, GIF89a,
  /// ISO 14496-12 4.3 and, for vector tiles that have none, of a protobuf whose first field is a layer
  /// (Vector Tile Specification 2.1, 4.1).
  public init?(sniffing bytes: [UInt8]) {
    guard let format = bytes.withUnsafeBytes({ TileFormat(sniffing: $0) }) else { return nil }
    self = format
  }

  /// The same of bytes in memory.
  public init?(sniffing bytes: UnsafeRawBufferPointer) {
    /// The eight bytes at `place`, the first one lowest; what lies behind the end is 0, as in no signature.
    func word(at place: Int) -> UInt64 {
      if bytes.count >= place + 8 {
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      var word: UInt64 = 0
      for i in place..<max(place, bytes.count) {
        word |= UInt64(bytes[i]) << UInt64(8 * (i - place))
      }
      return word
    }
    let start = word(at: 0)
    /// Whether `count` bytes from `place` on are those of `signature`, the first one lowest.
    func begins(_ signature: UInt64, _ count: Int, at place: Int = 0) -> Bool {
      (place == 0 ? start : word(at: place)) & UInt64.max >> UInt64(64 - 8 * count) == signature
    }
    if begins(0x0a1a_0a0d_474e_5089, 8) {
      self = .png
    } else if begins(0xff_d8ff, 3) {
      self = .jpeg
    } else if begins(0x4646_4952, 4), begins(0x5042_4557, 4, at: 8) {  // RIFF, WEBP
      self = .webp
    } else if begins(0x3846_4947, 4) {  // GIF8
      self = .gif
    } else if begins(0x69_7661_7079_7466, 7, at: 4) {  // ftypavi
      self = .avif
    } else if TileFormat.beginsLikeVectorTile(bytes) {
      self = .mvt
    } else {
      return nil
    }
  }

  /// Whether this version draws tiles of this format.
  public var isDrawn: Bool { self == .png || self == .jpeg || self == .webp }

  private static func beginsLikeVectorTile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Field 3 (layers), length-delimited; the layer must fit and begin with a field that layers have:
    // name, features, keys, values, extent or version.
    guard bytes.count >= 4, bytes[0] == 0x1a else { return false }
    var length = 0
    var place = 1
    var shift = 0
    while place < bytes.count, shift <= 28 {
      let byte = Int(bytes[place])
      length |= (byte & 0x7f) << shift
      place += 1
      if byte < 0x80 {
        return length > 0 && length <= bytes.count - place
          && [0x0a, 0x12, 0x1a, 0x22, 0x28, 0x78].contains(bytes[place])
      }
      shift += 7
    }
    return false
  }
}
