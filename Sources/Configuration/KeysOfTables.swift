/// Finds the tables that accept a key which was written outside of them.
enum KeysOfTables {
  /// The full names of the keys called `key` in `tables`, such as "display.backend".
  static func names(of key: String, in tables: [String]) -> [String] {
    let silent = Findings()
    var found: [String] = []
    silent.onKey = { name in
      if name.hasSuffix("." + key), !found.contains(name) { found.append(name) }
    }
    // Reading empty tables, and lists of one empty table, asks for every key that they accept.
    let origin = ConfigValue.Origin(file: "", directory: nil)
    let empty = ConfigValue(.table([]), origin: origin)
    for content in [ConfigValue.Content.table([]), .array([empty])] {
      let entries = tables.map {
        ConfigValue.Entry(key: $0, line: 1, value: ConfigValue(content, origin: origin))
      }
      var reader = ConfigurationReader(findings: silent)
      reader.readsPart = true
      reader.read(ConfigValue(.table(entries), origin: origin))
    }
    return found
  }
}
