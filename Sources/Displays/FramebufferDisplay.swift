import EventLoop
import Glibc
import MapGeometry
import Pixels

/// A framebuffer device, /dev/fbN.
///
/// If its pixels are XRGB8888 or RGB565 and the driver can show either of two pictures, frames are
/// drawn into the hidden one and shown by panning. Otherwise they are drawn into ordinary memory
/// (in the same format, or the requested one), and the damage is copied, converted to the driver's
/// channels. The framebuffer itself is never read for drawing.
///
/// A clock sets the pace, at the panel's rate if that can be measured, else at 60 Hz. The call that
/// waits for a vertical blank (FBIO_WAITFORVSYNC) would block the loop's thread, and there is no
/// descriptor to wait on instead, so it is used only at the start, for measuring. A driver whose
/// pan itself waits for the blank sets the pace.
public final class FramebufferDisplay: Display {
  /// See `Display.kind`.
  public let kind = "fbdev"
  /// The device file, "/dev/fb0".
  public let device: String?
  /// See `Display.bufferCount`.
  public var bufferCount: Int { isDirect ? 2 : 1 }
  /// See `Display.width`.
  public let width: Int
  /// See `Display.height`.
  public let height: Int
  /// See `Display.format`.
  public let format: PixelFormat
  /// See `Display.rotation`.
  public let rotation: MountingRotation
  /// See `Display.refreshRate`.
  public let refreshRate: Double
  /// See `Display.isVisible`.
  public private(set) var isVisible = true
  /// See `Display.isReady`.
  public var isReady: Bool { isVisible && isBeat && !isClosed }
  /// See `Display.isLost`.
  public private(set) var isLost = false
  /// See `Display.onReady`.
  public var onReady: (() -> Void)?
  /// See `Display.frame`.
  public private(set) var frame = 0

  private let fb: FramebufferDevice
  private let memory: FramebufferMemory
  /// The shadow that frames are drawn into; nil: drawn into the framebuffer itself.
  private var shadow: Shadow?
  /// For drawing into the framebuffer: the picture that is shown, 0 or 1, and the frame in which
  /// each was drawn; 0: never.
  private var front = 0
  private var drawnIn = [0, 0]
  /// Whether the panel's contents differ from the shadow's.
  private var isStale = true
  private var isBlackened = false
  private var isAsleep = false
  private var isAway = false
  private var isClosed = false

  private let beat: UInt64
  private var timer: LoopTimer?
  private var isBeat = true
  private var anchor: UInt64 = 0
  /// When the frame that is being drawn was begun, in nanoseconds of CLOCK_MONOTONIC.
  private var begunAt: UInt64?

  /// A picture in ordinary memory.
  private final class Shadow {
    let base: UnsafeMutableRawPointer
    let rowBytes: Int
    let bytes: Int

    init(width: Int, height: Int, format: PixelFormat) {
      rowBytes = (width * format.bytes + 63) & ~63
      bytes = rowBytes * height
      base = .allocate(byteCount: bytes, alignment: 64)
      memset(base, 0, bytes)
    }

    deinit { base.deallocate() }
  }

  /// Opens the device, in the requested mode if the driver accepts it.
  ///
  /// - Parameters:
  ///   - request: the mode and the rotation that are wanted.
  ///   - path: the device file, "/dev/fb0".
  ///   - loop: the loop of this thread; nil: without a pace, always ready.
  ///   - activates: whether to set the present mode as well. A driver that appears while the
  ///     console is in graphics mode has a mode that nobody has set yet.
  /// - Throws: `FramebufferError` if the device cannot be opened or mapped, or its mode is unknown.
  public init(
    _ request: FramebufferRequest, path: String, loop: EventLoop?, activates: Bool = false
  ) throws(FramebufferError) {
    fb = try FramebufferDevice(request, path: path, activates: activates)
    let layout = fb.layout
    device = path
    width = layout.width
    height = layout.height
    format = request.format ?? layout.format.drawing
    rotation = request.rotation
    let isDirect =
      layout.format.scanout == format && layout.canDouble && fb.isTrusted
      && layout.top == 0 && layout.left == 0 && layout.rowBytes % format.bytes == 0
    memory = try FramebufferMemory(fb, rows: isDirect ? 2 * height : layout.top + height)
    let period = fb.framePeriod()
    beat = period ?? 1_000_000_000 / 60
    refreshRate = period.map { 1e9 / Double($0) } ?? 60
    if !isDirect || !fb.pan(to: 0) {
      shadow = Shadow(width: width, height: height, format: format)
    }
    timer = loop?.timer { [weak self] in
      guard let self, isVisible, !isClosed else { return }
      isBeat = true
      onReady?()
    }
  }

  deinit { timer?.cancel() }

  /// Whether frames are drawn into the framebuffer itself, not copied from ordinary memory.
  public var isDirect: Bool { shadow == nil }

