/// Steps through the fields of a protobuf message (protobuf.dev, "Encoding") without copying any.
/// The bytes must outlive the reader.
///
/// Readers of vector tiles step through millions of numbers, so the methods are inlined.
package struct ProtobufReader {
  /// A field's number, and its value or its contents.
  package struct Field {
    /// The field's number.
    package var number: UInt64
    /// The value of a varint; 0 for other fields.
    package var value: UInt64 = 0
    /// The bytes of a length-delimited field; nil for other fields.
    package var content: UnsafeRawBufferPointer?

    @inlinable
    init(number: UInt64) { self.number = number }
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var place = 0
  @usableFromInline var isCutOff = false

  /// Whether a field or a number was cut off or malformed. Nothing is read after it.
  @inlinable
  package var isDamaged: Bool { isCutOff }

  /// Begins with the first field of the message `bytes`.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next field; nil at the end, or if the rest is damaged.
  @inlinable
  package mutating func next() -> Field? {
    guard let key = number() else { return nil }
    var field = Field(number: key >> 3)
    switch key & 7 {
    case 0:
      guard let value = number() else { return damaged() }
      field.value = value
    case 1:
      guard skip(8) != nil else { return damaged() }
    case 2:
      guard let length = number(), let count = Int(exactly: length), let content = skip(count)
      else { return damaged() }
      field.content = content
    case 5:
      guard skip(4) != nil else { return damaged() }
    default: return damaged()
    }
    return field
  }

  /// The next base-128 number of a packed field; nil at the end, or if the rest is damaged.
  @inlinable
  package mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    if shift > 0 { return damaged() }
    return nil
  }

  @inlinable
  mutating func damaged<Value>() -> Value? {
    isCutOff = true
    place = bytes.count
    return nil
  }

  @inlinable
  mutating func skip(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)])
  }
}
