import Drawing
import MapGeometry
import MapLabels
import MapScene
import MapStyle
import Testing

@testable import Kiosk

/// Pictures of labels are limited in bytes. Labels that turn or fade need no others.
@Suite struct LabelPicturesTests {
  private static let tile = TileID(z: 4, x: 8, y: 5) ?? .world
  private static let screen = PixelRect(x: 0, y: 0, width: 512, height: 512)

  private func view(bearing: Double = 0) -> Viewport {
    let place = WorldPoint(x: 8.5 / 16, y: 5.5 / 16)
    return Viewport(
      center: WebMercator.unproject(place), zoom: 4, bearing: bearing, width: 512, height: 512)
  }

  /// The placement and the pictures of some streets.
  private func result(_ count: Int = 8, size: Float = 14) throws -> LabelJob.Result {
    var settings = LabelSettings()
    settings.placement = .line
    settings.textSize = size
    var builder = TileLabelsBuilder()
    for number in 0..<count {
      let y = (Float(number) + 0.5) / Float(count)
      builder.add(
        LabelCandidate(
          layer: 0, text: FormattedText("Street \(number)"), look: LabelLook(settings),
          points: [TilePoint(0.01, y), TilePoint(0.99, y)]))
    }
    let desk = try #require(LabelDesk(icons: .none, tint: nil, fonts: Bundled.labelFonts))
    let labels = try #require(builder.finish())
    return LabelJob(
      desk: desk,
      request: LabelRequest(tiles: [LabelTile(Self.tile, labels: labels)], view: view()),
      former: nil
    ).run()
  }

  private func sprites(
    _ pictures: LabelPictures, _ placement: inout LabelPlacement, bearing: Double
  ) -> [Sprite] {
    placement.turn(to: view(bearing: bearing))
    var (pictures, sprites): (LabelPictures, [Sprite]) = (pictures, [])
    pictures.draw(placement, on: Self.screen, into: &sprites)
    return sprites
  }

  @Test func aTurnedLabelIsASpriteOfTheSamePicture() throws {
    let result = try result()
    var placement = result.placement
    let upright = sprites(result.pictures, &placement, bearing: 0)
    #expect(upright.count == 8)
    let first = sprites(result.pictures, &placement, bearing: 20)
    #expect(first.map { ObjectIdentifier($0.image) } == upright.map { ObjectIdentifier($0.image) })
    let areTurned = first.allSatisfy { $0.turn != nil }
    #expect(areTurned)
    // The same angle, and one that differs by less than can be seen.
    let again = sprites(result.pictures, &placement, bearing: 20)
    #expect(again == first)
    let close = sprites(result.pictures, &placement, bearing: 20.001)
    #expect(close.map(\.turn) == first.map(\.turn))
    let other = sprites(result.pictures, &placement, bearing: 25)
    #expect(other.map(\.turn) != first.map(\.turn))
    let back = sprites(result.pictures, &placement, bearing: 0)
    #expect(back == upright)
  }

  @Test func aFadingLabelIsASpriteOfTheSamePicture() throws {
    let result = try result()
    var placement = result.placement
    let solid = sprites(result.pictures, &placement, bearing: 0)
    let without = LabelRequest(
      tiles: [LabelTile(Self.tile, labels: .empty)], view: view(), time: 1_000_000_000)
    let desk = try #require(LabelDesk(icons: .none, tint: nil, fonts: Bundled.labelFonts))
    let next = LabelJob(desk: desk, request: without, former: placement).run()
    placement = next.placement
    let half = 1_000_000_000 + LabelPlacement.fadeTime / 2
    let isChanged = placement.fade(at: half)
    #expect(isChanged)
    var (pictures, fading): (LabelPictures, [Sprite]) = (next.pictures, [])
    pictures.draw(placement, on: Self.screen, into: &fading)
    #expect(fading.count == solid.count)
    let areHalf = fading.allSatisfy { $0.turn == nil && (120...136).contains($0.opacity) }
    #expect(areHalf)
    #expect(fading.map(\.rect) == solid.map(\.rect))
  }

  @Test func aLabelThatTheScreensEdgeWouldCutIsLeftOut() throws {
    let result = try result()
    var placement = result.placement
    let all = sprites(result.pictures, &placement, bearing: 0)
    let widest = try #require(all.map(\.image.width).max())
    let left = try #require(all.map(\.x).min())
    // The screen ends within the first letters of all streets.
    for (screen, count) in [
      (PixelRect(x: left + 3, y: 0, width: 512, height: 512), 0),
      (PixelRect(x: left, y: 0, width: widest - 1, height: 512), all.count - 1),
      (PixelRect(x: left, y: 0, width: 512, height: 512), all.count),
    ] {
      var (pictures, shown): (LabelPictures, [Sprite]) = (result.pictures, [])
      pictures.draw(placement, on: screen, into: &shown)
      #expect(shown.count <= count)
      for sprite in shown { #expect(sprite.rect.intersection(screen) == sprite.rect) }
    }
  }

  @Test func picturesAreLimitedInAll() throws {
    var pictures = LabelPictures()
    let result = try result(40, size: 10)
    #expect(result.placement.labels.count > 8)
    let image = SpriteImage(width: 500, height: 500) { _, _ in }
    for label in result.placement.labels {
      pictures.add(LabelPicture(image: image, originX: 0, originY: 0), of: label.shape)
    }
    #expect(pictures.bytes <= LabelPictures.limit)
    #expect(pictures.bytes > 0)
    // One that is too large is left out.
    var others = LabelPictures()
    let large = SpriteImage(width: 600, height: 600) { _, _ in }
    let shape = try #require(result.placement.labels.first).shape
    others.add(LabelPicture(image: large, originX: 0, originY: 0), of: shape)
    #expect(others.bytes == 0)
  }
}
