import ArgumentParser
import Control

/// The values of `--translation`: LANGUAGE=TEXT, or KEY.LANGUAGE=TEXT for another text than the
/// first one.
enum TranslationOption {
  /// Refuses values that are not of this form.
  ///
  /// - Throws: `ValidationError` with an example.
  static func check(_ values: [String], keys: [String]) throws {
    for value in values where pair(value, keys: keys) == nil {
      throw ValidationError(
        "--translation is LANGUAGE=TEXT, such as de=\"Gesperrt\", not \(value)")
    }
  }

  /// Adds the translations to the table of a call; those of no `key` are of the first of `keys`.
  static func add(_ values: [String], keys: [String], to table: inout JSONObject) {
    for case (let key, let text)? in values.map({ pair($0, keys: keys) }) {
      table[key] = .string(text)
    }
  }

  /// The member of a call and its text; nil if `value` is not of this form.
  private static func pair(_ value: String, keys: [String]) -> (key: String, text: String)? {
    guard let middle = value.firstIndex(of: "="), middle > value.startIndex,
      let first = keys.first
    else { return nil }
    let tag = value[..<middle]
    let text = String(value[value.index(after: middle)...])
    let isFull = keys.contains { tag.hasPrefix($0 + ".") }
    return (isFull ? String(tag) : "\(first).\(tag)", text)
  }
}
