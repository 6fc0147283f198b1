import Platform

/// Reads the keys of one table. Adds a finding for each invalid value and, at the end, for each key
/// that was never asked for.
final class TableReader {
  /// The table's dotted name; empty for the document.
  let path: String
  let origin: ConfigValue.Origin
  let findings: Findings
  private let entries: [ConfigValue.Entry]
  private let known: KnownKeys
  /// The keys that the list's earlier elements were asked for.
  private let expected: [String]
  /// How many keys were asked for.
  private var count = 0
  /// Which of the first 64 entries were asked for, a bit each.
  private var asked: UInt64 = 0
  /// The lengths of the entries' keys, a bit for each length; the last bit is for 63 and more.
  private let lengths: UInt64

  init(
    _ path: String, _ entries: [ConfigValue.Entry], _ origin: ConfigValue.Origin,
    _ findings: Findings, known: KnownKeys = KnownKeys()
  ) {
    self.known = known
    expected = known.keys
    self.path = path
    self.entries = entries
    self.origin = origin
    self.findings = findings
    var lengths: UInt64 = 0
    for entry in entries { lengths |= TableReader.length(of: entry.key) }
    self.lengths = lengths
  }

  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The value of `key`; nil if the table does not have the key. Marks the key as known.
  func value(_ key: String) -> ConfigValue? {
    if count >= expected.count || expected[count] != key { known.note(key, count) }
    count += 1
    findings.onKey?(name(key))
    guard let index = index(of: key) else { return nil }
    if index < 64 { asked |= 1 << UInt64(index) }
    return entries[index].value
  }

  private static func length(of key: String) -> UInt64 { 1 << UInt64(min(key.utf8.count, 63)) }

  /// Called for every key that a table may have; most tables have few.
  private func index(of key: String) -> Int? {
    if lengths & TableReader.length(of: key) == 0 { return nil }
    for i in entries.indices where entries[i].key == key { return i }
    return nil
  }

  /// The tags of the keys that begin with `key` and a point, such as "fr" of "label.fr".
  func languages(of key: String) -> [String] {
    entries.compactMap { entry in
      guard entry.key.utf8.count > key.utf8.count + 1, entry.key.hasPrefix(key + ".") else {
        return nil
      }
      return String(entry.key.dropFirst(key.count + 1))
    }
  }

  /// Where `key` is; where the table begins if it does not have the key.
  func place(_ key: String) -> ConfigValue.Origin {
    index(of: key).map { entries[$0].place } ?? origin
  }

  /// The value of `key`, converted; nil if the key is missing. If `convert` returns nil, adds a
  /// finding that says what would be right (`expected`), and returns nil.
  func read<T>(
    _ key: String, _ expected: @autoclosure () -> String, _ convert: (ConfigValue) -> T?
  ) -> T? {
    guard let value = value(key) else { return nil }
    if let result = convert(value) { return result }
    wrong(key, value, expected())
    return nil
  }

  func wrong(_ key: String, _ value: ConfigValue, _ expected: String) {
    findings.error("\(name(key)) = \(value.shown): \(expected)", at: place(key))
  }

  /// Sets `target` where the key is present and valid.
  func set<T>(
    _ target: inout T, _ key: String, _ expected: @autoclosure () -> String,
    _ convert: (ConfigValue) -> T?
  ) {
    if let result = read(key, expected(), convert) { target = result }
  }

  func set(_ target: inout Bool, _ key: String) {
    set(&target, key, "true or false") { $0.boolean }
  }

  /// The value of a key that is a string of any kind; nil if the key is missing.
  func text(_ key: String, _ expected: @autoclosure () -> String = "a string") -> String? {
    read(key, expected()) { $0.string }
  }

