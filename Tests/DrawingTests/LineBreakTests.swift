import CBundled
import Testing

@testable import Drawing

/// Where words that are wider than a line are broken.
@Suite struct LineBreakTests {
  private func place(_ text: String, _ fitting: Int) -> LineBreaks.Break {
    LineBreaks.place(in: Array(text), fitting: fitting, hyphenated: fitting - 1)
  }

  private func head(_ text: String, _ fitting: Int) -> String {
    let place = place(text, fitting)
    return String(text.prefix(place.count)) + (place.isHyphenated ? "-" : "")
  }

  @Test func signsOfFrenchAfterASpaceBeginNoLine() {
    #expect(
      TextRenderer.words(of: "cet après-midi : quittez « les hauteurs » !")
        == ["cet", "après-midi :", "quittez", "« les", "hauteurs » !"])
    #expect(TextRenderer.words(of: ": a") == [":", "a"])
    #expect(TextRenderer.words(of: "  a   b ") == ["a", "b"])
    #expect(TextRenderer.words(of: "a :b 5 % -") == ["a", ":b", "5 %", "-"])
    #expect(TextRenderer.words(of: "") == [])
  }

  @Test func aWordOfAnAlphabetGetsAHyphenWhereASyllableBegins() {
    #expect(head("Instandsetzungsarbeiten", 22) == "Instandsetzungsarbei-")
    #expect(head("Instandsetzungsarbeiten", 20) == "Instandsetzungsar-")
    // Signs of one sound stay together, and no part is shorter than three letters.
    #expect(head("Wandersachen", 10) == "Wander-")
    #expect(head("путешественники", 10) == "путешест-")
  }

  @Test func aHyphenOfTheWordsOwnIsUsed() {
    #expect(place("Rhein-Main-Donau-Kanal", 13) == .init(count: 11))
    #expect(place("Berg-/Talbahn", 8) == .init(count: 6))
  }

  @Test(arguments: ["。", "、", "）", "」", "ー", "っ", "！"])
  func noLineBeginsWithWhatEndsASentenceInJapanese(_ sign: String) {
    let text = "迂回路をご利用ください\(sign)次の"
    let count = place(text, 11).count
    #expect(count < 11)
    #expect(String(Array(text)[count]) != sign)
  }

  @Test func onlyChineseAndJapaneseHaveSeveralPartsInAWord() {
    #expect(LineBreaks.parts(of: "Rhein-Main") == ["Rhein-Main"])
    #expect(LineBreaks.parts(of: "") == [""])
    #expect(
      LineBreaks.parts(of: "GPSは（六月）で、無し。") == ["GPS", "は", "（六", "月）", "で、", "無", "し。"])
  }

  @Test func aLineOfJapaneseEndsWhereAWordBegins() {
    #expect(head("ボールドパーク尾根道", 8) == "ボールドパーク")
    #expect(head("長押し：凡例", 5) == "長押し：")
    #expect(head("最初に戻る", 4) == "最初に")
    // Not where that takes a further line.
    #expect(place("あいうえおかき東西南北上下左右前", 8).count == 8)
  }

  @Test func noOneOrTwoCharactersAreLeftForTheLastLine() {
    #expect(head("湖一周コースは冠水中です。", 11) == "湖一周コースは冠水中")
    #expect(place("白天和夜间模式", 6).count == 4)
    // Of three, one line or the other has only one.
    #expect(place("凡例図", 2).count == 2)
  }

  @Test func theLastLineHasNotOnlyOneOrTwoCharacters() throws {
    let text = try TextRenderer(fonts: [
      .memory(
        UnsafeRawBufferPointer(
          start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size()))
    ])
    func lines(_ words: String, _ line: String, most: Int = 4) -> [String] {
      text.wrap(
        words, size: 16, width: text.measure(line, size: 16).width, maxLines: most)
    }
    #expect(lines("Lake Loop section B", "Lake Loop section") == ["Lake Loop", "section B"])
    #expect(lines("Lake Loop section 12", "Lake Loop section") == ["Lake Loop", "section 12"])
    #expect(lines("Lake Loop section two", "Lake Loop section") == ["Lake Loop section", "two"])
    // There is no better break.
    #expect(lines("Section B", "Section") == ["Section", "B"])
    #expect(lines("A section B", "A section") == ["A section", "B"])
    // A sign of French stays with its word.
    #expect(
      lines("Fermeture du sentier : là", "Fermeture du sentier :")
        == ["Fermeture du", "sentier : là"])
    // Each paragraph has a last line.
    #expect(
      lines("Lake Loop section B\nLake", "Lake Loop section") == ["Lake Loop", "section B", "Lake"])
  }

  @Test func noLineEndsWithAnOpeningBracket() {
    #expect(place("橋は（六月一日まで）通行止め", 3).count == 2)
  }

  @Test func everyBreakMakesProgressAndFits() {
    let texts = [
      "。。。。。。。。", "（（（（（（", "------", "abc", "ab", "a-b-c-d-e-f", "ПриветМир", "नमस्तेदुनिया",
      "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "a1b2c3d4", "مرحبا بالعالم",
    ]
    for text in texts {
      let all = Array(text)
      for fitting in 0...all.count + 2 {
        for hyphenated in [-1, 0, fitting - 1, fitting] {
          let found = LineBreaks.place(in: all, fitting: fitting, hyphenated: hyphenated)
          #expect(found.count >= 1 && found.count <= max(1, min(fitting, all.count)))
          if found.isHyphenated { #expect(found.count <= hyphenated) }
        }
      }
    }
  }

  @Test func hyphensLeaveNoLineTooWide() throws {
    let text = try TextRenderer(fonts: [
      .memory(
        UnsafeRawBufferPointer(
          start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size()))
    ])
    let words = "Brücke wegen Instandsetzungsarbeiten gesperrt: Donaudampfschifffahrtsgesellschaft"
    for width in stride(from: 20, through: 200, by: 7) {
      let lines = text.wrap(words, size: 16, width: width, maxLines: 40)
      #expect(lines.allSatisfy { text.measure($0, size: 16).width <= width })
      let plain = words.filter { $0 != " " }
      #expect(lines.joined().filter { $0 != "-" && $0 != " " } == plain)
    }
  }
}
