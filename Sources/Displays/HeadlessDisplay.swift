import CLinux
import EventLoop
import Glibc
import MapGeometry
import Pixels

/// A display in memory, of any size and format, at the pace of a 60 Hz panel: after a frame, the
/// next one can begin at the next beat. While nothing is presented, nothing runs.
public final class HeadlessDisplay: Display {
  /// The largest width and height in pixels.
  public static let maxSide = 16384

  /// See `Display.kind`.
  public let kind = "headless"
  /// See `Display.width`.
  public let width: Int
  /// See `Display.height`.
  public let height: Int
  /// See `Display.format`.
  public let format: PixelFormat
  /// See `Display.rotation`.
  public let rotation: MountingRotation
  /// See `Display.refreshRate`.
  public let refreshRate = 60.0
  /// See `Display.isReady`.
  public private(set) var isReady = true
  /// See `Display.onReady`.
  public var onReady: (() -> Void)?
  /// See `Display.frame`.
  public private(set) var frame = 0

  private let memory: UnsafeMutableRawPointer
  private let isMapped: Bool
  /// The last frame presented, while another one is drawn that must not be seen yet.
  private var kept: UnsafeMutableRawPointer?
  private let rowBytes: Int
  private let beat: UInt64 = 1_000_000_000 / 60
  private let start = EventLoop.now()
  private var timer: LoopTimer?
  /// The thread that pre-faults `memory`.
  private var populating: pthread_t?
  /// Larger memory is not pre-faulted but populated while it is drawn.
  private static let mostPopulated = 64 << 20

  /// See `Display.bytes`.
  public var bytes: Int { rowBytes * height * (kept == nil ? 1 : 2) }
  /// See `Display.hasBeat`.
  public var hasBeat: Bool { timer != nil }

  /// - Parameters:
  ///   - width: the panel's width in pixels, clamped to 1 to 16384.
  ///   - height: the panel's height in pixels, clamped to 1 to 16384.
  ///   - format: the pixel format.
  ///   - rotation: how the panel is mounted, clockwise.
  ///   - loop: the loop of this thread; nil: without a pace, always ready.
  ///   - isPopulated: whether to pre-fault the memory on another thread, because it will be drawn
  ///     to soon. A stand-in for a panel touches no memory before its first frame.
  public init(
    width: Int, height: Int, format: PixelFormat, rotation: MountingRotation, loop: EventLoop?,
    isPopulated: Bool = false
  ) {
    self.width = min(max(width, 1), HeadlessDisplay.maxSide)
    self.height = min(max(height, 1), HeadlessDisplay.maxSide)
    self.format = format
    self.rotation = rotation
    rowBytes = (self.width * format.bytes + 63) & ~63
    // The kernel fills the memory with zeros.
    let size = rowBytes * self.height
    let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if let map, map != MAP_FAILED {
      memory = map
      isMapped = true
    } else {
      memory = .allocate(byteCount: size, alignment: 64)
      memset(memory, 0, size)
      isMapped = false
    }
    timer = loop?.timer { [weak self] in
      guard let self else { return }
      isReady = true
      onReady?()
    }
    if isPopulated, isMapped, size <= HeadlessDisplay.mostPopulated { populate(size) }
  }

  /// Pre-faults the framebuffer on another core while the kiosk gets ready.
  private func populate(_ size: Int) {
    final class Pages: Sendable {
      // Unchecked: only one thread has it, touches only its pages, and is joined before the memory
      // is freed.
      nonisolated(unsafe) let memory: UnsafeMutableRawPointer
      let size: Int
      init(_ memory: UnsafeMutableRawPointer, _ size: Int) {
        self.memory = memory
        self.size = size
      }
    }
    let pages = Unmanaged.passRetained(Pages(memory, size))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        let pages = Unmanaged<Pages>.fromOpaque(raw).takeRetainedValue()
        // With pauses, in which other threads may map memory.
        let part = 256 << 10
        for at in stride(from: 0, to: pages.size, by: part) {
          waypost_populate(pages.memory + at, min(part, pages.size - at))
          usleep(1)
        }
        return nil
      }, pages.toOpaque())
    if result == 0 { populating = thread } else { pages.release() }
  }

  deinit {
    if let populating { pthread_join(populating, nil) }
    if isMapped { munmap(memory, rowBytes * height) } else { memory.deallocate() }
    kept?.deallocate()
  }

  /// See `Display.begin()`.
  public func begin() -> (target: ScanoutBuffer, age: Int) {
    (
      ScanoutBuffer(
        base: memory, rowBytes: rowBytes, width: width, height: height, format: format),
      frame == 0 ? 0 : 1
    )
  }

  /// See `Display.keepPicture()`.
  public func keepPicture() {
    if kept != nil { return }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: rowBytes * height, alignment: 64)
    copy.copyMemory(from: memory, byteCount: rowBytes * height)
    kept = copy
  }

  /// See `Display.present(damage:)`.
  public func present(damage: [PixelRect]) {
    kept?.deallocate()
    kept = nil
    frame += 1
    guard let timer else { return }
    isReady = false
    let now = EventLoop.now()
    let beats = (now - start) / beat + 1
    timer.arm(at: start + beats * beat)
  }

  /// See `Display.readFrame(_:)`.
  public func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    defer { words.deallocate() }
    for y in 0..<height {
      let source = UnsafeRawPointer(kept ?? memory) + y * rowBytes
      format.widen(source, words, width)
      row(y, words)
    }
    return true
  }
}
