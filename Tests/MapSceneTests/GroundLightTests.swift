import MapGeometry
import Pixels
import Testing
import TileSources

@testable import MapScene
@testable import TileLoading

/// How light a map is comes from the tiles that are on the screen, in every format.
@Suite struct GroundLightTests {
  /// A map of level 4 around the corner of four tiles, of which the western two have one colour and
  /// the others another one.
  private func scene(
    west: UInt32, east: UInt32, _ format: PixelFormat, zoom: Double = 4, bearing: Double = 0,
    levels: ClosedRange<Int>
  ) -> Scene {
    let cache = TileCache(limit: 16 << 20)
    let opaque = TilePixelFormat(opaqueFor: format)
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, bearing: bearing, width: 256, height: 256)
    let scene = Scene(cache: cache, missing: MissingTiles(), opaque: opaque, view: view)
    scene.setLayers([SceneLayer(chain: [SceneSource(index: 0, levels: levels)], isBase: true)])
    for request in scene.update(view: view).requests {
      let bytes = 256 * 256 * 4
      guard let buffer = cache.reserve(bytes, standing: .needed) else { continue }
      let words = buffer.assumingMemoryBound(to: UInt32.self)
      let isWest = request.tile.x < 1 << (request.tile.z - 1)
      words.update(repeating: isWest ? west : east, count: 256 * 256)
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: buffer, count: bytes), edge: 256, to: opaque)
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: 256, format: opaque, standing: .needed)
    }
    _ = scene.update(view: view)
    return scene
  }

  private func light(
    west: UInt32, east: UInt32, _ format: PixelFormat, zoom: Double = 4, levels: ClosedRange<Int>
  ) -> Int? {
    scene(west: west, east: east, format, zoom: zoom, levels: levels).groundLight()
  }

  @Test(arguments: [PixelFormat.xrgb8888, .rgb565], [4.0, 4.3, 6])
  func aPartOfTheViewHasItsOwnLight(_ format: PixelFormat, _ zoom: Double) throws {
    let scene = scene(
      west: 0xFFFF_FFFF, east: 0xFF00_0000, format, zoom: zoom, levels: 0...4)
    let west = try #require(scene.groundLight(in: PixelRect(x: 20, y: 60, width: 80, height: 24)))
    let east = try #require(
      scene.groundLight(in: PixelRect(x: 150, y: 160, width: 80, height: 24)))
    let both = try #require(scene.groundLight(in: PixelRect(x: 88, y: 60, width: 80, height: 24)))
    #expect(west >= 245 && east <= 4 && (90...165).contains(both))
    // Beyond the world there is no map.
    #expect(scene.groundLight(in: PixelRect(x: 9000, y: 60, width: 80, height: 24)) == nil)
    #expect(scene.groundLight(in: PixelRect(x: 40, y: 60, width: 0, height: 0)) != nil)
  }

  @Test func aPartOfATurnedViewHasTheLightOfWhatIsThere() throws {
    // East is up.
    let scene = scene(
      west: 0xFFFF_FFFF, east: 0xFF00_0000, .xrgb8888, bearing: 90, levels: 0...4)
    let top = try #require(scene.groundLight(in: PixelRect(x: 90, y: 20, width: 80, height: 24)))
    let bottom = try #require(
      scene.groundLight(in: PixelRect(x: 90, y: 210, width: 80, height: 24)))
    #expect(top <= 4 && bottom >= 245)
  }

  @Test(arguments: [PixelFormat.xrgb8888, .rgb565])
  func itIsTheMeanOfWhatIsInView(_ format: PixelFormat) throws {
    let white: UInt32 = 0xFFFF_FFFF
    let black: UInt32 = 0xFF00_0000
    let whole = try #require(light(west: white, east: white, format, levels: 0...6))
    #expect(whole >= 245)
    let none = try #require(light(west: black, east: black, format, levels: 0...6))
    #expect(none <= 4)
    let half = try #require(light(west: white, east: black, format, levels: 0...6))
    #expect((115...135).contains(half))
    // Green is lighter than blue.
    let green = try #require(light(west: 0xFF00_FF00, east: 0xFF00_FF00, format, levels: 0...6))
    let blue = try #require(light(west: 0xFF00_00FF, east: 0xFF00_00FF, format, levels: 0...6))
    #expect(green > 160 && blue < 30)
  }

  @Test func enlargedTilesCountAsFarAsTheyAreSeen() throws {
    let half = try #require(
      light(west: 0xFFFF_FFFF, east: 0xFF00_0000, .xrgb8888, zoom: 6, levels: 0...2))
    #expect((115...140).contains(half))
  }

  @Test func withoutATileItIsUnknown() {
    let view = Viewport(center: GeoPoint(lat: 0, lon: 0), zoom: 4, width: 256, height: 256)
    let scene = Scene(
      cache: TileCache(limit: 1 << 20), missing: MissingTiles(), opaque: .xrgb8888, view: view)
    scene.setLayers([SceneLayer(chain: [SceneSource(index: 0, levels: 0...6)], isBase: true)])
    _ = scene.update(view: view)
    #expect(scene.groundLight() == nil)
    // Words over nothing have the void under them.
    let rect = PixelRect(x: 40, y: 60, width: 80, height: 24)
    #expect(scene.groundLight(in: rect) == nil)
    let light = Compositor.Palette.day.voidLight
    #expect(light > 200 && Compositor.Palette.night.voidLight < 40)
    #expect(scene.groundLight(in: rect, void: light) == light)
  }

  @Test func whereOverlaysLieOverNothingTheVoidShinesThrough() {
    let cache = TileCache(limit: 16 << 20)
    let view = Viewport(center: GeoPoint(lat: 0, lon: 0), zoom: 4, width: 256, height: 256)
    let scene = Scene(cache: cache, missing: MissingTiles(), opaque: .xrgb8888, view: view)
    scene.setLayers([SceneLayer(chain: [SceneSource(index: 0, levels: 0...6)], isBase: false)])
    for request in scene.update(view: view).requests {
      let bytes = 256 * 256 * 4
      guard let buffer = cache.reserve(bytes, standing: .needed) else { continue }
      // The western half is clear, the eastern one half black.
      let words = buffer.assumingMemoryBound(to: UInt32.self)
      let isWest = request.tile.x < 1 << (request.tile.z - 1)
      words.update(repeating: isWest ? 0 : 0x8000_0000, count: 256 * 256)
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: 256, format: .argb8888, standing: .needed)
    }
    _ = scene.update(view: view)
    let west = PixelRect(x: 20, y: 60, width: 80, height: 24)
    let east = PixelRect(x: 150, y: 160, width: 80, height: 24)
    #expect(scene.groundLight(in: west, void: 230) == 230)
    #expect(scene.groundLight(in: east, void: 230).map { (100...130).contains($0) } == true)
    #expect(scene.groundLight(in: west) == nil)
    #expect(scene.groundLight(in: east) == 0)
  }
}
