/// How one axis of a picture is fitted to another length: for each result pixel, the source pixels
/// it is made from, with their weights. Shrinking averages over the area that the result pixel
/// covers; enlarging interpolates linearly between pixel centres.
final class ImageFitAxis {
  /// The exact sum of a result pixel's weights, so that flat areas keep their value.
  static let unit = 4096

  struct Tap {
    var first: Int
    var count: Int
    var weightsAt: Int
  }

  let source: Int
  let result: Int
  private(set) var taps: [Tap] = []
  private(set) var weights: [UInt64] = []

  init(source: Int, result: Int) {
    self.source = source
    self.result = result
    taps.reserveCapacity(result)
    for i in 0..<result {
      if source > result { shrink(i) } else { enlarge(i) }
    }
  }

  private func shrink(_ i: Int) {
    // In units of which a source pixel has `result` and a result pixel has `source`.
    let start = i * source
    let end = start + source
    let first = start / result
    let last = (end - 1) / result
    let at = weights.count
    var before = 0
    for pixel in first...last {
      let covered = min(end, (pixel + 1) * result) - start
      let upTo = (covered * Self.unit + source / 2) / source
      weights.append(UInt64(upTo - before))
      before = upTo
    }
    taps.append(Tap(first: first, count: last - first + 1, weightsAt: at))
  }

  private func enlarge(_ i: Int) {
    // The result pixel's centre in source pixels: (i + 1/2) * source / result - 1/2.
    let unit = Self.unit
    let doubled = (2 * i + 1) * source - result
    let position = max(0, (doubled * unit + result) / (2 * result))
    let first = min(position / unit, source - 1)
    let fraction = first == source - 1 ? 0 : position % unit
    let at = weights.count
    weights.append(UInt64(unit - fraction))
    if fraction > 0 { weights.append(UInt64(fraction)) }
    taps.append(Tap(first: first, count: fraction > 0 ? 2 : 1, weightsAt: at))
  }
}

/// Scales rows, as they arrive from the top, to a target of another size. It stores two rows and a
/// sum, never the whole picture. Pixels are premultiplied on both sides, and no colour exceeds its
/// alpha.
final class ImageFitter {
  let columns: ImageFitAxis
  let rows: ImageFitAxis
  /// A fitted pixel is two 64-bit numbers with two 32-bit lanes each: blue and red, green and
  /// alpha. A channel of a row is in 1/256, a sum in 1/2^20.
  private var current: [UInt64]
  private var previous: [UInt64]
  private var sum: [UInt64]
  private var nextSource = 0
  private var nextResult = 0

  init(columns: ImageFitAxis, rows: ImageFitAxis) {
    self.columns = columns
    self.rows = rows
    current = Array(repeating: 0, count: columns.result * 2)
    previous = current
    sum = current
  }

  /// Prepares for another picture of the same size.
  func restart() {
    nextSource = 0
    nextResult = 0
    for i in sum.indices { sum[i] = 0 }
  }

  /// Takes the next source row and writes the result rows that it completes.
  func push(
    _ row: UnsafePointer<UInt32>, into target: UnsafeMutableRawPointer, rowBytes: Int
  ) {
    swap(&current, &previous)
    fitRow(row)
    let y = nextSource
    nextSource += 1
    while nextResult < rows.result {
      let tap = rows.taps[nextResult]
      let last = tap.first + tap.count - 1
      guard tap.first <= y else { return }
      if rows.source <= rows.result {
        // When enlarging, several result rows share a pair of rows: each waits for the later one.
        guard last == y else { return }
        if tap.count == 2 { add(previous, weight: rows.weights[tap.weightsAt]) }
      }
      add(current, weight: rows.weights[tap.weightsAt + y - tap.first])
      guard last == y else { return }
      emit(into: target + nextResult * rowBytes)
      nextResult += 1
    }
  }

  private func fitRow(_ row: UnsafePointer<UInt32>) {
    let columns = columns
    current.withUnsafeMutableBufferPointer { out in
      columns.taps.withUnsafeBufferPointer { taps in
        columns.weights.withUnsafeBufferPointer { weights in
          for i in 0..<taps.count {
            let tap = taps[i]
            var blueRed: UInt64 = 0
            var greenAlpha: UInt64 = 0
            for k in 0..<tap.count {
              let pixel = UInt64(row[tap.first &+ k])
              let weight = weights[tap.weightsAt &+ k]
              blueRed &+= (pixel & 0xff | (pixel & 0xff0000) &<< 16) &* weight
              greenAlpha &+= ((pixel &>> 8) & 0xff | (pixel & 0xff00_0000) &<< 8) &* weight
            }
            // 2^12 to 2^8, rounded.
            let half: UInt64 = 0x0000_0008_0000_0008
            let mask: UInt64 = 0x0000_ffff_0000_ffff
            out[2 &* i] = ((blueRed &+ half) &>> 4) & mask
            out[2 &* i &+ 1] = ((greenAlpha &+ half) &>> 4) & mask
          }
        }
      }
    }
  }

  private func add(_ row: [UInt64], weight: UInt64) {
    sum.withUnsafeMutableBufferPointer { sum in
      row.withUnsafeBufferPointer { row in
        for i in 0..<sum.count { sum[i] &+= row[i] &* weight }
      }
    }
  }

  private func emit(into target: UnsafeMutableRawPointer) {
    let pixels = target.assumingMemoryBound(to: UInt32.self)
    let half: UInt64 = 0x0008_0000_0008_0000
    sum.withUnsafeMutableBufferPointer { sum in
      for i in 0..<columns.result {
        let blueRed = (sum[2 &* i] &+ half) &>> 20
        let greenAlpha = (sum[2 &* i &+ 1] &+ half) &>> 20
        pixels[i] = UInt32(
          truncatingIfNeeded: blueRed & 0xff | (blueRed &>> 16) & 0xff0000
            | (greenAlpha & 0xff) &<< 8 | (greenAlpha &>> 8) & 0xff00_0000)
        sum[2 &* i] = 0
        sum[2 &* i &+ 1] = 0
      }
    }
  }
}
