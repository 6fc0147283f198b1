import Drawing
import Foundation
import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

private let arabic = [
  "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf",
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
].first { FileManager.default.fileExists(atPath: $0) }

/// Letters that the bundled Noto Sans lacks come from other fonts, shaped and in their order.
@Suite(.enabled(if: arabic != nil, "skipped: no Arabic font is installed"))
struct ScriptTests {
  private func block(_ text: String, _ fonts: LabelFonts) throws -> TextBlock {
    try LabelType(fonts).block(FormattedText(text), LabelSettings())
  }

  private func fonts() throws -> LabelFonts {
    var fonts = LabelScene.fonts()
    fonts.others.insert(.file(FontFile(try #require(arabic))), at: 0)
    return fonts
  }

  @Test func anotherFontGivesWhatTheFamilyLacks() throws {
    let block = try block("Cairo القاهرة", fonts())
    let used = Set(block.glyphs.map(\.font))
    #expect(used == [0, 3])
    let hasAll = block.glyphs.allSatisfy { $0.index != 0 }
    #expect(hasAll)
  }

  @Test func rightToLeftTextRunsFromTheRight() throws {
    let block = try block("القاهرة", fonts())
    let line = try #require(block.lines.first)
    let glyphs = block.glyphs[line.glyphs]
    let first = try #require(glyphs.min { $0.x < $1.x })
    let last = try #require(glyphs.max { $0.x < $1.x })
    // The first letter of the text stands at the right end.
    #expect(last.character < first.character)
  }

  @Test func lettersAreJoined() throws {
    // Alone and within a word, a letter has other forms.
    let alone = try #require(try block("ه", fonts()).glyphs.first)
    let word = try block("هه", fonts())
    let forms = Set(word.glyphs.map(\.index))
    #expect(!forms.contains(alone.index))
  }

  @Test func aRightToLeftNameStandsAlongALine() throws {
    let look = LabelScene.look { $0.placement = .line }
    let street = LabelCandidate(
      layer: 0, text: FormattedText("القاهرة"), look: look,
      points: [TilePoint(0.1, 0.5), TilePoint(0.9, 0.5)])
    let placer = LabelPlacer(type: try LabelType(fonts()))
    let placement = placer.place(LabelScene.request([street]), after: nil)
    #expect(placement.labels.count == 1)
  }
}
