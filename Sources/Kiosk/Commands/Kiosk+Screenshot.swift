import Displays
import Images
import Pixels

/// A picture of what is on the display.
public struct DisplayPicture: Sendable {
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The number of the frame that it shows.
  public var frame: Int
  /// A PNG file.
  public var png: [UInt8]
}

extension Kiosk {
  /// The last frame presented, pixel for pixel, turned upright.
  ///
  /// - Throws: `ImageError` where the display's frame cannot be read back, or a PNG file cannot hold it.
  public func screenshot() throws(ImageError) -> DisplayPicture {
    let display = pipeline.display
    let (width, height) = display.viewSize
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: width * height)
    defer { words.deallocate() }
    let couldRead = display.readFrame { y, row in
      if display.rotation == .none {
        (words + y * width).update(from: row, count: width)
        return
      }
      for x in 0..<display.width {
        let at = display.rotation.viewPoint(
          panelX: x, panelY: y, viewWidth: width, viewHeight: height)
        words[at.y * width + at.x] = row[x]
      }
    }
    if !couldRead { throw ImageError("the display's frame cannot be read back") }
    // Level 2: a tenth of the time of 6, some tenths more bytes.
    let png = try PNGWriter.encode(
      words, width: width, height: height, rowBytes: width * 4, compression: 2)
    return DisplayPicture(width: width, height: height, frame: presentedFrames, png: png)
  }
}
