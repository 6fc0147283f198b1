import Drawing
import MapGeometry
import MapScene
import MapStyle
import Platform
import Testing

@testable import MapLabels

@Suite struct ArtistTests {
  private func placement(
    _ candidates: [LabelCandidate], icons: [LabelIcon] = [], scale: Int = 1, _ type: LabelType
  ) -> LabelPlacement {
    let placer = LabelPlacer(type: type, icons: LabelIcons(icons: icons, problems: []))
    let view = LabelScene.view(width: 512 * scale, height: 512 * scale, scale: scale)
    return placer.place(LabelScene.request(candidates, view), after: nil)
  }

  @Test func aHaloLiesUnderAllLettersOfTheText() throws {
    let type = try LabelScene.type()
    let look = LabelScene.look {
      $0.textSize = 30
      $0.textColor = 0xFF00_0000
      $0.textHaloColor = 0xFFFF_0000
      $0.textHaloWidth = 2
    }
    let label = try #require(
      placement([LabelScene.point("MMM", 0.5, 0.5, look)], type).labels.first)
    let picture = LabelArtist(type: type).picture(of: label.shape)
    let words = UnsafeBufferPointer(
      start: picture.image.pixels, count: picture.image.width * picture.image.height)
    let black = words.filter { $0 == 0xFF00_0000 }.count
    let red = words.filter { $0 == 0xFFFF_0000 }.count
    #expect(black > 20 && red > 20)
    // Premultiplied: no channel above the opacity.
    let isValid = words.allSatisfy { $0 >> 16 & 255 <= $0 >> 24 }
    #expect(isValid)
  }

  @Test(arguments: [0, 0.3, 0.5, 1, 1.4, 2, 3.5] as [Float])
  func aBlurredHaloIsStillThere(blur: Float) throws {
    let type = try LabelScene.type()
    let look = LabelScene.look {
      $0.textSize = 15
      $0.textColor = 0xFF00_0000
      $0.textHaloColor = 0xFFFF_0000
      $0.textHaloWidth = 2.5
      $0.textHaloBlur = blur
    }
    let label = try #require(
      placement([LabelScene.point("Ridge", 0.5, 0.5, look)], type).labels.first)
    let image = LabelArtist(type: type).picture(of: label.shape).image
    let red = UnsafeBufferPointer(start: image.pixels, count: image.width * image.height)
      .filter { $0 >> 16 & 255 > 0xC0 }.count
    #expect(red > 100, "\(red)")
  }

  @Test func aPictureForWhichThereIsNoMemoryIsDrawnOnceThereIs() throws {
    let type = try LabelScene.type()
    let look = LabelScene.look { $0.textSize = 40 }
    let label = try #require(
      placement([LabelScene.point("Mountains", 0.5, 0.5, look)], type).labels.first)
    let artist = LabelArtist(type: type)
    let none = SpareMemory.$most.withValue(1 << 15) { artist.picture(of: label.shape) }
    #expect(none.image.width == 0 && artist.bytes == 0)
    #expect(artist.lacksMemory)
    artist.beginPlacement()
    #expect(artist.picture(of: label.shape).image.width > 100)
    #expect(!artist.lacksMemory)
  }

  @Test func atRestOnlyPicturesOfTheLabelsShownAreKept() throws {
    let type = try LabelScene.type()
    let artist = LabelArtist(type: type)
    let labels = placement(
      [LabelScene.point("Oslo", 0.5, 0.5), LabelScene.point("Bergen", 0.3, 0.2)], type
    ).labels
    let (kept, other) = (try #require(labels.first), try #require(labels.last))
    let (picture, former) = (artist.picture(of: kept.shape), artist.picture(of: other.shape))
    artist.keep([ObjectIdentifier(kept.shape)])
    #expect(artist.bytes == picture.bytes)
    #expect(artist.picture(of: kept.shape) === picture)
    let again = artist.picture(of: other.shape)
    #expect(again !== former)
    #expect(artist.bytes == picture.bytes + again.bytes)
    let isSame = (0..<again.image.width * again.image.height).allSatisfy {
      again.image.pixels[$0] == former.image.pixels[$0]
    }
    #expect(isSame)
  }

  @Test func shapesThatAreKeptArePlacedAgain() throws {
    let type = try LabelScene.type()
    let placer = LabelPlacer(type: type)
    let view = LabelScene.view()
    let candidates = [LabelScene.point("Oslo", 0.5, 0.5), LabelScene.point("Bergen", 0.3, 0.2)]
    let first = placer.place(LabelScene.request(candidates, view), after: nil)
    let (kept, other) = (try #require(first.labels.first), try #require(first.labels.last))
    let bytes = placer.bytes
    placer.keep([ObjectIdentifier(kept.shape)])
    #expect(placer.bytes < bytes)
    let second = placer.place(LabelScene.request(candidates, view), after: nil)
    #expect(second.labels.map(\.shape.text) == first.labels.map(\.shape.text))
    #expect(second.labels.first?.shape === kept.shape)
    #expect(second.labels.last?.shape !== other.shape)
  }

  @Test func aPictureStaysWithinTheBoundsOfItsLabel() throws {
    let type = try LabelScene.type()
    let artist = LabelArtist(type: type)
    for scale in 1...2 {
      let placed = placement(
        [LabelScene.point("Ägypten", 0.5, 0.5, icon: "i"), LabelScene.point("jÅg", 0.3, 0.2)],
        icons: [LabelScene.icon("i")], scale: scale, type)
      for label in placed.labels {
        let rect = artist.picture(of: label.shape).rect(x: label.x, y: label.y)
        #expect(label.rect.union(rect) == label.rect)
      }
    }
  }

  @Test func picturesAreKeptWithinTheirLimit() throws {
    let type = try LabelScene.type()
    let artist = LabelArtist(type: type, limit: 64 << 10)
    for step in 0..<80 {
      let placed = placement([LabelScene.point("Number \(step)", 0.5, 0.5)], type)
      let label = try #require(placed.labels.first)
      artist.beginPlacement()
      let first = artist.picture(of: label.shape)
      #expect(artist.picture(of: label.shape) === first)
      #expect(artist.bytes <= artist.limit)
    }
    #expect(artist.bytes > artist.limit / 2)
  }

  @Test func aViewThatNeedsMoreThanTheLimitKeepsWhatFits() throws {
    let type = try LabelScene.type()
    let placed = placement(
      (0..<60).map { LabelScene.point("Number \($0)", Float($0 % 6) / 6, Float($0 / 6) / 10) }, type
    )
    let shapes = placed.labels.map(\.shape)
    #expect(shapes.count > 20)
    let free = LabelArtist(type: type)
    let all = shapes.reduce(0) { $0 + free.picture(of: $1).bytes }
    let artist = LabelArtist(type: type, limit: all * 3 / 4)
    func draw() -> [LabelPicture] {
      artist.beginPlacement()
      return shapes.map { artist.picture(of: $0) }
    }
    let first = draw()
    for _ in 0..<3 {
      let again = draw()
      let kept = zip(first, again).filter { $0 === $1 }.count
      #expect(kept > shapes.count / 2)
      #expect(artist.bytes <= artist.limit)
    }
    // Others take their room, once two placements did not want them.
    let others = placement([LabelScene.point("Elsewhere", 0.5, 0.5)], type)
    let other = try #require(others.labels.first).shape
    for _ in 0..<2 {
      artist.beginPlacement()
      _ = artist.picture(of: other)
    }
    artist.beginPlacement()
    let kept = artist.picture(of: other)
    #expect(artist.picture(of: other) === kept)
  }

  @Test func equalLabelsShareAPicture() throws {
    let type = try LabelScene.type()
    let placed = placement(
      [LabelScene.point("Bus", 0.2, 0.2), LabelScene.point("Bus", 0.8, 0.8)], type)
    #expect(placed.labels.count == 2)
    #expect(placed.labels[0].shape === placed.labels[1].shape)
  }

  @Test func aBlendChangesOnlyTheClip() throws {
    let type = try LabelScene.type()
    let label = try #require(placement([LabelScene.point("Clip", 0.5, 0.5)], type).labels.first)
    let picture = LabelArtist(type: type).picture(of: label.shape)
    let clip = PixelRect(x: 30, y: 20, width: 12, height: 9)
    for angle in [0, 0.7, 3, -2] as [Float] {
      let canvas = LabelCanvas(80, 60, 0xFF80_8080)
      picture.blend(on: canvas.canvas, clip: clip, x: 36, y: 25, angle: angle)
      let words = canvas.words
      let changed = words.indices.filter { words[$0] != 0xFF80_8080 }
      #expect(!changed.isEmpty)
      let inside = changed.allSatisfy { index in
        clip.intersects(PixelRect(x: index % 80, y: index / 80, width: 1, height: 1))
      }
      #expect(inside)
    }
  }

  @Test func aWholeTurnShowsTheSamePicture() throws {
    let type = try LabelScene.type()
    let label = try #require(placement([LabelScene.point("Turn", 0.5, 0.5)], type).labels.first)
    let picture = LabelArtist(type: type).picture(of: label.shape)
    let plain = LabelCanvas(120, 60)
    picture.blend(on: plain.canvas, x: 60, y: 30)
    let turned = LabelCanvas(120, 60)
    picture.blend(on: turned.canvas, x: 60, y: 30, angle: 2 * .pi)
    let (a, b) = (plain.words, turned.words)
    let far = a.indices.filter { abs(Int(a[$0] & 255) - Int(b[$0] & 255)) > 8 }.count
    #expect(far == 0)
  }

  @Test func aTurnedLabelCoversItsTurnedSize() throws {
    let type = try LabelScene.type()
    let line = LabelCandidate(
      layer: 0, text: FormattedText("A street"),
      look: LabelScene.look { $0.placement = .line },
      points: [TilePoint(0.1, 0.5), TilePoint(0.9, 0.5)])
    var placed = placement([line], type)
    let artist = LabelArtist(type: type)
    let flat = artist.sprite(try #require(placed.labels.first))
    placed.turn(to: LabelScene.view(bearing: 90))
    let upright = artist.sprite(try #require(placed.labels.first))
    #expect(upright.image === flat.image)
    #expect(abs(upright.rect.height - flat.rect.width) <= 4)
    #expect(abs(upright.rect.width - flat.rect.height) <= 4)
  }

  @Test func aDistanceFieldHasItsColourAndHalo() throws {
    let type = try LabelScene.type()
    // A disc: full in the middle, 191 at 5 pixels.
    let pixels = (0..<24 * 24).map { index -> UInt32 in
      let (x, y) = (Float(index % 24) - 11.5, Float(index / 24) - 11.5)
      let value = 0.75 + (5 - (x * x + y * y).squareRoot()) / 8
      return UInt32(min(max(value, 0), 1) * 255) << 24
    }
    let icon = LabelIcon(
      name: "disc", width: 24, height: 24, isDistanceField: true, pixels: pixels)
    let look = LabelScene.look {
      $0.iconColor = 0xFF00_00FF
      $0.iconHaloColor = 0xFF00_FF00
      $0.iconHaloWidth = 2
    }
    let label = try #require(
      placement([LabelScene.point("", 0.5, 0.5, icon: "disc", look)], icons: [icon], type)
        .labels.first)
    let canvas = LabelCanvas(40, 40, 0)
    LabelArtist(type: type).picture(of: label.shape).blend(on: canvas.canvas, x: 20, y: 20)
    let words = canvas.words
    #expect(words[20 * 40 + 20] == 0xFF00_00FF)
    let halo = words[20 * 40 + 26]
    #expect(halo >> 24 > 230 && halo >> 8 & 255 == halo >> 24)
    #expect(words[20 * 40 + 30] == 0)
  }

  @Test(arguments: [0.1, 0.7, 1.5, 2.4, 3.1, -0.3, -1.2, -2.9] as [Float])
  func aTurnedPictureLosesNothing(_ angle: Float) {
    let image = SpriteImage(width: 60, height: 14) { pixels, stride in
      for index in 0..<60 * 14 { pixels[index] = 0xFF40_8020 }
    }
    let picture = LabelPicture(image: image, originX: 30, originY: 7)
    let canvas = LabelCanvas(120, 120, 0)
    picture.blend(on: canvas.canvas, x: 60, y: 60, angle: angle)
    // As much ink as upright, whatever the angle.
    let ink = canvas.words.reduce(0) { $0 + Int($1 >> 24) }
    let upright = 60 * 14 * 255
    #expect(abs(ink - upright) * 100 < upright * 3)
  }
}
