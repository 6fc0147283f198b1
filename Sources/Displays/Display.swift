import MapGeometry
import Pixels

/// A display: memory that shows what is written into it, and a beat to draw to.
///
/// A frame is `begin`, writing into the target, `present`. Belongs to the loop's thread.
public protocol Display: AnyObject {
  /// "headless", "drm" or "fbdev".
  var kind: String { get }
  /// Its file: "/dev/dri/card0"; nil where it has none.
  var device: String? { get }
  /// The panel's size in pixels, as mounted: before the mounting rotation is undone.
  var width: Int { get }
  var height: Int { get }
  var format: PixelFormat { get }
  /// How the panel is mounted, clockwise.
  var rotation: MountingRotation { get }
  /// Frames a second.
  var refreshRate: Double { get }
  /// Whether frames are visible. While false (asleep, or another program has the console) begin no
  /// frame; `onReady` is called when it becomes true again, and the next frame's age is 0.
  var isVisible: Bool { get }
  /// The panel no longer shows the last frame: it was dark, or another program drew to it. False
  /// again after the next `present`.
  var isLost: Bool { get }
  /// Whether each frame waits for the panel, so that a frame with little damage delays the next.
  var hasBeat: Bool { get }
  /// A frame can be begun now. While false, `onReady` will be called when it can.
  var isReady: Bool { get }
  /// Called once after each presented frame, when the next one can be begun.
  var onReady: (() -> Void)? { get set }
  /// How many buffers the display has: a change must be drawn that often to be in all of them.
  var bufferCount: Int { get }
  /// The memory to draw the next frame into: the same until `present`. `isReady` must be true.
  ///
  /// - Returns: the target, and how many frames ago its memory was presented: 1 means that it still
  ///   holds the last frame, 0 that what it holds is not known.
  func begin() -> (target: ScanoutBuffer, age: Int)
  /// Hides what is drawn until `present`: a display that draws straight to the screen copies the
  /// last frame first.
  func keepPicture()
  /// Shows what was drawn. `damage`: what differs from the last frame, in panel pixels.
  func present(damage: [PixelRect])
  /// How many frames were presented.
  var frame: Int { get }
  /// Bytes of frame memory.
  var bytes: Int { get }
  /// Reads the last frame presented, row by row from the top, as `width` words 0xFFRRGGBB; for
  /// screenshots. The pointer is valid until the next row. rgb565 is widened by bit replication.
  ///
  /// - Returns: false where the frame cannot be read.
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
  /// No file.
  public var device: String? { nil }
  /// Always.
  public var isVisible: Bool { true }
  /// Never.
  public var isLost: Bool { false }
  /// It does not wait.
  public var hasBeat: Bool { false }
  /// One.
  public var bufferCount: Int { 1 }
  /// Nothing: the target is not what is shown.
  public func keepPicture() {}

  /// The view's size in pixels: the panel's, turned upright.
  public var viewSize: (width: Int, height: Int) {
    rotation == .none || rotation == .half ? (width, height) : (height, width)
  }
}
