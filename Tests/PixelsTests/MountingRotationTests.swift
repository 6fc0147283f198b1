import MapGeometry
import Pixels
import TestSupport
import Testing

/// Where view pixel (x, y) lies on the panel, as the interface defines it.
private func definition(
  _ rotation: MountingRotation, _ x: Int, _ y: Int, _ width: Int, _ height: Int
) -> [Int] {
  switch rotation.rawValue {
  case 90: [height - 1 - y, x]
  case 180: [width - 1 - x, height - 1 - y]
  case 270: [y, width - 1 - x]
  default: [x, y]
  }
}

@Test(arguments: MountingRotation.allCases)
func everyPointGoesWhereTheDefinitionSaysAndBack(rotation: MountingRotation) {
  for (width, height) in [(1, 1), (7, 4), (4, 7), (5, 5)] {
    for y in 0..<height {
      for x in 0..<width {
        let panel = rotation.panelPoint(x: x, y: y, viewWidth: width, viewHeight: height)
        #expect([panel.x, panel.y] == definition(rotation, x, y, width, height))
        let view = rotation.viewPoint(
          panelX: panel.x, panelY: panel.y, viewWidth: width, viewHeight: height)
        #expect([view.x, view.y] == [x, y])
      }
    }
  }
}

@Test(arguments: MountingRotation.allCases)
func everyRectangleCoversThePointsOfItsOwnPixels(rotation: MountingRotation) {
  let (width, height) = (6, 4)
  for y in 0..<height {
    for x in 0..<width {
      for bottom in y + 1...height {
        for right in x + 1...width {
          let rect = PixelRect(x: x, y: y, width: right - x, height: bottom - y)
          let corners = [
            definition(rotation, x, y, width, height),
            definition(rotation, right - 1, bottom - 1, width, height),
          ]
          let panel = rotation.panelRect(rect, viewWidth: width, viewHeight: height)
          let left = min(corners[0][0], corners[1][0])
          let top = min(corners[0][1], corners[1][1])
          let last = [max(corners[0][0], corners[1][0]), max(corners[0][1], corners[1][1])]
          #expect([panel.x, panel.y] == [left, top])
          #expect([panel.maxX - 1, panel.maxY - 1] == last)
        }
      }
    }
  }
}

/// Writes view blocks of a pixel type to a panel and compares every byte of the panel.
private func checkBlocks<Pixel: FixedWidthInteger>(
  _ rotation: MountingRotation, _ format: PixelFormat, _ type: Pixel.Type, seed: UInt64
) {
  var numbers = SeededNumbers(seed)
  for (width, height) in [(150, 83), (3, 2), (64, 130)] {
    let view = (0..<width * height).map { _ in Pixel(truncatingIfNeeded: numbers.next()) }
    let size = rotation.turnedSize(width: width, height: height)
    let rowPixels = size.width + 3
    let left = Int.random(in: 0..<width, using: &numbers)
    let top = Int.random(in: 0..<height, using: &numbers)
    let blocks = [
      PixelRect(x: 0, y: 0, width: width, height: height),
      PixelRect(x: left, y: top, width: width - left, height: height - top),
      PixelRect(x: left, y: top, width: 1, height: 1),
      PixelRect(x: 0, y: 0, width: left, height: top),
    ]
    for block in blocks {
      var panel = [Pixel](repeating: 0x55, count: rowPixels * size.height + 5)
      var expected = panel
      for y in block.y..<block.maxY {
        for x in block.x..<block.maxX {
          let place = definition(rotation, x, y, width, height)
          expected[2 + place[1] * rowPixels + place[0]] = view[y * width + x]
        }
      }
      view.withUnsafeBytes { source in
        panel.withUnsafeMutableBytes { memory in
          let buffer = ScanoutBuffer(
            base: memory.baseAddress! + 2 * format.bytes, rowBytes: rowPixels * format.bytes,
            width: size.width, height: size.height, format: format)
          buffer.storeRotated(
            source.baseAddress! + (block.y * width + block.x) * format.bytes,
            sourceRowBytes: width * format.bytes, rect: block, rotation: rotation)
        }
      }
      let same = panel == expected
      #expect(same, "\(block) of \(width) x \(height)")
    }
  }
}

@Test(arguments: MountingRotation.allCases)
func blocksOfTheViewLieTurnedOnThePanelAndTouchNothingElse(rotation: MountingRotation) {
  for seed in UInt64(1)...5 {
    checkBlocks(rotation, .xrgb8888, UInt32.self, seed: seed)
    checkBlocks(rotation, .rgb565, UInt16.self, seed: seed)
  }
}

@Test(arguments: MountingRotation.allCases)
func aBlockThatReachesBeyondTheViewIsClipped(rotation: MountingRotation) {
  let source = (0..<36).map { UInt32($0) }
  let size = rotation.turnedSize(width: 4, height: 3)
  var panel = [UInt32](repeating: 99, count: 12 + 8)
  panel.withUnsafeMutableBytes {
    ScanoutBuffer(
      base: $0.baseAddress! + 16, rowBytes: size.width * 4, width: size.width,
      height: size.height, format: .xrgb8888
    ).storeRotated(
      source, sourceRowBytes: 24, rect: PixelRect(x: -1, y: -2, width: 6, height: 6),
      rotation: rotation)
  }
  let outside = panel[..<4] + panel[16...]
  #expect(outside.allSatisfy { $0 == 99 })
  for y in 0..<3 {
    for x in 0..<4 {
      let place = definition(rotation, x, y, 4, 3)
      let onPanel = panel[4 + place[1] * size.width + place[0]]
      let inView = source[(y + 2) * 6 + x + 1]
      #expect(onPanel == inView)
    }
  }
}

@Test func rowsAndFillsAreClippedToTheBuffer() {
  let row = (0..<10).map { UInt32($0) }
  var memory = [UInt32](repeating: 99, count: 5 * 4)
  memory.withUnsafeMutableBytes {
    // Three columns of five, three rows from the second on.
    let buffer = ScanoutBuffer(
      base: $0.baseAddress! + 20, rowBytes: 20, width: 3, height: 2, format: .xrgb8888)
    buffer.copyRow(x: -4, y: 0, count: 10, from: row)
    buffer.copyRow(x: 0, y: -1, count: 3, from: row)
    buffer.copyRow(x: 0, y: 2, count: 3, from: row)
    buffer.copyRow(x: 3, y: 1, count: 3, from: row)
    buffer.copyRow(x: 0, y: 1, count: -2, from: row)
    buffer.fill(PixelRect(x: 1, y: 1, width: 9, height: 9), color: 0x0012_3456)
  }
  let filled: UInt32 = 0xff12_3456
  #expect(Array(memory[5..<10]) == [4, 5, 6, 99, 99])
  #expect(Array(memory[10..<15]) == [99, filled, filled, 99, 99])
  let outside = memory[..<5] + memory[15...]
  #expect(outside.allSatisfy { $0 == 99 })
}
