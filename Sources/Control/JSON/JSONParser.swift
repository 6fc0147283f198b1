import CJansson

/// Why a text was refused as JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  public let message: String
  /// The offset of the byte at which the parser gave up, from 0.
  public let offset: Int

  /// The message and the offset.
  public var description: String { "\(message) (at byte \(offset))" }
}

extension JSON {
  /// Arrays and objects may be nested to this depth.
  public static let maxDepth = 64

  /// Parses one JSON text (RFC 8259) with the C library jansson, more strictly than the RFC asks:
  /// - a name that an object has twice is refused, so that no two readers can differ over it;
  /// - text that is not valid UTF-8 is refused, as are lone surrogates and a NUL in a name;
  /// - a number too large for a double is refused (a request with one: see `HugeNumbers`); a whole
  ///   one beyond 64 bits becomes a double;
  /// - nesting beyond `maxDepth` is refused.
  ///
  /// - Throws: `JSONError`, with the offset at which the text stops being JSON.
  public static func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSON {
    var error = json_error_t()
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    var flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
    var root = json_loadb(start, bytes.count, Int(flags), &error)
    if root == nil, json_error_code(&error) == json_error_numeric_overflow {
      // A whole number beyond Int64: take this text's whole numbers as doubles.
      flags |= JSON_DECODE_INT_AS_REAL
      root = json_loadb(start, bytes.count, Int(flags), &error)
    }
    guard let root else {
      let text = withUnsafeBytes(of: &error.text) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw JSONError(message: text, offset: max(Int(error.position), 0))
    }
    defer { json_decref(root) }
    return try convert(root, depth: 0)
  }

  /// Parses one JSON text with the same rules.
  ///
  /// - Throws: `JSONError`, with the offset at which the text stops being JSON.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    // A closure would lose the error's type, so the result carries it out.
    let result = bytes.withUnsafeBytes { raw -> Result<JSON, JSONError> in
      do throws(JSONError) { return .success(try parse(raw)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Parses one JSON text with the same rules.
  ///
  /// - Throws: `JSONError`, with the offset at which the text stops being JSON.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  private static func convert(
    _ node: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONError) -> JSON {
    switch node.pointee.type {
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_INTEGER: return .int(Int64(json_integer_value(node)))
    case JSON_REAL: return .double(json_real_value(node))
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(node), count: json_string_length(node))
      return .string(String(decoding: bytes, as: UTF8.self))
    case JSON_ARRAY:
      guard depth < maxDepth else { throw tooDeep }
      let count = json_array_size(node)
      var elements: [JSON] = []
      elements.reserveCapacity(count)
      for index in 0..<count {
        guard let element = json_array_get(node, index) else { continue }
        elements.append(try convert(element, depth: depth + 1))
      }
      return .array(elements)
    case JSON_OBJECT:
      guard depth < maxDepth else { throw tooDeep }
      var members: [(key: String, value: JSON)] = []
      members.reserveCapacity(json_object_size(node))
      var iterator = json_object_iter(node)
      while let place = iterator {
        if let key = json_object_iter_key(place), let value = json_object_iter_value(place) {
          members.append((String(cString: key), try convert(value, depth: depth + 1)))
        }
        iterator = json_object_iter_next(node, place)
      }
      return .object(JSONObject(unique: members))
    default: return .null
    }
  }

  private static var tooDeep: JSONError {
    JSONError(message: "arrays and objects nested deeper than \(maxDepth)", offset: 0)
  }
}
