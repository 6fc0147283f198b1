import Displays
import MapGeometry
import Pixels

/// A headless display that remembers what each frame changed.
final class RecordingDisplay: Display {
  private let display: HeadlessDisplay
  /// The damage of every frame, in panel pixels.
  var damage: [[PixelRect]] = []

  /// What the kiosk is told of the panel.
  var (hasBeat, showsEarlierPicture) = (false, false)
  /// Another rate than the display's, in Hz.
  var rate: Double?
  /// Called before each frame.
  var onBegin: (() -> Void)?

  init(_ display: HeadlessDisplay) { self.display = display }

  var kind: String { display.kind }
  var width: Int { display.width }
  var height: Int { display.height }
  var format: PixelFormat { display.format }
  var rotation: MountingRotation { display.rotation }
  var refreshRate: Double { rate ?? display.refreshRate }
  var isReady: Bool { display.isReady }
  var onReady: (() -> Void)? {
    get { display.onReady }
    set { display.onReady = newValue }
  }
  var frame: Int { display.frame }
  var bytes: Int { display.bytes }

  func begin() -> (target: ScanoutBuffer, age: Int) {
    onBegin?()
    return display.begin()
  }

  func present(damage rects: [PixelRect]) {
    damage.append(rects)
    display.present(damage: rects)
  }

  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    display.readFrame(row)
  }
}
