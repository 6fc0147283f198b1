import Drawing
import Testing

@testable import MapOverlays

/// How the text of a notice is cut into parts.
@Suite struct NoticePartsTests {
  /// The parts of a text as single lines without the signs that it goes on.
  private func parts(_ text: String, letters: Int, most: Int = 1) throws -> [String] {
    let renderer = try #require(hudText())
    let wide = renderer.measure(String(repeating: "n", count: letters), size: 16).width
    let cutter = NoticeParts(size: 16, wide: wide, most: most, text: renderer)
    let parts = cutter.parts(text, limit: 12)
    for (n, lines) in parts.enumerated() {
      #expect(lines.count <= most)
      for line in lines { #expect(renderer.measure(line, size: 16).width <= wide, "\(line)") }
      #expect(lines.first?.hasPrefix(NoticeParts.wentBefore) == (n > 0))
      #expect(lines.last?.hasSuffix(NoticeParts.goesOn) == (n + 1 < parts.count))
    }
    return parts.map { lines in
      var text = lines.joined(separator: " ")
      if text.hasPrefix(NoticeParts.wentBefore) { text = String(text.dropFirst(2)) }
      if text.hasSuffix(NoticeParts.goesOn) { text = String(text.dropLast(2)) }
      return text
    }
  }

  @Test func aTextThatFitsIsNotCut() throws {
    let text = "Lake Loop is closed after flooding"
    #expect(try parts(text, letters: 40) == [text])
    #expect(try parts(text, letters: 20, most: 2) == [text])
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}"])
  func aLineEndOfAnyKindEndsALine(_ end: String) throws {
    #expect(
      try parts("Closed." + end + "Open again soon.", letters: 40, most: 2) == [
        "Closed. Open again soon."
      ])
    let renderer = try #require(hudText())
    #expect(renderer.wrap("a" + end + "b", size: 16, width: 400, maxLines: 3) == ["a", "b"])
  }

