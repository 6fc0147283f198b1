import Testing

@testable import Words

/// The bundled files of words.
@Suite("Languages") struct LanguageTests {
  @Test("Every language has every word with the values of English's", arguments: Words.languages)
  func everyLanguageIsWhole(_ language: String) throws {
    let file = try #require(Words.bundled(language))
    #expect(file.problems == [])
    for word in Word.allCases {
      let text = file.texts[word.rawValue]
      #expect(text != nil, "\(language): \(word.rawValue) is missing")
      let values = WordFile.values(text ?? "")
      let wanted = WordFile.values(Words.english.template(word))
      #expect(values == wanted, "\(language): \(word.rawValue)")
    }
  }

  @Test("A bundled file has no line that a correction might not have", arguments: Words.languages)
  func bundledFilesAreCorrections(_ language: String) throws {
    var text = "# all words again\n"
    let file = try #require(Words.bundled(language))
    for (key, value) in file.texts { text += "\(key) = \(value)\n" }
    #expect(WordFile(Array(text.utf8)).problems == [])
  }

  @Test("Counted words have the forms of their language", arguments: Words.languages)
  func countedWordsHaveTheirForms(_ language: String) throws {
    let file = try #require(Words.bundled(language))
    var forms = Set((0...200).map { PluralForm.of($0, in: language) })
    forms.remove(.other)
    for word in Word.allCases where word.isCounted {
      for form in forms {
        #expect(file.texts["\(word.rawValue).\(form.rawValue)"] != nil, "\(language) \(form)")
      }
    }
  }

  /// From the table of CLDR's cardinal rules.
  @Test(
    "Numbers have the forms of Unicode CLDR",
    arguments: [
      ("en", [0, 1, 2, 11, 21], "other one other other other"),
      ("de", [0, 1, 2, 11, 21], "other one other other other"),
      ("fr", [0, 1, 2, 11, 21], "one one other other other"),
      ("pl", [0, 1, 2, 5, 12, 21, 22, 25], "many one few many many many few many"),
      ("ru", [0, 1, 2, 5, 11, 21, 22, 112], "many one few many many one few many"),
      ("uk", [1, 4, 14, 101, 111], "one few many one many"),
      ("ro", [0, 1, 2, 19, 20, 101, 120], "few one few few other few other"),
      (
        "ar", [0, 1, 2, 3, 10, 11, 99, 100, 102, 103],
        "zero one two few few many many other other few"
      ),
      ("hi", [0, 1, 2], "one one other"), ("ja", [0, 1, 2], "other other other"),
      ("xx", [0, 1, 2], "other one other"),
    ] as [(String, [Int], String)])
  func plurals(_ language: String, _ counts: [Int], _ forms: String) {
    let found = counts.map { PluralForm.of($0, in: language).rawValue }
    #expect(found.joined(separator: " ") == forms)
  }

  @Test("Counted words are said in the right form")
  func countsAreSaid() {
    #expect(Words.english(.moreNotices, count: 1) == "1 more notice")
    #expect(Words.english(.moreNotices, count: 2) == "2 more notices")
    #expect(Words(language: "ru")(.moreNotices, count: 22) == "ещё 22 сообщения")
    #expect(Words(language: "ar")(.moreNotices, count: 2) == "إشعاران آخران")
    // A language without words of its own speaks English.
    #expect(Words(language: "xx")(.moreNotices, count: 1) == "1 more notice")
  }

