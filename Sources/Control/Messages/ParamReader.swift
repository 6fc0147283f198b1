import Platform

/// Reads the members of an object, with uniform error messages.
///
/// Strict, for parameters: members beyond the known names are refused, with the nearest known
/// one; null is a value like any other and mistyped nearly everywhere. Lenient, for results:
/// unknown members are left out, null is the same as absent.
public struct ParamReader {
  private let object: JSONObject
  private let isLenient: Bool

  /// Parameters of a call: an object, or null for none. An array is refused: parameters go by name.
  ///
  /// - Parameters:
  ///   - params: what the call brought.
  ///   - known: the names that the method knows.
  /// - Throws: `ControlError.invalidParams` for an array, and for a name that is not known, with
  ///   the nearest one that is.
  public init(_ params: JSON, _ known: [String]) throws(ControlError) {
    isLenient = false
    switch params {
    case .null: object = [:]
    case .object(let members): object = members
    default: throw Self.notByName(params)
    }
    for key in object.keys where !known.contains(key) {
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

  /// A result's object.
  ///
  /// - Throws: `ControlError` where it is no object.
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

  /// The member as sent; nil if it is absent.
  public func value(_ name: String) -> JSON? {
    guard let value = object[name] else { return nil }
    return isLenient && value.isNull ? nil : value
  }

  /// `value`, which `name` was read as.
  ///
  /// - Throws: `ControlError.invalidParams` where it is nil: the member is missing.
  public func need<Value>(_ name: String, _ value: Value?) throws(ControlError) -> Value {
    guard let value else { throw .parameter(name, "\"\(name)\" is missing") }
    return value
  }

  /// A text; nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else.
  public func string(_ name: String) throws(ControlError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw mistyped(name, "a string", value) }
    return text
  }

  /// True or false; nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else.
  public func bool(_ name: String) throws(ControlError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else { throw mistyped(name, "true or false", value) }
    return bool
  }

  /// A finite number, in `range` if that is given; nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
  public func number(
    _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(ControlError) -> Double? {
    guard let value = value(name) else { return nil }
    return try Self.number(value, name, in: range)
  }

  /// A whole number in `range`; `3.0` is one. Nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
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

  /// One of the words of an enumeration; nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else, with the nearest word.
  public func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type
  ) throws(ControlError) -> Word? where Word.RawValue == String {
    guard let value = value(name) else { return nil }
    return try Self.word(value, name, type)
  }

  /// Degrees, −90 to 90; nil if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
  public func latitude(_ name: String) throws(ControlError) -> Double? {
    try number(name, in: -90...90)
  }

  /// Degrees, −540 to 540: once around from anywhere on either side of the dateline. Nil if the
  /// member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
  public func longitude(_ name: String) throws(ControlError) -> Double? {
    try number(name, in: -540...540)
  }

  /// `[west, south, east, north]` in degrees, south ≤ north; west > east crosses the dateline. Nil
  /// if the member is absent.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
  public func bounds(_ name: String) throws(ControlError) -> [Double]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.array, elements.count == 4 else {
      throw mistyped(name, "[west, south, east, north]", value)
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

  /// A finite number, in `range` if that is given. `name` is what an error calls it.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else or out of range.
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

  /// One of the words of an enumeration. `name` is what an error calls it.
  ///
  /// - Throws: `ControlError.invalidParams` where it is something else, with the nearest word.
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

  /// The error for a member that is not what it must be.
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
