/// The plural forms of a language, after Unicode CLDR's cardinal rules for whole numbers.
enum PluralForm: String, CaseIterable {
  case zero, one, two, few, many, other

  /// The form for `count` things in a language, given by its code (ISO 639-1). An unknown language
  /// follows English.
  static func of(_ count: Int, in language: String) -> PluralForm {
    let n = count.magnitude
    let (ten, hundred) = (n % 10, n % 100)
    switch language {
    case "ja", "zh", "ko": return .other
    case "fr", "pt", "hi": return n <= 1 ? .one : .other
    case "pl":
      if n == 1 { return .one }
      return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
    case "ru", "uk":
      if ten == 1, hundred != 11 { return .one }
      return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
    case "ro":
      if n == 1 { return .one }
      return n == 0 || (1...19).contains(hundred) ? .few : .other
    case "ar":
      switch n {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      default: return (3...10).contains(hundred) ? .few : hundred >= 11 ? .many : .other
      }
    default: return n == 1 ? .one : .other
    }
  }
}
