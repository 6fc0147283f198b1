import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapScene

/// Frames of a pan are copied from a backdrop, with the same pixels as without it.
@Suite struct BackdropTests {
  private static let size = (width: 700, height: 600)

  private func view(_ x: Int, _ y: Int) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 20.1, lon: 10.7), zoom: 5, width: Self.size.width,
      height: Self.size.height
    ).panned(dx: Double(x), dy: Double(y))
  }

  private func layers(_ overlays: Int = 0) -> [SceneLayer] {
    (0...overlays).map { n in
      SceneLayer(chain: [SceneSource(index: n, levels: 3...5)], isBase: n == 0)
    }
  }

  private func stage(_ layers: [SceneLayer], _ format: PixelFormat = .xrgb8888) -> SceneStage {
    SceneStage(view: view(0, 0), layers: layers, format: format)
  }

  /// Labels that stand on the map, seen from the view moved by (x, y).
  private func labels(_ x: Int, _ y: Int, _ pictures: [SpriteImage]) -> [Sprite] {
    pictures.enumerated().map { n, picture in
      Sprite(picture, x: n * 197 % 900 - 100 - x, y: n * 113 % 800 - 100 - y)
    }
  }

  private func pictures(_ count: Int) -> [SpriteImage] {
    (0..<count).map { plain(40 + $0 * 7 % 90, 8 + $0 % 20, 0xC040_2010 + UInt32($0)) }
  }

  /// What a frame looks like that is drawn in parts, each directly.
  private func direct(
    _ stage: SceneStage, _ sprites: [Sprite], _ rotation: MountingRotation = .none
  ) -> [UInt8] {
    let (width, height) = Self.size
    return stage.draw(
      [
        PixelRect(x: 0, y: 0, width: width, height: 320),
        PixelRect(x: 0, y: 320, width: width, height: height - 320),
      ], rotation: rotation, sprites: sprites)
  }

  /// Whether a frame that is drawn whole looks like that.
  private func isDirect(
    _ stage: SceneStage, _ sprites: [Sprite], _ rotation: MountingRotation = .none
  ) -> Bool {
    stage.draw(rotation: rotation, sprites: sprites) == direct(stage, sprites, rotation)
  }

  /// Steps of a pan in all directions, some of them longer than the view.
  private static let steps: [(x: Int, y: Int)] =
    (0..<60).map { n in
      switch n {
      case 0..<14: (7, 3)
      case 14..<24: (-19, 0)
      case 24..<34: (0, -31)
      case 34: (690, 20)
      case 35: (0, 900)
      case 36..<46: (1, 29)
      case 46: (0, 0)
      default: (-13, -5)
      }
    }

  @Test(arguments: [MountingRotation.none, .right, .half])
  func framesOfAPanLookAsIfDrawnDirectly(rotation: MountingRotation) {
    let stage = stage(layers(1))
    let pictures = pictures(120)
    let others = [plain(300, 40, 0xFF20_3040), plain(90, 90, 0x8010_1010)]
    var (x, y, copied) = (0, 0, 0)
    for (n, step) in Self.steps.enumerated() {
      (x, y) = (x + step.x, y + step.y)
      let view = view(x, y)
      stage.settle(view) { source, tile in
        // Some tiles come late, so that others stand in for them, enlarged.
        source == 0 && tile.z == 5 && (tile.x + tile.y) % 5 == 0 && n % 9 < 6
          ? .late : .tile(alpha: source == 1)
      }
      var sprites = labels(x, y, pictures)
      // Some fade, some come and go, two change their order, and some belong to the screen.
      for i in sprites.indices where (i + n) % 29 == 0 { sprites[i].opacity = 40 + n }
      if n % 8 > 4 { sprites.removeSubrange(50..<54) }
      if n % 10 > 6 { sprites.swapAt(3, 60) }
      if n > 30 { sprites.append(sprites[7]) }
      sprites.insert(Sprite(others[1], x: 333 - x, y: 222 - y), at: n / 20 * 20)
      sprites.append(Sprite(others[0], x: 380, y: 540))
      #expect(isDirect(stage, sprites, rotation), "step \(n)")
      copied += stage.compositor.rowsCopied == Self.size.height ? 1 : 0
    }
    #expect(copied > 20)
  }

  @Test func aChangedTileIsSeen() {
    let stage = stage(layers())
    let pictures = pictures(120)
    var seen: Set<[UInt8]> = []
    for step in 0..<16 {
      let view = view(step * 2, 0)
      // One comes earlier than its neighbour, whose enlarged stand-in is mixed with it.
      stage.settle(view) { _, tile in
        let end = tile.z == 5 && tile.y == 15 ? [16: 14, 17: 12][tile.x] ?? 0 : 0
        return step < end ? .late : .tile(alpha: false)
      }
      let sprites = labels(step * 2, 0, pictures)
      #expect(isDirect(stage, sprites), "step \(step)")
      seen.insert(stage.draw(sprites: sprites))
    }
    #expect(seen.count == 16)
    #expect(stage.compositor.rowsCopied > 0)
  }

  @Test func anotherPaletteIsSeen() {
    let stage = stage([])
    let pictures = pictures(120)
    for step in 0..<24 {
      stage.settle(view(step, 0)) { _, _ in .late }
      if step == 20 {
        #expect(stage.compositor.rowsCopied == Self.size.height)
        stage.compositor.palette = .night
      }
      let sprites = labels(step, 0, pictures)
      #expect(isDirect(stage, sprites), "step \(step)")
    }
    #expect(stage.compositor.rowsCopied > 0)
  }

  /// The bytes of `rect` in a frame.
  private func part(_ frame: [UInt8], _ rect: PixelRect) -> [UInt8] {
    (rect.y..<rect.maxY).flatMap { y in
      frame[(y * Self.size.width + rect.x) * 4..<(y * Self.size.width + rect.maxX) * 4]
    }
  }

  /// The part of the view that shows a cell.
  private func cell(_ stage: SceneStage, _ column: Int, _ row: Int) -> PixelRect {
    stage.scene.plan.transform.screenBox(column: column, row: row)
  }

  @Test func anEnlargedCellIsComparedWithItsNeighbours() throws {
    let stage = stage(layers())
    // They stand in for the four cells in the lower right corner of the view. A cell is mixed with
    // its neighbours only if these are all enlarged.
    for x in 8...9 { stage.insert(0, try #require(TileID(z: 4, x: x, y: 7))) }
    let pictures = pictures(120)
    var bare: [UInt8] = []
    for step in 0..<16 {
      stage.settle(view(step - 40, -48)) { _, tile in
        let isLate = tile.z == 5 && (17...18).contains(tile.x) && (14...15).contains(tile.y)
        return isLate && (step < 12 || tile.x == 17 || tile.y == 15) ? .late : .tile(alpha: false)
      }
      #expect(isDirect(stage, labels(step, 0, pictures)), "step \(step)")
      if step >= 11 { #expect(stage.compositor.rowsCopied == Self.size.height) }
      // The cell below the new tile has changed with it.
      let next = direct(stage, [])
      if step == 12 {
        let (old, new) = (view(11 - 40, -48).origin, view(12 - 40, -48).origin)
        #expect(new.x - old.x == 1 && new.y == old.y)
        let rect = cell(stage, 18, 15)
        let before = PixelRect(
          x: rect.x + 1, y: rect.y, width: rect.width - 1, height: rect.height)
        let now = PixelRect(
          x: rect.x, y: rect.y, width: rect.width - 1, height: rect.height)
        let isSame = part(bare, before) == part(next, now)
        #expect(!isSame)
      }
      bare = next
    }
  }

  @Test func aTileThatFadesInIsNotCopiedAsFinished() throws {
    let stage = stage(layers())
    let pictures = pictures(120)
    let new = try #require(TileID(z: 5, x: 16, y: 15))
    var fading: Sprite?
    for step in 0..<24 {
      // The view rests when the tile comes, and moves before it has faded in.
      let x = step < 12 ? step : max(12, step - 3)
      let before = stage.scene.plan
      stage.settle(view(x, 0)) { _, tile in
        tile == new && step < 14 ? .late : .tile(alpha: false)
      }
      if step == 14 {
        let rect = cell(stage, 16, 15)
        let still = stage.compositor.still(before, rect, format: .xrgb8888)
        fading = Sprite(try #require(still), x: rect.x, y: rect.y)
      }
      let labels = labels(x, 0, pictures)
      var sprites = labels
      if step < 19, var part = fading {
        // What it replaces lies below the labels.
        part.x += 12 - x
        part.opacity = 256 - (step - 14) * 50
        sprites.insert(part, at: 0)
        let isFinished = direct(stage, sprites) == direct(stage, labels)
        #expect(!isFinished)
      }
      #expect(isDirect(stage, sprites), "step \(step)")
      if step >= 12 { #expect(stage.compositor.rowsCopied == Self.size.height) }
    }
  }

  @Test func aTileInOtherColoursIsSeen() throws {
    let stage = stage(layers())
    stage.settle(view(0, 0)) { _, _ in .tile(alpha: false) }
    // Those of the former source stand in for its tiles, of which one comes.
    var source = SceneSource(index: 1, levels: 3...5)
    source.former = 0
    stage.scene.setLayers([SceneLayer(chain: [source], isBase: true)])
    let new = try #require(TileID(z: 5, x: 16, y: 15))
    let pictures = pictures(120)
    for step in 0..<16 {
      stage.settle(view(step, 0)) { _, tile in
        tile == new && step >= 12 ? .tile(alpha: false) : .late
      }
      #expect(isDirect(stage, labels(step, 0, pictures)), "step \(step)")
      if step >= 11 { #expect(stage.compositor.rowsCopied == Self.size.height) }
    }
  }

  @Test func aLayerOfAnotherOpacityIsSeen() {
    var layers = layers(1)
    layers[1].opacity = 0.5
    let stage = stage(layers)
    let pictures = pictures(120)
    for step in 0..<16 {
      if step == 12 {
        #expect(stage.compositor.rowsCopied == Self.size.height)
        layers[1].opacity = 0.75
        stage.scene.setLayers(layers)
      }
      stage.settle(view(step, 0)) { source, _ in .tile(alpha: source == 1) }
      #expect(isDirect(stage, labels(step, 0, pictures)), "step \(step)")
    }
  }

  @Test func theColourBeyondTheWorldIsSeenWhereALayerBecomesTheBase() {
    var layers = layers()
    layers[0].isBase = false
    let stage = stage(layers)
    let pictures = pictures(120)
    for step in 0..<16 {
      if step == 12 {
        #expect(stage.compositor.rowsCopied == Self.size.height)
        layers[0].isBase = true
        stage.scene.setLayers(layers)
      }
      // Its upper part lies beyond the world.
      stage.settle(view(step, -3500)) { _, _ in .tile(alpha: false) }
      #expect(stage.scene.plan.transform.originY < -100)
      #expect(isDirect(stage, labels(step, 0, pictures)), "step \(step)")
    }
  }

  @Test func aSpriteThatIsTurnedLeavesNothingBehind() {
    let stage = stage(layers())
    let pictures = pictures(120)
    let image = plain(60, 20, 0xFF20_3040)
    for step in 0..<16 {
      stage.settle(view(step, 0)) { _, _ in .tile(alpha: false) }
      var sprite = Sprite(image, x: 300 - step, y: 300)
      if step >= 12 {
        // Its upper left corner stays where it was.
        sprite.turn = SpriteTurn(
          .pi / 2, over: PixelRect(x: 0, y: 0, width: 20, height: 60), originX: 0, originY: 20)
      }
      #expect(isDirect(stage, labels(step, 0, pictures) + [sprite]), "step \(step)")
      if step >= 11 { #expect(stage.compositor.rowsCopied == Self.size.height) }
    }
  }

  @Test func aSpriteFarAwayIsNotSeen() {
    let stage = stage(layers())
    let pictures = pictures(120)
    let image = plain(60, 20, 0xFF20_3040)
    for step in 0..<8 {
      stage.settle(view(step, 0)) { _, _ in .tile(alpha: false) }
      let far = [Sprite(image, x: .max - 100, y: 5), Sprite(image, x: 5, y: .min + 100)]
      #expect(isDirect(stage, labels(step, 0, pictures) + far), "step \(step)")
    }
    #expect(stage.compositor.rowsCopied > 0)
  }

  private func pan(_ stage: SceneStage, by step: Int = 3, frames: Int, labels count: Int) {
    let pictures = pictures(count)
    for n in 1...frames {
      stage.settle(view(n * step, 0)) { _, _ in .tile(alpha: false) }
      _ = stage.draw(sprites: labels(n * step, 0, pictures))
    }
  }

  @Test func aMapWithFewLabelsNeedsNoPixels() {
    let stage = stage(layers())
    pan(stage, frames: 20, labels: 4)
    #expect(stage.compositor.backdropBytes < Self.size.width * Self.size.height)
  }

  @Test func picturesThatItComparedAreFreedOnceNobodyPans() {
    let stage = stage(layers())
    pan(stage, frames: 20, labels: 4)
    // What counts as kept is what the owner has freed.
    #expect(stage.compositor.backdropBytes > 0)
    stage.compositor.ageBackdrop()
    #expect(stage.compositor.backdropBytes > 0)
    stage.compositor.ageBackdrop()
    #expect(stage.compositor.backdropBytes == 0)
  }

  @Test func pixelsThatNoFrameUsesAreFreedDuringAPan() {
    let stage = stage(layers())
    pan(stage, frames: 20, labels: 120)
    stage.compositor.ageBackdrop()
    // A few labels of the same place are not worth it.
    let few = Array(pictures(120).prefix(4))
    for n in 21...24 {
      stage.settle(view(n * 3, 0)) { _, _ in .tile(alpha: false) }
      #expect(isDirect(stage, labels(n * 3, 0, few)))
    }
    stage.compositor.ageBackdrop()
    #expect(0..<Self.size.width * Self.size.height ~= stage.compositor.backdropBytes)
    #expect(stage.compositor.backdropBytes > 0)
  }

  @Test func aPanelOf16BitsHasNone() {
    let stage = stage(layers(), .rgb565)
    pan(stage, frames: 20, labels: 120)
    #expect(stage.compositor.backdropBytes == 0)
  }

  @Test func aViewThatRestsNeedsNone() {
    let stage = stage(layers())
    pan(stage, by: 0, frames: 20, labels: 120)
    #expect(stage.compositor.backdropBytes == 0)
  }

  @Test func itsMemoryIsFreedOnceNoFrameUsedIt() {
    let stage = stage(layers())
    pan(stage, frames: 20, labels: 120)
    let bytes = stage.compositor.backdropBytes
    #expect(bytes > Self.size.width * Self.size.height * 4)
    #expect(stage.compositor.bytes > bytes)
    stage.compositor.ageBackdrop()
    #expect(stage.compositor.backdropBytes == bytes)
    stage.compositor.ageBackdrop()
    #expect(stage.compositor.backdropBytes == 0)
    // The next pan makes another one.
    pan(stage, frames: 20, labels: 120)
    #expect(stage.compositor.rowsCopied == Self.size.height)
  }

  @Test func itIsFilledOverSeveralFrames() {
    let stage = stage(layers())
    let pictures = pictures(120)
    var rows: [Int] = []
    for n in 1...14 {
      stage.settle(view(n * 3, 0)) { _, _ in .tile(alpha: false) }
      _ = stage.draw(sprites: labels(n * 3, 0, pictures))
      rows.append(stage.compositor.rowsCopied)
    }
    #expect(rows.first == 0)
    #expect(rows.last == Self.size.height)
    for (before, after) in zip(rows, rows.dropFirst()) {
      #expect(after - before <= Self.size.height / 8)
    }
  }

  @Test func aStillTakesNoPartInIt() {
    let stage = stage(layers())
    pan(stage, frames: 20, labels: 120)
    let (width, height) = Self.size
    let still = stage.compositor.still(
      stage.scene.plan, PixelRect(x: 0, y: 0, width: width, height: height), format: .xrgb8888)
    #expect(still != nil)
    let pictures = pictures(120)
    stage.settle(view(63, 0)) { _, _ in .tile(alpha: false) }
    let sprites = labels(63, 0, pictures)
    #expect(isDirect(stage, sprites))
  }
}
