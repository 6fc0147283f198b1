import Pixels
import Testing

@testable import Inputs

private func mapping(
  _ maximumX: Int32, _ maximumY: Int32, _ space: TouchSpace, turn: MountingRotation? = nil
) -> TouchMapping {
  TouchMapping(
    x: TouchMapping.Axis(minimum: 0, maximum: maximumX),
    y: TouchMapping.Axis(minimum: 0, maximum: maximumY), space: space, rotation: turn)
}

@Test(arguments: MountingRotation.allCases)
func aTouchedPixelIsTheViewsPixelThatIsSeenThere(_ rotation: MountingRotation) {
  let (width, height) = (80, 48)
  let space = TouchSpace(panelWidth: width, panelHeight: height, scale: 1, rotation: rotation)
  let map = mapping(79, 47, space)
  let view = rotation.turnedSize(width: width, height: height)
  for (x, y) in [(0, 0), (79, 0), (0, 47), (79, 47), (13, 29)] {
    let expected = rotation.viewPoint(
      panelX: x, panelY: y, viewWidth: view.width, viewHeight: view.height)
    let found = map.point(x: Int32(x), y: Int32(y))
    #expect(found.x == Double(expected.x) + 0.5)
    #expect(found.y == Double(expected.y) + 0.5)
  }
}

@Test func theDevicesRangeIsThePanelWhateverItsResolution() {
  let space = TouchSpace(panelWidth: 800, panelHeight: 480, scale: 2, rotation: .none)
  let map = TouchMapping(
    x: TouchMapping.Axis(minimum: -100, maximum: 3899),
    y: TouchMapping.Axis(minimum: 200, maximum: 1199), space: space, rotation: nil)
  let middle = map.point(x: 1900, y: 700)
  #expect(abs(middle.x - 200) < 0.1 && abs(middle.y - 120) < 0.2)
  let beyond = map.point(x: 32767, y: -5)
  #expect(beyond.x == 400 && beyond.y == 0)
}

@Test func touchRotationStandsInForTheDisplays() {
  // The panel turns the picture itself; the touch screen on it stands the other way.
  let space = TouchSpace(panelWidth: 800, panelHeight: 480, scale: 1, rotation: .none)
  let map = mapping(479, 799, space, turn: .right)
  let found = map.point(x: 0, y: 0)
  #expect(found.x == 0.5 && found.y == 479.5)
}

@Test(arguments: [(5, 5), (10, 0), (Int32.max, Int32.min), (Int32.min, Int32.max)])
func anAbsurdRangeStaysOnTheScreen(_ minimum: Int32, _ maximum: Int32) {
  let axis = TouchMapping.Axis(minimum: minimum, maximum: maximum)
  for value in [Int32.min, -1, 0, 7, Int32.max] {
    #expect((0...800).contains(axis.place(of: value, on: 800)))
    #expect((0...800).contains(axis.place(of: value, on: 800, backwards: true)))
  }
}
