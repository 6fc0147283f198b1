import Drawing
import MapLabels
import Testing
import VectorMaps

@Suite struct LabelFontsTests {
  @Test func fontsOfTheHudDrawWhatTheBundledOnesLackAndLastOnesTheRest() {
    let files = [
      FontFile("/nowhere/a.ttf"), FontFile("/nowhere/b.ttf", isLast: true),
      FontFile("/nowhere/c.ttf"),
    ]
    func names(_ fonts: LabelFonts) -> [String] {
      fonts.others.map { if case .file(let file) = $0 { file.path } else { "bundled" } }
    }
    #expect(
      names(LabelFonts.bundled(with: files)) == [
        "/nowhere/a.ttf", "/nowhere/c.ttf", "bundled", "/nowhere/b.ttf",
      ])
    #expect(names(LabelFonts.bundled(with: [])) == ["bundled"])
  }
}