  @Test func aTextIsCutAtTheEndsOfSentencesAndPhrases() throws {
    #expect(
      try parts("The lake loop is closed today. Please take the ridge path.", letters: 40)
        == ["The lake loop is closed today.", "Please take the ridge path."])
    #expect(
      try parts(
        "Because of the heavy rain, the lower path along the river, which is steep, is closed",
        letters: 26, most: 2)
        == [
          "Because of the heavy rain,",
          "the lower path along the river, which is steep, is closed",
        ])
  }

  @Test func otherwiseItIsCutAtWordsIntoPartsOfSimilarLength() throws {
    let parts = try parts("Lake Loop is closed after the flooding of this week", letters: 30)
    #expect(parts.count == 2)
    let lengths = parts.map(\.count)
    #expect(try #require(lengths.max()) - #require(lengths.min()) < 10)
  }

  @Test(arguments: 14..<48)
  func noPartHasOnlyAWordOrTwo(_ letters: Int) throws {
    let text = "The bridge is closed until the end of June, so please use the old ford or the ferry"
    let parts = try parts(text, letters: letters)
    #expect(parts.joined(separator: " ") == text)
    for part in parts where letters >= 24 {
      #expect(part.split(separator: " ").count > 2, "\(part)")
    }
  }

  @Test func chineseAndJapaneseAreCutBetweenCharactersAndAfterTheirMarks() throws {
    let parts = try parts("大雨のため、川沿いの道は通行止めです。山道を通ってください。", letters: 24, most: 1)
    #expect(parts.count > 1)
    #expect(parts.joined() == "大雨のため、川沿いの道は通行止めです。山道を通ってください。")
    for part in parts.dropLast() { #expect(part.hasSuffix("。") || part.hasSuffix("、")) }
  }

  @Test(arguments: 12..<24, 2...4)
  func noWordGoesOnInTheNextPart(_ letters: Int, _ most: Int) throws {
    let text =
      "Seerundweg gesperrt: zwischen Steg und Vogelbeobachtung überflutet. Bitte den Kammweg "
      + "nehmen."
    let parts = try parts(text, letters: letters, most: most)
    for part in parts.dropLast() { #expect(!part.hasSuffix("-"), "\(part)") }
  }

  @Test(arguments: 14..<40)
  func inJapaneseNoRunOfOneScriptGoesOnInTheNextPart(_ letters: Int) throws {
    let parts = try parts("湖一周コースは冠水のため通行止めです。", letters: letters)
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect(!WordRun.goesOn(from: part, to: next), "\(part)|\(next)")
    }
    #expect(WordRun.goesOn(from: "は冠", to: "水の") && WordRun.goesOn(from: "コー", to: "ス"))
    #expect(!WordRun.goesOn(from: "コースは", to: "冠水") && !WordRun.goesOn(from: "止", to: "コ"))
  }

  @Test func aLineOfJapaneseEndsWhereAWordBegins() throws {
    let renderer = try #require(hudText())
    func lines(_ text: String, _ line: String, most: Int = 4) -> [[String]] {
      let wide = renderer.measure(line, size: 16).width
      return NoticeParts(size: 16, wide: wide, most: most, text: renderer).parts(text, limit: 12)
    }
    #expect(
      lines("湖一周コースは冠水のため通行止めです。", "湖一周コースは冠水")
        == [["湖一周コースは", "冠水のため通行止め", "です。"]])
    // No one or two characters are left for the last line.
    #expect(lines("東西南北上下左右前後", "東西南北上下左右前") == [["東西南北上下左", "右前後"]])
    // Not where that takes a further line.
    #expect(
      lines("東西南北上下左右前後東西南北は下左右", "東西南北上下左右前")
        == [["東西南北上下左右前", "後東西南北は下左右"]])
  }

  @Test(arguments: 8..<40)
  func linesThatEndEarlierTakeNoFurtherLine(_ letters: Int) throws {
    let renderer = try #require(hudText())
    let text = "湖一周コースは冠水のため通行止めです。桟橋と野鳥観察小屋の間は通れません。"
    let wide = renderer.measure(String(repeating: "湖", count: letters), size: 16).width
    let lines = NoticeParts(size: 16, wide: wide, most: 9, text: renderer).parts(text, limit: 12)
    #expect(lines.count == 1 && lines[0].joined() == text)
    for line in lines[0] { #expect(renderer.measure(line, size: 16).width <= wide) }
    #expect(lines[0].last.map { $0.count > 2 } == true)
    let filled = renderer.wrap(text, size: 16, width: wide, maxLines: 9)
    #expect(lines[0].count <= filled.count)
  }

  @Test func everyPartHasTheDirectionOfItsParagraph() throws {
    let renderer = try #require(hudText())
    let cutter = NoticeParts(size: 16, wide: 150, most: 1, text: renderer)
    let text = "שביל סגור בגלל מפולת Ridge Path and Lake Loop and Upper Falls עד סוף החודש"
    let lines = cutter.parts(text, limit: 12).flatMap { $0 }
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { TextDirection(of: $0) == .rightToLeft })
    // The sign that English goes on is right of it.
    #expect(lines.contains { $0.hasSuffix(NoticeParts.goesOn + "\u{200E}") })
    #expect(lines.contains { $0.hasPrefix("\u{200F}\u{200E}" + NoticeParts.wentBefore) })
  }

  @Test(
    arguments: [
      ("June.", "Please", true), ("closed,", "so", true), ("(closed)", "so", false),
      ("path!\"", "Take", true), ("St.", "Mary", false), ("ca.", "5", false),
      ("1.", "June", false), ("17:40.", "Then", true), ("bzw.", "am", false), ("it.", "We", true),
      ("–", "please", true), ("です。", "山", true), ("الآن،", "ثم", true),
    ] as [(String, String, Bool)])
  func aPhraseEndsWithAMarkThatBelongsToNoAbbreviation(
    _ word: String, _ next: String, _ isEnd: Bool
  ) {
    #expect(PhraseEnd.isEnd(word, before: next) == isEnd)
  }
}
