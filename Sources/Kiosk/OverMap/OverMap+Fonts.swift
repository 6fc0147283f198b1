import Drawing

/// What the fonts lack.
extension OverMap {
  /// Reports font files that cannot be used, and languages whose letters no font has.
  func checkFonts() {
    let problems = text?.problems ?? []
    let detail = problems.map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
    outbox.note("hud.font", .warning, detail.isEmpty ? nil : detail)
    checkLetters()
  }

  /// Has what would be in a language whose letters no font has be in English, and reports it:
  /// people read English rather than boxes.
  private func checkLetters() {
    guard let text else { return }
    let lacking = languages.tags.filter { !text.hasLetters(of: $0) }
    let problems = lacking.map { LetterProblem.text($0) }
    let detail = problems.joined(separator: "; ")
    outbox.note("hud.languages", .warning, detail.isEmpty ? nil : detail)
    languages.setUndrawn(Set(lacking))
  }
}

extension OverMap {
  /// Reports languages whose letters names on the map have, and for which no font was found.
  func checkMapLetters(_ undrawn: [String]) {
    let problems = undrawn.map { language in
      "no font has the letters of \"\(language)\", in which names on the map are: install "
        + ScriptFonts.packages(for: language) + ", or name a font in hud.font"
    }
    outbox.note("map.letters", .warning, problems.isEmpty ? nil : problems.joined(separator: "; "))
  }
}

/// What is said of a language whose letters no font has.
public enum LetterProblem {
  /// The problem, and what helps.
  ///
  /// - Parameter language: The language's tag.
  /// - Returns: The message.
  public static func text(_ language: String) -> String {
    "no font has the letters of \"\(language)\", so English is shown instead: install "
      + ScriptFonts.packages(for: language) + ", or name a font in hud.font"
  }
}
