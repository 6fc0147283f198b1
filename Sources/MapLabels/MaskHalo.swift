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
          let value = UInt8(truncatingIfNeeded: (UInt16(source[x &- shift]) &* weight) &>> 8)
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

  /// Averaged over `size` + 1 pixels on both axes; `size` is at most 16.
  private static func blurred(_ mask: GlyphMask, _ size: Int) -> GlyphMask {
    let ink = inked(mask)
    if ink.isEmpty { return mask }
    let (before, after) = (size / 2, size - size / 2)
    // What the ink spreads to.
    let area = PixelRect(
      x: ink.x - after, y: ink.y - after, width: ink.width + size, height: ink.height + size
    ).intersection(PixelRect(x: 0, y: 0, width: mask.width, height: mask.height))
    // Multiplying the sum of up to 17 bytes by this and dividing by 2²⁰ divides it, rounded down.
    let share = UInt32((1 << 20 + size) / (size + 1))
    var (rows, result) = (mask, mask)
    mask.coverage.withUnsafeBufferPointer { source in
      rows.coverage.withUnsafeMutableBufferPointer { target in
        for y in ink.y..<ink.maxY {
          let row = y * mask.width
          var sum: UInt32 = 0
          for x in max(0, area.x - before)..<min(area.x + after, mask.width) {
            sum &+= UInt32(source[row &+ x])
          }
          for x in area.x..<area.maxX {
            if x &+ after < mask.width { sum &+= UInt32(source[row &+ x &+ after]) }
            target[row &+ x] = UInt8(truncatingIfNeeded: (sum &* share) &>> 20)
            if x >= before { sum &-= UInt32(source[row &+ x &- before]) }
          }
        }
      }
    }
    rows.coverage.withUnsafeBufferPointer { source in
      result.coverage.withUnsafeMutableBufferPointer { target in
        // A row's sums, so that neighbours are added at once.
        var sums = [UInt16](repeating: 0, count: area.width)
        sums.withUnsafeMutableBufferPointer { sums in
          func add(_ y: Int, _ step: UInt16) {
            if y < ink.y || y >= ink.maxY { return }
            let row = y * mask.width + area.x
            for x in sums.indices { sums[x] &+= UInt16(source[row &+ x]) &* step }
          }
          for y in max(0, area.y - before)..<min(area.y + after, mask.height) { add(y, 1) }
          for y in area.y..<area.maxY {
            add(y + after, 1)
            let row = y * mask.width + area.x
            for x in sums.indices {
              target[row &+ x] = UInt8(truncatingIfNeeded: (UInt32(sums[x]) &* share) &>> 20)
            }
            add(y - before, 0 &- 1)
          }
        }
      }
    }
    return result
  }
}
