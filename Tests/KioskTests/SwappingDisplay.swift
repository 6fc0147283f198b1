import Displays
import EventLoop
import MapGeometry
import Pixels

/// A display with several memories that are shown in turn, as real ones have. What a memory holds
/// before it was first drawn is pink; it can go dark and forget.
final class SwappingDisplay: Display {
  private var memories: [HeadlessDisplay] = []
  private var shownAt: [Int] = []
  private var next = 0
  private var last = 0
  private let rowBytes: Int

  let kind = "swapping"
  let width: Int
  let height: Int
  let format = PixelFormat.xrgb8888
  let rotation = MountingRotation.none
  let refreshRate = 60.0
  var isReady = true
  var isVisible = true
  private(set) var isLost = false
  var onReady: (() -> Void)?
  private(set) var frame = 0
  var bufferCount: Int { memories.count }
  var bytes: Int { memories.reduce(0) { $0 + $1.bytes } }

  private var beat: LoopTimer?

  /// - Parameter loop: the display is ready again some time after each frame, as a real one; nil:
  ///   at once.
  init(width: Int, height: Int, memories count: Int, loop: EventLoop? = nil) {
    (self.width, self.height) = (width, height)
    rowBytes = width * 4
    for _ in 0..<count {
      memories.append(
        HeadlessDisplay(width: width, height: height, format: .xrgb8888, rotation: .none, loop: nil)
      )
    }
    shownAt = Array(repeating: 0, count: count)
    forget()
    beat = loop?.timer { [unowned self] in
      isReady = true
      onReady?()
    }
  }

  func forget() {
    isLost = frame > 0
    for i in memories.indices {
      shownAt[i] = 0
      memories[i].begin().target.fill(
        PixelRect(x: 0, y: 0, width: width, height: height), color: 0xFF00FF)
    }
  }

  func begin() -> (target: ScanoutBuffer, age: Int) {
    (memories[next].begin().target, shownAt[next] == 0 ? 0 : frame + 1 - shownAt[next])
  }

  func present(damage: [PixelRect]) {
    frame += 1
    isLost = false
    shownAt[next] = frame
    last = next
    next = (next + 1) % memories.count
    if let beat {
      isReady = false
      beat.arm(after: 4_000_000)
    }
  }

  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    memories[last].readFrame(row)
  }
}
