import Drawing
import MapStyle
import Testing

@testable import MapLabels

@Suite struct TextBlockTests {
  private func lines(_ text: String, width: Float, type: LabelType) -> [String] {
    let characters = text.unicodeScalars.map { TextCharacter($0.value) }
    let breaker = LineBreaker(
      characters: characters,
      widths: characters.map { type.typesetter.advance(of: $0.scalar, chain: type.chains[0]) })
    return breaker.lines(maxWidth: width).map { range in
      String(
        String.UnicodeScalarView(
          characters[range].compactMap { Unicode.Scalar($0.scalar) }))
    }
  }

  @Test func linesAreBrokenAtSpacesAndBalanced() throws {
    let type = try LabelScene.type()
    #expect(
      lines("Museum of Natural History", width: 8, type: type)
        == ["Museum of", "Natural History"])
    #expect(lines("Rhein", width: 1, type: type) == ["Rhein"])
    #expect(lines("Baden-Baden", width: 4, type: type) == ["Baden-", "Baden"])
  }

  @Test func aDashBetweenTwoNamesBeginsNoLine() throws {
    let type = try LabelScene.type()
    #expect(
      lines("België - Belgique - Belgien", width: 6, type: type)
        == ["België -", "Belgique -", "Belgien"])
    #expect(lines("Bolzano – Bozen", width: 5, type: type) == ["Bolzano –", "Bozen"])
  }

  @Test func lineEndsAndZeroWidthSpacesBreakLines() throws {
    let type = try LabelScene.type()
    #expect(lines("One\nTwo", width: 40, type: type) == ["One", "Two"])
    #expect(lines("One\nTwo", width: 0, type: type) == ["One", "Two"])
    #expect(lines("Aaaa\u{200B}Bbbb", width: 3, type: type) == ["Aaaa", "Bbbb"])
  }

  @Test func ideographsBreakAnywhereButNotBeforeClosingMarks() throws {
    let type = try LabelScene.type()
    let broken = lines("東京都千代田区霞", width: 4, type: type)
    #expect(broken.count == 2)
    #expect(broken.joined() == "東京都千代田区霞")
    let marked = lines("東京都。千代田。", width: 4, type: type)
    #expect(!marked.contains { $0.hasPrefix("。") })
  }

  /// The lines of a text whose letters are all an em wide.
  private func squares(_ text: String, width: Float) -> [String] {
    let characters = text.unicodeScalars.map { TextCharacter($0.value) }
    let breaker = LineBreaker(
      characters: characters, widths: [Float](repeating: 1, count: characters.count))
    return breaker.lines(maxWidth: width).map { range in
      String(
        String.UnicodeScalarView(characters[range].compactMap { Unicode.Scalar($0.scalar) }))
    }
  }

  @Test func wordsInKatakanaStayWhole() {
    #expect(squares("アメリカ合衆国", width: 4) == ["アメリカ", "合衆国"])
    #expect(squares("オーストラリア", width: 5) == ["オーストラリア"])
    #expect(squares("サウジアラビア海", width: 5) == ["サウジアラビア", "海"])
    #expect(squares("クアラ・ルンプール", width: 5) == ["クアラ・", "ルンプール"])
    // One that no label has room for is broken.
    let long = squares(String(repeating: "カキクケ", count: 12), width: 8)
    #expect(long.count > 1)
  }

  @Test func smallKanaAndMarksOfLongVowelsBeginNoLine() {
    for text in ["きょうとしゃくしょ", "らーめんどーりー", "佐々木々木々木", "東京（日本）大阪（日本）"] {
      for width in 1...8 {
        let lines = squares(text, width: Float(width))
        #expect(lines.joined() == text)
        let begun = lines.compactMap(\.first).filter { "ょゃー々）".contains($0) }
        #expect(begun.isEmpty, "\(lines)")
        #expect(!lines.contains { $0.hasSuffix("（") }, "\(lines)")
      }
    }
  }

  @Test func aLineOfTextHasItsCapitalsInTheMiddleOfItsBox() throws {
    let type = try LabelScene.type()
    let block = type.block(FormattedText("Hx"), LabelSettings())
    #expect(block.lines.count == 1)
    #expect(block.height == 1.2)
    let baseline = try #require(block.lines.first).baseline
    #expect(abs(baseline - 0.96) < 0.001)
  }

  @Test func letterSpacingIsAddedBetweenLettersOnly() throws {
    let type = try LabelScene.type()
    var settings = LabelSettings()
    let plain = type.block(FormattedText("abc"), settings).width
    settings.textLetterSpacing = 0.5
    let spaced = type.block(FormattedText("abc"), settings).width
    #expect(abs(spaced - plain - 1) < 0.001)
  }

  @Test func sectionsHaveTheirOwnSizeAndFont() throws {
    let type = try LabelScene.type()
    let text = FormattedText(sections: [
      .init("A"), .init("A", scale: 2), .init("A", font: ["Noto Sans Bold"]),
    ])
    let block = type.block(text, LabelSettings())
    #expect(block.glyphs.map(\.scale) == [1, 2, 1])
    #expect(block.sections == [0, 1, 2])
    #expect(block.glyphs[2].font != block.glyphs[0].font)
  }

  @Test func fontStacksAreFacesOfTheFamily() {
    #expect(LabelFonts.face(["Noto Sans Regular"]) == .regular)
    #expect(LabelFonts.face(["Noto Sans Medium", "Other"]) == .semibold)
    #expect(LabelFonts.face(["Roboto Condensed Italic"]) == .italic)
    #expect(LabelFonts.face([]) == .regular)
  }

  @Test func joinedScriptsAreSetAndNotSpaced() throws {
    let type = try LabelScene.type()
    var settings = LabelSettings()
    let plain = type.block(FormattedText("\u{645}\u{635}\u{631}"), settings)
    settings.textLetterSpacing = 1
    let spaced = type.block(FormattedText("\u{645}\u{635}\u{631}"), settings)
    #expect(!plain.isEmpty)
    // Without libraqm they are set letter by letter.
    #expect(spaced.width <= plain.width + 2.001)
  }

  @Test func noSettingsTrap() throws {
    let type = try LabelScene.type()
    for value in [Float.nan, .infinity, -.infinity, 0, -1, 1e30] {
      var settings = LabelSettings()
      settings.textMaxWidth = value
      settings.textLineHeight = value
      settings.textLetterSpacing = value
      let block = type.block(
        FormattedText(sections: [.init("A long text in parts", scale: Double(value))]), settings)
      #expect(block.width.isFinite && block.height.isFinite)
    }
  }
}
