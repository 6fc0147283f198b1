import Images
import MapStyle
import TestSupport
import Testing

@testable import MapLabels

@Suite struct IconTests {
  private func sheet(_ json: String, edge: Int = 16) throws -> LabelIcons {
    let png = PlainPNG.tile(1, edge: edge)
    return try Array(json.utf8).withUnsafeBytes { index in
      try png.withUnsafeBytes { picture in try LabelIcons(json: index, png: picture) }
    }
  }

  @Test func anIndexNamesPartsOfThePicture() throws {
    let icons = try sheet(
      """
      {"a": {"x": 0, "y": 0, "width": 4, "height": 5, "pixelRatio": 2},
       "b": {"x": 8, "y": 8, "width": 8, "height": 8, "sdf": true,
             "stretchX": [[2, 4], [5, 6]], "stretchY": [[1, 7]], "content": [1, 2, 6, 7]}}
      """)
    #expect(icons.names == ["a", "b"])
    #expect(icons.problems.isEmpty)
    let a = try #require(icons.icon("a"))
    #expect(a.width == 4 && a.height == 5 && a.pixelRatio == 2 && !a.isDistanceField)
    let b = try #require(icons.icon("b"))
    #expect(b.isDistanceField)
    #expect(b.stretchX == [.init(from: 2, to: 4), .init(from: 5, to: 6)])
    #expect(b.content == LabelInsets(top: 2, right: 6, bottom: 7, left: 1))
    #expect(b.pixels.count == 64)
  }

  @Test func aBrokenEntryIsAProblemAndTheOthersAreRead() throws {
    let icons = try sheet(
      """
      {"good": {"x": 0, "y": 0, "width": 4, "height": 4}, "beyond": {"x": 14, "y": 0, "width": 4,
       "height": 4}, "none": 7, "negative": {"x": -1, "y": 0, "width": 4, "height": 4},
       "empty": {"x": 0, "y": 0, "width": 0, "height": 4},
       "huge": {"x": 1e300, "y": 0, "width": 4, "height": 4},
       "ratio": {"x": 0, "y": 0, "width": 4, "height": 4, "pixelRatio": 0}}
      """)
    #expect(icons.names == ["good"])
    let broken = Set(icons.problems.compactMap(\.icon))
    #expect(broken == ["beyond", "none", "negative", "empty", "huge", "ratio"])
    let reason = icons.problems.first { $0.icon == "beyond" }?.reason
    #expect(reason == "it reaches beyond the sheet of 16x16 px")
  }

  @Test func brokenStretchesAreLeftOut() throws {
    let icons = try sheet(
      """
      {"a": {"x": 0, "y": 0, "width": 8, "height": 8, "stretchX": [[5, 2], [1, 3], [2, 4], [4, 99]],
       "stretchY": 5, "content": [7, 7, 1, 1]}}
      """)
    let icon = try #require(icons.icon("a"))
    #expect(icon.stretchX == [.init(from: 1, to: 3)])
    #expect(icon.stretchY.isEmpty && icon.content == nil)
  }

  @Test func whatIsNoSheetIsATypedError() {
    #expect(throws: LabelIconError.self) { try sheet("[1, 2") }
    #expect(throws: LabelIconError.self) { try sheet("[]") }
    #expect(throws: LabelIconError.self) {
      try Array("{}".utf8).withUnsafeBytes { bytes in
        _ = try LabelIcons(json: bytes, png: bytes)
      }
    }
  }

  @Test func theEdgesOfAStretchedIconKeepTheirSize() {
    let axis = IconAxis(
      size: 20, drawn: 100, stretches: [.init(from: 5, to: 15)], perPixel: 1, isFitted: true)
    #expect(axis.source(2) == 2)
    #expect(axis.source(5) == 5)
    #expect(axis.source(50) == 10)
    #expect(axis.source(98) == 18)
    // Without room for the edges everything shrinks.
    let small = IconAxis(
      size: 20, drawn: 5, stretches: [.init(from: 5, to: 15)], perPixel: 1, isFitted: true)
    #expect(small.source(2.5) == 10)
  }

  @Test func aPatternHasTheIconsSizeInPixelsOfTheView() throws {
    let icons = LabelIcons(icons: [LabelScene.icon("p", 8)], problems: [])
    let one = try #require(icons.pattern("p", scale: 1))
    #expect(one.width == 8 && one.height == 8)
    let two = try #require(icons.pattern("p", scale: 2))
    #expect(two.width == 16 && two.pixels.count == 256)
    #expect(icons.pattern("q", scale: 1) == nil)
  }

  @Test func iconsOfSeveralSheetsHaveTheirSheetsPrefix() throws {
    let first = LabelIcons(icons: [LabelScene.icon("dot", 4)], problems: [])
    let second = LabelIcons(icons: [LabelScene.icon("dot", 8)], problems: [])
    let icons = try LabelIcons(joining: [(prefix: "", icons: first), ("extra:", second)])
    #expect(icons.names == ["dot", "extra:dot"])
    #expect(icons.icon("dot")?.width == 4)
    #expect(icons.icon("extra:dot")?.width == 8)
  }
}
