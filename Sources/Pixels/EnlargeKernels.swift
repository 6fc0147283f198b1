/// Writes a part of one row of a tile enlarged 2^shift times, which stands in for the tile's
/// descendants until they arrive.
///
/// Bilinear with aligned pixel centres: the enlarged tile's pixel (u, v) is sampled at column `(u +
/// 0.5) / 2^shift - 0.5`, and the row likewise, clamped to the tile. Weights have 7 bits, so with a
/// shift of 7 and more they repeat. With shift 0 the tile's row is copied.
///
/// - Parameters:
///   - tile: 32-bit pixels, xrgb or premultiplied ARGB.
///   - rowBytes: Bytes from one row of the tile to the next.
///   - edge: The tile's width and height, 1 or more.
///   - shift: 0 ... 16.
///   - u: The first column of the enlarged tile, 0 ..< edge << shift.
///   - v: The row of the enlarged tile, 0 ..< edge << shift.
///   - destination: `count` pixels; may be scanout memory.
///   - count: The number of pixels to write; columns beyond the enlarged tile repeat its last one.
///   - scratch: `2 * edge + 2` pixels of cached memory, separate from the destination.
@inlinable
public func enlargeSpan(
  tile: UnsafeRawPointer, rowBytes: Int, edge: Int, shift: Int, u: Int, v: Int,
  destination: UnsafeMutablePointer<UInt32>, count: Int, scratch: UnsafeMutablePointer<UInt32>
) {
  let rows = EnlargedPlace(v, shift: shift, edge: edge)
  let upper = (tile + rows.first &* rowBytes).assumingMemoryBound(to: UInt32.self)
  let lower = (tile + rows.second &* rowBytes).assumingMemoryBound(to: UInt32.self)
  let span = EnlargedSpan(u: u, count: count, shift: shift, edge: edge)
  lerpRows(
    upper + span.first, lower + span.first, weight: rows.weight, scratch + 1, span.columns)
  span.write(scratch, destination, count)
}

/// `enlargeSpan` for a tile of RGB565, widened on the fly. Writes xrgb pixels.
@inlinable
public func enlargeSpan565(
  tile: UnsafeRawPointer, rowBytes: Int, edge: Int, shift: Int, u: Int, v: Int,
  destination: UnsafeMutablePointer<UInt32>, count: Int, scratch: UnsafeMutablePointer<UInt32>
) {
  let rows = EnlargedPlace(v, shift: shift, edge: edge)
  let span = EnlargedSpan(u: u, count: count, shift: shift, edge: edge)
  let upper = (tile + rows.first &* rowBytes).assumingMemoryBound(to: UInt16.self)
  expand565(upper + span.first, scratch + 1, span.columns)
  if rows.weight > 0 {
    let lower = (tile + rows.second &* rowBytes).assumingMemoryBound(to: UInt16.self)
    let other = scratch + (edge &+ 2)
    expand565(lower + span.first, other, span.columns)
    lerpRows(
      UnsafePointer(scratch + 1), UnsafePointer(other), weight: rows.weight, scratch + 1,
      span.columns)
  }
  span.write(scratch, destination, count)
}

/// Where a row of an enlarged tile is sampled: two of the tile's rows, and the second one's weight.
@frozen @usableFromInline
struct EnlargedPlace {
  @usableFromInline let first: Int
  @usableFromInline let second: Int
  /// The second row's weight, 0 ... 127.
  @usableFromInline let weight: Int

  @inlinable @inline(__always)
  init(_ place: Int, shift: Int, edge: Int) {
    // (v + 0.5) / 2^k - 0.5 in 16.16 fixed point, exact to a shift of 15.
    let sample = (((2 &* place &+ 1) &<< 16) &>> (shift &+ 1)) &- 0x8000
    let whole = sample &>> 16
    first = max(0, min(edge &- 1, whole))
    second = max(0, min(edge &- 1, whole &+ 1))
    weight = first == second ? 0 : (sample &>> 9) & 127
  }
}

/// The columns of a tile that a span of its enlarged row is sampled from.
@frozen @usableFromInline
struct EnlargedSpan {
  /// The first column; the number of columns follows.
  @usableFromInline let first: Int
  @usableFromInline let columns: Int
  /// The first pixel's position in the scratch row, 16.16; pixel 0 there is the column before
  /// `first`.
  @usableFromInline let position: Int
  @usableFromInline let step: Int

  @inlinable @inline(__always)
  init(u: Int, count: Int, shift: Int, edge: Int) {
    step = 65536 &>> shift
    let start = (((2 &* u &+ 1) &<< 16) &>> (shift &+ 1)) &- 0x8000
    let end = start &+ step &* max(0, count &- 1)
    first = max(0, min(edge &- 1, start &>> 16))
    columns = max(first, min(edge &- 1, (end &>> 16) &+ 1)) &- first &+ 1
    position = start &- (first &- 1) &* 65536
  }

  /// Writes the span from a scratch row whose pixels 1 ... columns are filled.
  @inlinable @inline(__always)
  func write(
    _ scratch: UnsafeMutablePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt32>,
    _ count: Int
  ) {
    // The tile's edges are clamped by repeating them.
    scratch[0] = scratch[1]
    scratch[columns &+ 1] = scratch[columns]
    let inside = min(count, pixelsBefore(columns &+ 1))
    resampleRow(
      source: UnsafePointer(scratch), destination: destination, count: inside, position: position,
      step: step)
    if inside < count {
      fill(destination + max(0, inside), scratch[columns], count &- max(0, inside))
    }
  }

  /// How many samples are left of a pixel of the scratch row.
  @inlinable @inline(__always)
  func pixelsBefore(_ place: Int) -> Int {
    max(0, ((place &<< 16) &- position &+ step &- 1) / max(1, step))
  }
}
