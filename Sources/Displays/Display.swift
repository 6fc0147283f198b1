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
  /// Whether what is drawn can be seen. While false (asleep, or the console belongs to someone
  /// else) no frame is begun; `onReady` is called when it is true again, and then the age is 0.
  var isVisible: Bool { get }
  /// The panel does not show the last frame presented: it was dark or in other hands since. False
  /// again with the next `present`.
  var isLost: Bool { get }
  /// After a frame the next one has to wait for the panel, so that a frame with little in it keeps
  /// the whole one waiting.
  var hasBeat: Bool { get }
  /// A frame can be begun now. While false, `onReady` will be called when it can.
  var isReady: Bool { get }
  /// Called once after each presented frame, when the next one can be begun.
  var onReady: (() -> Void)? { get set }
  /// How many frames the display's memory holds: as often as that something must be drawn before it
  /// is in every one of them.
  var bufferCount: Int { get }
  /// The memory to draw the next frame into: the same until `present`. `isReady` must be true.
  ///
  /// - Returns: the target, and how many frames ago its memory was presented: 1 means that it still
  ///   holds the last frame, 0 that what it holds is not known.
  func begin() -> (target: ScanoutBuffer, age: Int)
  /// What is drawn from now until `present` is not to be seen before: a display whose frames are
  /// drawn where they are shown makes a copy of the last one.
  func keepPicture()
  /// Shows what was drawn. `damage`: what differs from the last frame, in panel pixels.
  func present(damage: [PixelRect])
  /// How many frames were presented.
  var frame: Int { get }
  /// Bytes of frame memory.
  var bytes: Int { get }
  /// Hands over the rows of the last frame presented, from the first to the last, `width` words
  /// 0xFFRRGGBB each (the pointer is good until the next row); for screenshots. rgb565 is widened
  /// by bit replication. False: the frame cannot be read.
  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool
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
