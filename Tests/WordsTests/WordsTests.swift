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

  @Test(
    "Numbers have their thousands apart from five digits on, in English",
    arguments: [
      (0, 0, "0"), (1234, 0, "1234"), (20_000, 0, "20\u{A0}000"), (-3_392_487, 5, "−33.92487"),
      (5, 5, "0.00005"), (1_234_567, 1, "123\u{A0}456.7"),
      (Int.min, 0, "−9\u{A0}223\u{A0}372\u{A0}036\u{A0}854\u{A0}775\u{A0}808"), (7, -3, "7"),
    ] as [(Int, Int, String)])
  func numbers(_ value: Int, _ places: Int, _ text: String) {
    #expect(Words.english.number(value, places: places) == text)
  }

  @Test("A number is rounded, its last zeros are left out on request, and none traps")
  func rounding() {
    #expect(Words.english.number(0.2, places: 4, trimmed: true) == "0.2")
    #expect(Words.english.number(20_000, places: 4, trimmed: true) == "20\u{A0}000")
    #expect(Words.english.number(1.25, places: 1) == "1.3")
    #expect(Words.english.number(.nan, places: 2) == "0.00")
    #expect(Words.english.number(-.infinity, places: 0) == "−1\u{A0}000\u{A0}000\u{A0}000")
  }

  @Test(
    "An age is told in its largest unit",
    arguments: [
      (5, "5\u{A0}s"), (60, "1\u{A0}min"), (3599, "59\u{A0}min"), (3600, "1\u{A0}h"),
      (86_400, "1\u{A0}d"), (-3, "0\u{A0}s"),
    ])
  func ages(_ seconds: Int, _ text: String) {
    #expect(Words.english.age(seconds: seconds) == text)
  }

  @Test(
    "The time of a walk is told in hours and minutes",
    arguments: [(0, "0 min"), (59, "59 min"), (120, "2 h"), (135, "2 h 15 min"), (-1, "0 min")])
  func durations(_ minutes: Int, _ text: String) {
    #expect(Words.english.duration(minutes: minutes) == text)
  }
}
