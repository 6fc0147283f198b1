import MapStyle
import Testing
import TileLoading

@testable import MapLabels

@Suite struct TileLabelsTests {
  private func line(_ points: [(Float, Float)], _ look: LabelLook) -> LabelCandidate {
    LabelCandidate(
      layer: 0, text: FormattedText("Road"), look: look,
      points: points.map { TilePoint($0.0, $0.1) })
  }

  @Test func onlyThePointsInTheTileBecomeCandidates() {
    var builder = TileLabelsBuilder()
    for (x, y) in [(0, 0), (0.999, 0.5), (1, 0.5), (0.5, 1), (-0.001, 0.2), (.nan, 0.5)]
      as [(Float, Float)]
    {
      builder.add(LabelScene.point("A", x, y))
    }
    #expect(builder.records.count == 2)
  }

  @Test func aLineIsClippedToTheTileAndEachPartBecomesACandidate() throws {
    let look = LabelScene.look { $0.placement = .line }
    var builder = TileLabelsBuilder()
    // In, out on the right, in again.
    builder.add(line([(0.5, 0.2), (1.5, 0.2), (1.5, 0.8), (0.5, 0.8)], look))
    builder.add(line([(-1, 2), (2, 2)], look))
    let labels = try #require(builder.finish())
    #expect(labels.count == 2)
    let places = (0..<2).map { number in
      labels.candidate(number).points.map { [($0.x * 100).rounded(), ($0.y * 100).rounded()] }
    }
    #expect(places == [[[50, 20], [100, 20]], [[100, 80], [50, 80]]])
  }

  @Test func textsIconsAndLooksAreStoredOnce() throws {
    var builder = TileLabelsBuilder()
    for step in 0..<50 {
      builder.add(
        LabelScene.point(
          "Same", Float(step) / 50, 0.5, icon: "dot", LabelScene.look { $0.textSize = 9 }))
    }
    let labels = try #require(builder.finish())
    #expect(labels.texts.count == 1 && labels.icons.count == 1 && labels.looks.count == 1)
    let candidate = labels.candidate(20)
    #expect(candidate.text.plain == "Same" && candidate.icon == "dot")
    #expect(candidate.look.settings.textSize == 9)
  }

  @Test func aTilesLabelsStayWithinTheLimitAndSayWhatDidNotFit() throws {
    var builder = TileLabelsBuilder()
    for step in 0..<5000 {
      builder.add(
        LabelScene.point("A name that is not short, number \(step)", Float(step) / 5000, 0.5))
    }
    #expect(builder.leftOut > 0)
    let labels = try #require(builder.finish())
    #expect(labels.bytes <= TileCache.companionLimit)
    #expect(labels.count > 400)
  }

  @Test func aTileWithoutSymbolsHasNoLabels() {
    var builder = TileLabelsBuilder()
    builder.add(LabelScene.point("", 0.5, 0.5))
    #expect(builder.isEmpty)
    let labels = builder.finish()
    #expect(labels == nil)
  }

  @Test func aGiantTextIsCutOff() throws {
    var builder = TileLabelsBuilder()
    builder.add(LabelScene.point(String(repeating: "wide ", count: 20_000), 0.5, 0.5))
    let labels = try #require(builder.finish())
    let count = labels.candidate(0).text.plain.count
    #expect(count == TileLabelsBuilder.maxTextLength)
    #expect(labels.bytes < 4096)
  }
}
