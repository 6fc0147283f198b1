import Testing

@testable import Words

@Suite("Words") struct WordsTests {
  @Test("Every word has an English text")
  func everyWordHasEnglish() {
    for word in Word.allCases {
      #expect(Words.english(word) != word.rawValue || word.rawValue.isEmpty, "\(word.rawValue)")
    }
  }

  @Test("Values take the places of their numbers, in any order")
  func valuesTakeTheirPlaces() {
    #expect(Words.filled("{1} of {0}", ["a", "b"]) == "b of a")
    #expect(Words.filled("{2} {x} {", ["a"]) == "{2} {x} {")
  }
}
