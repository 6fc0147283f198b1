extension Configuration.Overlay {
  /// A property that cards show, and what they call it.
  public struct CardProperty: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The property's name in the file, 1 to 100 bytes.
    public var property: String
    /// What cards call it, 1 to `longestTitle` bytes; nil: as the file does.
    public var name: String?
    /// Translations of `name`.
    public var names: Translations = [:]

    /// A property that cards call as the file does.
    public init(_ property: String) { self.property = property }

    /// A property that cards call as the file does.
    public init(stringLiteral property: String) { self.init(property) }

    /// What cards call it in a language; nil: as the file does.
    public func name(in language: String) -> String? {
      names.translation(into: language) ?? name ?? names["en"]
    }
  }

  /// The title in a language; nil: as the file calls itself.
  public func title(in language: String) -> String? {
    titles.translation(into: language) ?? title ?? titles["en"]
  }
}

/// The keys of `[[overlay]]` that are about cards of lines and the map key.
extension ConfigurationReader {
  /// What an overlay's table says about its cards.
  struct CardKeys {
    var title: (text: String?, others: Translations) = (nil, [:])
    var properties: [Configuration.Overlay.CardProperty] = []
    var travel: Configuration.Overlay.Travel?
    var speed: Double?
  }

  func cardKeys(_ t: TableReader) -> CardKeys {
    var found = CardKeys()
    found.title = t.localText("title", Configuration.Overlay.longestTitle, least: 1)
    found.properties = cardProperties(t)
    found.travel = t.choice("travel", Configuration.Overlay.Travel.self)
    found.speed = t.number("travel_speed", 0.1...200, "kilometres an hour")
    return found
  }

  /// `card`: names of properties, and tables of a property with a name for people.
  private func cardProperties(_ t: TableReader) -> [Configuration.Overlay.CardProperty] {
    let most = Configuration.Overlay.mostCardKeys
    guard let value = t.value("card") else { return [] }
    func isName(_ text: String) -> Bool { (1...100).contains(text.utf8.count) }
    guard let list = value.array, list.count <= most,
      list.allSatisfy({ $0.table != nil || $0.string.map(isName) ?? false })
    else {
      t.wrong(
        "card", value,
        "a list of at most \(most) properties, such as \"surface\" or { property = \"surface\", "
          + "name = \"Surface\", \"name.de\" = \"Belag\" }")
      return []
    }
    var all: [Configuration.Overlay.CardProperty] = []
    let known = KnownKeys()
    for element in list {
      var property: Configuration.Overlay.CardProperty
      if let entries = element.table {
        let reader = TableReader(
          t.name("card"), entries, element.origin, t.findings, known: known)
        let key = reader.read("property", "a property's name, 1 to 100 bytes") {
          $0.string.flatMap { isName($0) ? $0 : nil }
        }
        if reader.value("property") == nil {
          t.findings.error(
            "\(t.name("card")): property is missing, the one that has the name", at: element.origin)
        }
        property = .init(key ?? "")
        (property.name, property.names) = reader.localText(
          "name", Configuration.Overlay.longestTitle, least: 1)
        reader.finish()
        if key == nil { continue }
      } else {
        property = .init(element.string ?? "")
      }
      if !all.contains(where: { $0.property == property.property }) { all.append(property) }
    }
    return all
  }
}
