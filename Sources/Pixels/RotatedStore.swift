/// Writes a block of the view to a panel that is mounted with a rotation.
///
/// The panel is written once, row by row in runs of up to 64 pixels, and never read. If the axes
/// are swapped, the source is read in columns, and should be in the cache (a tile, or a band of
/// about 64 rows).
///
/// - Parameters:
///   - source: The block's first pixel.
///   - sourceStride: Bytes from one row of the source to the next.
///   - viewX: The block's first column in the view; the whole block lies inside the view.
///   - viewY: The block's first row in the view.
///   - width: The block's columns.
///   - height: The block's rows.
///   - viewWidth: The view's width in pixels.
///   - viewHeight: The view's height in pixels.
///   - rotation: How the panel is mounted.
///   - panel: The panel's first pixel, aligned to a pixel.
///   - rowBytes: Bytes from one row of the panel to the next.
///   - bytesPerPixel: 4 or 2, for both source and panel.
@inlinable
public func storeRotated(
  source: UnsafeRawPointer, sourceStride: Int, viewX: Int, viewY: Int, width: Int, height: Int,
  viewWidth: Int, viewHeight: Int, rotation: MountingRotation, panel: UnsafeMutableRawPointer,
  rowBytes: Int, bytesPerPixel: Int
) {
  guard width > 0, height > 0 else { return }
  let first = rotation.panelPoint(
    x: viewX, y: viewY, viewWidth: viewWidth, viewHeight: viewHeight)
  let destination = panel + (first.y &* rowBytes &+ first.x &* bytesPerPixel)
  switch rotation {
  case .none:
    for y in 0..<height {
      (destination + y &* rowBytes).copyMemory(
        from: source + y &* sourceStride, byteCount: width &* bytesPerPixel)
    }
  case .half:
    // Rows from the block's last one, which is the first on the panel; each written from its left
    // end.
    let left = destination - (width &- 1) &* bytesPerPixel
    for y in stride(from: height &- 1, through: 0, by: -1) {
      let from = source + y &* sourceStride
      let to = left - y &* rowBytes
      if bytesPerPixel == 4 {
        storeReversed(
          from.assumingMemoryBound(to: UInt32.self), to.assumingMemoryBound(to: UInt32.self),
          width)
      } else {
        storeReversed(
          from.assumingMemoryBound(to: UInt16.self), to.assumingMemoryBound(to: UInt16.self),
          width)
      }
    }
  case .right:
    // A panel row is a view column read upwards, from the block's last row.
    storeColumns(
      source: source + (height &- 1) &* sourceStride, down: 0 &- sourceStride,
      across: bytesPerPixel, destination: destination - (height &- 1) &* bytesPerPixel,
      rowBytes: rowBytes, columns: width, rows: height, bytesPerPixel: bytesPerPixel)
  case .left:
    // A panel row is a view column read downwards; the last column is the first row.
    storeColumns(
      source: source + (width &- 1) &* bytesPerPixel, down: sourceStride,
      across: 0 &- bytesPerPixel, destination: destination - (width &- 1) &* rowBytes,
      rowBytes: rowBytes, columns: width, rows: height, bytesPerPixel: bytesPerPixel)
  }
}

/// Writes a row's pixels in the reverse order, from the destination's left end to its right.
@inlinable @inline(__always)
func storeReversed<Pixel: FixedWidthInteger>(
  _ source: UnsafePointer<Pixel>, _ destination: UnsafeMutablePointer<Pixel>, _ count: Int
) {
  var at = 0
  while at < count {
    destination[at] = source[count &- 1 &- at]
    at &+= 1
  }
}

