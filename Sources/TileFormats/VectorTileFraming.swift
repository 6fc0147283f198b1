/// Recognises an uncompressed Mapbox vector tile (specification 2.1, §4: a protobuf message whose
/// field 3 is a layer) by its framing alone, without decoding a feature.
enum VectorTileFraming {
  /// Whether all bytes are a sequence of layers, each a sequence of a layer's fields.
  static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ProtobufFraming(bytes[...])
    var layers = 0
    while let field = reader.next() {
      guard field.number == 3, let layer = field.content else { return false }
      var inside = ProtobufFraming(layer)
      var named = false
      while let part = inside.next() {
        switch part.number {
        case 1, 2, 3, 4: if part.content == nil { return false }
        default: break  // extent (5), version (15) and what later versions add
        }
        named = named || part.number == 1
      }
      guard inside.isAtEnd, named else { return false }
      layers += 1
    }
    return reader.isAtEnd && layers > 0
  }
}

/// Steps over the fields of a protobuf message (protobuf.dev, "Encoding").
private struct ProtobufFraming {
  struct Field {
    var number: UInt64
    /// The bytes of a length-delimited field; nil for other fields.
    var content: Slice<UnsafeRawBufferPointer>?
  }

  private var rest: Slice<UnsafeRawBufferPointer>
  private var failed = false

  init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

  /// Whether every byte belonged to a well-formed field.
  var isAtEnd: Bool { rest.isEmpty && !failed }

  mutating func next() -> Field? {
    guard !rest.isEmpty, !failed else { return nil }
    guard let key = varint() else { return fail() }
    let number = key >> 3
    switch key & 7 {
    case 0:
      guard varint() != nil else { return fail() }
    case 1:
      guard skip(8) != nil else { return fail() }
    case 2:
      guard let length = varint(), let count = Int(exactly: length), let content = skip(count)
      else { return fail() }
      return Field(number: number, content: content)
    case 5:
      guard skip(4) != nil else { return fail() }
    default: return fail()
    }
    return Field(number: number, content: nil)
  }

  private mutating func fail() -> Field? {
    failed = true
    return nil
  }

  private mutating func skip(_ count: Int) -> Slice<UnsafeRawBufferPointer>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst() {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