  func set(_ target: inout Int, _ key: String, _ range: ClosedRange<Int>, _ what: String) {
    set(&target, key, "\(what) from \(range.lowerBound) to \(range.upperBound)") {
      $0.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func integer(_ key: String, _ range: ClosedRange<Int>, _ what: String) -> Int? {
    read(key, "\(what) from \(range.lowerBound) to \(range.upperBound)") {
      $0.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func number(_ key: String, _ range: ClosedRange<Double>, _ what: String) -> Double? {
    read(key, "\(what) from \(brief(range.lowerBound)) to \(brief(range.upperBound))") {
      $0.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func set(_ target: inout Double, _ key: String, _ range: ClosedRange<Double>, _ what: String) {
    if let value = number(key, range, what) { target = value }
  }

  /// One of an enumeration's raw values.
  func choice<T: RawRepresentable & CaseIterable>(_ key: String, _ type: T.Type) -> T?
  where T.RawValue == String {
    read(key, "one of " + T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")) {
      $0.string.flatMap(T.init(rawValue:))
    }
  }

  func set<T: RawRepresentable & CaseIterable>(_ target: inout T, _ key: String)
  where T.RawValue == String {
    if let value = choice(key, T.self) { target = value }
  }

  /// A path, made absolute with the folder of the file it is in. `expected` says what it is a path
  /// of.
  func resolvedPath(
    _ key: String, _ expected: @autoclosure () -> String = "a path that is not empty"
  ) -> String? {
    guard let value = value(key) else { return nil }
    guard let path = value.string, !path.isEmpty, !path.contains(byte: 0) else {
      wrong(key, value, expected())
      return nil
    }
    return resolve(path, value, key)
  }

  /// `path` from `value`, made absolute; nil with a finding if relative paths are not accepted.
  func resolve(_ path: String, _ value: ConfigValue, _ key: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let directory = value.origin.directory else {
      wrong(key, value, "an absolute path")
      return nil
    }
    return Paths.join(directory, path)
  }

  /// A list of paths, made absolute. `expected` is what it is a list of.
  func resolvedPaths(
    _ key: String, _ expected: @autoclosure () -> String = "a list of paths that are not empty"
  ) -> [String]? {
    guard let value = value(key) else { return nil }
    guard let all = value.strings, all.allSatisfy({ !$0.isEmpty && !$0.contains(byte: 0) }) else {
      wrong(key, value, expected())
      return nil
    }
    var resolved: [String] = []
    for path in all {
      guard let path = resolve(path, value, key) else { return nil }
      resolved.append(path)
    }
    return resolved
  }

  /// Reads the table `key` with `body`, and reports its unknown keys.
  func table(_ key: String, _ body: (TableReader) -> Void) {
    guard let value = value(key) else { return }
    guard let entries = value.table else {
      return wrong(key, value, "a table: [\(name(key))]")
    }
    let reader = TableReader(name(key), entries, place(key), findings)
    body(reader)
    reader.finish()
  }

  /// Reads each table of the array `key`, and reports its unknown keys.
  ///
  /// - Parameters:
  ///   - key: the array's name.
  ///   - limit: the most tables. More are an error, and only the first ones are read.
  ///   - body: reads one table.
  func tables(_ key: String, upTo limit: Int = .max, _ body: (TableReader) -> Void) {
    guard let value = value(key) else { return }
    guard let array = value.array, array.allSatisfy({ $0.table != nil }) else {
      return wrong(key, value, "one or more tables: [[\(name(key))]]")
    }
    let (name, known) = (name(key), KnownKeys())
    if array.count > limit {
      findings.error(
        "\(name): there are \(array.count) of them; at most \(limit) are possible",
        at: array[limit].origin)
    }
    for element in array.prefix(limit) {
      let reader = TableReader(
        name, element.table ?? [], element.origin, findings, known: known)
      body(reader)
      reader.finish()
    }
  }

  /// Reports the keys that were never asked for.
  func finish() {
    for (index, entry) in entries.enumerated() {
      if index < 64 ? asked >> UInt64(index) & 1 == 1 : known.keys.contains(entry.key) { continue }
      if findings.isFull { return }
      let isWanted = path.isEmpty && findings.onKey == nil
      let others = isWanted ? KeysOfTables.names(of: entry.key, in: known.keys) : []
      let nearest = findings.nearest(to: entry.key, in: known.keys)
      let hint =
        others.isEmpty
        ? nearest.map { "; the nearest known one is \(name($0))" } ?? ""
        : "; there is \(others.prefix(3).joined(separator: " and "))"
      findings.error("unknown key \(name(entry.key))\(hint)", at: entry.place)
    }
  }
}

/// The keys that a table can have, learned from what is asked for. The elements of a list share
/// theirs, because each is asked for the same keys in turn.
final class KnownKeys {
  private(set) var keys: [String] = []

  /// Records `key`, the `number`th key that a table was asked for. The first table's keys are
  /// recorded in order, later ones if they are new.
  func note(_ key: String, _ number: Int) {
    if number == keys.count || !keys.contains(key) { keys.append(key) }
  }
}

/// The number, without a fraction if it is whole.
func brief(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? String(number)
}
