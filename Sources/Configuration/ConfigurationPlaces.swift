/// Where the parts of a configuration are in its files, for problems that only show when files and
/// devices are opened.
public struct ConfigurationPlaces: Sendable {
  private let root: ConfigValue

  init(_ root: ConfigValue) { self.root = root }

  /// Where a key such as "hud.font" is. If it does not exist, where the innermost table around it
  /// begins.
  public func key(_ dotted: String) -> ConfigValue.Origin {
    var (value, place) = (root, root.origin)
    for key in dotted.split(separator: ".") {
      guard let entry = value.table?.first(where: { $0.key == key }) else { break }
      (value, place) = (entry.value, entry.place)
    }
    return place
  }

  /// Where a part of an element of a list such as "gpio.button" is.
  ///
  /// - Parameters:
  ///   - list: The list's dotted name.
  ///   - index: Which of its elements, from 0.
  ///   - key: A key of the element; nil: the element as a whole.
  ///   - text: A text in the list that the key has; nil: the key.
  /// - Returns: Where it is, or else where the innermost part around it begins.
  public func element(
    _ list: String, _ index: Int, key: String? = nil, text: String? = nil
  ) -> ConfigValue.Origin {
    var value: ConfigValue? = root
    for part in list.split(separator: ".") { value = value?[String(part)] }
    guard let all = value?.array, all.indices.contains(index) else { return self.key(list) }
    guard let key, let place = all[index].place(of: key) else { return all[index].origin }
    let inner = all[index][key]?.array?.first { $0.string == text }
    return text == nil ? place : inner?.origin ?? place
  }

  /// Where the first key is whose value is exactly `text`; nil if there is none.
  public func text(_ text: String) -> ConfigValue.Origin? {
    ConfigurationPlaces.text(text, in: root)
  }

  private static func text(_ text: String, in value: ConfigValue) -> ConfigValue.Origin? {
    for entry in value.table ?? [] {
      if entry.value.string == text { return entry.place }
      if let place = ConfigurationPlaces.text(text, in: entry.value) { return place }
    }
    for element in value.array ?? [] {
      if let place = ConfigurationPlaces.text(text, in: element) { return place }
    }
    return nil
  }

  /// Where each `[[source]]` begins, by the source's name. If two have the same name, the later one
  /// counts.
  public func sources() -> [String: ConfigValue.Origin] {
    places("source", ConfigurationMerge.sourceName) { $0.origin }
  }

  /// Where each `[[overlay]]` begins, by the overlay's name.
  public func overlays() -> [String: ConfigValue.Origin] {
    places("overlay", ConfigurationMerge.overlayName) { $0.origin }
  }

  /// Where the `key` of each `[[input.key]]` is, by its value, such as "KEY_HOME".
  public func inputKeys() -> [String: ConfigValue.Origin] {
    places("input.key", { $0["key"]?.string }, { $0.place(of: "key") ?? $0.origin })
  }

  /// The names of the elements of `source` or `overlay` that no error is about.
  ///
  /// - Parameters:
  ///   - list: The list's name.
  ///   - findings: All findings on the files.
  /// - Returns: The names.
  public func faultless(_ list: String, _ findings: [Finding]) -> Set<String> {
    var faults: [String: Set<Int>] = [:]
    for finding in findings where finding.severity == .error {
      faults[finding.file, default: []].insert(finding.line)
    }
    func isFaulty(_ place: ConfigValue.Origin) -> Bool {
      faults[place.file]?.contains(place.line) == true
    }
    func isFaulty(_ value: ConfigValue) -> Bool {
      isFaulty(value.origin)
        || (value.table ?? []).contains { isFaulty($0.place) || isFaulty($0.value) }
        || (value.array ?? []).contains { isFaulty($0) }
    }
    let name = list == "source" ? ConfigurationMerge.sourceName : ConfigurationMerge.overlayName
    var good: Set<String> = []
    var bad: Set<String> = []
    for element in root[list]?.array ?? [] {
      guard let name = name(element) else { continue }
      if isFaulty(element) { bad.insert(name) } else { good.insert(name) }
    }
    return good.subtracting(bad)
  }

  /// Where each source's fallback is set, or else where the source begins.
  func fallbacks() -> [String: ConfigValue.Origin] {
    places("source", ConfigurationMerge.sourceName) { $0.place(of: "fallback") ?? $0.origin }
  }

  private func places(
    _ list: String, _ name: (ConfigValue) -> String?, _ place: (ConfigValue) -> ConfigValue.Origin
  ) -> [String: ConfigValue.Origin] {
    var value: ConfigValue? = root
    for key in list.split(separator: ".") { value = value?[String(key)] }
    var all: [String: ConfigValue.Origin] = [:]
    for element in value?.array ?? [] {
      if let name = name(element) { all[name] = place(element) }
    }
    return all
  }
}