  /// The format of the framebuffer's pixels: "16 bits: red 5 at 11, green 6 at 5, blue 5 at 0".
  public var pixels: String { fb.layout.format.description }

  /// See `Display.bytes`.
  public var bytes: Int {
    let layout = fb.layout
    return layout.rowBytes * layout.height * (isDirect ? 2 : 1) + (shadow?.bytes ?? 0)
  }

  /// Whether the same driver is still behind the device, in the same mode.
  var isUnchanged: Bool { fb.isUnchanged }

  // MARK: Frames

  /// See `Display.begin()`.
  public func begin() -> (target: ScanoutBuffer, age: Int) {
    if begunAt == nil { begunAt = EventLoop.now() }
    if let shadow {
      let target = ScanoutBuffer(
        base: shadow.base, rowBytes: shadow.rowBytes, width: width, height: height, format: format)
      return (target, isStale ? 0 : 1)
    }
    let back = 1 - front
    let target = ScanoutBuffer(
      base: memory.picture(at: back * height), rowBytes: fb.layout.rowBytes, width: width,
      height: height, format: format)
    return (target, drawnIn[back] == 0 ? 0 : frame - drawnIn[back] + 1)
  }

  /// See `Display.present(damage:)`.
  public func present(damage: [PixelRect]) {
    frame += 1
    isLost = false
    let begun = begunAt ?? EventLoop.now()
    begunAt = nil
    // The beat continues from when it was due, unless there was a pause.
    anchor = begun &- anchor < beat + beat / 4 ? anchor + beat : begun
    var next = anchor + beat
    if let shadow {
      if isStale {
        copyAll(shadow)
      } else {
        for rect in damage {
          memory.copy(rect, from: shadow.base, rowBytes: shadow.rowBytes, format: format)
        }
      }
    } else {
      let back = 1 - front
      drawnIn[back] = frame
      let before = EventLoop.now()
      if fb.pan(to: back * height) {
        front = back
        memory.top = back * height
        // The pan waited for the blank, so the next frame has a whole beat.
        let after = EventLoop.now()
        if after - before > beat / 4 { next = after }
      } else {
        stopPanning(drawn: back)
      }
    }
    guard let timer else { return }
    isBeat = false
    timer.arm(at: next)
  }

  private func copyAll(_ shadow: Shadow) {
    memory.copy(
      PixelRect(x: 0, y: 0, width: width, height: height), from: shadow.base,
      rowBytes: shadow.rowBytes, format: format)
    isStale = false
  }

  /// The driver no longer pans: reads back what was drawn, once, and copies frames from then on.
  private func stopPanning(drawn back: Int) {
    let made = Shadow(width: width, height: height, format: format)
    let rowSize = width * format.bytes
    _ = memory.readPicture(at: back * height) { y, pixels in
      memcpy(made.base + y * made.rowBytes, pixels, rowSize)
    }
    shadow = made
    copyAll(made)
  }

  /// See `Display.readFrame(_:)`.
  public func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    defer { words.deallocate() }
    func hand(_ y: Int, _ source: UnsafeRawPointer) {
      format.widen(source, words, width)
      row(y, words)
    }
    if let shadow {
      for y in 0..<height { hand(y, shadow.base + y * shadow.rowBytes) }
      return true
    }
    return frame > 0 && memory.readPicture(at: front * height, hand)
  }

  // MARK: Power

  /// Turns the panel off or on. One that cannot be turned off is drawn black.
  public func setPower(_ on: Bool) {
    guard on == isAsleep, !isClosed else { return }
    isAsleep = !on
    if isAway { return }
    if on {
      if !isBlackened { _ = fb.blank(false) }
      isBlackened = false
      show()
    } else {
      hide()
      blacken()
    }
  }

  /// Stops using the framebuffer while another terminal is on the screen.
  func suspend() {
    guard !isAway, !isClosed else { return }
    isAway = true
    if isAsleep, !isBlackened { _ = fb.blank(false) }
    hide()
  }

  /// Uses the framebuffer again; the contents of its memory are unknown.
  func resume() {
    guard isAway, !isClosed else { return }
    isAway = false
    if isAsleep { blacken() } else { show() }
  }

  private func show() {
    drawnIn = [0, 0]
    isStale = true
    isVisible = true
    isBeat = timer == nil
    if let timer { timer.arm(at: EventLoop.now()) } else { onReady?() }
  }

  private func hide() {
    isVisible = false
    isLost = frame > 0
    timer?.cancel()
  }

  private func blacken() {
    isBlackened = !fb.blank(true)
    if isBlackened { memory.clear() }
  }

  /// Restores the device's former mode, and lights the panel. Nothing is drawn afterwards.
  public func close() {
    guard !isClosed else { return }
    if isAsleep, !isAway, !isBlackened { _ = fb.blank(false) }
    isClosed = true
    timer?.cancel()
    fb.restore()
  }
}
