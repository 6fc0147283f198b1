import Platform

/// How several files become one: tables key by key, later wins; named entries of lists replace the
/// one of the same name in its place.
enum ConfigurationMerge {
  /// Lists whose entries are known by a name: the dotted name of the list, and what tells them
  /// apart.
  private static let named: [String: @Sendable (ConfigValue) -> String?] = [
    "source": { sourceName($0) },
    "overlay": { overlayName($0) },
    "marker": { $0["id"]?.string },
    "notice": { $0["id"]?.string },
    "gpio.button": { $0["line"].map(\.shown) },
    "gpio.encoder": { lines(of: $0) },
    "gpio.chord": { lines(of: $0) },
    "input.key": { $0["key"]?.string },
  ]

  static func merge(_ base: ConfigValue, _ later: ConfigValue, path: String = "") -> ConfigValue {
    guard var entries = base.table, let over = later.table, path.isEmpty || depth(path) < 2 else {
      return later
    }
    var places: [String: Int] = [:]
    for (at, entry) in entries.enumerated() where places[entry.key] == nil {
      places[entry.key] = at
    }
    for entry in over {
      let name = path.isEmpty ? entry.key : "\(path).\(entry.key)"
      guard let at = places[entry.key] else {
        places[entry.key] = entries.count
        entries.append(entry)
        continue
      }
      let old = entries[at].value
      if let identity = named[name], let before = old.array, let after = entry.value.array {
        var merged = old
        merged.content = .array(replace(before, after, identity))
        entries[at].value = merged
      } else if old.table != nil, entry.value.table != nil {
        entries[at].value = merge(old, entry.value, path: name)
      } else {
        entries[at] = entry
      }
    }
    var merged = base
    merged.content = .table(entries)
    return merged
  }

  /// Reports entries of one list of one file that have the same name.
  static func reportDuplicates(_ root: ConfigValue, _ findings: Findings) {
    for (list, identity) in named.sorted(by: { $0.key < $1.key }) {
      var value: ConfigValue? = root
      for key in list.split(separator: ".") { value = value?[String(key)] }
      var first: [String: Int] = [:]
      first.reserveCapacity(value?.array?.count ?? 0)
      for element in value?.array ?? [] {
        guard let name = identity(element) else { continue }
        if let line = first[name] {
          findings.error(
            "\(list) \(name): the same again as in line \(line); each needs its own",
            at: element.origin)
        } else {
          first[name] = element.origin.line
        }
      }
    }
  }

  static func sourceName(_ source: ConfigValue) -> String? {
    if let name = source["name"]?.string { return name }
    let path = source["path"]?.string ?? source["paths"]?.array?.first?.string
    return path.map(Paths.stem).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The lines of a chord or an encoder, in an order of their own: a chord has none, and an encoder
  /// whose lines are exchanged only turns the other way.
  private static func lines(of part: ConfigValue) -> String? {
    guard let all = part["lines"]?.array else { return part["lines"]?.shown }
    // The shorter ones first, so that numbers ascend.
    let sorted = all.map(\.shown).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    return "[" + sorted.joined(separator: ", ") + "]"
  }

  static func overlayName(_ overlay: ConfigValue) -> String? {
    if let name = overlay["name"]?.string { return name }
    let stem = overlay["path"]?.string.map(Paths.stem) ?? overlay["kind"]?.string
    return stem.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func replace(
    _ before: [ConfigValue], _ after: [ConfigValue], _ identity: (ConfigValue) -> String?
  ) -> [ConfigValue] {
    var all = before
    var places: [String: Int] = [:]
    for (at, element) in all.enumerated() {
      if let name = identity(element), places[name] == nil { places[name] = at }
    }
    for element in after {
      if let name = identity(element), let at = places[name] {
        all[at] = element
      } else {
        if let name = identity(element) { places[name] = all.count }
        all.append(element)
      }
    }
    return all
  }

  private static func depth(_ path: String) -> Int { path.split(separator: ".").count }
}
