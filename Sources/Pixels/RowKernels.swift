// Rows of pixels: the lanes that every kernel works in, filling, and conversion of RGB565.
//
// Rules for all kernels of this folder:
// - 32-bit pixels are native `0xAARRGGBB`; an xrgb row's alpha byte is 255. Pointers need only
//   their type's own alignment.
// - Nothing is allocated, locked or counted. A destination is never read (it may be write-combined
//   scanout memory) unless the kernel's comment says that it blends.
// - `count` is in pixels; zero and less do nothing.
// - A vector's lanes are never widened or narrowed, because such conversions do not become single
//   instructions. Bytes are processed as the even and the odd bytes of 16-bit lanes.

import CPixels

/// Eight 16-bit lanes: four pixels as (green, blue), (alpha, red).
public typealias Lanes = SIMD8<UInt16>

/// The same lanes with a sign.
public typealias SignedLanes = SIMD8<Int16>

/// Loads four pixels from any address with a pixel's alignment.
@inlinable @inline(__always)
func load4(_ source: UnsafePointer<UInt32>) -> Lanes {
  UnsafeRawPointer(source).loadUnaligned(as: Lanes.self)
}

@inlinable @inline(__always)
func store4(_ pixels: Lanes, _ destination: UnsafeMutablePointer<UInt32>) {
  UnsafeMutableRawPointer(destination).storeBytes(of: pixels, as: Lanes.self)
}

@inlinable @inline(__always)
func signed(_ lanes: Lanes) -> SignedLanes { unsafeBitCast(lanes, to: SignedLanes.self) }

@inlinable @inline(__always)
func unsigned(_ lanes: SignedLanes) -> Lanes { unsafeBitCast(lanes, to: Lanes.self) }

@inlinable @inline(__always)
func words(_ lanes: Lanes) -> SIMD4<UInt32> { unsafeBitCast(lanes, to: SIMD4<UInt32>.self) }

@inlinable @inline(__always)
func lanes(_ words: SIMD4<UInt32>) -> Lanes { unsafeBitCast(words, to: Lanes.self) }

/// The bytes 0, 2, 4 ... (blue and red) as 16-bit lanes.
@inlinable @inline(__always)
func evenBytes(_ pixels: Lanes) -> Lanes { pixels & Lanes(repeating: 0xff) }

/// The bytes 1, 3, 5 ... (green and alpha) as 16-bit lanes.
@inlinable @inline(__always)
func oddBytes(_ pixels: Lanes) -> Lanes { pixels &>> Lanes(repeating: 8) }

/// Joins what `evenBytes` and `oddBytes` split; every lane is 0 ... 255.
@inlinable @inline(__always)
func joined(_ even: Lanes, _ odd: Lanes) -> Lanes { even | (odd &<< Lanes(repeating: 8)) }

/// Copies `count` 32-bit pixels. The two rows must not overlap.
@inlinable @inline(__always)
public func copyRow(
  _ source: UnsafePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  guard count > 0 else { return }
  UnsafeMutableRawPointer(destination).copyMemory(from: source, byteCount: count &* 4)
}

/// Copies bytes to a display's memory, past the processor's caches where it can do that: 64 bytes
/// at once, so that rows that begin and end with a whole line of 64 bytes are the fastest.
/// `finishStreaming` must follow before anybody reads them.
@inline(__always)
public func stream(
  _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer, byteCount: Int
) {
  guard byteCount > 0 else { return }
  waypost_stream(source, destination, byteCount)
}

/// Whether streamed rows pass by the processor's caches; elsewhere they are copied.
@inline(__always)
public var streamsPastCaches: Bool {
  #if arch(x86_64)
    true
  #else
    false
  #endif
}

/// Waits until all that this thread streamed can be read by others.
public func finishStreaming() { waypost_streamed() }

/// Writes `color` to `count` 32-bit pixels.
@inlinable
public func fill(_ destination: UnsafeMutablePointer<UInt32>, _ color: UInt32, _ count: Int) {
  let four = lanes(SIMD4(repeating: color))
  var at = 0
  while at &+ 4 <= count {
    store4(four, destination + at)
    at &+= 4
  }
  while at < count {
    destination[at] = color
    at &+= 1
  }
}

/// Writes `color` to `count` 16-bit pixels.
@inlinable
public func fill(_ destination: UnsafeMutablePointer<UInt16>, _ color: UInt16, _ count: Int) {
  let eight = Lanes(repeating: color)
  var at = 0
  while at &+ 8 <= count {
    UnsafeMutableRawPointer(destination + at).storeBytes(of: eight, as: Lanes.self)
    at &+= 8
  }
  while at < count {
    destination[at] = color
    at &+= 1
  }
}
