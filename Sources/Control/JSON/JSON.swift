/// A JSON value (RFC 8259).
public enum JSON: Sendable {
  /// The literal `null`.
  case null
  /// One of the literals `true` and `false`.
  case bool(Bool)
  /// A whole number that fits 64 bits.
  case int(Int64)
  /// Any other number. Written as `null` if it is not finite, which JSON cannot express.
  case double(Double)
  /// A string, which may contain NUL.
  case string(String)
  /// An array, in its order.
  case array([JSON])
  /// An object, its members in their order.
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Numbers are equal by value: 3 and 3.0 are the same number in JSON.
  public static func == (a: JSON, b: JSON) -> Bool {
    switch (a, b) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): return Double(a) == b
    case (.string(let a), .string(let b)): return a == b
    case (.array(let a), .array(let b)): return a == b
    case (.object(let a), .object(let b)): return a == b
    default: return false
    }
  }
}

extension JSON {
  /// The string, or nil if this is not a string.
  public var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The truth value, or nil if this is neither true nor false.
  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  /// The number, or nil if this is not a number. Whole numbers are exact up to 2^53.
  public var double: Double? {
    switch self {
    case .int(let value): return Double(value)
    case .double(let value): return value
    default: return nil
    }
  }

  /// The number, or nil if this is not a whole number of 64 bits. `3.0` is one.
  public var int: Int64? {
    switch self {
    case .int(let value): return value
    case .double(let value): return Int64(exactly: value)
    default: return nil
    }
  }

  /// The elements, or nil if this is not an array.
  public var array: [JSON]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The object, or nil if this is not an object.
  public var object: JSONObject? {
    if case .object(let value) = self { return value }
    return nil
  }

  /// Whether this is the literal `null`.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The member named `key`; nil if there is none, or if this is not an object.
  public subscript(key: String) -> JSON? { object?[key] }

  /// The element at `index`; nil if there is none, or if this is not an array.
  public subscript(index: Int) -> JSON? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The kind of value, for messages: "a number".
  public var kindName: String {
    switch self {
    case .null: return "null"
    case .bool: return "true or false"
    case .int, .double: return "a number"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }

  /// The string, or `null` for nil.
  public static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
  /// The number, or `null` for nil.
  public static func optional(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }
  /// The number, or `null` for nil.
  public static func optional(_ value: Int?) -> JSON { value.map { .int(Int64($0)) } ?? .null }
  /// The truth value, or `null` for nil.
  public static func optional(_ value: Bool?) -> JSON { value.map { .bool($0) } ?? .null }
}

// Not by a nil literal: an optional JSON's nil is an absent member, and must not silently become a
// null one.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates the value from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates the value from a literal.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates the value from a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates the value from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array from a literal.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Creates an object from a literal. Members keep their order; of two with the same name the
  /// later one stays.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
