import Drawing
import Images
import MapStyle
import Pixels
import TileFormats

/// Draws a part of a picture over all of a canvas.
struct PicturePainter {
  /// The edge in pixels of the largest decoded picture; larger ones are reduced as they are read.
  static let maxSide = 1024

  let part: VectorTilePart
  let isNearest: Bool
  let colors: RasterColors?
  /// 0 (nothing) ... 1.
  let opacity: Double
  let canvas: PixelCanvas
  /// Whether all pixels of the canvas are opaque.
  let isOpaque: Bool
  let decoder: TileDecoder
  let isCancelled: () -> Bool

  /// What was drawn.
  enum Outcome {
    /// The picture. `isOpaque`: every pixel of the canvas is opaque now if it was drawn in full
    /// opacity.
    case drawn(isOpaque: Bool)
    /// A part of it, or nothing.
    case cancelled
    /// Nothing; it cannot be decoded.
    case failed(String)
    /// Nothing; the system has no memory for it.
    case lacksMemory(String)
  }

  /// Draws the picture in `bytes`.
  ///
  /// A reduced picture is reduced as a whole, by area average, and then cut. An enlarged one is
  /// sampled between its pixels in this part only, so that neighbouring parts meet.
  func draw(_ bytes: UnsafeRawBufferPointer, as format: TileFormat) -> Outcome {
    guard canvas.width > 0, canvas.height == canvas.width, !isCancelled() else {
      return .cancelled
    }
    let own: Int
    do throws(ImageError) {
      let info = try decoder.probe(bytes)
      own = min(max(info.width, info.height), PicturePainter.maxSide)
    } catch {
      return error.lacksMemory ? .lacksMemory(error.reason) : .failed(error.reason)
    }
    // The edge of the whole picture when this part of it covers the canvas.
    let whole = canvas.width << part.levels
    let side = !isNearest && whole <= own ? whole : own
    let room = side * side + (side + 2) + canvas.width
    let outcome = PictureMemory.with(room) { memory -> Outcome in
      let isOpaque: Bool
      do throws(ImageError) {
        isOpaque = try decoder.decodeARGB(
          bytes, as: format, edge: side, into: memory, rowBytes: side * 4)
      } catch {
        return error.lacksMemory ? .lacksMemory(error.reason) : .failed(error.reason)
      }
      let rows = PictureRows(
        pixels: memory, side: side, whole: whole, width: canvas.width,
        left: part.column * canvas.width, top: part.row * canvas.width,
        spare: memory + side * side, line: memory + side * side + side + 2)
      let places = isNearest ? rows.nearestColumns : []
      for y in 0..<canvas.height {
        if y & 31 == 31, isCancelled() { return .cancelled }
        blend(isNearest ? rows.nearest(y, places) : rows.linear(y), y)
      }
      return .drawn(isOpaque: isOpaque && opacity >= 1)
    }
    return outcome ?? .lacksMemory("there is no memory for its picture")
  }

  private func blend(_ line: UnsafeMutablePointer<UInt32>, _ y: Int) {
    colors?.apply(to: line, count: canvas.width)
    let row = canvas.pixels + y * canvas.stride
    if isOpaque {
      blendOver(line, into: row, canvas.width, opacity: Int((opacity * 256).rounded()))
      return
    }
    let factor = UInt32((opacity * 255).rounded())
    for x in 0..<canvas.width {
      let source = factor == 255 ? line[x] : Self.faded(line[x], factor)
      row[x] = source &+ Self.faded(row[x], 255 &- source &>> 24)
    }
  }

  /// All channels of a premultiplied pixel times `factor` / 255, rounded.
  @inline(__always)
  private static func faded(_ word: UInt32, _ factor: UInt32) -> UInt32 {
    @inline(__always) func times(_ pair: UInt32) -> UInt32 {
      let product = pair &* factor &+ 0x0080_0080
      return (product &+ (product &>> 8 & 0x00FF_00FF)) &>> 8 & 0x00FF_00FF
    }
    return times(word & 0x00FF_00FF) | times(word &>> 8 & 0x00FF_00FF) &<< 8
  }
}

/// The rows of a part of a picture, in the size of the canvas.
private struct PictureRows {
  /// The decoded picture.
  let pixels: UnsafeMutablePointer<UInt32>
  /// Its edge in pixels.
  let side: Int
  /// The edge that it has where its part covers the canvas, `side` or more if it is enlarged.
  let whole: Int
  /// The canvas's width.
  let width: Int
  /// The part's place in the enlarged picture.
  let left: Int
  let top: Int
  /// Room for `side + 2` pixels.
  let spare: UnsafeMutablePointer<UInt32>
  /// Room for a row of the canvas.
  let line: UnsafeMutablePointer<UInt32>

  /// Row `y`, softly enlarged; valid until the next one.
  func linear(_ y: Int) -> UnsafeMutablePointer<UInt32> {
    if side == whole {
      copyRow(pixels + (top + y) * side + left, line, width)
      return line
    }
    let ratio = Double(side) / Double(whole)
    let v = min(max((Double(top + y) + 0.5) * ratio - 0.5, 0), Double(side - 1))
    let upper = Int(v)
    let lower = min(upper + 1, side - 1)
    let weight = Int((v - Double(upper)) * 128)
    // Beyond the picture's edges, its last pixels are repeated.
    let u = (Double(left) + 0.5) * ratio - 0.5
    let first = Int(u.rounded(.down))
    let last = min(Int((u + ratio * Double(width - 1)).rounded(.down)) + 1, side)
    let (low, high) = (max(first, 0), min(last, side - 1))
    lerpRows(
      pixels + upper * side + low, pixels + lower * side + low, weight: weight,
      spare + (low - first), high - low + 1)
    if first < low { spare[0] = spare[1] }
    if last > high { spare[last - first] = spare[high - first] }
    resampleRow(
      source: spare, destination: line, count: width,
      position: Int((u - Double(first)) * 65536), step: Int(ratio * 65536))
    return line
  }

  /// The picture's columns for the canvas's.
  var nearestColumns: [Int32] {
    (0..<width).map { Int32(clamping: place(left + $0)) }
  }

  /// Row `y` without mixing pixels; valid until the next one.
  func nearest(_ y: Int, _ columns: [Int32]) -> UnsafeMutablePointer<UInt32> {
    let row = pixels + place(top + y) * side
    for x in 0..<width { line[x] = row[Int(columns[x])] }
    return line
  }

  /// The picture's pixel at the middle of a pixel of the enlarged one.
  private func place(_ at: Int) -> Int { min((2 * at + 1) * side / (2 * whole), side - 1) }
}
