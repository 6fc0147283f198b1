import MapGeometry
import Testing
import TileSources

@Test func theExampleInTheArticleIsTheCodeThatIsCompiledHere() throws {
  let here = #filePath.split(separator: "/").dropLast()
  let example = try bytes(of: "/" + here.joined(separator: "/") + "/OwnSourceExample.swift")
  let sources = "/" + here.dropLast(2).joined(separator: "/") + "/Sources/TileSources"
  let article = String(
    decoding: try bytes(of: sources + "/TileSources.docc/OwnSource.md"), as: UTF8.self)
  let block = "```swift\n" + String(decoding: example, as: UTF8.self) + "```\n"
  #expect(article.contains(block))
}

@Test func theExampleWorksAsASource() throws {
  let map: any TileSource = QuadkeySource(
    pictures: ["0": pictureStart, "03": pictureStart, "031": []], attribution: "© nobody")
  #expect((map.info.minZoom, map.info.maxZoom) == (1, 3))
  #expect(try map.tile(at: tile(1, 0, 0)) == pictureStart)
  #expect(try map.tile(at: tile(1, 1, 0)) == nil)
  #expect(try map.nearestAncestor(of: tile(9, 200, 200)) == tile(2, 1, 1))
  #expect(refusal(map, tile(3, 3, 2)) == "031.png: tile 3/3/2: is empty: copy it anew")
  #expect(map.problems.isEmpty)
}
