import MapGeometry
import Pixels

/// A display: memory that shows what is written into it, and a pace for drawing.
///
/// A frame is `begin`, writing into the target, `present`. Belongs to the loop's thread.
public protocol Display: AnyObject {
  /// The kind of display: "headless", "drm" or "fbdev".
  var kind: String { get }
  /// The device file, "/dev/dri/card0"; nil if there is none.
  var device: String? { get }
  /// The panel's size in pixels, with the mounting's rotation not undone.
  var width: Int { get }
  var height: Int { get }
  var format: PixelFormat { get }
  /// How the panel is mounted, clockwise.
  var rotation: MountingRotation { get }
  /// Frames per second.
  var refreshRate: Double { get }
  /// Whether frames are visible. While it is false (asleep, or another program has the console),
  /// begin no frame. `onReady` is called when it becomes true again, and the next frame's age is 0.
  var isVisible: Bool { get }
  /// Whether the panel no longer shows the last frame, because it was dark or another program drew
  /// to it. False again after the next `present`.
  var isLost: Bool { get }
  /// Whether the panel still shows the last picture of the process before this one, until the first
  /// `present`.
  var showsEarlierPicture: Bool { get }
  /// Whether each frame waits for the panel, so that even a frame with little damage delays the
  /// next.
  var hasBeat: Bool { get }
  /// Whether a frame can be begun now. While false, `onReady` will be called when it can.
  var isReady: Bool { get }
  /// Called once after each presented frame, when the next one can be begun.
  var onReady: (() -> Void)? { get set }
  /// The number of buffers. A change must be drawn this many times to reach all of them.
  var bufferCount: Int { get }
  /// The memory to draw the next frame into, the same until `present`. Requires `isReady`.
  ///
  /// - Returns: the target, and how many frames ago its memory was presented: 1 means that it still
  ///   contains the last frame, 0 that its contents are unknown.
  func begin() -> (target: ScanoutBuffer, age: Int)
  /// Keeps the last frame visible until `present`. A display that draws straight to the screen
  /// copies it first.
  func keepPicture()
  /// Shows what was drawn. `damage` is what differs from the last frame, in panel pixels.
  func present(damage: [PixelRect])
  /// The number of frames presented since the start.
  var frame: Int { get }
  /// The frame memory in bytes.
  var bytes: Int { get }
  /// Reads the last frame presented, row by row from the top, as `width` pixels 0xFFRRGGBB; for
  /// screenshots. The pointer is valid until the next row. rgb565 is widened by bit replication.
  ///
  /// - Returns: false if the frame cannot be read.
  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool
}

extension PixelFormat {
  /// Widens `count` pixels of this format to 0xFFRRGGBB; rgb565 by bit replication.
  func widen(
    _ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
  ) {
    switch self {
    case .xrgb8888:
      let pixels = source.assumingMemoryBound(to: UInt32.self)
      for x in 0..<count { destination[x] = pixels[x] | 0xFF00_0000 }
    case .rgb565:
      expand565(source.assumingMemoryBound(to: UInt16.self), destination, count)
    }
  }
}

extension Display {
  /// Nil: there is no device file.
  public var device: String? { nil }
  /// Always true.
  public var isVisible: Bool { true }
  /// Always false.
  public var isLost: Bool { false }
  /// Always false.
  public var showsEarlierPicture: Bool { false }
  /// False: frames do not wait for a panel.
  public var hasBeat: Bool { false }
  /// One buffer.
  public var bufferCount: Int { 1 }
  /// Does nothing, because the target is not what is shown.
  public func keepPicture() {}

  /// The view's size in pixels: the panel's, with the mounting's rotation undone.
  public var viewSize: (width: Int, height: Int) {
    rotation == .none || rotation == .half ? (width, height) : (height, width)
  }
}
