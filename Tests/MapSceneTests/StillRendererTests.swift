import MapGeometry
import MapScene
import TestSupport
import Testing
import TileSources

struct StillRendererTests {
  static func render(_ spec: SourceSpec, _ view: Viewport) throws -> [UInt32] {
    let source = try spec.open(scale: view.scale)
    let info = source.info
    let renderer = StillRenderer(
      view: view, source: source, levels: info.minZoom...info.maxZoom, tileSize: spec.tileSize)
    var words: [UInt32] = []
    renderer.render { rows, count in
      words.append(contentsOf: UnsafeBufferPointer(start: rows, count: count * view.width))
    }
    return words
  }

  @Test(
    .enabled(if: TestData.large != nil && Mosaic.program != nil, "needs the data set and netpbm"))
  func aWholeZoomIsTheMosaicOfTheTiles() throws {
    let folder = try #require(TestData.large) + "/raster-dirs/osm-standard-z3-5"
    let mosaic = Mosaic(folder: folder)
    let view = Viewport(
      center: GeoPoint(lat: 41.9, lon: 12.5), zoom: 4, width: 800, height: 480)
    let words = try Self.render(SourceSpec(name: "osm", location: .path(folder)), view)
    let origin = view.origin
    let truth = try mosaic.picture(
      level: 4, x: origin.x, y: origin.y, width: view.width, height: view.height)
    #expect(words.count == truth.count)
    let wrong = zip(words, truth).filter { $1 != nil && $0 != $1 }.count
    #expect(wrong == 0)
  }
}
