import Testing
import VectorTiles

@testable import VectorPainting

@Suite struct LineMergerTests {
  private func line(_ numbers: Int32...) -> [VectorPoint] {
    numbers.map { VectorPoint(x: $0, y: 0) }
  }

  private func merged(_ features: [(text: Int, lines: [[VectorPoint]])]) -> [[[Int32]]] {
    var features = features.map { LineMerger.Feature(text: $0.text, lines: $0.lines) }
    LineMerger.merge(&features)
    return features.map { feature in feature.lines.map { line in line.map(\.x) } }
  }

  @Test func linesOfATextThatMeetAreJoined() {
    #expect(
      merged([(1, [line(0, 1)]), (1, [line(1, 2)]), (1, [line(2, 3)])])
        == [[[0, 1, 2, 3]], [[]], [[]]])
    // Before the first, too.
    #expect(merged([(1, [line(5, 6)]), (1, [line(4, 5)])]) == [[[4, 5, 6]], [[]]])
  }

  @Test func aLineBetweenTwoJoinsBoth() {
    #expect(
      merged([(1, [line(0, 1)]), (1, [line(2, 3)]), (1, [line(1, 2)]), (1, [line(3, 4)])])
        == [[[0, 1, 2, 3, 4]], [[]], [[]], [[]]])
  }

  @Test func otherTextsAndDirectionsStayApart() {
    #expect(merged([(1, [line(0, 1)]), (2, [line(1, 2)])]) == [[[0, 1]], [[1, 2]]])
    #expect(merged([(1, [line(0, 1)]), (1, [line(2, 1)])]) == [[[0, 1]], [[2, 1]]])
  }

  @Test func onlyTheFirstLineOfAFeatureIsJoined() {
    #expect(
      merged([(1, [line(0, 1), line(7, 8)]), (1, [line(1, 2), line(8, 9)])])
        == [[[0, 1, 2], [7, 8]], [[], [8, 9]]])
  }

  @Test func aRingAndEmptyLinesAreLeftAlone() {
    #expect(merged([(1, [line(0, 1, 0)]), (1, []), (1, [[]])]) == [[[0, 1, 0]], [], [[]]])
  }
}
