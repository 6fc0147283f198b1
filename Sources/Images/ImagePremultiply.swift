/// Converts straight alpha to premultiplied: each colour channel `x` becomes `(x * a + 127) / 255`,
/// which is `x * a / 255` rounded.
enum ImagePremultiply {
  /// Premultiplies one pixel, `0xAARRGGBB`.
  @inline(__always)
  static func pixel(_ argb: UInt32) -> UInt32 {
    let alpha = UInt64(argb >> 24)
    // Red, green and blue in 16-bit lanes of a 64-bit number, at bits 32, 16 and 0; no lane
    // overflows.
    let wide = UInt64(argb)
    let lanes = (wide & 0xff0000) &<< 16 | (wide & 0xff00) &<< 8 | wide & 0xff
    // (v + 128 + ((v + 128) >> 8)) >> 8 is v / 255 rounded, for every v up to 255 * 255.
    let sum = lanes &* alpha &+ 0x0080_0080_0080
    let rounded = (sum &+ ((sum &>> 8) & 0x00ff_00ff_00ff)) &>> 8
    return argb & 0xff00_0000
      | UInt32(
        truncatingIfNeeded: (rounded &>> 16) & 0xff0000 | (rounded &>> 8) & 0xff00
          | rounded & 0xff)
  }

  /// Premultiplies rows with straight alpha in place, unless they are to stay straight.
  ///
  /// - Returns: Whether every pixel is opaque.
  static func rows(
    _ rows: UnsafeMutableRawPointer, rowBytes: Int, width: Int, count: Int, straight: Bool
  ) -> Bool {
    var opaque = true
    for y in 0..<count {
      let row = (rows + y * rowBytes).assumingMemoryBound(to: UInt32.self)
      let rowOpaque = straight ? isOpaque(row, count: width) : self.row(row, count: width)
      opaque = opaque && rowOpaque
    }
    return opaque
  }

  /// Premultiplies a row in place. Returns whether every pixel is opaque.
  static func row(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) -> Bool {
    var seen: UInt32 = 0xff00_0000
    for i in 0..<count {
      let argb = pixels[i]
      let alpha = argb & 0xff00_0000
      if alpha == 0xff00_0000 { continue }
      seen &= alpha
      pixels[i] = alpha == 0 ? 0 : pixel(argb)
    }
    return seen == 0xff00_0000
  }

  /// Whether every pixel of a row is opaque.
  static func isOpaque(_ pixels: UnsafePointer<UInt32>, count: Int) -> Bool {
    var seen: UInt32 = 0xff00_0000
    for i in 0..<count { seen &= pixels[i] }
    return seen == 0xff00_0000
  }
}
