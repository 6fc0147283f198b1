import Drawing
import MapGeometry

/// The area around letters.
enum MaskHalo {
  /// What lies within `radius` pixels of a mask's coverage, with an edge that is soft over one
  /// pixel and `blur` more.
  static func around(_ mask: GlyphMask, radius: Float, blur: Float) -> GlyphMask {
    let radius = min(max(radius, 0), 32)
    var halo = GlyphMask(width: mask.width, height: mask.height)
    let reach = Int((radius + 0.5).rounded(.up))
    let (width, height) = (mask.width, mask.height)
    let ink = inked(mask)
    if ink.isEmpty { return halo }
    mask.coverage.withUnsafeBufferPointer { source in
      halo.coverage.withUnsafeMutableBufferPointer { target in
        for dy in -reach...reach {
          for dx in -reach...reach {
            let distance = (Float(dx * dx + dy * dy)).squareRoot()
            let weight = min(max(radius + 0.5 - distance, 0), 1)
            if weight == 0 { continue }
            // Where the ink comes to lie, clipped to the mask.
            let area = PixelRect(x: ink.x + dx, y: ink.y + dy, width: ink.width, height: ink.height)
              .intersection(PixelRect(x: 0, y: 0, width: width, height: height))
            if area.isEmpty { continue }
            spread(source, target, width, area, dy * width + dx, UInt16((weight * 256).rounded()))
          }
        }
      }
    }
    return blur >= 0.5 ? blurred(halo, Int(min(blur, 16).rounded())) : halo
  }

  /// The greater of the target and the source moved by `shift` bytes, times `weight` / 256.
  @inline(__always)
  private static func spread(
    _ source: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutableBufferPointer<UInt8>,
    _ width: Int, _ area: PixelRect, _ shift: Int, _ weight: UInt16
  ) {
    for y in area.y..<area.maxY {
      let row = y * width
      if weight >= 256 {
        for x in row + area.x..<row + area.maxX {
          target[x] = max(target[x], source[x &- shift])
        }
      } else {
        for x in row + area.x..<row + area.maxX {
          let value = UInt8(truncatingIfNeeded: UInt16(source[x &- shift]) &* weight &>> 8)
          target[x] = max(target[x], value)
        }
      }
    }
  }

  /// The pixels between the first and the last covered row and column.
  private static func inked(_ mask: GlyphMask) -> PixelRect {
    var (left, top, right, bottom) = (mask.width, mask.height, 0, 0)
    mask.coverage.withUnsafeBufferPointer { coverage in
      for y in 0..<mask.height {
        let row = UnsafeBufferPointer(rebasing: coverage[y * mask.width..<(y + 1) * mask.width])
        guard let first = row.firstIndex(where: { $0 != 0 }),
          let last = row.lastIndex(where: { $0 != 0 })
        else { continue }
        left = min(left, first)
        right = max(right, last + 1)
        top = min(top, y)
        bottom = y + 1
      }
    }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
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