/// Writes `columns` columns of the source as rows of the destination, in strips of 64 pixels.
///
/// - Parameters:
///   - source: The pixel that becomes the first one of the destination's first row.
///   - down: Bytes from one pixel of a column to the next; negative reads upwards.
///   - across: Bytes from one column to the next: plus or minus one pixel.
///   - destination: The first row's first pixel.
///   - rowBytes: Bytes from one row of the destination to the next.
///   - columns: The number of columns of the source, which become rows of the destination.
///   - rows: The number of pixels in each.
///   - bytesPerPixel: 4 or 2.
@inlinable @inline(__always)
func storeColumns(
  source: UnsafeRawPointer, down: Int, across: Int, destination: UnsafeMutableRawPointer,
  rowBytes: Int, columns: Int, rows: Int, bytesPerPixel: Int
) {
  var start = 0
  while start < rows {
    // End strips where the destination's 64-byte lines end, if possible: write-combining buffers
    // are then flushed as whole lines.
    let misplaced = Int(bitPattern: destination + start &* bytesPerPixel) & 63
    let run = min(64 &- misplaced / bytesPerPixel, rows &- start)
    let from = source + start &* down
    let to = destination + start &* bytesPerPixel
    if bytesPerPixel == 4 {
      storeWordColumns(from, down, across, to, rowBytes, columns, run)
    } else {
      storeHalfColumns(from, down, across, to, rowBytes, columns, run)
    }
    start &+= run
  }
}

@inlinable @inline(__always)
func storeWordColumns(
  _ source: UnsafeRawPointer, _ down: Int, _ across: Int,
  _ destination: UnsafeMutableRawPointer, _ rowBytes: Int, _ columns: Int, _ rows: Int
) {
  var column = 0
  while column &+ 4 <= columns {
    let from = source + column &* across
    // The lowest address of the four columns.
    let low = across < 0 ? from + 3 &* across : from
    let row0 = destination + column &* rowBytes
    let row1 = row0 + rowBytes
    let row2 = row1 + rowBytes
    let row3 = row2 + rowBytes
    var at = 0
    while at &+ 4 <= rows {
      let place = low + at &* down
      let a = place.loadUnaligned(as: SIMD4<UInt32>.self)
      let b = (place + down).loadUnaligned(as: SIMD4<UInt32>.self)
      let c = (place + 2 &* down).loadUnaligned(as: SIMD4<UInt32>.self)
      let d = (place + 3 &* down).loadUnaligned(as: SIMD4<UInt32>.self)
      let column0 = SIMD4(a[0], b[0], c[0], d[0])
      let column1 = SIMD4(a[1], b[1], c[1], d[1])
      let column2 = SIMD4(a[2], b[2], c[2], d[2])
      let column3 = SIMD4(a[3], b[3], c[3], d[3])
      let forwards = across > 0
      row0.storeBytes(
        of: forwards ? column0 : column3, toByteOffset: at &* 4, as: SIMD4<UInt32>.self)
      row1.storeBytes(
        of: forwards ? column1 : column2, toByteOffset: at &* 4, as: SIMD4<UInt32>.self)
      row2.storeBytes(
        of: forwards ? column2 : column1, toByteOffset: at &* 4, as: SIMD4<UInt32>.self)
      row3.storeBytes(
        of: forwards ? column3 : column0, toByteOffset: at &* 4, as: SIMD4<UInt32>.self)
      at &+= 4
    }
    while at < rows {
      let place = from + at &* down
      row0.storeBytes(of: place.load(as: UInt32.self), toByteOffset: at &* 4, as: UInt32.self)
      row1.storeBytes(
        of: (place + across).load(as: UInt32.self), toByteOffset: at &* 4, as: UInt32.self)
      row2.storeBytes(
        of: (place + 2 &* across).load(as: UInt32.self), toByteOffset: at &* 4, as: UInt32.self)
      row3.storeBytes(
        of: (place + 3 &* across).load(as: UInt32.self), toByteOffset: at &* 4, as: UInt32.self)
      at &+= 1
    }
    column &+= 4
  }
  while column < columns {
    let from = source + column &* across
    let to = destination + column &* rowBytes
    for at in 0..<rows {
      to.storeBytes(
        of: (from + at &* down).load(as: UInt32.self), toByteOffset: at &* 4, as: UInt32.self)
    }
    column &+= 1
  }
}

