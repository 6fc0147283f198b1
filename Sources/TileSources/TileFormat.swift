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
    func begins(_ signature: [UInt8], at place: Int = 0) -> Bool {
      bytes.count >= place + signature.count
        && bytes[place..<place + signature.count].elementsEqual(signature)
    }
    if begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if begins([0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins(Array("ftypavi".utf8), at: 4) {
      self = .avif
    } else if TileFormat.beginsLikeVectorTile(bytes) {
      self = .mvt
    } else {
      return nil
    }
  }

  /// Whether this version draws tiles of this format.
  public var isDrawn: Bool { self == .png || self == .jpeg || self == .webp }

  private static func beginsLikeVectorTile(_ bytes: [UInt8]) -> Bool {
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
