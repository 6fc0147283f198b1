@testable import Drawing
@testable import Pixels

/// A picture to draw on, and what was drawn.
final class Sheet {
  let width: Int
  let height: Int
  let pixels: UnsafeMutablePointer<UInt32>
  let rasteriser = PathRasteriser()

  init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height + 8)
    pixels.initialize(repeating: 0, count: width * height)
    // Behind the picture, to notice what is written past its end.
    (pixels + width * height).initialize(repeating: 0xDEAD_BEEF, count: 8)
  }

  deinit { pixels.deallocate() }

  var canvas: PixelCanvas { PixelCanvas(pixels, stride: width, width: width, height: height) }
  var isWhole: Bool { (0..<8).allSatisfy { pixels[width * height + $0] == 0xDEAD_BEEF } }

  func alpha(_ x: Int, _ y: Int) -> Int { Int(pixels[y * width + x] >> 24) }
  var sum: Int { (0..<width * height).reduce(0) { $0 + Int(pixels[$1] >> 24) } }
  var words: [UInt32] { Array(UnsafeBufferPointer(start: pixels, count: width * height)) }

  func fill(_ path: Path, _ rule: PathRasteriser.Rule = .evenOdd, color: UInt32 = 0xFFFF_FFFF) {
    rasteriser.fill(path, rule: rule, color: color, on: canvas)
  }

  func stroke(_ path: Path, width: Double, color: UInt32 = 0xFFFF_FFFF) {
    rasteriser.stroke(path, width: width, color: color, on: canvas)
  }

  func stroke(_ path: Path, _ style: StrokeStyle, color: UInt32 = 0xFFFF_FFFF) {
    rasteriser.stroke(path, style, color: color, on: canvas)
  }
}
