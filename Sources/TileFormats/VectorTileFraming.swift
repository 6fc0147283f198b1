/// Recognises an uncompressed Mapbox vector tile (specification 2.1, §4: a protobuf message whose
/// field 3 is a layer) by its framing alone, without decoding a feature.
enum VectorTileFraming {
  /// Whether all bytes are a sequence of layers, each a sequence of a layer's fields.
  static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ProtobufReader(bytes)
    var layers = 0
    while let field = reader.next() {
      guard field.number == 3, let layer = field.content else { return false }
      var inside = ProtobufReader(layer)
      var named = false
      while let part = inside.next() {
        switch part.number {
        case 1, 2, 3, 4: if part.content == nil { return false }
        default: break  // extent (5), version (15) and what later versions add
        }
        named = named || part.number == 1
      }
      guard !inside.isDamaged, named else { return false }
      layers += 1
    }
    return !reader.isDamaged && layers > 0
  }
}
