/// How `collator` compares texts: by letters, then by accents, then by case. Accents and case count
/// only if the style asks for them. All languages are ordered alike.
struct Collation {
  private let minds: (accents: Bool, letterCase: Bool)

  /// Creates a collation from the value of a `CollatorNode`.
  init?(_ value: StyleValue) {
    guard case .object(let options) = value, case .bool(let accents)? = options["accents"],
      case .bool(let letterCase)? = options["case"]
    else { return nil }
    minds = (accents, letterCase)
  }

  /// −1, 0 or 1, as a text comes before, with or after another.
  func compare(_ a: String, _ b: String) -> Int {
    let (x, y) = (Keys(a), Keys(b))
    var order = StyleText.compare(x.letters, y.letters)
    if order == 0, minds.accents { order = StyleText.compare(x.accented, y.accented) }
    // Small letters come first.
    if order == 0, minds.letterCase { order = StyleText.compare(y.cased, x.cased) }
    return order
  }

  /// A text at the three levels.
  private struct Keys {
    let letters, accented, cased: String

    init(_ text: String) {
      accented = text.lowercased()
      letters = String(accented.map { Keys.base[$0] ?? $0 })
      // A digit for each letter. Capitals get the smaller one, because the comparison is reversed.
      cased = String(text.map { $0.isUppercase ? "0" : "1" })
    }

    /// The letters of Latin scripts without their accents.
    private static let base: [Character: Character] = {
      let families: [(Character, String)] = [
        ("a", "àáâãäåāăąǎ"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
        ("h", "ĥħ"), ("i", "ìíîïĩīĭįǐ"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľł"), ("n", "ñńņň"),
        ("o", "òóôõöøōŏőǒ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűųǔ"),
        ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
      ]
      var base: [Character: Character] = [:]
      for (letter, accented) in families {
        for character in accented { base[character] = letter }
      }
      return base
    }()
  }
}

/// `collator`
final class CollatorNode: StyleNode {
  let type = StyleType.collator
  private let minds: (letterCase: any StyleNode, accents: any StyleNode)

  init(case letterCase: any StyleNode, accents: any StyleNode) { minds = (letterCase, accents) }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .object([
      "case": .bool(try minds.letterCase.bool(context)),
      "accents": .bool(try minds.accents.bool(context)),
    ])
  }
}