@inlinable @inline(__always)
func storeHalfColumns(
  _ source: UnsafeRawPointer, _ down: Int, _ across: Int,
  _ destination: UnsafeMutableRawPointer, _ rowBytes: Int, _ columns: Int, _ rows: Int
) {
  var column = 0
  while column &+ 8 <= columns {
    let from = source + column &* across
    // The lowest address of the eight columns.
    let low = across < 0 ? from + 7 &* across : from
    let to = destination + column &* rowBytes
    var at = 0
    while at &+ 8 <= rows {
      storeEightColumns(low + at &* down, down, across > 0, to + at &* 2, rowBytes)
      at &+= 8
    }
    for rest in at..<max(at, rows) {
      for n in 0..<8 {
        (to + n &* rowBytes).storeBytes(
          of: (from + n &* across + rest &* down).load(as: UInt16.self), toByteOffset: rest &* 2,
          as: UInt16.self)
      }
    }
    column &+= 8
  }
  while column < columns {
    let from = source + column &* across
    let to = destination + column &* rowBytes
    for at in 0..<rows {
      to.storeBytes(
        of: (from + at &* down).load(as: UInt16.self), toByteOffset: at &* 2, as: UInt16.self)
    }
    column &+= 1
  }
}

/// Writes eight columns of eight rows as eight rows: pairs of rows are interleaved to 32-bit
/// numbers, which are then transposed four by four.
@inlinable @inline(__always)
func storeEightColumns(
  _ source: UnsafeRawPointer, _ down: Int, _ forwards: Bool, _ destination: UnsafeMutableRawPointer,
  _ rowBytes: Int
) {
  let first = wovenRows(source, source + down)
  let second = wovenRows(source + 2 &* down, source + 3 &* down)
  let third = wovenRows(source + 4 &* down, source + 5 &* down)
  let fourth = wovenRows(source + 6 &* down, source + 7 &* down)
  storeWords(first.even, second.even, third.even, fourth.even, 0, forwards, destination, rowBytes)
  storeWords(first.odd, second.odd, third.odd, fourth.odd, 1, forwards, destination, rowBytes)
}

/// The pixels 0, 2, 4, 6 of two rows, each pair in a 32-bit number, and the pixels 1, 3, 5, 7.
@inlinable @inline(__always)
func wovenRows(
  _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer
) -> (even: SIMD4<UInt32>, odd: SIMD4<UInt32>) {
  let a = upper.loadUnaligned(as: SIMD4<UInt32>.self)
  let b = lower.loadUnaligned(as: SIMD4<UInt32>.self)
  let low = SIMD4<UInt32>(repeating: 0xffff)
  let half = SIMD4<UInt32>(repeating: 16)
  return ((a & low) | (b &<< half), (a &>> half) | (b & ~low))
}

/// Writes the columns of four interleaved rows that belong to pixels `first`, `first` + 2 ...
@inlinable @inline(__always)
func storeWords(
  _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>, _ first: Int,
  _ forwards: Bool, _ destination: UnsafeMutableRawPointer, _ rowBytes: Int
) {
  let columns = (
    SIMD4(a[0], b[0], c[0], d[0]), SIMD4(a[1], b[1], c[1], d[1]), SIMD4(a[2], b[2], c[2], d[2]),
    SIMD4(a[3], b[3], c[3], d[3])
  )
  func store(_ column: SIMD4<UInt32>, _ number: Int) {
    let row = forwards ? number : 7 &- number
    (destination + row &* rowBytes).storeBytes(of: column, as: SIMD4<UInt32>.self)
  }
  store(columns.0, first)
  store(columns.1, first &+ 2)
  store(columns.2, first &+ 4)
  store(columns.3, first &+ 6)
}