  @Test("Numbers are written as the language writes them")
  func numbersAreLocal() {
    #expect(Words(language: "de").number(1_234_567, places: 1) == "123.456,7")
    #expect(Words(language: "de").number(1.5, places: 2, trimmed: true) == "1,5")
    #expect(Words(language: "fr").number(20_000) == "20\u{A0}000")
    #expect(Words(language: "ja").number(2000) == "2,000")
    #expect(Words(language: "ru").length("5", .kilometres) == "5 км")
    #expect(Words(language: "ru").duration(minutes: 75) == "1 ч 15 мин")
    #expect(
      Words(language: "de").coordinates(4_602_070, -774_910, places: 5)
        == "46,02070°\u{A0}N 7,74910°\u{A0}W")
  }

  @Test("No space is between a number and Chinese or Japanese letters", arguments: ["ja", "zh"])
  func numbersAreNotApartFromIdeographs(_ language: String) throws {
    let words = Words(language: language)
    for word in Word.allCases where word != .zoomLevel && word != .pressKey {
      let text = Array(words.template(word))
      func isIdeograph(_ n: Int) -> Bool {
        text.indices.contains(n) && (text[n].unicodeScalars.first?.value ?? 0) >= 0x2E80
      }
      for (n, character) in text.enumerated() where character == " " {
        let isApart =
          n > 0 && text[n - 1] == "}" && isIdeograph(n + 1)
          || isIdeograph(n - 1) && n + 1 < text.count && text[n + 1] == "{"
        #expect(!isApart, "\(language): \(word.rawValue)")
      }
    }
    let age = words(.noGPS, words.age(seconds: 8))
    #expect(age.contains("は8秒前") || age.contains("于8秒前"))
  }

  @Test("No line ends between a number and its unit or name", arguments: Words.languages)
  func numbersStayWithTheirUnits(_ language: String) {
    let words = Words(language: language)
    for age in [8, 300, 8000, 900_000] {
      #expect(!words.age(seconds: age).contains(" "))
    }
    #expect(!words.zoom(1325).contains(" "))
    let place = words.coordinates(-3_196_700, 11_583_300, places: 5)
    #expect(place.count { $0 == " " } == 1)
  }

  @Test func theSecondsOfAnAgeAreNoOtherWordInHindi() {
    let words = Words(language: "hi")
    // "से" alone would be "from", and "before" with the next word.
    #expect(words(.noGPS, words.age(seconds: 8)).hasSuffix(" 8\u{A0}सेकंड पहले"))
    #expect(words(.noGPS, words.age(seconds: 300)).hasSuffix(" 5\u{A0}मिनट पहले"))
  }

  @Test func betweenArabicWordsADegreeSignStaysWithItsNumber() {
    let text = Words(language: "ar").coordinates(-3_196_700, 11_583_300, places: 5)
    // A number after an Arabic word is an Arabic number, which a sign does not belong to, unless a
    // left-to-right mark is before it. The first letter gives the whole text its direction.
    #expect(text.hasPrefix("31.96700°\u{A0}"))
    #expect(text.contains(" \u{200E}115.83300°\u{A0}"))
    // The word that the numbers follow.
    #expect(Words(language: "ar")(.mapCenter).hasSuffix("\u{200E}"))
  }

  @Test("A country's language has the words of the language, and a name")
  func countries() {
    #expect(Words(language: "de-CH")(.back) == "Zurück")
    #expect(Words(language: "zh-Hant")(.back) == "返回")
    #expect(Words(language: "pt-BR").name == "Português")
    #expect(Words(language: "rm")(.back) == "Back")
    #expect(Words(language: "rm").name == "rm")
  }

  @Test("No word of the legend is much longer than the longest of English and German")
  func legendWordsAreShort() throws {
    let legend: [Word] = [
      .left, .right, .up, .down, .zoomIn, .zoomOut, .home, .nextMap, .previousMap, .dayOrNight,
      .follow, .turnLeft, .turnRight, .northUp, .select, .selectNext, .back, .mapKey,
      .languageNext, .sleep,
    ]
    for language in Words.languages {
      let words = Words(language: language)
      for word in legend {
        #expect(words(word).count <= 20, "\(language): \(words(word))")
      }
    }
  }
}

/// Files that correct words.
@Suite("Files of words") struct WordFileTests {
  private func problems(_ text: String) -> [String] {
    WordFile(Array(text.utf8)).problems.map { "\($0.line): \($0.reason)" }
  }

  @Test("A correction replaces single words, and the rest stays")
  func corrections() {
    let file = WordFile(Array("\u{FEFF}# ours\r\n\n  back =  Retour \r\nhold-for = {0}!".utf8))
    #expect(file.problems == [])
    let words = Words(language: "de", corrections: ["de": file])
    #expect(words(.back) == "Retour")
    #expect(words(.holdFor, "x") == "x!")
    #expect(words(.home) == "Start")
    // A correction of German is none of French.
    #expect(Words(language: "fr", corrections: ["de": file])(.back) == "Retour")
    #expect(Words(language: "it", corrections: ["de": file])(.back) == "Indietro")
  }

  @Test("A correction of a country's words comes after that of the language")
  func countryCorrections() {
    let (de, ch) = (WordFile(Array("back = A\nhome = B".utf8)), WordFile(Array("back = C".utf8)))
    let words = Words(language: "de-CH", corrections: ["de": de, "de-CH": ch])
    #expect(words(.back) == "C")
    #expect(words(.home) == "B")
  }

  @Test("What cannot be used is named with its line, and the rest is used")
  func problemsHaveLines() {
    #expect(problems("back") == ["1: a line is `key = text`"])
    #expect(problems("\nbakc = x") == ["2: there is no word \"bakc\"; perhaps \"back\""])
    #expect(problems("back =") == ["1: back: the text is missing"])
    #expect(problems("back = a\nback = b") == ["2: back: the same again"])
    #expect(
      problems("hold-for = Halten") == ["1: hold-for: the text has no value, and needs {0}"])
    #expect(problems("back = {0}") == ["1: back: the text has {0}, and needs no value"])
    #expect(problems("back = a\tb") == ["1: back: the text has control characters"])
    #expect(problems("back.one = x").first?.hasPrefix("1: there is no word") == true)
    #expect(problems("more-notices.two = a pair") == [])
    #expect(problems("group-from = 0") == ["1: group-from: a whole number from 2 to 19"])
    #expect(
      problems("back = " + String(repeating: "ä", count: 200))
        == ["1: back: the text has more than 300 bytes"])
  }

  @Test("A hostile file costs no more than its limit, and names few lines")
  func hostileFiles() {
    #expect(WordFile(Array(repeating: 0x3D, count: 1 << 20)).texts.isEmpty)
    #expect(problems(String(repeating: "x\n", count: 10_000)).count == WordFile.mostProblems)
    #expect(WordFile([0xFF, 0xFE, 0x3D, 0x00, 0x0A]).texts.isEmpty)
  }
}
