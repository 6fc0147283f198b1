import ArgumentParser
import Control

/// The values of `--card`: PROPERTY, or PROPERTY=NAME with what cards call it.
enum CardOption {
  /// Refuses values that are not of this form.
  ///
  /// - Throws: `ValidationError` with an example.
  static func check(_ values: [String]) throws {
    for value in values {
      let (property, name) = parts(value)
      if property.isEmpty || name?.isEmpty == true {
        throw ValidationError(
          "--card is PROPERTY or PROPERTY=NAME, such as sac_scale=Difficulty, not \(value)")
      }
    }
  }

  /// The properties, without what cards call them.
  static func properties(_ values: [String]) -> [String] { values.map { parts($0).property } }

  /// Adds the properties with their names to the table of a call, and `translations`: those of
  /// PROPERTY.LANGUAGE to the property, the others, of the title, to the table.
  static func add(
    _ values: [String], translations: JSONObject, to table: inout JSONObject
  ) {
    var card: [(property: String, table: JSONObject)] = values.map { value in
      let (property, name) = parts(value)
      var entry: JSONObject = ["property": .string(property)]
      entry["name"] = name.map { .string($0) }
      return (property, entry)
    }
    for (key, text) in translations.members {
      // Tags of languages have no dot.
      let dot = key.lastIndex(of: ".") ?? key.startIndex
      if let n = card.firstIndex(where: { $0.property == key[..<dot] }), key[..<dot] != "title" {
        card[n].table["name" + key[dot...]] = text
      } else {
        table[key] = text
      }
    }
    if card.isEmpty { return }
    table["card"] = .array(
      card.map { $0.table.count == 1 ? .string($0.property) : .object($0.table) })
  }

  private static func parts(_ value: String) -> (property: String, name: String?) {
    guard let middle = value.firstIndex(of: "=") else { return (value, nil) }
    return (String(value[..<middle]), String(value[value.index(after: middle)...]))
  }
}
