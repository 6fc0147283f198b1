import EventLoop
import Glibc
import Pixels
import Platform

/// The screen of a framebuffer device. Follows a driver that is replaced at run time: the
/// firmware's (simplefb, efifb) goes, and the real one appears under the same name.
///
/// In between, and until there is one, the kiosk runs on with a display in memory.
public final class FramebufferScreen: Screen {
  /// See `Screen.display`.
  public private(set) var display: any Display
  /// See `Screen.onDisplayChange`.
  public var onDisplayChange: (() -> Void)?
  /// See `Screen.onHealth`.
  public var onHealth: ((_ what: String, _ detail: String?) -> Void)? {
    didSet {
      if let trouble { onHealth?("display", trouble) }
      if let trouble = console?.trouble { onHealth?("console", trouble) }
    }
  }
  /// Always nil: a framebuffer has no connectors.
  public let connector: String? = nil
  /// See `Screen.isConnected`.
  public var isConnected: Bool { framebuffer != nil }

  private let request: FramebufferRequest
  private let loop: EventLoop
  private let console: Console?
  private var framebuffer: FramebufferDisplay?
  private var events: DeviceEvents?
  private var timer: LoopTimer?
  private var tries = 0
  private var trouble: String?
  private var isOn = true
  private var isClosed = false

  /// The size of the display in memory as long as no framebuffer was seen.
  private static let size = (width: 1280, height: 720)
  /// When to look after an event, in nanoseconds: drivers come and go in several events, and udev
  /// sets the device's permissions a moment after the kernel announces it.
  private static let delays: [UInt64] = [
    300_000_000, 500_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000,
  ]

  /// Opens the framebuffer, or waits for one.
  ///
  /// - Parameters:
  ///   - request: the device and the mode that are wanted.
  ///   - loop: the loop of this thread.
  ///   - console: tells when another terminal is on the screen and uses the framebuffer; nil:
  ///     nobody tells.
  ///   - waits: whether to wait for a framebuffer if there is none; otherwise that is an error.
  /// - Throws: `FramebufferError` if none can be opened, or the requested device cannot.
  public init(
    _ request: FramebufferRequest, loop: EventLoop, console: Console? = nil, waits: Bool = false
  ) throws(FramebufferError) {
    self.request = request
    self.loop = loop
    self.console = console
    do throws(FramebufferError) {
      let opened = try Self.open(request, loop)
      framebuffer = opened
      display = opened
    } catch {
      guard waits else { throw error }
      trouble = error.description
      display = HeadlessDisplay(
        width: request.width ?? Self.size.width, height: request.height ?? Self.size.height,
        format: request.format ?? .xrgb8888, rotation: request.rotation, loop: loop)
    }
    console?.serve(
      self, onRelease: { [weak self] in self?.framebuffer?.suspend() },
      onAcquire: { [weak self] in self?.framebuffer?.resume() })
    if console?.isActive == false { framebuffer?.suspend() }
    timer = loop.timer { [weak self] in self?.look() }
    if framebuffer == nil { timer?.arm(after: Self.delays[0]) }
    // Without the kernel's events only the present device can be used.
    events = try? DeviceEvents(loop: loop) { [weak self] event in
      guard let event else {
        self?.lookSoon()
        return
      }
      if event.subsystem == "graphics", event.deviceName.hasPrefix("fb") { self?.lookSoon() }
    }
  }

  /// The paths of the framebuffer devices in `folder`, in the order of their numbers.
  public static func devices(in folder: String = "/dev") -> [String] {
    let numbers = Directory.visibleNames(in: folder).compactMap { name -> UInt16? in
      guard name.hasPrefix("fb"), let number = UInt16(name.dropFirst(2)), name == "fb\(number)"
      else {
        return nil
      }
      return number
    }
    return numbers.sorted().map { "\(folder)/fb\($0)" }
  }

  private static func open(
    _ request: FramebufferRequest, _ loop: EventLoop, activates: Bool = false
  ) throws(FramebufferError) -> FramebufferDisplay {
    if let device = request.device {
      return try FramebufferDisplay(request, path: device, loop: loop, activates: activates)
    }
    var first: FramebufferError?
    for path in devices() {
      do throws(FramebufferError) {
        return try FramebufferDisplay(request, path: path, loop: loop, activates: activates)
      } catch {
        first = first ?? error
      }
    }
    throw first ?? FramebufferError(opening: "/dev/fb0", code: ENOENT)
  }

  // MARK: Devices that come and go

  private func lookSoon() {
    guard !isClosed else { return }
    tries = 0
    timer?.arm(after: Self.delays[0])
  }

  private func look() {
    guard !isClosed else { return }
    if let framebuffer, framebuffer.isUnchanged { return }
    do throws(FramebufferError) {
      let opened = try Self.open(request, loop, activates: true)
      framebuffer = opened
      change(to: opened, trouble: nil)
    } catch {
      if framebuffer != nil {
        framebuffer = nil
        let last = display
        change(
          to: HeadlessDisplay(
            width: last.width, height: last.height, format: last.format, rotation: last.rotation,
            loop: loop), trouble: error.description)
      } else if trouble != error.description {
        trouble = error.description
        onHealth?("display", trouble)
      }
      tries += 1
      if tries < Self.delays.count { timer?.arm(after: Self.delays[tries]) }
    }
  }

  private func change(to new: any Display, trouble: String?) {
    display.onReady = nil
    display = new
    self.trouble = trouble
    if !isOn { framebuffer?.setPower(false) }
    if console?.isActive == false { framebuffer?.suspend() }
    onHealth?("display", trouble)
    onDisplayChange?()
  }

  // MARK: Power and the end

  /// See `Screen.setPower(_:)`.
  public func setPower(_ on: Bool) {
    isOn = on
    framebuffer?.setPower(on)
  }

  /// See `Screen.close()`.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    timer?.cancel()
    events = nil
    console?.forget(self)
    framebuffer?.close()
  }
}
