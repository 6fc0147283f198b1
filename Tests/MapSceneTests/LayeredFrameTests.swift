import MapGeometry
import Pixels
import TestSupport
import Testing
import TileSources

@testable import MapScene
@testable import TileLoading

/// A cell with layers over it looks the same by every way to the display: mixed in chunks, stitched
/// row by row, copied where one tile alone is seen, and kept as one opaque tile.
@Suite struct LayeredFrameTests {
  private let width = 600
  private let height = 400

  /// A source's tiles by number: a picture drawn into `edge` x `edge` words.
  private struct Layer: Sendable {
    var opacity = 1.0
    var draw: @Sendable (_ x: Int, _ y: Int) -> UInt32
  }

  private func picture(
    _ layers: [Layer], _ format: PixelFormat = .xrgb8888, rotation: MountingRotation = .none,
    sprites: [Sprite] = [], isMixed: Bool = false, keepsFlats: Bool = false, frames: Int = 1
  ) -> [UInt8] {
    let cache = TileCache(limit: 64 << 20)
    let opaque = TilePixelFormat(opaqueFor: format)
    let view = Viewport(
      center: GeoPoint(lat: 20, lon: 10), zoom: 4, width: width, height: height)
    let scene = Scene(cache: cache, missing: MissingTiles(), opaque: opaque, view: view)
    scene.setLayers(
      layers.indices.map {
        SceneLayer(
          chain: [SceneSource(index: $0, levels: 4...4)], opacity: layers[$0].opacity,
          isBase: $0 == 0)
      })
    let compositor = Compositor(cache: cache)
    compositor.keepsFlatTiles = keepsFlats
    for request in scene.update(view: view).requests where request.levels == 0 {
      let layer = layers[request.key.source]
      let isBase = request.key.source == 0
      guard let buffer = cache.reserve(256 * 256 * 4, standing: .needed) else { continue }
      let words = buffer.assumingMemoryBound(to: UInt32.self)
      for y in 0..<256 { for x in 0..<256 { words[y * 256 + x] = layer.draw(x, y) } }
      if isBase {
        convertOpaqueTile(
          UnsafeMutableRawBufferPointer(start: buffer, count: 256 * 256 * 4), edge: 256, to: opaque)
      }
      cache.insert(
        request.key, buffer: buffer, bytes: 256 * 256 * 4, edge: 256,
        format: isBase ? opaque : .argb8888, standing: .needed)
    }
    let panel = rotation.turnedSize(width: width, height: height)
    var bytes = [UInt8](repeating: 0x55, count: panel.width * panel.height * format.bytes)
    for _ in 0..<frames {
      scene.invalidate()
      _ = scene.update(view: view)
      compositor.place(sprites, width: width, height: height)
      bytes.withUnsafeMutableBytes { raw in
        guard let base = raw.baseAddress else { return }
        let target = ScanoutBuffer(
          base: base, rowBytes: panel.width * format.bytes, width: panel.width,
          height: panel.height, format: format)
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        if isMixed {
          compositor.mix(scene.plan, whole, target, rotation)
        } else {
          compositor.draw(scene.plan, in: whole, to: target, rotation: rotation)
        }
      }
      scene.didDraw()
    }
    return bytes
  }

  private static let base = Layer { x, y in 0xFF00_0000 | UInt32(x << 16 | y << 8 | (x ^ y) & 255) }
  /// A line around each tile, and a word in the middle.
  private static let lines = Layer { x, y in
    x == 0 || y == 0 ? 0xFF10_2030 : (100..<130).contains(x) && y == 77 ? 0x8040_2010 : 0
  }
  /// Areas, some of them opaque.
  private static let areas = Layer { x, y in
    x > 64 && x < 140 && y > 40 && y < 200 ? (x < 100 ? 0xFF20_9040 : 0x4010_3008) : 0
  }

  /// Compares without a list of the differences: to make one of two pictures takes hours.
  private func expectSame(
    _ a: [UInt8], _ b: [UInt8], location: SourceLocation = #_sourceLocation
  ) {
    let isSame = a == b
    #expect(isSame, sourceLocation: location)
  }

