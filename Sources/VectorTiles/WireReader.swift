/// Steps through a protobuf message by offsets into the tile (protobuf.dev, "Encoding").
///
/// Unlike `ProtobufReader` it gives a field's wire type, which the fixtures ask for, and ranges
/// instead of buffers.
struct WireReader {
  /// How a field is encoded.
  enum Kind: UInt8 { case varint, eightBytes, bytes, startGroup, endGroup, fourBytes }

  /// A field's number, how it is encoded, and its value or the range of its bytes.
  struct Field {
    var number: Int
    var kind: Kind
    var value: UInt64
    var range: Range<Int>
  }

  private let base: UnsafeRawPointer
  private(set) var place: Int
  let end: Int
  /// Whether a field or a number was cut off or malformed. Nothing is read after it.
  private(set) var isDamaged = false

  /// Reads the bytes `range` of `bytes`, which contain the range.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    // An empty tile has no address; nothing is read from this one.
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!
    place = range.lowerBound
    end = range.upperBound
  }

  /// Whether all bytes are read.
  @inline(__always)
  var isAtEnd: Bool { place >= end }

  /// The next base-128 number; 0 if it is cut off, which `isDamaged` tells.
  @inline(__always)
  mutating func number() -> UInt64 {
    if place < end {
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      if byte < 0x80 {
        place &+= 1
        return UInt64(byte)
      }
    }
    return longNumber()
  }

  private mutating func longNumber() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < end, shift < 64 {
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
    damage()
    return 0
  }

  /// The next field; nil at the end, or if the rest is damaged.
  @inline(__always)
  mutating func next() -> Field? {
    if place >= end { return nil }
    let key = number()
    guard !isDamaged, key >> 3 > 0, let number = Int(exactly: key >> 3),
      let kind = Kind(rawValue: UInt8(key & 7))
    else { return damage() }
    var field = Field(number: number, kind: kind, value: 0, range: place..<place)
    switch kind {
    case .varint: field.value = self.number()
    case .eightBytes: field.range = skip(8)
    case .fourBytes: field.range = skip(4)
    case .bytes:
      let length = self.number()
      guard !isDamaged, length <= UInt64(end - place) else { return damage() }
      field.range = skip(Int(length))
    case .startGroup, .endGroup: return damage()
    }
    return isDamaged ? nil : field
  }

  @inline(__always)
  private mutating func skip(_ count: Int) -> Range<Int> {
    guard count <= end - place else {
      damage()
      return end..<end
    }
    defer { place += count }
    return place..<(place + count)
  }

  private mutating func damage<Value>() -> Value? {
    damage()
    return nil
  }

  private mutating func damage() {
    isDamaged = true
    place = end
  }
}
