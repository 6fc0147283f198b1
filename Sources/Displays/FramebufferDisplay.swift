import EventLoop
import Glibc
import MapGeometry
import Pixels

/// A framebuffer device, /dev/fbN.
///
/// Where its pixels are XRGB8888 or RGB565 and the driver can show either of two pictures, frames
/// are drawn into the hidden one and shown by panning. Otherwise they are drawn into ordinary
/// memory (of the same format, or of the one that was asked for) and what changed is copied,
/// converted to the channels that the driver states. The framebuffer itself is never read for
/// drawing.
///
/// The pace is a clock's: at the panel's rate where the driver lets that be measured, else 60 Hz.
/// The call that waits for a vertical blank (FBIO_WAITFORVSYNC) blocks the thread, which is the
/// loop's, and there is no descriptor to wait on instead; so it is used at the start only, to
/// measure. A driver whose pan waits for the blank by itself sets the pace with that.
public final class FramebufferDisplay: Display {
  /// See `Display.kind`.
  public let kind = "fbdev"
  /// "/dev/fb0".
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
  /// Nil: drawn directly.
  private var shadow: Shadow?
  /// Direct drawing: the picture that is shown, 0 or 1, and in which frame each was drawn; 0:
  /// never.
  private var front = 0
  private var drawnIn = [0, 0]
  /// What the panel holds is not what the shadow holds.
  private var isStale = true
  private var isBlackened = false
  private var isAsleep = false
  private var isAway = false
  private var isClosed = false

  private let beat: UInt64
  private var timer: LoopTimer?
  private var isBeat = true
  private var anchor: UInt64 = 0
  /// When the frame that is being drawn was begun.
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

  /// Opens the device, in the mode asked for where the driver takes it.
  ///
  /// - Parameters:
  ///   - request: the mode and the rotation that are wanted.
  ///   - path: "/dev/fb0".
  ///   - loop: nil: without a beat; always ready.
  ///   - activates: sets the mode that is stated as well. A driver that comes while the console is
  ///     in graphics mode has a mode, and waits for somebody to set it.
  /// - Throws: `FramebufferError` where the device cannot be opened, mapped or understood.
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

  /// Whether frames are drawn into the framebuffer itself.
  public var isDirect: Bool { shadow == nil }

  /// The framebuffer's own pixels: "16 bits: red 5 at 11, green 6 at 5, blue 5 at 0".
  public var pixels: String { fb.layout.format.description }

  /// See `Display.bytes`.
  public var bytes: Int {
    let layout = fb.layout
    return layout.rowBytes * layout.height * (isDirect ? 2 : 1) + (shadow?.bytes ?? 0)
  }

  /// Whether the same driver still stands behind the device, in the same mode.
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
    // The beat goes on from when it was due, unless there was a pause.
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
        // It waited for the blank, and so the next frame has all of a beat.
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

  /// The driver no longer pans: reads back what was drawn, once, and copies frames afterwards.
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

  /// Turns the panel off or on; one that cannot be turned off is made black.
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

  /// The console belongs to someone else for a while, and with it the framebuffer's memory.
  func suspend() {
    guard !isAway, !isClosed else { return }
    isAway = true
    if isAsleep, !isBlackened { _ = fb.blank(false) }
    hide()
  }

  /// The console is ours again, and what its memory holds is not known.
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

  /// Gives the device its former mode back, and lights the panel. Nothing is drawn afterwards.
  public func close() {
    guard !isClosed else { return }
    if isAsleep, !isAway, !isBlackened { _ = fb.blank(false) }
    isClosed = true
    timer?.cancel()
    fb.restore()
  }
}
