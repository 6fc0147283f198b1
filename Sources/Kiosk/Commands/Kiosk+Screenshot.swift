import Displays
import Images
import Pixels

/// A picture of what is on the display.
public struct DisplayPicture: Sendable {
  /// The width in pixels, with the mounting rotation undone.
  public var width: Int
  /// The height in pixels, with the mounting rotation undone.
  public var height: Int
  /// The number of the frame that it shows.
  public var frame: Int
  /// The picture as a PNG file.
  public var png: [UInt8]
}

/// A copy of a frame, which any thread may encode.
package struct FrameCopy: Sendable {
  /// The size in pixels, with the mounting rotation undone.
  package let width, height: Int
  /// The frame's number.
  package let frame: Int
  /// Row by row, 0xXXRRGGBB.
  private let pixels: [UInt32]

  init(width: Int, height: Int, frame: Int, pixels: [UInt32]) {
    self.width = width
    self.height = height
    self.frame = frame
    self.pixels = pixels
  }

  /// The memory use of the copy in bytes.
  package var bytes: Int { pixels.count * 4 }

  /// Encodes the copy as a PNG file.
  ///
  /// - Returns: The file with its size.
  /// - Throws: `ImageError` if there is no memory for it.
  package func png() throws(ImageError) -> DisplayPicture {
    let result = pixels.withUnsafeBufferPointer { words -> Result<[UInt8], ImageError> in
      guard let base = words.baseAddress else {
        return .failure(ImageError("the display has no pixels"))
      }
      do throws(ImageError) {
        // Level 2 takes a tenth of the time of level 6, for somewhat more bytes.
        return .success(
          try PNGWriter.encode(
            base, width: width, height: height, rowBytes: width * 4, compression: 2))
      } catch {
        return .failure(error)
      }
    }
    return DisplayPicture(width: width, height: height, frame: frame, png: try result.get())
  }
}

extension Kiosk {
  /// The last frame presented, pixel for pixel, turned upright.
  ///
  /// - Throws: `ImageError` if the frame cannot be read back, or if a PNG file cannot hold it.
  public func screenshot() throws(ImageError) -> DisplayPicture {
    guard let copy = copyFrame() else {
      throw ImageError("the display's frame cannot be read back")
    }
    return try copy.png()
  }

  /// Copies the last frame presented, turned upright; nil if the display cannot be read back.
  package func copyFrame() -> FrameCopy? {
    let display = pipeline.display
    let (width, height) = display.viewSize
    var couldRead = false
    let pixels = [UInt32](unsafeUninitializedCapacity: width * height) { words, count in
      guard let base = words.baseAddress else { return }
      base.initialize(repeating: 0, count: width * height)
      couldRead = display.readFrame { y, row in
        if display.rotation == .none {
          (base + y * width).update(from: row, count: width)
          return
        }
        for x in 0..<display.width {
          let at = display.rotation.viewPoint(
            panelX: x, panelY: y, viewWidth: width, viewHeight: height)
          base[at.y * width + at.x] = row[x]
        }
      }
      count = width * height
    }
    if !couldRead { return nil }
    return FrameCopy(width: width, height: height, frame: presentedFrames, pixels: pixels)
  }
}
