/// Reads the keys of one table, collects a finding for each value that is not as it should be, and
/// in the end one for each key that nothing asked for.
final class TableReader {
  /// The table's dotted name; empty for the document.
  let path: String
  let origin: ConfigValue.Origin
  let findings: Findings
  private let entries: [ConfigValue.Entry]
  private let refused: Set<String>
  private var known: [String] = []

  init(
    _ path: String, _ entries: [ConfigValue.Entry], _ origin: ConfigValue.Origin,
    _ findings: Findings, refused: Set<String>
  ) {
    self.path = path
    self.entries = entries
    self.origin = origin
    self.findings = findings
    self.refused = refused
  }

  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The value of `key`, nil where the table has none.
  func value(_ key: String) -> ConfigValue? {
    let first = !known.contains(key)
    if first { known.append(key) }
    guard let entry = entries.first(where: { $0.key == key }) else { return nil }
    if first, refused.contains(name(key)) {
      findings.error("not in this version: \(name(key))", at: at(entry))
    } else if first, !refused.isEmpty, NotInThisVersion.withoutEffect.contains(name(key)) {
      findings.warning("\(name(key)): checked, but without effect in this version", at: at(entry))
    }
    return entry.value
  }

  /// Where `key` stands.
  func place(_ key: String) -> ConfigValue.Origin {
    entries.first { $0.key == key }.map(at) ?? origin
  }

  private func at(_ entry: ConfigValue.Entry) -> ConfigValue.Origin {
    var origin = entry.value.origin
    origin.line = entry.line
    return origin
  }

  /// What `convert` makes of the value of `key`; nil where there is none, or where it makes nothing
  /// of it, with a finding that says what would be right: `expected`.
  func read<T>(_ key: String, _ expected: String, _ convert: (ConfigValue) -> T?) -> T? {
    guard let value = value(key) else { return nil }
    if let result = convert(value) { return result }
    wrong(key, value, expected)
    return nil
  }

  func wrong(_ key: String, _ value: ConfigValue, _ expected: String) {
    findings.error("\(name(key)) = \(value.shown): \(expected)", at: place(key))
  }

  /// Sets `target` where the key is there and right.
  func set<T>(
    _ target: inout T, _ key: String, _ expected: String, _ convert: (ConfigValue) -> T?
  ) {
    if let result = read(key, expected, convert) { target = result }
  }

  func set(_ target: inout Bool, _ key: String) {
    set(&target, key, "true or false") { $0.boolean }
  }

  /// For keys whose value is a string of any kind; nil stays where the key is missing.
  func text(_ key: String, _ expected: String = "a string") -> String? {
    read(key, expected) { $0.string }
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
    let bounds = "\(brief(range.lowerBound)) to \(brief(range.upperBound))"
    return read(key, "\(what) from \(bounds)") {
      $0.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func set(_ target: inout Double, _ key: String, _ range: ClosedRange<Double>, _ what: String) {
    if let value = number(key, range, what) { target = value }
  }

  /// One of an enumeration's words.
  func choice<T: RawRepresentable & CaseIterable>(_ key: String, _ type: T.Type) -> T?
  where T.RawValue == String {
    let words = T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return read(key, "one of \(words)") { $0.string.flatMap(T.init(rawValue:)) }
  }

  func set<T: RawRepresentable & CaseIterable>(_ target: inout T, _ key: String)
  where T.RawValue == String {
    if let value = choice(key, T.self) { target = value }
  }

  /// A path, made absolute with the folder of the file it stands in.
  func resolvedPath(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    guard let path = value.string, !path.isEmpty, !path.utf8.contains(0) else {
      wrong(key, value, "a path")
      return nil
    }
    return resolve(path, value, key)
  }

  /// `path` as it stands in `value`, absolute; a finding and nil where there is no folder for it.
  func resolve(_ path: String, _ value: ConfigValue, _ key: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let directory = value.origin.directory else {
      wrong(key, value, "an absolute path")
      return nil
    }
    return Paths.join(directory, path)
  }

  /// A list of paths, absolute.
  func resolvedPaths(_ key: String) -> [String]? {
    guard let value = value(key) else { return nil }
    guard let all = value.strings, all.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) }) else {
      wrong(key, value, "a list of paths")
      return nil
    }
    var resolved: [String] = []
    for path in all {
      guard let path = resolve(path, value, key) else { return nil }
      resolved.append(path)
    }
    return resolved
  }

  /// The table `key`, to be read and finished by `body`.
  func table(_ key: String, _ body: (TableReader) -> Void) {
    guard let value = value(key) else { return }
    guard let entries = value.table else {
      return wrong(key, value, "a table: [\(name(key))]")
    }
    let reader = TableReader(
      name(key), entries, place(key), findings, refused: refused)
    body(reader)
    reader.finish()
  }

  /// Each table of the array `key`.
  func tables(_ key: String, _ body: (TableReader) -> Void) {
    guard let value = value(key) else { return }
    guard let array = value.array, array.allSatisfy({ $0.table != nil }) else {
      return wrong(key, value, "one or more tables: [[\(name(key))]]")
    }
    for element in array {
      let reader = TableReader(
        name(key), element.table ?? [], element.origin, findings, refused: refused)
      body(reader)
      reader.finish()
    }
  }

  /// Reports the keys that were never asked for.
  func finish() {
    for entry in entries where !known.contains(entry.key) {
      let nearest = EditDistance.nearest(to: entry.key, in: known)
      let hint = nearest.map { "; the nearest known one is \(name($0))" } ?? ""
      findings.error("unknown key \(name(entry.key))\(hint)", at: at(entry))
    }
  }
}

/// A number without a needless fraction.
func brief(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? String(number)
}
