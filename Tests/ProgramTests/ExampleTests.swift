import Foundation
import TestSupport
import Testing

/// `Examples/OwnSource`, built as a stranger would and run.
struct ExampleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private func run(_ folder: TemporaryFolder, _ z: Int, _ x: Int, _ y: Int) throws
    -> Program.Outcome
  {
    try Program.built("own-source").run([folder.path, "\(z)", "\(x)", "\(y)"])
  }

  @Test func theExampleGivesATileTheNearestOneAboveItAndAReason() throws {
    let folder = try TemporaryFolder()
    try folder.write("the north west", to: "0.png")
    try folder.write("deeper", to: "03.png")
    try folder.write("", to: "031.png")

    let there = try run(folder, 2, 1, 1)
    #expect((there.status, there.text, there.errors) == (0, "deeper", "tile 2/1/1\n"))
    let above = try run(folder, 9, 200, 200)
    #expect((above.status, above.text, above.errors) == (0, "deeper", "tile 2/1/1\n"))
    let broken = try run(folder, 3, 3, 2)
    #expect(broken.status == 1)
    #expect(broken.errors == "own-source: 031.png: tile 3/3/2: is empty: copy it again\n")
    let nowhere = try run(folder, 1, 1, 0)
    #expect(nowhere.status == 1)
    #expect(nowhere.errors == "own-source: nothing covers tile 1/1/0\n")
  }

  @Test func theArticleShowsTheExamplesCode() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: ExampleTests.root + "/" + path, encoding: .utf8)
    }
    let article = try text("Sources/TileSources/TileSources.docc/OwnSource.md")
    let code = try text("Examples/OwnSource/QuadkeySource.swift")
    #expect(article.contains("```swift\n\(code)```\n"))
  }
}
