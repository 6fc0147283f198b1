import MapGeometry
import Testing

@testable import Kiosk

/// On which side of the dot the age of a lost fix stands.
@Suite struct PlateSidesTests {
  private let screen = PixelRect(x: 0, y: 0, width: 400, height: 300)

  private func side(
    _ x: Int, _ y: Int, _ markers: [PixelRect] = [], width: Int = 120,
    under plates: [PixelRect] = [], heres: [PixelRect] = []
  ) -> PixelRect {
    let dot = PixelRect(x: x - 20, y: y - 20, width: 40, height: 40)
    let at = PlateSides.place(
      width: width, height: 38, beside: dot, reach: 17, gap: 4, on: screen,
      clearOf: PlateSides.Obstacles(plates: plates, heres: heres, markers: markers))
    let rect = PixelRect(x: at.x, y: at.y, width: width, height: 38)
    #expect(width > 400 || rect.intersection(screen) == rect)
    return rect
  }

  private let right = PixelRect(x: 230, y: 140, width: 20, height: 20)
  private let left = PixelRect(x: 150, y: 140, width: 20, height: 20)
  private let below = PixelRect(x: 190, y: 185, width: 20, height: 20)

  @Test func itIsTheFirstThatCoversNoMarker() {
    #expect(side(200, 150).x == 217)
    #expect(side(200, 150, [right]).maxX == 183)
    #expect(side(200, 150, [right, left]).y == 174)
    #expect(side(200, 150, [right, left, below]).maxY == 126)
  }

  @Test func whereAMarkerIsOnEachSideItIsOffTheMiddleOfOne() {
    let above = PixelRect(x: 190, y: 100, width: 20, height: 20)
    let rect = side(200, 150, [right, left, below, above])
    #expect((rect.x, rect.y) == (220, 174))
  }

  @Test func whereAllCoverSomeItIsTheOneThatCoversTheFewestPixels() {
    let rows = [110, 180].map { PixelRect(x: 0, y: $0, width: 400, height: 10) }
    let column = PixelRect(x: 222, y: 0, width: 10, height: 300)
    let small = PixelRect(x: 150, y: 148, width: 4, height: 4)
    #expect(side(200, 150, rows + [column, small, small, small]).maxX == 183)
  }

  @Test func itIsLeftOutWhereItWouldHideThePinOfHere() {
    let obstacles = PlateSides.Obstacles(pins: [PixelRect(x: 100, y: 100, width: 30, height: 60)])
    #expect(!obstacles.loseAPin(under: PixelRect(x: 90, y: 60, width: 120, height: 60)))
    #expect(obstacles.loseAPin(under: PixelRect(x: 90, y: 61, width: 120, height: 60)))
    #expect(!obstacles.loseAPin(under: PixelRect(x: 130, y: 100, width: 120, height: 60)))
  }

  @Test func itIsRatherOverMarkersThanUnderAPlateOfTheHud() {
    #expect(side(200, 150, [screen], under: [right]).maxX == 183)
    #expect(side(200, 150, under: [right, left]).y == 174)
  }

  /// A dot at the foot of the pin of "here".
  private let pin = PixelRect(x: 176, y: 83, width: 48, height: 88)

  @Test func itCoversMarkersRatherThanHere() {
    // Right and left it would cover a part of the ring.
    #expect(side(200, 150, heres: [pin]).y == 174)
    #expect(side(200, 150, [below], heres: [pin]).y == 174)
    let label = PixelRect(x: 130, y: 172, width: 140, height: 30)
    let rect = side(200, 150, [screen], heres: [pin, label])
    #expect(!rect.intersects(pin) && !rect.intersects(label))
  }

  @Test func whereThePlaceBelowThePinIsTakenItIsBesideTheWholePin() {
    let row = PixelRect(x: 0, y: 176, width: 400, height: 20)
    #expect(side(200, 150, under: [row], heres: [pin]).x == 228)
    let label = PixelRect(x: 230, y: 100, width: 120, height: 60)
    #expect(side(200, 150, under: [row], heres: [pin, label]).maxX == 172)
  }

  @Test func onASmallScreenItIsBesideTheHeadOfThePin() {
    // The pin's label is right of the dot, a notice left of its head.
    let screen = PixelRect(x: 19, y: 19, width: 442, height: 282)
    let dot = PixelRect(x: 195, y: 115, width: 91, height: 91)
    let obstacles = PlateSides.Obstacles(
      plates: [
        PixelRect(x: 16, y: 16, width: 185, height: 105),
        PixelRect(x: 176, y: 230, width: 304, height: 34),
        PixelRect(x: 16, y: 187, width: 93, height: 60),
        PixelRect(x: 0, y: 264, width: 480, height: 56),
      ],
      heres: [
        PixelRect(x: 231, y: 48, width: 60, height: 118),
        PixelRect(x: 300, y: 114, width: 132, height: 96),
      ])
    let at = PlateSides.place(
      width: 156, height: 79, beside: dot, reach: 53, gap: 6, on: screen, clearOf: obstacles)
    let plate = PixelRect(x: at.x, y: at.y, width: 156, height: 79)
    #expect(PlateSides.Covered(plate, obstacles).isNothing)
    #expect(plate.intersection(screen) == plate)
  }

  @Test func whereAPlateIsOnEachSideItIsOffTheMiddleOfOne() {
    let plates = [
      PixelRect(x: 300, y: 100, width: 80, height: 60),
      PixelRect(x: 60, y: 100, width: 60, height: 60),
      PixelRect(x: 100, y: 200, width: 115, height: 40),
      PixelRect(x: 100, y: 60, width: 200, height: 40),
    ]
    let rect = side(200, 150, under: plates)
    #expect(!plates.contains { $0.intersects(rect) })
    #expect((rect.x, rect.y) == (220, 174))
  }

  @Test func atTheScreensEdgeItIsWhole() {
    #expect(side(395, 150).maxX <= 378)
    #expect(side(5, 150).x == 22)
    #expect(side(200, 295, width: 390).maxY <= 271)
    #expect(side(200, 2, width: 390).y >= 26)
    // One that is wider than the screen begins at its edge.
    #expect(side(200, 150, width: 500).x == 0)
  }
}
