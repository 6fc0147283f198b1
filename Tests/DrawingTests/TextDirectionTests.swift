import CBundled
import Pixels
import Testing

@testable import Drawing

/// Paragraphs from right to left, and the semibold face.
@Suite struct TextDirectionTests {
  private static func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
    .memory(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static var regular: FontSource {
    font(waypost_noto_regular_bytes(), waypost_noto_regular_size())
  }

  private static var others: FontSource { font(waypost_font_bytes(), waypost_font_size()) }

  private static var semibold: FontSource {
    font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size())
  }

  @Test(arguments: [
    ("Hut", TextDirection.leftToRight), ("שלום", .rightToLeft), ("سلام Hut", .rightToLeft),
    ("12: שביל", .rightToLeft), ("Hut שלום", .leftToRight), ("1234", .leftToRight),
    ("", .leftToRight), ("\u{200F}Hut", .rightToLeft), ("\u{200E}שלום", .leftToRight),
  ])
  func theFirstLetterGivesTheDirection(_ text: String, _ direction: TextDirection) {
    #expect(TextDirection(of: text) == direction)
  }

  @Test func everyLineOfAParagraphHasItsDirection() throws {
    let text = try TextRenderer(fonts: [Self.regular, Self.others])
    // The second line alone would be one from left to right.
    let lines = text.wrap("שביל סגור\nHut", size: 16, width: 400, maxLines: 4)
    #expect(lines.map { TextDirection(of: $0) } == [.rightToLeft, .leftToRight])
    let broken = text.wrap("שביל Zermatt Matterhorn", size: 16, width: 90, maxLines: 4)
    #expect(broken.count == 3)
    #expect(broken.allSatisfy { TextDirection(of: $0) == .rightToLeft })
    // The mark takes no room and has no ink.
    let plain = text.measure("Zermatt", size: 16).width
    #expect(text.measure("\u{200F}Zermatt", size: 16).width == plain)
    #expect(text.wrap("Zermatt", size: 16, width: 400, maxLines: 1) == ["Zermatt"])
  }

  @Test func signsAtTheEdgeOfALineStayWithTheWordsAroundThem() {
    func marked(_ lines: [String], after previous: String = "", before next: String = "")
      -> [String]
    {
      var lines = lines
      TextDirection.mark(&lines, .rightToLeft, after: previous, before: next)
      return lines.map {
        String($0.map { $0 == "\u{200E}" ? ">" : $0 == "\u{200F}" ? "<" : $0 })
      }
    }
    #expect(marked(["גן Park of,", "Perth"]) == ["גן Park of,>", "<Perth"])
    // A number after English belongs to it.
    #expect(marked(["גן Route,", "5 Lake"]) == ["גן Route,>", "<>5 Lake"])
    #expect(marked(["גן Route", "(old)"]) == ["גן Route", "<>(old)"])
    // Hebrew follows, or nothing.
    #expect(marked(["גן Route,", "שביל"]) == ["גן Route,", "שביל"])
    #expect(marked(["גן Route,"]) == ["גן Route,"])
    #expect(marked(["גן,", "Route"]) == ["גן,", "<Route"])
    // Lines with only signs belong to what goes on after them.
    #expect(marked(["גן Route,", "–", "(old)"]) == ["גן Route,>", "<>–>", "<>(old)"])
    #expect(marked(["גן Route,", "–", "שביל"]) == ["גן Route,", "<–", "שביל"])
    // What is on other pages of a notice counts.
    #expect(marked(["גן Route …"], before: "Lake") == ["גן Route …>"])
    #expect(marked(["… Lake"], after: "Route") == ["<>… Lake"])
    var english = ["To the גן,", "שביל of", "(old)"]
    TextDirection.mark(&english, .leftToRight)
    #expect(english == ["To the גן,\u{200F}", "\u{200E}שביל of", "(old)"])
    var plain = ["(Route),", "5 (Lake)"]
    TextDirection.mark(&plain, .leftToRight)
    #expect(plain == ["(Route),", "5 (Lake)"])
  }

  @Test func numbersAfterArabicAreSetAsSuchOnTheNextLineToo() {
    var lines = ["مسار (معلومات:", "12-34)", "12-34 مسار", "Perth 5", "12-34"]
    TextDirection.mark(&lines, .rightToLeft)
    #expect(lines[1...2] == ["\u{061C}12-34)", "\u{061C}12-34 مسار"])
    #expect(lines[3] == "\u{061C}Perth 5")
    // After English it is a number of English.
    #expect(lines[4] == "\u{200F}\u{200E}12-34")
    #expect(TextDirection(of: lines[1]) == .rightToLeft)
    // Hebrew has no numbers of its own.
    var hebrew = ["גן (טל:", "12-34)"]
    TextDirection.mark(&hebrew, .rightToLeft)
    #expect(hebrew[1] == "\u{200F}12-34)")
  }

  @Test func theMarkOfArabicTakesNoRoom() throws {
    let text = try TextRenderer(fonts: [Self.regular, Self.others])
    func width(_ line: String) -> Int { text.measure(line, size: 16).width }
    #expect(width("\u{061C}12-34)") == width("\u{200F}12-34)"))
  }

  @Test func aWrappedLineOfEnglishAmongHebrewHasItsCommaAtTheRight() throws {
    let text = try TextRenderer(fonts: [Self.regular, Self.others])
    let width = text.measure("שביל Biodiversity, C", size: 16).width
    let lines = text.wrap("שביל Biodiversity, Conservation", size: 16, width: width, maxLines: 2)
    #expect(lines == ["שביל Biodiversity,\u{200E}", "\u{200F}Conservation"])
    // An ellipsis, too, is where the words go on.
    let cut = text.wrap("שביל Biodiversity, Conservation", size: 16, width: width, maxLines: 1)
    #expect(cut.count == 1)
    #expect(cut.allSatisfy { $0.hasSuffix("…\u{200E}") })
    #expect(cut.allSatisfy { text.measure($0, size: 16).width <= width })
  }

  @Test func boldLettersAreThoseOfTheSemiboldFace() throws {
    let text = try TextRenderer(fonts: [Self.regular, Self.others], semibold: (0, Self.semibold))
    let alone = try TextRenderer(fonts: [Self.semibold])
    for line in ["Zermatt 1620 m", "Bäckerei", "Москва"] {
      #expect(
        text.measure(line, size: 40, weight: .bold).width == alone.measure(line, size: 40).width)
    }
    // What the face lacks is made from the other font's letters.
    let hebrew = text.measure("שלום", size: 40, weight: .bold).width
    #expect(hebrew > text.measure("שלום", size: 40).width)
    #expect(text.glyph(of: 0x41, .bold).font == 2)
    #expect(text.glyph(of: 0x41).font == 0)
    #expect(text.problems.isEmpty)
  }

  @Test(arguments: [TextRenderer.Weight.regular, .bold])
  func allDigitsAreEquallyWide(_ weight: TextRenderer.Weight) throws {
    let text = try TextRenderer(fonts: [Self.regular], semibold: (0, Self.semibold))
    for size in [12, 16, 20, 26, 48] {
      let widths = Set(
        "0123456789".map { digit in
          text.measure(String(repeating: digit, count: 6), size: size, weight: weight).width
        })
      #expect(widths.count == 1, "\(size): \(widths)")
    }
  }
}
