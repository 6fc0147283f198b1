import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapScene

/// Sprites may be turned: their pictures are sampled where they are drawn.
@Suite struct TurnedSpriteTests {
  /// Letters as it were: soft strokes with nothing between them, and a row without any.
  private func picture(_ width: Int, _ height: Int) -> SpriteImage {
    SpriteImage(width: width, height: height) { words, stride in
      for y in 0..<height where y != height / 2 {
        for x in 0..<width where (x / 5 + y / 7) % 3 != 0 {
          words[y * stride + x] = x % 5 == 0 ? 0x8040_2010 : 0xFF10_60A0
        }
      }
    }
  }

  /// A sprite turned about the point (x, y), which is in the middle of its picture.
  private func sprite(_ image: SpriteImage, _ angle: Float, x: Int, y: Int) -> Sprite {
    let reach = image.width + image.height
    let box = PixelRect(x: -reach, y: -reach, width: 2 * reach, height: 2 * reach)
    var sprite = Sprite(image, x: x - reach, y: y - reach)
    sprite.turn = SpriteTurn(
      angle, over: box, originX: image.width / 2, originY: image.height / 2)
    return sprite
  }

  /// What the sprite shows, as an upright picture.
  private func drawn(_ sprite: Sprite) throws -> Sprite {
    let turn = try #require(sprite.turn)
    let image = SpriteImage(width: turn.width, height: turn.height) { words, stride in
      sprite.image.blend(
        turn, PixelRect(x: 0, y: 0, width: turn.width, height: turn.height), into: words,
        stride: stride)
    }
    var upright = Sprite(image, x: sprite.x, y: sprite.y)
    upright.opacity = sprite.opacity
    return upright
  }

  private static let angles: [Float] = [0.3, 1.2, .pi / 2, 2.5, .pi, -0.01, -0.8, -2.9]

  private func sprites() -> [Sprite] {
    var numbers = SeededNumbers(11)
    return (0..<40).map { n in
      let image = picture(numbers.next(1..<120), numbers.next(1..<24))
      var sprite = sprite(
        image, TurnedSpriteTests.angles[n % 8], x: numbers.next(-60..<700),
        y: numbers.next(-60..<560))
      if n % 5 == 0 { sprite.opacity = 96 }
      return sprite
    }
  }

  private func stage(_ bearing: Double, _ format: PixelFormat) -> SceneStage {
    let view = Viewport(
      center: GeoPoint(lat: 20.1, lon: 10.7), zoom: 5, bearing: bearing, width: 640, height: 500)
    let stage = SceneStage(
      view: view,
      layers: [SceneLayer(chain: [SceneSource(index: 0, levels: 0...12)], isBase: true)],
      format: format)
    _ = stage.settle(view) { _, _ in .tile(alpha: false) }
    return stage
  }

  @Test(arguments: [0, 33] as [Double], [PixelFormat.xrgb8888, .rgb565])
  func turnedSpritesLookTheSameInParts(_ bearing: Double, _ format: PixelFormat) {
    let stage = stage(bearing, format)
    let sprites = sprites()
    // A turned map is sampled in blocks, so its parts are some of these.
    let (width, height) = bearing == 0 ? (57, 23) : (64, 32)
    var parts: [PixelRect] = []
    for y in stride(from: 0, to: 500, by: height) {
      for x in stride(from: 0, to: 640, by: width) {
        parts.append(
          PixelRect(x: x, y: y, width: min(width, 640 - x), height: min(height, 500 - y)))
      }
    }
    let whole = stage.draw(sprites: sprites)
    let isSame = stage.draw(parts, sprites: sprites) == whole
    #expect(isSame)
    let isBare = stage.draw() == whole
    #expect(!isBare)
  }

  /// Blending twice rounds twice: a picture of the turned picture differs by a few of 255 only.
  @Test(arguments: [0, 33] as [Double], [MountingRotation.none, .right])
  func aTurnedSpriteLooksLikeATurnedPicture(_ bearing: Double, _ rotation: MountingRotation) throws
  {
    let stage = stage(bearing, .xrgb8888)
    let sprites = sprites()
    let upright = try sprites.map { try drawn($0) }
    let a = stage.draw(rotation: rotation, sprites: sprites)
    let b = stage.draw(rotation: rotation, sprites: upright)
    var worst = 0
    for n in a.indices where n % 4 != 3 { worst = max(worst, abs(Int(a[n]) - Int(b[n]))) }
    #expect(worst <= 6)
  }

  @Test(arguments: TurnedSpriteTests.angles)
  func aTurnedSpriteCoversWhatItsPictureDoes(_ angle: Float) throws {
    let image = plain(61, 15, 0xFFFF_FFFF)
    let upright = try drawn(sprite(image, angle, x: 0, y: 0))
    var ink = 0
    for n in 0..<upright.image.width * upright.image.height {
      ink += Int(upright.image.pixels[n] >> 24)
    }
    // As much as upright.
    let all = 61 * 15 * 255
    let difference = abs(ink - all)
    #expect(difference < all / 33)
  }

  @Test func oddSpritesDrawNothingBesideThemselves() {
    let stage = stage(0, .xrgb8888)
    let bare = stage.draw()
    var nothing = sprite(picture(30, 8), 0.5, x: 200, y: 200)
    nothing.opacity = 0
    let odd = [
      sprite(SpriteImage(width: 0, height: 0) { _, _ in }, 1, x: 90, y: 90),
      sprite(SpriteImage(width: 5, height: 0) { _, _ in }, 1, x: 90, y: 90),
      sprite(picture(30, 8), 0.5, x: 1 << 40, y: 1 << 40),
      sprite(picture(30, 8), 0.5, x: -1 << 40, y: 7), nothing,
    ]
    let isBare = stage.draw(sprites: odd) == bare
    #expect(isBare)
    // An angle that is no number is none.
    let image = plain(20, 10, 0xFFFF_FFFF)
    #expect(sprite(image, .nan, x: 9, y: 9) == sprite(image, 0, x: 9, y: 9))
    #expect(sprite(image, .infinity, x: 9, y: 9) == sprite(image, 0, x: 9, y: 9))
    let isUpright =
      stage.draw(sprites: [sprite(image, 0, x: 50, y: 50)])
      == stage.draw(sprites: [Sprite(image, x: 40, y: 45)])
    #expect(isUpright)
  }

  @Test func anotherAngleIsAnotherSprite() {
    let image = plain(20, 10, 1)
    let a = sprite(image, 0.5, x: 50, y: 50)
    #expect(a == sprite(image, 0.5, x: 50, y: 50))
    #expect(a != sprite(image, 0.6, x: 50, y: 50))
    #expect(a.rect == PixelRect(x: 20, y: 20, width: 60, height: 60))
  }
}
