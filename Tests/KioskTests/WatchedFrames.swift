import Displays
import MapGeometry
import Pixels

/// A display that looks at every frame as soon as it is presented, as an eye would.
final class WatchedFrames: Display {
  let display: any Display
  /// Every frame's pixels since the last look.
  var frames: [[UInt32]] = []
  var isDark = false

  init(_ display: any Display) { self.display = display }

  var kind: String { display.kind }
  var width: Int { display.width }
  var height: Int { display.height }
  var format: PixelFormat { display.format }
  var rotation: MountingRotation { display.rotation }
  var refreshRate: Double { display.refreshRate }
  var isReady: Bool { display.isReady }
  var isLost: Bool { display.isLost }
  var bufferCount: Int { display.bufferCount }
  var onReady: (() -> Void)? {
    get { display.onReady }
    set { display.onReady = newValue }
  }
  var frame: Int { display.frame }
  var bytes: Int { display.bytes }

  func begin() -> (target: ScanoutBuffer, age: Int) { display.begin() }
  func keepPicture() { display.keepPicture() }

  func present(damage: [PixelRect]) {
    display.present(damage: damage)
    frames.append(pixels)
  }

  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    display.readFrame(row)
  }

  /// What is to be seen now.
  var pixels: [UInt32] {
    var words: [UInt32] = []
    let isRead = display.readFrame { _, row in
      words.append(contentsOf: UnsafeBufferPointer(start: row, count: width))
    }
    return isRead ? words : []
  }
}
