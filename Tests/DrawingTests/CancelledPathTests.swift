import Pixels
import Testing

@testable import Drawing

/// A long path ends soon once nobody wants it any more, and leaves nothing behind for the next one.
@Suite struct CancelledPathTests {
  private static let points = 200_000

  /// A line, or a ring, that runs over the canvas again and again.
  private func path(_ ends: Int = 1) -> Path {
    var path = Path()
    for part in 0..<ends {
      path.add(count: Self.points / ends) { points in
        for index in points.indices {
          points[index] = Path.Point(
            index & 1 == 0 ? 0 : 63, Float((index + part) % 64) + 0.25)
        }
      }
    }
    return path
  }

  /// How often it is asked in all if the answer is yes from the third time on.
  private func asked(
    _ draw: (PathRasteriser, PixelCanvas, () -> Bool) -> Void
  ) -> Int {
    let rasteriser = PathRasteriser()
    var pixels = [UInt32](repeating: 0, count: 64 * 64)
    var count = 0
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let canvas = PixelCanvas(base, stride: 64, width: 64, height: 64)
      draw(rasteriser, canvas) {
        count += 1
        return count >= 3
      }
      // What was begun is not in the next picture.
      buffer.update(repeating: 0)
      var square = Path()
      square.addRect(8, 8, 16, 16)
      rasteriser.fill(square, rule: .nonZero, color: 0xFFFF_FFFF, on: canvas)
    }
    #expect(pixels[9 * 64 + 9] == 0xFFFF_FFFF)
    #expect(pixels.filter { $0 != 0 }.count == 256)
    return count
  }

  @Test(arguments: [1, 1000])
  func aFill(_ ends: Int) {
    let path = path(ends)
    let count = asked { rasteriser, canvas, isCancelled in
      rasteriser.fill(
        path, rule: .nonZero, color: 0xFF00_0000, on: canvas, isCancelled: isCancelled)
    }
    #expect((3...4).contains(count))
  }

  @Test(arguments: [1, 1000])
  func aStroke(_ ends: Int) {
    let path = path(ends)
    let styles = [
      StrokeStyle(width: 3), StrokeStyle(width: 3, dashes: [2, 2]),
      StrokeStyle(width: 9, gapWidth: 4, blur: 5),
    ]
    for style in styles {
      let count = asked { rasteriser, canvas, isCancelled in
        rasteriser.stroke(path, style, color: 0xFF00_0000, on: canvas, isCancelled: isCancelled)
      }
      // Each of a blur's strokes asks once.
      #expect((3...24).contains(count), "\(style)")
    }
  }
}
