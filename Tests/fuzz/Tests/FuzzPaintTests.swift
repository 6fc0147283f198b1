import Testing
import TileSources

/// The target `vector-paint` has all of its styles.
@Suite struct FuzzPaintTests {
  @Test func noStyleIsMissing() throws {
    #expect(PaintStyle.all.count == VectorSchema.allCases.count + 1)
    let own = try #require(PaintStyle.all.last)
    #expect(own.painter.style.layers.count == 11)
    #expect(own.painter.style.findings.isEmpty, "\(own.painter.style.findings)")
  }
}
