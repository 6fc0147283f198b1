import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// The sprite sheet of a style in a file is read again when its files change.
@Suite struct SpriteFileTests {
  private static let style = """
    {"version": 8, "sources": {}, "sprite": "sheet", "layers": [
      {"id": "land", "type": "background", "paint": {"background-color": "#ddddcc"}}]}
    """
  private static func sheet(_ size: Int) -> String {
    "{\"i\": {\"x\": 0, \"y\": 0, \"width\": \(size), \"height\": \(size)}}"
  }

  private func put(_ bytes: [UInt8], _ folder: TemporaryFolder, _ name: String) throws {
    let new = folder[name + ".new"]
    try Data(bytes).write(to: URL(fileURLWithPath: new))
    #expect(rename(new, folder[name]) == 0)
  }

  @Test func aChangedSheetIsReadAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.style, to: "style.json")
    try put(PlainPNG.tile(1), folder, "sheet.png")
    try folder.write(Self.sheet(8), to: "sheet.json")
    var spec = SourceSpec(name: "earth", location: .memory(Bundled.naturalEarth))
    spec.style = .file(folder["style.json"])
    let bench = try Bench([spec]) { $0.view.zoom = 2 }
    try bench.settle()
    let book = bench.kiosk.book
    let first = try #require(book.sources.activeEntry)
    #expect(first.files == [folder["style.json"], folder["sheet.json"], folder["sheet.png"]])
    let icons = try #require(book.labelIcons(isNight: false))
    #expect(icons.icon("i")?.width == 8)
    // Nothing changed: nothing is opened again.
    book.checkFiles()
    for _ in 0..<5 { bench.loop.runOnce(timeout: 0) }
    #expect(book.sources.activeEntry?.index == first.index)
    #expect(book.sources.activeEntry?.reopening == nil)

    try put(Array(Self.sheet(4).utf8), folder, "sheet.json")
    for _ in 0..<200 where book.labelIcons(isNight: false)?.icon("i")?.width != 4 {
      bench.loop.runOnce(timeout: 50_000_000)
    }
    #expect(book.labelIcons(isNight: false)?.icon("i")?.width == 4)
    try bench.settle()
  }
}
