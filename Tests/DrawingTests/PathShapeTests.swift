import Testing

@testable import Drawing
@testable import Pixels

@Suite struct PathShapeTests {
  @Test(arguments: Pictogram.allCases)
  func everyPictogramStaysInItsFieldAndDrawsSomething(_ pictogram: Pictogram) {
    let path = pictogram.path(x: 0, y: 0, size: 48)
    #expect(!path.isEmpty)
    for point in path.points {
      #expect(point.x >= 0 && point.x <= 48 && point.y >= 0 && point.y <= 48)
    }
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 48 * 48)
    defer { words.deallocate() }
    words.initialize(repeating: 0, count: 48 * 48)
    let canvas = PixelCanvas(words, stride: 48, width: 48, height: 48)
    PathRasteriser().fill(path, rule: .evenOdd, color: 0xFF00_0000, on: canvas)
    let inked = (0..<48 * 48).filter { words[$0] >> 24 > 128 }.count
    // Strong enough to be seen, and not all of the field.
    #expect(inked > 48 * 48 / 20 && inked < 48 * 48 * 3 / 4)
    // The whole drawing was understood: it ends where a sub-path does.
    #expect(path.ends.last == path.points.count)
    let words2 = pictogram.drawing.split(separator: " ")
    let known = words2.allSatisfy { Double($0) != nil || "MLCZO".contains($0) }
    #expect(known)
  }

  @Test func everyMarkerIconHasItsPictogram() {
    for icon in MarkerIcon.allCases where ![.here, .pin, .dot].contains(icon) {
      #expect(icon.pictogram != nil, "\(icon)")
    }
  }

  @Test func aDrawingThatIsNoneEndsWhereItStopsBeingOne() {
    for text in ["", "M", "M 1", "L x y", "C 1 2 3", "Q 1 2", "O 1 1", "Z"] {
      var path = Path()
      path.add(text, x: 0, y: 0, scale: 1)
      #expect(path.points.count <= 1)
    }
  }

  @Test(arguments: [0.0, 6])
  func aStrokedRectangleHasAllFourSides(radius: Double) {
    let sheet = Sheet(40, 30)
    var path = Path()
    path.addRoundedRect(5, 5, 30, 20, radius: radius)
    sheet.stroke(path, width: 2)
    for (x, y) in [(20, 5), (34, 15), (20, 24), (5, 15)] { #expect(sheet.alpha(x, y) == 255) }
    #expect(sheet.alpha(20, 15) == 0)
  }
}
