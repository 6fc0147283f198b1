extension JSON {
  /// Appends the value's JSON text, without white space or line ends, to `out`. Doubles are written
  /// with the fewest digits that read back as the same double, whole ones without a point.
  public func write(to out: inout [UInt8]) {
    switch self {
    case .null: Self.append("null", to: &out)
    case .bool(let value): Self.append(value ? "true" : "false", to: &out)
    case .int(let value): Self.append(String(value), to: &out)
    case .double(let value): Self.write(value, to: &out)
    case .string(let value): Self.write(value, to: &out)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { out.append(UInt8(ascii: ",")) }
        isFirst = false
        element.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object):
      out.append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in object.members {
        if !isFirst { out.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.write(key, to: &out)
        out.append(UInt8(ascii: ":"))
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  /// The value as JSON text on one line.
  public var text: String {
    var out: [UInt8] = []
    write(to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  private static func write(_ value: Double, to out: inout [UInt8]) {
    guard value.isFinite else { return append("null", to: &out) }
    // Swift's description is the shortest that reads back the same; only the ".0" of whole numbers
    // is removed.
    append(value.description, to: &out)
    if out.count >= 2, out[out.count - 1] == UInt8(ascii: "0"),
      out[out.count - 2] == UInt8(ascii: ".")
    {
      out.removeLast(2)
    }
  }

  private static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { out.append(contentsOf: $0) }
  }

  /// Escapes what RFC 8259 section 7 requires, and nothing else.
  private static func write(_ value: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { bytes in
      // Whole buffers: a slice is appended a byte at a time.
      var rest = bytes
      var index = 0
      while index < rest.count {
        let byte = rest[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          index += 1
          continue
        }
        out.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<index]))
        writeEscape(of: byte, to: &out)
        rest = UnsafeBufferPointer(rebasing: rest[(index + 1)...])
        index = 0
      }
      out.append(contentsOf: rest)
    }
    out.append(UInt8(ascii: "\""))
  }

  private static func writeEscape(of byte: UInt8, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: out.append(UInt8(ascii: "b"))
    case 0x09: out.append(UInt8(ascii: "t"))
    case 0x0A: out.append(UInt8(ascii: "n"))
    case 0x0C: out.append(UInt8(ascii: "f"))
    case 0x0D: out.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      out.append(contentsOf: "u00".utf8)
      out.append(digits[Int(byte >> 4)])
      out.append(digits[Int(byte & 15)])
    default: out.append(byte)
    }
  }
}
