import Drawing

/// The area around letters.
enum MaskHalo {
  /// What lies within `radius` pixels of a mask's coverage, with an edge that is soft over one pixel
  /// and `blur` more.
  static func around(_ mask: GlyphMask, radius: Float, blur: Float) -> GlyphMask {
    let radius = min(max(radius, 0), 32)
    var halo = GlyphMask(width: mask.width, height: mask.height)
    let reach = Int((radius + 0.5).rounded(.up))
    let (width, height) = (mask.width, mask.height)
    mask.coverage.withUnsafeBufferPointer { source in
      halo.coverage.withUnsafeMutableBufferPointer { target in
        for dy in -reach...reach {
          for dx in -reach...reach {
            let distance = (Float(dx * dx + dy * dy)).squareRoot()
            let weight = min(max(radius + 0.5 - distance, 0), 1)
            if weight == 0 { continue }
            spread(
              source, target, width, height, dx, dy, UInt16((weight * 256).rounded()))
          }
        }
      }
    }
    return blur >= 0.5 ? blurred(halo, Int(min(blur, 16).rounded())) : halo
  }

  /// The greater of the target and the source moved by (dx, dy) times `weight` / 256.
  @inline(__always)
  private static func spread(
    _ source: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutableBufferPointer<UInt8>,
    _ width: Int, _ height: Int, _ dx: Int, _ dy: Int, _ weight: UInt16
  ) {
    let columns = max(0, dx)..<max(0, dx, min(width, width + dx))
    for y in max(0, dy)..<max(0, dy, min(height, height + dy)) {
      let to = y * width
      let from = (y - dy) * width - dx
      if weight >= 256 {
        for x in columns { target[to &+ x] = max(target[to &+ x], source[from &+ x]) }
      } else {
        for x in columns {
          let value = UInt8(truncatingIfNeeded: UInt16(source[from &+ x]) &* weight &>> 8)
          target[to &+ x] = max(target[to &+ x], value)
        }
      }
    }
  }

  /// Averaged over `size` + 1 pixels on both axes.
  private static func blurred(_ mask: GlyphMask, _ size: Int) -> GlyphMask {
    var result = mask
    let (before, after) = (size / 2, size - size / 2)
    for pass in 0..<2 {
      let count = pass == 0 ? mask.width : mask.height
      let lines = pass == 0 ? mask.height : mask.width
      let step = pass == 0 ? 1 : mask.width
      let stride = pass == 0 ? mask.width : 1
      let source = result.coverage
      for line in 0..<lines {
        var sum = 0
        for index in 0..<min(after, count) { sum += Int(source[line * stride + index * step]) }
        for index in 0..<count {
          if index + after < count { sum += Int(source[line * stride + (index + after) * step]) }
          result.coverage[line * stride + index * step] = UInt8(sum / (size + 1))
          if index - before >= 0 { sum -= Int(source[line * stride + (index - before) * step]) }
        }
      }
    }
    return result
  }
}
