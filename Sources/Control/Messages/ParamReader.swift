import Platform

/// Reads the members of an object; its errors name the member and say what would be right.
///
/// Parameters are read strictly: unknown members are refused with the nearest known name, and null
/// is a value like any other, which hardly any member accepts. Results are read leniently: unknown
/// members are ignored, and null means absent.
public struct ParamReader {
  private let object: JSONObject
  private let isLenient: Bool

  /// Creates a reader of a call's parameters: an object, or null for none. Parameters go by name,
  /// so an array is refused.
  ///
  /// - Parameters:
  ///   - params: the call's `params`.
  ///   - known: the names that the method accepts.
  /// - Throws: `ControlError.invalidParams` for an array and for an unknown name, with the nearest
  ///   known one.
  public init(_ params: JSON, _ known: [String]) throws(ControlError) {
    isLenient = false
    switch params {
    case .null: object = [:]
    case .object(let members): object = members
    default: throw Self.notByName(params)
    }
    for (key, _) in object.members where !known.contains(key) {
      let nearest = NearestName.find(key, among: known)
      let hint: String
      if let nearest {
        hint = "did you mean \"\(nearest)\"?"
      } else if known.isEmpty {
        hint = "this method takes none"
      } else {
        hint = "known are \(known.joined(separator: ", "))"
      }
      let name = NearestName.shorten(key)
      throw ControlError(
        code: ControlError.invalidParams, message: "unknown parameter \"\(name)\"; \(hint)",
        data: ["parameter": .string(name), "nearest": .optional(nearest)])
    }
  }

  /// Creates a reader of a result, which must be an object.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not an object.
  public init(result: JSON) throws(ControlError) {
    isLenient = true
    guard let members = result.object else {
      throw .parameter("result", "must be an object, not \(result.kindName)")
    }
    object = members
  }

  static func notByName(_ params: JSON) -> ControlError {
    .parameter("params", "\"params\" must be an object: parameters go by name, not by position")
  }

  // MARK: Values

  /// The member as it was sent; nil if it is absent.
  public func value(_ name: String) -> JSON? {
    guard let value = object[name] else { return nil }
    return isLenient && value.isNull ? nil : value
  }

  /// Returns `value`, which was read from the member `name`, unless it is nil.
  ///
  /// - Throws: `ControlError.invalidParams` if it is nil, because the member is missing.
  public func need<Value>(_ name: String, _ value: Value?) throws(ControlError) -> Value {
    guard let value else { throw .parameter(name, "\"\(name)\" is missing") }
    return value
  }

  /// The member `name` as a string; nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a string.
  public func string(_ name: String) throws(ControlError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw mistyped(name, "a string", value) }
    return text
  }

  /// The member `name` as a truth value; nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is neither true nor false.
  public func bool(_ name: String) throws(ControlError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else { throw mistyped(name, "true or false", value) }
    return bool
  }

  /// The member `name` as a finite number; nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a number, or outside `range`.
  public func number(
    _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(ControlError) -> Double? {
    guard let value = value(name) else { return nil }
    return try Self.number(value, name, in: range)
  }

  /// The member `name` as a whole number; `3.0` is one. Nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a whole number, or outside `range`.
  public func integer(
    _ name: String, in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(ControlError) -> Int? {
    guard let value = value(name) else { return nil }
    let isWide = range == Int.min...Int.max
    let wanted =
      isWide ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let wide = value.int, let number = Int(exactly: wide), range.contains(number) else {
      throw mistyped(name, wanted, value)
    }
    return number
  }

  /// The member `name` as a case of an enumeration; nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` for any other value, with the nearest case.
  public func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type
  ) throws(ControlError) -> Word? where Word.RawValue == String {
    guard let value = value(name) else { return nil }
    return try Self.word(value, name, type)
  }

  /// The member `name` as a latitude in degrees, −90 to 90; nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a number or out of range.
  public func latitude(_ name: String) throws(ControlError) -> Double? {
    try number(name, in: -90...90)
  }

  /// The member `name` as a longitude in degrees, −540 to 540: one turn from anywhere on either
  /// side of the dateline. Nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a number or out of range.
  public func longitude(_ name: String) throws(ControlError) -> Double? {
    try number(name, in: -540...540)
  }

  /// The member `name` as `[west, south, east, north]` in degrees, south ≤ north; west > east
  /// crosses the dateline. Nil if it is absent.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not such an array or out of range.
  public func bounds(_ name: String) throws(ControlError) -> [Double]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.array else {
      throw mistyped(name, "[west, south, east, north]", value)
    }
    guard elements.count == 4 else {
      throw .parameter(
        name,
        "\"\(name)\" must be [west, south, east, north], but has "
          + (elements.count == 1 ? "1 element" : "\(elements.count) elements"))
    }
    var bounds: [Double] = []
    for (index, element) in elements.enumerated() {
      let limit: Double = index % 2 == 0 ? 540 : 90
      bounds.append(
        try Self.number(element, "\(name)[\(index)]", in: -limit...limit))
    }
    guard bounds[1] <= bounds[3] else {
      throw .parameter(
        name,
        "\"\(name)\" is [west, south, east, north], and south \(JSON.double(bounds[1]).text)"
          + " lies north of north \(JSON.double(bounds[3]).text)")
    }
    return bounds
  }

  // MARK: Elements

  /// `value` as a finite number. `name` is what an error calls it.
  ///
  /// - Throws: `ControlError.invalidParams` if it is not a number, or outside `range`.
  public static func number(
    _ value: JSON, _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(ControlError) -> Double {
    if let number = value.double, number.isFinite, range?.contains(number) ?? true {
      return number
    }
    var wanted = "a number"
    if let range {
      let (low, high) = (JSON.double(range.lowerBound).text, JSON.double(range.upperBound).text)
      wanted = "a number from \(low) to \(high)"
    }
    throw mistyped(name, wanted, value)
  }

  /// `value` as a case of an enumeration. `name` is what an error calls it.
  ///
  /// - Throws: `ControlError.invalidParams` for any other value, with the nearest case.
  public static func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSON, _ name: String, _ type: Word.Type
  ) throws(ControlError) -> Word where Word.RawValue == String {
    if let text = value.string, let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map { $0.rawValue }
    var message = "\"\(name)\" must be one of \(words.joined(separator: ", "))"
    message += ", not \(describe(value))"
    if let text = value.string, let nearest = NearestName.find(text, among: words) {
      message += "; did you mean \"\(nearest)\"?"
    }
    throw .parameter(name, message)
  }

  /// The error for a member of the wrong type. `wanted` describes the right one: "a string".
  public func mistyped(_ name: String, _ wanted: String, _ value: JSON) -> ControlError {
    Self.mistyped(name, wanted, value)
  }

  static func mistyped(_ name: String, _ wanted: String, _ value: JSON) -> ControlError {
    .parameter(name, "\"\(name)\" must be \(wanted), not \(describe(value))")
  }

  /// The value itself where it is short, else its kind.
  private static func describe(_ value: JSON) -> String {
    switch value {
    case .array, .object: return value.kindName
    default:
      let text = value.text
      return text.utf8.count <= 40 ? text : value.kindName
    }
  }
}
