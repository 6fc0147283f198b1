import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// The pictures of one source in the style of another: what changes is drawn again.
@Suite struct StylePictureTests: PackCase {
  private static let style = """
    {"version": 8, "sources": {}, "layers": [
      {"id": "land", "type": "background", "paint": {"background-color": "#ffffff"}},
      {"id": "shade", "type": "raster", "source": "relief", "paint": {"raster-opacity": 0.5}}]}
    """
  private let white: UInt32 = 0xFFFF_FFFF
  /// Half a colour on white.
  private let pink: [UInt32] = [0xFFFF_7F7F, 0xFFFF_8080]
  private let pale: [UInt32] = [0xFF7F_7FFF, 0xFF80_80FF]

  private func relief(_ path: String) -> SourceSpec {
    var spec = spec(path, "relief")
    spec.role = .style
    spec.attribution = "the survey"
    return spec
  }

  /// A kiosk that shows the earth in the style, with a red pack or one of these tiles.
  private func bench(
    _ folder: TemporaryFolder, hasRelief: Bool = true, tiles: [(id: TileID, bytes: [UInt8])] = []
  ) throws -> (Bench, String) {
    try folder.write(Self.style, to: "style.json")
    let path = folder["relief.mbtiles"]
    if tiles.isEmpty {
      try write(red, .mbtiles, to: path)
    } else {
      try TilePacks.writeMBTiles(tiles, to: path)
    }
    var earth = SourceSpec(name: "earth", location: .memory(Bundled.naturalEarth))
    earth.style = .file(folder["style.json"])
    let bench = try Bench(hasRelief ? [earth, relief(path)] : [earth], width: 320, height: 240) {
      $0.view.zoom = 2
    }
    try bench.settle()
    rest(bench)
    return (bench, path)
  }

  private func shows(_ bench: Bench, _ colors: [UInt32]) -> Bool {
    bench.run {
      let seen = self.colors(bench)
      return seen.count == 1 && colors.contains(seen.first ?? 0)
    }
  }

  @Test func aChangedPackIsDrawnAgain() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    #expect(shows(bench, pink))
    #expect(bench.kiosk.health.entries.isEmpty)
    #expect(bench.kiosk.book.sources.attribution.hasSuffix(" | the survey"))
    try replace(path, blue)
    #expect(shows(bench, pale))
  }

  @Test func aSourceThatComesGoesOrChangesIsDrawnAgain() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, hasRelief: false)
    #expect(shows(bench, [white]))
    #expect(bench.kiosk.book.sources.add(relief(path)))
    #expect(shows(bench, pink))
    rest(bench)
    let other = folder["other.mbtiles"]
    try write(blue, .mbtiles, to: other)
    #expect(bench.kiosk.book.sources.add(relief(other)))
    #expect(shows(bench, pale))
    rest(bench)
    bench.kiosk.removeSource("relief")
    #expect(shows(bench, [white]))
    #expect(!bench.kiosk.book.sources.attribution.contains("survey"))
  }

  @Test func itIsNoMapOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try bench(folder)
    #expect(bench.kiosk.baseNames == ["earth"])
    #expect(!bench.kiosk.use("relief"))
    #expect(bench.kiosk.book.sources.shown == ["earth"])
    #expect(bench.kiosk.book.sceneLayers().count == 1)
  }

  @Test func aMissingPictureIsTriedWithoutOpeningTheMapAgain() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, hasRelief: false)
    // A program writes into the pack: it can be opened later.
    let lock = try PackLock(path)
    try lock.lock()
    #expect(bench.kiosk.book.sources.add(relief(path)))
    func entry() -> SourceEntry? { bench.kiosk.book.sources["earth"] }
    #expect(bench.run { entry()?.info?.drawing?.missing.isEmpty == false })
    rest(bench)
    #expect(health(bench, "earth")?.contains(path) == true)
    // The tiles keep their number while it is tried, so nothing is painted again.
    let index = entry()?.index
    for _ in 0..<2 {
      let due = entry()?.retry?.due
      #expect(due != nil)
      #expect(bench.run { entry()?.retry?.due != due && entry()?.retry?.due != nil })
      #expect(entry()?.index == index)
    }
    try lock.unlock()
    #expect(shows(bench, pink))
    #expect(entry()?.retry == nil)
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func aBrokenPictureIsAProblemOfTheMapThatNamesItsFile() throws {
    let folder = try TemporaryFolder()
    let tile = try #require(TileID(z: 2, x: 1, y: 1))
    let broken = Array(try png(red).prefix(100))
    let (bench, path) = try bench(folder, tiles: [(tile, broken)])
    #expect(bench.run { health(bench, "earth")?.contains(path) == true })
    #expect(shows(bench, [white]))
  }
}
