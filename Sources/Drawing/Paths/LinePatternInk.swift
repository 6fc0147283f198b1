/// A picture that is repeated along a line, on a canvas.
struct LinePatternInk: CoverageInk {
  let picture: UnsafeBufferPointer<UInt32>
  let width: Int
  let height: Int
  let measure: LineMeasure
  /// Columns of the picture for a pixel along the line.
  let columnsPerPixel: Double
  /// Rows of the picture for a pixel across the line.
  let rowsPerPixel: Double
  /// Where the picture's middle lies, in pixels to the right of the line.
  let middle: Double
  /// 0 ... 255.
  let opacity: UInt32
  let canvas: PixelCanvas

  func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    let pixels = canvas.pixels + row * canvas.stride
    let factor = Paint.times(opacity, coverage) & 0xFF
    for column in column..<column + count {
      guard let place = measure.place(column, row) else { continue }
      let source = Paint.faded(color(place), factor)
      if source != 0 { pixels[column] = Paint.over(pixels[column], source) }
    }
  }

  /// The picture's colour at a place, premultiplied. As in MapLibre its top is on the line's right.
  private func color(_ place: LineMeasure.Place) -> UInt32 {
    let across = (middle - place.across) * rowsPerPixel + Double(height) / 2 - 0.5
    let y = min(max(across, 0), Double(height - 1))
    var x = (place.along * columnsPerPixel).truncatingRemainder(dividingBy: Double(width)) - 0.5
    if x < 0 { x += Double(width) }
    guard x.isFinite, y.isFinite else { return 0 }
    let (left, top) = (min(Int(x), width - 1), min(Int(y), height - 1))
    let (right, bottom) = (left + 1 == width ? 0 : left + 1, min(top + 1, height - 1))
    let (partX, partY) = (weight(x - Double(left)), weight(y - Double(top)))
    let (upper, lower) = (top * width, bottom * width)
    return mix(
      mix(picture[upper + left], picture[upper + right], partX),
      mix(picture[lower + left], picture[lower + right], partX), partY)
  }

  private func weight(_ part: Double) -> UInt32 { UInt32(min(max(part, 0), 1) * 255) }

  private func mix(_ a: UInt32, _ b: UInt32, _ part: UInt32) -> UInt32 {
    if a == b || part == 0 { return a }
    return Paint.faded(a, 255 - part) &+ Paint.faded(b, part)
  }
}
