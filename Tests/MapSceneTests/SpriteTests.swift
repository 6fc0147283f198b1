import MapGeometry
import MapOverlays
import Pixels
import TestSupport
import Testing
import TileLoading

@testable import MapScene

/// A picture of one premultiplied colour.
func plain(_ width: Int, _ height: Int, _ color: UInt32) -> SpriteImage {
  SpriteImage(width: width, height: height) { words, _ in
    for i in 0..<width * height { words[i] = color }
  }
}

@Suite struct SpriteTests {
  private let width = 700
  private let height = 300

  /// The view without any map, drawn in the parts `rects`.
  private func frame(_ sprites: [Sprite], _ rects: [PixelRect]) -> [UInt32] {
    let cache = TileCache(limit: 1 << 20)
    let compositor = Compositor(cache: cache)
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: 3, width: width, height: height)
    let plan = FramePlan(transform: ViewTransform(view))
    var words = [UInt32](repeating: 0, count: width * height)
    words.withUnsafeMutableBufferPointer {
      let target = ScanoutBuffer(
        base: UnsafeMutableRawPointer($0.baseAddress!), rowBytes: width * 4, width: width,
        height: height, format: .xrgb8888)
      compositor.place(sprites, width: width, height: height)
      for rect in rects { compositor.draw(plan, in: rect, to: target, rotation: .none) }
    }
    withExtendedLifetime(sprites) {}
    return words
  }

  private var whole: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  @Test func hundredsOfSpritesLieOverEachOtherInTheirOrder() {
    var numbers = SeededNumbers(7)
    var sprites: [Sprite] = []
    var expected = frame([], [whole])
    for i in 0..<500 {
      let color = 0xFF00_0000 | UInt32(i * 331)
      let sprite = Sprite(
        plain(numbers.next(1..<90), numbers.next(1..<90), color),
        x: numbers.next(-80..<width), y: numbers.next(-80..<height))
      sprites.append(sprite)
      let part = sprite.rect.intersection(whole)
      for y in part.y..<max(part.y, part.maxY) {
        for x in part.x..<max(part.x, part.maxX) { expected[y * width + x] = color }
      }
    }
    let isSame = frame(sprites, [whole]) == expected
    #expect(isSame)
  }

  @Test func partsOfTheScreenDrawnAloneGiveTheSamePixels() {
    var numbers = SeededNumbers(3)
    let sprites = (0..<60).map { _ in
      Sprite(
        plain(numbers.next(1..<200), numbers.next(1..<70), 0x8040_1020),
        x: numbers.next(-30..<width), y: numbers.next(-30..<height))
    }
    var rects: [PixelRect] = []
    for y in stride(from: 0, to: height, by: 37) {
      for x in stride(from: 0, to: width, by: 111) {
        rects.append(PixelRect(x: x, y: y, width: 111, height: 37).intersection(whole))
      }
    }
    let isSame = frame(sprites, rects) == frame(sprites, [whole])
    #expect(isSame)
  }

  @Test func aPartIsMetWhereASpriteLiesOnIt() {
    let index = SpriteIndex()
    index.place([Sprite(plain(10, 10, 1), x: 300, y: 70)], width: width, height: height)
    #expect(index.lists.meets(whole))
    #expect(!index.lists.meets(PixelRect(x: 256, y: 0, width: 256, height: 70)))
    #expect(index.lists.meets(PixelRect(x: 256, y: 64, width: 256, height: 16)))
    #expect(!index.lists.meets(PixelRect(x: 0, y: 0, width: 300, height: height)))
    #expect(index.lists.meets(PixelRect(x: 309, y: 79, width: 5, height: 5)))
    #expect(!index.lists.meets(PixelRect(x: 310, y: 79, width: 5, height: 5)))
  }

  // MARK: What changed

  private func damage(_ stack: SpriteStack) -> [PixelRect] {
    var rects: [PixelRect] = []
    stack.takeDamage { rects.append($0) }
    return rects
  }

  @Test func whatAppearsMovesChangesOrGoesIsDamagedWhereItWasAndIs() {
    let stack = SpriteStack()
    let (a, b) = (plain(10, 10, 1), plain(20, 20, 2))
    stack.replace(.markers, with: [Sprite(a, x: 0, y: 0)])
    #expect(damage(stack) == [PixelRect(x: 0, y: 0, width: 10, height: 10)])
    stack.replace(.markers, with: [Sprite(a, x: 5, y: 0)])
    #expect(
      damage(stack) == [
        PixelRect(x: 0, y: 0, width: 10, height: 10), PixelRect(x: 5, y: 0, width: 10, height: 10),
      ])
    stack.replace(.markers, with: [Sprite(b, x: 5, y: 0)])
    #expect(
      damage(stack) == [
        PixelRect(x: 5, y: 0, width: 10, height: 10), PixelRect(x: 5, y: 0, width: 20, height: 20),
      ])
    stack.replace(.markers, with: [])
    #expect(damage(stack) == [PixelRect(x: 5, y: 0, width: 20, height: 20)])
  }

  @Test func whatStaysAsItIsCostsNothing() {
    let stack = SpriteStack()
    let sprites = (0..<5).map { Sprite(plain(4, 4, UInt32($0)), x: 10 * $0, y: 0) }
    stack.replace(.hud, with: sprites)
    _ = damage(stack)
    stack.replace(.hud, with: sprites)
    #expect(damage(stack).isEmpty)
    // One more in the middle damages itself alone.
    var more = sprites
    more.insert(Sprite(plain(4, 4, 9), x: 100, y: 100), at: 2)
    stack.replace(.hud, with: more)
    #expect(damage(stack) == [PixelRect(x: 100, y: 100, width: 4, height: 4)])
  }

  @Test func levelsLieOverEachOtherWhateverCameFirst() {
    let stack = SpriteStack()
    let images = SpriteStack.Level.allCases.map { plain(1, 1, UInt32($0.rawValue)) }
    for level in SpriteStack.Level.allCases.reversed() {
      stack.replace(level, with: [Sprite(images[level.rawValue], x: 0, y: 0)])
    }
    let areInOrder = stack.sprites.map(\.image).elementsEqual(images, by: ===)
    #expect(areInOrder)
    #expect(
      SpriteStack.Level.allCases == [
        .fading, .mapLabels, .track, .accuracy, .labels, .markers, .focus, .position, .hud,
        .positionInFront, .callout,
      ])
  }

  /// A diagonal stripe, translucent at its edges.
  private func stripe(_ edge: Int) -> SpriteImage {
    SpriteImage(width: edge, height: edge) { words, stride in
      for y in 0..<edge {
        for x in max(0, y - 4)..<min(edge, y + 5) {
          words[y * stride + x] = abs(x - y) == 4 ? 0x8040_2010 : 0xFF00_0000 | UInt32(x * 7)
        }
      }
    }
  }

  @Test func ofEachRowOnlyTheColumnsThatAreNotTransparentAreKnown() {
    let image = stripe(40)
    for y in 0..<40 {
      #expect(image.columns[y].left == Int32(max(0, y - 4)))
      #expect(image.columns[y].right == Int32(min(40, y + 5)))
    }
    let empty = SpriteImage(width: 7, height: 2) { _, _ in }
    #expect(empty.columns[1].left >= empty.columns[1].right)
    let dot = SpriteImage(width: 10, height: 160) { words, stride in words[159 * stride + 3] = 1 }
    #expect(dot.columns[159].left == 3 && dot.columns[159].right == 4)
    #expect(dot.columns[0].left >= dot.columns[0].right)
  }

  @Test func stripesThatCrossAreBlendedAsIfTheyWereWhole() {
    var numbers = SeededNumbers(3)
    let image = stripe(90)
    let sprites = (0..<60).map { _ in
      Sprite(image, x: numbers.next(-60..<width), y: numbers.next(-60..<height))
    }
    var expected = frame([], [whole])
    for sprite in sprites {
      let part = sprite.rect.intersection(whole)
      for y in part.y..<max(part.y, part.maxY) {
        for x in part.x..<max(part.x, part.maxX) {
          let word = image.pixels[(y - sprite.y) * 90 + x - sprite.x]
          let (under, rest) = (expected[y * width + x], 255 - word >> 24)
          var mixed: UInt32 = 0xFF00_0000
          for shift in [UInt32(0), 8, 16] {
            let below = (under >> shift & 255) * rest + 128
            let rounded = (below + (below >> 8)) >> 8
            mixed |= ((word >> shift & 255) + rounded) << shift
          }
          expected[y * width + x] = mixed
        }
      }
    }
    let isSame = frame(sprites, [whole]) == expected
    #expect(isSame)
  }
}
