/// A JSON value (RFC 8259).
public enum JSON: Sendable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number of 64 bits.
  case int(Int64)
  /// Written as `null` if it is not finite: JSON has no such number.
  case double(Double)
  /// Text.
  case string(String)
  /// Elements in their order.
  case array([JSON])
  /// Members in their order.
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
  /// The text, if it is one.
  public var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The truth value, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  /// The number, if it is one; exact up to 2^53.
  public var double: Double? {
    switch self {
    case .int(let value): return Double(value)
    case .double(let value): return value
    default: return nil
    }
  }

  /// The number, if it is a whole one of 64 bits; `3.0` is.
  public var int: Int64? {
    switch self {
    case .int(let value): return value
    case .double(let value): return Int64(exactly: value)
    default: return nil
    }
  }

  /// The elements, if it is an array.
  public var array: [JSON]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The members, if it is an object.
  public var object: JSONObject? {
    if case .object(let value) = self { return value }
    return nil
  }

  /// Whether it is null.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The member of an object; nil if there is none of that name, or it is no object.
  public subscript(key: String) -> JSON? { object?[key] }

  /// The element of an array; nil beyond its end, or if it is no array.
  public subscript(index: Int) -> JSON? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// What kind of value it is, for a message: "a number".
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

  /// `value`, or null for nil.
  public static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
  /// `value`, or null for nil.
  public static func optional(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }
  /// `value`, or null for nil.
  public static func optional(_ value: Int?) -> JSON { value.map { .int(Int64($0)) } ?? .null }
  /// `value`, or null for nil.
  public static func optional(_ value: Bool?) -> JSON { value.map { .bool($0) } ?? .null }
}

// Not by nil: an optional JSON's nil is an absent member, and must not become a null one unnoticed.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// True or false, as a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number, as a literal.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A number, as a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Text, as a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Elements, as a literal.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// The members keep the order they are written in; of two with one name, the later one stays.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