  static let stacks: [Int] = [1, 2, 3]

  @Test(arguments: Self.stacks)
  func everyWayGivesTheSamePixels(stack: Int) {
    var faded = Self.areas
    faded.opacity = 0.5
    let layers = [
      [Self.base, Self.lines], [Self.base, Self.areas, Self.lines], [Self.base, faded, Self.areas],
    ][stack - 1]
    let sprites = [
      Sprite(plain(40, 30, 0x8040_1020), x: 90, y: 120),
      Sprite(plain(9, 9, 0xFF01_0203), x: 300, y: 5),
    ]
    for rotation in [MountingRotation.none, .right, .half, .left] {
      for over in [[], sprites] {
        let mixed = picture(layers, rotation: rotation, sprites: over, isMixed: true)
        expectSame(picture(layers, rotation: rotation, sprites: over), mixed)
        let kept = picture(layers, rotation: rotation, sprites: over, keepsFlats: true, frames: 2)
        expectSame(kept, mixed)
      }
      let narrow = picture(layers, .rgb565, rotation: rotation, isMixed: true)
      expectSame(picture(layers, .rgb565, rotation: rotation), narrow)
      expectSame(
        picture(layers, .rgb565, rotation: rotation, keepsFlats: true, frames: 2), narrow)
    }
  }

  /// Labels as a rule do not meet; what they lie on is found more quickly then.
  @Test(arguments: [PixelFormat.xrgb8888, .rgb565])
  func spritesThatDoNotMeetLookAsMixed(format: PixelFormat) {
    var numbers = SeededNumbers(5)
    var apart: [Sprite] = []
    while apart.count < 90 {
      let (width, height) = (numbers.next(1..<60), numbers.next(1..<24))
      let image = SpriteImage(width: width, height: height) { words, _ in
        // Some rows are empty, some begin late.
        for y in 0..<height where y % 5 != 2 {
          for x in (y % 7) % width..<width { words[y * width + x] = 0x8040_1020 }
        }
      }
      let sprite = Sprite(
        image, x: numbers.next(-20..<self.width), y: numbers.next(-9..<self.height))
      if !apart.contains(where: { $0.rect.intersects(sprite.rect) }) { apart.append(sprite) }
    }
    let overlapping = apart + [Sprite(plain(40, 30, 0x8010_4020), x: 200, y: 150)]
    for sprites in [apart, overlapping] {
      expectSame(
        picture([Self.base], format, sprites: sprites),
        picture([Self.base], format, sprites: sprites, isMixed: true))
    }
  }

  @Test func blocksAreToldApart() {
    var pixels = [UInt32](repeating: 0, count: 64 * 64)
    for y in 0..<64 {
      for x in 0..<64 { pixels[y * 64 + x] = x < 16 ? 0 : x < 32 ? 0xFF00_0001 : 0xFF00_0000 }
    }
    pixels[20 * 64 + 40] = 0x8000_0000
    pixels[63 * 64 + 15] = 0x0100_0000
    var cover = [UInt8](repeating: 9, count: TileCover.bytes(edge: 64))
    TileCover.write(pixels, edge: 64, to: &cover)
    #expect(cover == [0, 2, 2, 2, 0, 2, 1, 2, 0, 2, 2, 2, 1, 2, 2, 2])
  }

  @Test func theLastBlocksOfAnOddEdgeAreSmaller() {
    var pixels = [UInt32](repeating: 0xFF00_0000, count: 35 * 35)
    for y in 0..<35 {
      for x in 32..<35 { pixels[y * 35 + x] = 0 }
    }
    pixels[34 * 35 + 34] = 0xFF00_0001
    var cover = [UInt8](repeating: 9, count: TileCover.bytes(edge: 35))
    TileCover.write(pixels, edge: 35, to: &cover)
    #expect(cover == [2, 2, 0, 2, 2, 0, 2, 2, 1])
  }
}
