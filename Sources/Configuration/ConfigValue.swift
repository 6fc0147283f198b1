import Glibc
import Platform

/// One value of a configuration with its position in the file: what TOML and JSON have in common.
public struct ConfigValue: Sendable, Equatable {
  /// Where a value was written, and the base of relative paths in it.
  public struct Origin: Sendable, Equatable {
    /// The file's name as findings print it.
    public var file: String
    /// The folder that relative paths start from; nil: only absolute paths are taken.
    public var directory: String?
    /// The line, counted from 1.
    public var line: Int

    /// A position in `file`, by default on its first line.
    public init(file: String, directory: String?, line: Int = 1) {
      self.file = file
      self.directory = directory
      self.line = line
    }
  }

  /// A key of a table with its value.
  public struct Entry: Sendable, Equatable {
    /// The key's name, without quotation marks.
    public var key: String
    /// The line on which the key is, counted from 1.
    public var line: Int
    /// The value that the key is set to.
    public var value: ConfigValue

    /// Creates an entry: a key on `line`, counted from 1, with its value.
    public init(key: String, line: Int, value: ConfigValue) {
      self.key = key
      self.line = line
      self.value = value
    }

    /// Where the key is.
    var place: Origin {
      var place = value.origin
      place.line = line
      return place
    }
  }

  /// The types of TOML and JSON. `table` keeps the file's order, and JSON's objects are tables too.
  public enum Content: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case double(Double)
    case boolean(Bool)
    case array([ConfigValue])
    case table([Entry])
    /// A value that no key accepts, by its name in messages: "a date", "null".
    case other(String)
  }

  /// The value, by its type.
  public var content: Content
  /// Where the value begins.
  public var origin: Origin

  /// Creates a value that was read at `origin`.
  public init(_ content: Content, origin: Origin) {
    self.content = content
    self.origin = origin
  }

  // Not inlined: the optimiser of Swift 6.3.1 fails (an ownership error in its copy propagation) on
  // a function that these are merged into.
  /// The text if this is a string; nil for anything else.
  @inline(never)
  public var string: String? { if case .string(let value) = content { value } else { nil } }
  /// The number if this is a whole number; nil for anything else, also for `3.0`.
  @inline(never)
  public var integer: Int? { if case .integer(let value) = content { value } else { nil } }
  /// The value if this is true or false; nil for anything else.
  @inline(never)
  public var boolean: Bool? { if case .boolean(let value) = content { value } else { nil } }
  /// The elements if this is a list; nil for anything else.
  @inline(never)
  public var array: [ConfigValue]? { if case .array(let value) = content { value } else { nil } }
  /// The entries if this is a table, in the file's order; nil for anything else.
  @inline(never)
  public var table: [Entry]? { if case .table(let value) = content { value } else { nil } }

  /// The number if this is a finite one, written with or without a fraction; nil for anything else.
  @inline(never)
  public var number: Double? {
    switch content {
    case .integer(let value): Double(value)
    case .double(let value): value.isFinite ? value : nil
    default: nil
    }
  }

  /// The elements if this is a list of strings only; nil for anything else.
  public var strings: [String]? {
    guard let array else { return nil }
    var all: [String] = []
    for element in array {
      guard let text = element.string else { return nil }
      all.append(text)
    }
    return all
  }

  /// The elements if this is a list of finite numbers only; nil for anything else.
  public var numbers: [Double]? {
    guard let array else { return nil }
    var all: [Double] = []
    for element in array {
      guard let number = element.number else { return nil }
      all.append(number)
    }
    return all
  }

  /// Where the key `key` of this table is; nil if this is no table or has no such key.
  func place(of key: String) -> Origin? {
    table?.first { $0.key == key }?.place
  }

  /// The value of the first entry named `key`; nil if this is no table or has no such key.
  public subscript(key: String) -> ConfigValue? {
    guard case .table(let entries) = content else { return nil }
    for i in entries.indices where entries[i].key == key { return entries[i].value }
    return nil
  }

  /// The value as a message shows it, on one line and not too long.
  var shown: String { shown(depth: 0) }

  private func shown(depth: Int) -> String {
    switch content {
    case .string(let value): return value.quoted
    case .integer(let value): return String(value)
    case .double(let value): return String(value)
    case .boolean(let value): return String(value)
    case .table: return "{…}"
    case .other(let name): return name
    case .array(let values):
      if depth > 0 || values.count > 6 { return "[…]" }
      return "[" + values.map { $0.shown(depth: depth + 1) }.joined(separator: ", ") + "]"
    }
  }
}

extension String {
  /// Whether `byte` occurs in the text's UTF-8.
  func contains(byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable {
      guard let start = $0.baseAddress else { return false }
      return memchr(start, Int32(byte), $0.count) != nil
    } ?? utf8.contains(byte)
  }

  /// In quotation marks, control characters escaped, at most 80 characters long.
  package var quoted: String { "\"" + String(prefix(80)).escaped + (count > 80 ? "…" : "") + "\"" }
}
